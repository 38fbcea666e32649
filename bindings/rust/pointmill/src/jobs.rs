// SPDX-License-Identifier: Apache-2.0
//! Verifications: jobs, rule sets, verdicts.

use pointmill_sys as sys;
use std::fmt;

/// Defines an enum of numbers of the C interface, with their names.
macro_rules! named {
    ($(#[$doc:meta])* $type:ident { $($(#[$of:meta])* $variant:ident = $value:ident, $name:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u32)]
        pub enum $type { $($(#[$of])* $variant = sys::$value,)* }

        impl $type {
            /// All of them, by their numbers.
            pub const ALL: &'static [$type] = &[$($type::$variant),*];

            /// The name that the documents and the command line use.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $($type::$variant => $name),* }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

named! {
    /// A rule set: which unusual signatures are valid (docs/verification-rules.md).
    Rule {
        /// RFC 8032, equation without cofactor.
        Rfc8032Cofactorless = PM_RULE_RFC8032_COFACTORLESS, "rfc8032_cofactorless";
        /// RFC 8032, equation with cofactor.
        Rfc8032Cofactored = PM_RULE_RFC8032_COFACTORED, "rfc8032_cofactored";
        /// ZIP 215.
        Zip215 = PM_RULE_ZIP215, "zip215";
        /// What ref10, Go and OpenSSL do; the default of keys.
        Ref10Bytes = PM_RULE_REF10_BYTES, "ref10_bytes";
        /// `verify_strict` of `ed25519-dalek`.
        DalekStrict = PM_RULE_DALEK_STRICT, "dalek_strict";
        /// libsodium.
        Libsodium = PM_RULE_LIBSODIUM, "libsodium";
    }
}

named! {
    /// Why a job has the result it has; where several reasons apply, the one with the lowest number.
    Reason {
        /// Valid.
        Ok = PM_REASON_OK, "ok";
        /// A length is wrong, or there is no such rule or operation.
        MalformedJob = PM_REASON_MALFORMED_JOB, "malformed_job";
        /// S is not below the order of the base point.
        SOutOfRange = PM_REASON_S_OUT_OF_RANGE, "s_out_of_range";
        /// The public key is no encoding of a point.
        ANotDecodable = PM_REASON_A_NOT_DECODABLE, "a_not_decodable";
        /// R is no encoding of a point.
        RNotDecodable = PM_REASON_R_NOT_DECODABLE, "r_not_decodable";
        /// The public key is a point of small order.
        SmallOrderA = PM_REASON_SMALL_ORDER_A, "small_order_a";
        /// R is a point of small order.
        SmallOrderR = PM_REASON_SMALL_ORDER_R, "small_order_r";
        /// The verification equation does not hold.
        EquationFails = PM_REASON_EQUATION_FAILS, "equation_fails";
        /// There is no verdict: the job was given up.
        Aborted = PM_REASON_ABORTED, "aborted";
        /// The core has no memory for such a message.
        MessageTooLong = PM_REASON_MESSAGE_TOO_LONG, "message_too_long";
        /// The core's guard stopped a job with a secret operand.
        SecretRefused = PM_REASON_SECRET_REFUSED, "secret_refused";
        /// The core found a fault of its own: there is no verdict.
        FaultDetected = PM_REASON_FAULT_DETECTED, "fault_detected";
    }
}

impl Reason {
    /// A number that the library gave; it rejects those that it does not know.
    pub(crate) fn of(number: u32) -> Reason {
        Reason::ALL.get(number as usize).copied().unwrap_or(Reason::Aborted)
    }
}

/// One signature to verify, as on the wire. Wrong lengths give [`Reason::MalformedJob`].
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The public key, 32 bytes.
    pub public_key: &'a [u8],
    /// R and S, 64 bytes.
    pub signature: &'a [u8],
    /// The message.
    pub message: &'a [u8],
    /// The rule set.
    pub rule: Rule,
}

impl Job<'_> {
    pub(crate) fn raw(&self, tag: usize) -> sys::pm_job {
        sys::pm_job {
            tag: tag as u64,
            rule: self.rule as u32,
            pk: self.public_key.as_ptr(),
            pk_len: self.public_key.len(),
            sig: self.signature.as_ptr(),
            sig_len: self.signature.len(),
            msg: self.message.as_ptr(),
            msg_len: self.message.len(),
        }
    }
}

/// What the core says of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// [`Reason::Ok`] if the signature is valid.
    pub reason: Reason,
    /// Clock cycles from the header to the verdict; 0 of a job that never reached the core.
    pub cycles: u32,
}

impl Verdict {
    /// Whether the signature is valid under the rule set of its job.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.reason == Reason::Ok
    }

    pub(crate) fn of(result: &sys::pm_result) -> Verdict {
        // A result is valid only if both say so.
        let reason = Reason::of(result.reason);
        let reason = if (result.valid == 1) == (reason == Reason::Ok) { reason } else { Reason::Aborted };
        Verdict { reason, cycles: result.cycles }
    }
}
