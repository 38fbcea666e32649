// SPDX-License-Identifier: Apache-2.0
//! Ed25519 and X25519 on the Pointmill cores.
//!
//! A [`Device`] is one opened core: verilated in this process (back-end `sim`) or in an FPGA (the others). Keys hold
//! a handle to it. [`VerifyingKey`] is a [`signature::Verifier`] and [`SigningKey`] a [`signature::Signer`] of
//! [`Signature`], as the keys of `ed25519-dalek` are; [`verify_batch`] and [`Device::verify_batch`] take many
//! signatures at once, which a core with several contexts needs for its full pace.
//!
//! ```no_run
//! use pointmill::{Device, Signer, SigningKey, Verifier};
//!
//! let device = Device::open("sim", "throughput")?;
//! let key = SigningKey::generate(&device)?;
//! let signature = key.try_sign(b"a message")?;
//! key.verifying_key().verify(b"a message", &signature)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every verdict is the core's; nothing is verified in software. Which unusual signatures are valid depends on the
//! [`Rule`].
//!
//! The device is locked during a call, so that threads may share a handle; they wait for each other. Secrets that
//! this crate copies are overwritten when they are dropped.

mod device;
mod ed;
mod error;
mod jobs;
mod secret;
pub mod x25519;

pub use device::{Counters, Device, Info, Mode};
pub use ed::{verify_batch, SigningKey, VerifyingKey};
pub use ed25519::Signature;
pub use error::{BatchError, Error};
pub use jobs::{Job, Reason, Rule, Verdict};
pub use secret::{Secret, SecretJob, SecretResult};
pub use signature::{Keypair, Signer, Verifier};
