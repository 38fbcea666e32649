// SPDX-License-Identifier: Apache-2.0
//! X25519 key agreement (RFC 7748), with types as those of `x25519-dalek`.
//!
//! It runs on the core `x25519` and on an `edverify` that has secret operations.

use crate::device::Device;
use crate::error::Error;
use crate::secret::SecretJob;
use zeroize::Zeroizing;

/// The u-coordinate of the base point.
const BASE: [u8; 32] = {
    let mut u = [0; 32];
    u[0] = 9;
    u
};

/// A public key: a u-coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PublicKey(pub [u8; 32]);

impl PublicKey {
    /// The bytes of the key.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<[u8; 32]> for PublicKey {
    fn from(bytes: [u8; 32]) -> PublicKey {
        PublicKey(bytes)
    }
}

/// A secret scalar, and the device that computes with it; overwritten when it is dropped.
#[derive(Clone)]
pub struct StaticSecret {
    device: Device,
    scalar: Zeroizing<[u8; 32]>,
}

impl StaticSecret {
    /// A scalar, which the core clamps.
    #[must_use]
    pub fn from_bytes(device: &Device, scalar: &[u8; 32]) -> StaticSecret {
        StaticSecret { device: device.clone(), scalar: Zeroizing::new(*scalar) }
    }

    /// A new scalar from the randomness of the operating system.
    ///
    /// # Errors
    /// [`Error::Randomness`].
    pub fn generate(device: &Device) -> Result<StaticSecret, Error> {
        let mut scalar = Zeroizing::new([0; 32]);
        getrandom::fill(scalar.as_mut()).map_err(|_| Error::Randomness)?;
        Ok(StaticSecret { device: device.clone(), scalar })
    }

    /// The public key.
    ///
    /// # Errors
    /// The device failed, or has no secret operations ([`Error::Rejected`]).
    pub fn public_key(&self) -> Result<PublicKey, Error> {
        Ok(PublicKey(*self.diffie_hellman(&PublicKey(BASE))?.as_bytes()))
    }

    /// The secret shared with the holder of `other`.
    ///
    /// # Errors
    /// As [`StaticSecret::public_key`].
    pub fn diffie_hellman(&self, other: &PublicKey) -> Result<SharedSecret, Error> {
        let job = SecretJob::X25519 { scalar: &self.scalar, u: &other.0 };
        let result = self.device.secret_batch(&[job])?.remove(0)?;
        let bytes = Zeroizing::new(result.as_bytes().try_into().map_err(|_| Error::Protocol)?);
        Ok(SharedSecret { bytes, contributory: !result.is_all_zero() })
    }
}

impl std::fmt::Debug for StaticSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StaticSecret").finish_non_exhaustive()
    }
}

/// A shared secret; overwritten when it is dropped.
pub struct SharedSecret {
    bytes: Zeroizing<[u8; 32]>,
    contributory: bool,
}

impl SharedSecret {
    /// The bytes, for a key derivation function.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.bytes
    }

    /// Whether the other side contributed: false if the secret is zero, as from a public key of small order. The core
    /// decides it, in a time that does not depend on the secret.
    #[must_use]
    pub fn was_contributory(&self) -> bool {
        self.contributory
    }
}

impl std::fmt::Debug for SharedSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedSecret").finish_non_exhaustive()
    }
}
