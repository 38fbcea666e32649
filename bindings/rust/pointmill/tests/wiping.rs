// SPDX-License-Identifier: Apache-2.0
//! No secret stays in memory that is freed. The allocator of this program looks at every block that it takes back.

use hex_literal::hex;
use pointmill::x25519::{PublicKey, StaticSecret};
use pointmill::{Device, SecretJob};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// RFC 7748, 6.1: the scalar of one side, the public key of the other, the secret that they share.
const SCALAR: [u8; 32] = hex!("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a");
const PUBLIC: [u8; 32] = hex!("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f");
const SHARED: [u8; 32] = hex!("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");

static FOUND: AtomicUsize = AtomicUsize::new(0);

struct Watching;

// SAFETY: all is passed on to the allocator of the system.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises. Zeroed, so that every byte may be read when the block is freed.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block has so many bytes, and is the caller's no more.
        let bytes = unsafe { std::slice::from_raw_parts(block, layout.size()) };
        if bytes.windows(32).any(|part| part == SCALAR || part == SHARED) {
            FOUND.fetch_add(1, Ordering::SeqCst);
        }
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Watching = Watching;

#[test]
fn no_secret_stays_in_freed_memory() {
    drop(SHARED.to_vec());
    assert_eq!(FOUND.swap(0, Ordering::SeqCst), 1);

    let device = Device::open("sim", "throughput").unwrap_or_else(|error| panic!("{error}"));
    let secret = StaticSecret::from_bytes(&device, &SCALAR);
    assert_eq!(secret.diffie_hellman(&PublicKey(PUBLIC)).unwrap().as_bytes(), &SHARED);
    let mut results = device.secret_batch(&[SecretJob::X25519 { scalar: &SCALAR, u: &PUBLIC }; 3]).unwrap();
    let taken = results.remove(0).unwrap();
    assert_eq!((taken.as_bytes(), taken.clone().as_bytes()), (&SHARED[..], &SHARED[..]));
    drop((secret, results, taken));
    assert_eq!(FOUND.load(Ordering::SeqCst), 0);
}
