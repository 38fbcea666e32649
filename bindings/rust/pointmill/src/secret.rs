// SPDX-License-Identifier: Apache-2.0
//! Operations with a secret operand.

use crate::error::Error;
use crate::jobs::Reason;
use pointmill_sys as sys;
use std::ptr;
use zeroize::Zeroizing;

/// One operation with a secret operand.
#[derive(Clone, Copy)]
pub enum SecretJob<'a> {
    /// Scalar multiplication of RFC 7748; the core clamps the scalar.
    X25519 {
        /// The scalar.
        scalar: &'a [u8; 32],
        /// The u-coordinate.
        u: &'a [u8; 32],
    },
    /// The public key of an Ed25519 seed.
    Keygen {
        /// The seed.
        seed: &'a [u8; 32],
    },
    /// An Ed25519 signature.
    Sign {
        /// The seed.
        seed: &'a [u8; 32],
        /// The message.
        message: &'a [u8],
    },
}

impl SecretJob<'_> {
    pub(crate) fn raw(&self, tag: usize) -> sys::pm_secret_job {
        let (op, secret, u, message): (_, _, &[u8], &[u8]) = match self {
            SecretJob::X25519 { scalar, u } => (sys::PM_OP_X25519, scalar, u.as_slice(), &[]),
            SecretJob::Keygen { seed } => (sys::PM_OP_KEYGEN, seed, &[], &[]),
            SecretJob::Sign { seed, message } => (sys::PM_OP_SIGN, seed, &[], message),
        };
        let pointer = |bytes: &[u8]| if bytes.is_empty() { ptr::null() } else { bytes.as_ptr() };
        sys::pm_secret_job {
            tag: tag as u64,
            op,
            secret: secret.as_ptr(),
            secret_len: secret.len(),
            u: pointer(u),
            u_len: u.len(),
            msg: pointer(message),
            msg_len: message.len(),
        }
    }
}

/// The result of one job of a batch: what the core computed, or why it rejected the job.
pub type SecretResult = Result<Secret, Error>;

/// The result of an operation with a secret operand; overwritten when it is dropped. A value that is moved leaves its
/// bytes behind, so that these are in a box.
#[derive(Clone)]
pub struct Secret {
    bytes: Zeroizing<Box<[u8]>>,
    all_zero: bool,
    cycles: u32,
}

impl Secret {
    /// X25519: the u-coordinate, 32 bytes; key generation: the public key, 32 bytes; signing: the public key, then the
    /// signature, 96 bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// X25519: the result is zero, as for a point of small order.
    #[must_use]
    pub fn is_all_zero(&self) -> bool {
        self.all_zero
    }

    /// Clock cycles that the job took; they do not depend on its secret.
    #[must_use]
    pub fn cycles(&self) -> u32 {
        self.cycles
    }

    pub(crate) fn of(result: &sys::pm_result) -> SecretResult {
        let length = result.length as usize;
        if result.valid != 1 || result.reason != sys::PM_REASON_OK || length > result.payload.len() {
            return Err(Error::Rejected(Reason::of(result.reason)));
        }
        Ok(Secret {
            bytes: Zeroizing::new(result.payload[..length].into()),
            all_zero: result.all_zero != 0,
            cycles: result.cycles,
        })
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Secret").field("length", &self.bytes.len()).finish_non_exhaustive()
    }
}
