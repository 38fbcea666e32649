// SPDX-License-Identifier: Apache-2.0
//! Batches, errors, threads and the core `x25519`, on the simulated device.

mod common;

use common::device;
use pointmill::x25519::StaticSecret;
use pointmill::{
    verify_batch, Device, Error, Job, Keypair, Mode, Reason, Rule, SecretJob, Signature, Signer, SigningKey, Verifier,
    VerifyingKey,
};
use std::error::Error as _;
use std::ops::ControlFlow;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::thread;

/// Keys, messages and their signatures.
fn signed(n: u8) -> (Vec<VerifyingKey>, Vec<Vec<u8>>, Vec<Signature>) {
    let keys: Vec<SigningKey> = (0..n).map(|i| SigningKey::from_bytes(device(), &[i; 32]).unwrap()).collect();
    let messages: Vec<Vec<u8>> = (0..n).map(|i| vec![i; usize::from(i) * 7]).collect();
    let signatures = keys.iter().zip(&messages).map(|(key, message)| key.sign(message)).collect();
    (keys.iter().map(Keypair::verifying_key).collect(), messages, signatures)
}

fn source(error: &signature::Error) -> Option<&Error> {
    error.source().and_then(|source| source.downcast_ref())
}

#[test]
fn a_batch_is_valid_if_every_signature_is() {
    let (keys, messages, mut signatures) = signed(6);
    let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    verify_batch(&messages, &signatures, &keys).unwrap();
    signatures.swap(2, 3);
    let invalid = verify_batch(&messages, &signatures, &keys).unwrap_err();
    assert!(invalid.source().is_none());
    let wrong = verify_batch(&messages[1..], &signatures, &keys).unwrap_err();
    assert_eq!(source(&wrong), Some(&Error::Argument));
    verify_batch(&[], &[], &[]).unwrap();
}

#[test]
fn a_batch_keeps_the_order_and_says_why() {
    let (keys, messages, signatures) = signed(4);
    let bytes: Vec<[u8; 64]> = signatures.iter().map(Signature::to_bytes).collect();
    let mut jobs: Vec<Job<'_>> = (0..4).map(|i| keys[i].job(&messages[i], &bytes[i])).collect();
    jobs[1].signature = &bytes[1][..63];
    jobs[2].message = b"another";
    let mut seen = Vec::new();
    let verdicts = device()
        .verify_batch_with(&jobs, |done, total| {
            seen.push((done, total));
            ControlFlow::Continue(())
        })
        .unwrap();
    let reasons: Vec<Reason> = verdicts.iter().map(|verdict| verdict.reason).collect();
    assert_eq!(reasons, [Reason::Ok, Reason::MalformedJob, Reason::EquationFails, Reason::Ok]);
    assert_eq!(seen, [(1, 4), (2, 4), (3, 4), (4, 4)]);
}

#[test]
fn rule_sets_differ() {
    // Key and R of order 1, S = 0: valid unless the rule rejects points of small order.
    let mut identity = [0; 32];
    identity[0] = 1;
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(&identity);
    let verdict = |rule| {
        device().verify(&Job { public_key: &identity, signature: &signature, message: b"", rule }).unwrap().reason
    };
    assert_eq!(verdict(Rule::Zip215), Reason::Ok);
    assert_eq!(verdict(Rule::DalekStrict), Reason::SmallOrderA);
    assert_eq!(Rule::ALL.len(), 6);
    assert_eq!(Rule::Libsodium.to_string(), "libsodium");
}

#[test]
fn progress_stops_a_batch() {
    let (keys, messages, signatures) = signed(3);
    let bytes: Vec<[u8; 64]> = signatures.iter().map(Signature::to_bytes).collect();
    let jobs: Vec<Job<'_>> = (0..90).map(|i| keys[i % 3].job(&messages[i % 3], &bytes[i % 3])).collect();
    let stopped = device().verify_batch_with(&jobs, |_, _| ControlFlow::Break(())).unwrap_err();
    assert_eq!(stopped.error, Error::Cancelled);
    assert_eq!(stopped.results.len(), 90);
    assert!(stopped.results.iter().any(|verdict| verdict.reason == Reason::Aborted));
    let panics = catch_unwind(AssertUnwindSafe(|| device().verify_batch_with(&jobs, |_, _| panic!("stop"))));
    assert_eq!(panics.unwrap_err().downcast_ref(), Some(&"stop"));
    assert!(device().verify(&jobs[0]).unwrap().is_valid());
}

#[test]
fn threads_share_a_device() {
    let (keys, messages, signatures) = signed(4);
    thread::scope(|scope| {
        for i in 0..4 {
            let (key, message, signature) = (&keys[i], &messages[i], &signatures[i]);
            scope.spawn(move || {
                key.verify(message, signature).unwrap();
                assert!(key.verify(b"forged", signature).is_err());
            });
        }
    });
}

#[test]
fn errors_say_what_is_wrong() {
    let error = |backend, config| Device::open(backend, config).unwrap_err();
    assert_eq!(error("fpga", ""), Error::Backend("fpga".to_owned()));
    assert_eq!(error("fpga", "").to_string(), "no back-end of that name in this library: fpga");
    assert!(matches!(error("sim", "throughput,speed=1"), Error::Config(detail) if detail.contains("speed")));
    assert!(matches!(error("sim", "nosuch"), Error::Config(detail) if detail.contains("nosuch")));
    assert!(matches!(error("uio", "regs=no/such/file"), Error::Io(detail) if detail.contains("no/such/file")));
    assert!(matches!(error("sim", "a\0b"), Error::Config(_)));
    assert_eq!(device().set_mode(Mode::Cached), Err(Error::Mode));
    assert_eq!(device().set_batch_timeout(0), Err(Error::Argument));
    assert!(Device::backends().contains(&"sim".to_owned()));
}

#[test]
fn information_and_counters() {
    let info = device().info().unwrap();
    assert_eq!((info.backend.as_str(), info.config.as_str()), ("sim", "throughput"));
    let before = device().counters().unwrap();
    let key = SigningKey::generate(device()).unwrap();
    key.verifying_key().verify(b"m", &key.sign(b"m")).unwrap();
    let after = device().counters().unwrap();
    assert!(after.jobs >= before.jobs + 3 && after.valid >= before.valid + 3 && after.cycles > before.cycles);
}

#[test]
fn the_core_x25519() {
    let small = Device::open("sim", "x25519-tile").unwrap();
    let (a, b) = (StaticSecret::generate(&small).unwrap(), StaticSecret::generate(device()).unwrap());
    let shared = a.diffie_hellman(&b.public_key().unwrap()).unwrap();
    assert_eq!(shared.as_bytes(), b.diffie_hellman(&a.public_key().unwrap()).unwrap().as_bytes());
    let rejected = small.secret_batch(&[SecretJob::Keygen { seed: &[1; 32] }]).unwrap().remove(0);
    assert_eq!(rejected.unwrap_err(), Error::Rejected(Reason::MalformedJob));
}

#[test]
fn secrets_are_not_shown() {
    let key = SigningKey::from_bytes(device(), &[0x5a; 32]).unwrap();
    assert!(!format!("{key:?}").contains("90, 90"));
    let secret = device().secret_batch(&[SecretJob::Keygen { seed: &[0x5a; 32] }]).unwrap().remove(0).unwrap();
    assert_eq!(format!("{secret:?}"), "Secret { length: 32, .. }");
}
