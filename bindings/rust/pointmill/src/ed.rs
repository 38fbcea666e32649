// SPDX-License-Identifier: Apache-2.0
//! Keys of Ed25519.

use crate::device::Device;
use crate::error::Error;
use crate::jobs::{Job, Rule, Verdict};
use crate::secret::SecretJob;
use ed25519::Signature;
use signature::{Keypair, Signer, Verifier};
use zeroize::Zeroizing;

/// A public key, and the device that verifies with it.
#[derive(Clone, Debug)]
pub struct VerifyingKey {
    device: Device,
    bytes: [u8; 32],
    rule: Rule,
}

impl VerifyingKey {
    /// A public key as on the wire, with rule set [`Rule::Ref10Bytes`]. Whether it is a point the core finds when it
    /// verifies.
    #[must_use]
    pub fn from_bytes(device: &Device, bytes: &[u8; 32]) -> VerifyingKey {
        VerifyingKey { device: device.clone(), bytes: *bytes, rule: Rule::Ref10Bytes }
    }

    /// The same key with another rule set.
    #[must_use]
    pub fn with_rule(self, rule: Rule) -> VerifyingKey {
        VerifyingKey { rule, ..self }
    }

    /// The key as on the wire.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.bytes
    }

    /// The verification of a signature by this key, for [`Device::verify_batch`].
    #[must_use]
    pub fn job<'a>(&'a self, message: &'a [u8], signature: &'a [u8]) -> Job<'a> {
        Job { public_key: &self.bytes, signature, message, rule: self.rule }
    }

    /// Verifies, and tells the reason and the cycles too.
    ///
    /// # Errors
    /// The device failed; a signature that is not valid is no error.
    pub fn verdict(&self, message: &[u8], signature: &Signature) -> Result<Verdict, Error> {
        self.device.verify(&self.job(message, &signature.to_bytes()))
    }
}

impl PartialEq for VerifyingKey {
    /// Whether the bytes are the same.
    fn eq(&self, other: &VerifyingKey) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for VerifyingKey {}

impl AsRef<[u8]> for VerifyingKey {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Verifier<Signature> for VerifyingKey {
    /// An error of the device is the source of the error; a signature that is not valid has none.
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), signature::Error> {
        let verdict = self.verdict(message, signature).map_err(signature::Error::from_source)?;
        if verdict.is_valid() {
            Ok(())
        } else {
            Err(signature::Error::new())
        }
    }
}

/// A seed with its public key, and the device that signs with it. The seed is overwritten when it is dropped.
#[derive(Clone)]
pub struct SigningKey {
    seed: Zeroizing<[u8; 32]>,
    public: VerifyingKey,
}

impl SigningKey {
    /// The key of a seed; its public key is computed by the core.
    ///
    /// # Errors
    /// The device failed, or does not sign ([`Error::Rejected`]).
    pub fn from_bytes(device: &Device, seed: &[u8; 32]) -> Result<SigningKey, Error> {
        let public = device.secret_batch(&[SecretJob::Keygen { seed }])?.remove(0)?;
        let bytes = public.as_bytes().try_into().map_err(|_| Error::Protocol)?;
        Ok(SigningKey { seed: Zeroizing::new(*seed), public: VerifyingKey::from_bytes(device, &bytes) })
    }

    /// A new key from the randomness of the operating system.
    ///
    /// # Errors
    /// [`Error::Randomness`], and as [`SigningKey::from_bytes`].
    pub fn generate(device: &Device) -> Result<SigningKey, Error> {
        let mut seed = Zeroizing::new([0; 32]);
        getrandom::fill(seed.as_mut()).map_err(|_| Error::Randomness)?;
        SigningKey::from_bytes(device, &seed)
    }

    /// The seed.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.seed
    }

    /// The public key.
    #[must_use]
    pub fn verifying_key(&self) -> VerifyingKey {
        self.public.clone()
    }
}

impl Keypair for SigningKey {
    type VerifyingKey = VerifyingKey;

    fn verifying_key(&self) -> VerifyingKey {
        self.public.clone()
    }
}

impl Signer<Signature> for SigningKey {
    /// An error of the device is the source of the error.
    fn try_sign(&self, message: &[u8]) -> Result<Signature, signature::Error> {
        let sign = || -> Result<Signature, Error> {
            let job = SecretJob::Sign { seed: &self.seed, message };
            let signed = self.public.device.secret_batch(&[job])?.remove(0)?;
            let (key, rest) = signed.as_bytes().split_at_checked(32).ok_or(Error::Protocol)?;
            if key != self.public.bytes {
                return Err(Error::Protocol);
            }
            Signature::from_slice(rest).map_err(|_| Error::Protocol)
        };
        sign().map_err(signature::Error::from_source)
    }
}

impl std::fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SigningKey").field("public", &self.public).finish_non_exhaustive()
    }
}

/// Verifies signature i of message i by key i; `Ok` if all are valid. Keys of several devices are verified device by
/// device. [`Device::verify_batch`] tells which are not.
///
/// # Errors
/// One is not valid. With a source: a device failed, or the lengths differ ([`Error::Argument`]).
pub fn verify_batch(
    messages: &[&[u8]],
    signatures: &[Signature],
    keys: &[VerifyingKey],
) -> Result<(), signature::Error> {
    if messages.len() != signatures.len() || signatures.len() != keys.len() {
        return Err(signature::Error::from_source(Error::Argument));
    }
    let bytes: Vec<[u8; 64]> = signatures.iter().map(Signature::to_bytes).collect();
    let mut left: Vec<usize> = (0..keys.len()).collect();
    while let Some(&first) = left.first() {
        let device = &keys[first].device;
        let (here, elsewhere): (Vec<usize>, _) = left.iter().partition(|&&i| keys[i].device.is_same(device));
        let jobs: Vec<Job<'_>> = here.iter().map(|&i| keys[i].job(messages[i], &bytes[i])).collect();
        let verdicts = device.verify_batch(&jobs).map_err(|failed| signature::Error::from_source(failed.error))?;
        if !verdicts.iter().all(Verdict::is_valid) {
            return Err(signature::Error::new());
        }
        left = elsewhere;
    }
    Ok(())
}
