// SPDX-License-Identifier: Apache-2.0
//! Errors.

use crate::jobs::Reason;
use pointmill_sys as sys;
use std::ffi::{c_char, CStr};
use std::fmt;

/// Why a call failed. That a signature is not valid is no error but a [`Verdict`](crate::Verdict).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A value is outside its range, or lengths that must agree differ.
    Argument,
    /// The library has no back-end of this name.
    Backend(String),
    /// The configuration is malformed, or there is no such one; what exactly.
    Config(String),
    /// Out of memory.
    Memory,
    /// The operating system rejected access to the device; which file, and why. Empty where an open device failed.
    Io(String),
    /// No core of a known kind responds there.
    Device(String),
    /// The core rejected a register access, or did not respond.
    Bus,
    /// The core made no progress for the time given; it was reset and is usable again.
    Timeout,
    /// A result of the core contradicts itself or its job.
    Protocol,
    /// The progress function asked to stop.
    Cancelled,
    /// The core was built without this mode.
    Mode,
    /// The core rejected a job with a secret operand.
    Rejected(Reason),
    /// The operating system gave no randomness for a new key.
    Randomness,
    /// A number that this version of the crate does not know.
    Unknown(u32),
}

fn text_of(text: *const c_char) -> String {
    // SAFETY: the library returns texts that end with a zero, and never null.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

impl Error {
    /// What a call on an open device came to.
    pub(crate) fn check(code: sys::pm_error) -> Result<(), Error> {
        match code {
            sys::PM_OK => Ok(()),
            sys::PM_ERR_ARGUMENT => Err(Error::Argument),
            sys::PM_ERR_MEMORY => Err(Error::Memory),
            sys::PM_ERR_IO => Err(Error::Io(String::new())),
            sys::PM_ERR_BUS => Err(Error::Bus),
            sys::PM_ERR_TIMEOUT => Err(Error::Timeout),
            sys::PM_ERR_PROTOCOL => Err(Error::Protocol),
            sys::PM_ERR_CANCELLED => Err(Error::Cancelled),
            sys::PM_ERR_MODE => Err(Error::Mode),
            other => Err(Error::Unknown(other)),
        }
    }

    /// What the opening of a device came to, with the library's detail, which is of this thread.
    pub(crate) fn check_open(code: sys::pm_error, backend: &str) -> Result<(), Error> {
        // SAFETY: the function takes nothing.
        let detail = text_of(unsafe { sys::pm_open_detail() });
        match code {
            sys::PM_ERR_BACKEND => Err(Error::Backend(backend.to_owned())),
            sys::PM_ERR_CONFIG => Err(Error::Config(detail)),
            sys::PM_ERR_IO => Err(Error::Io(detail)),
            sys::PM_ERR_DEVICE => Err(Error::Device(detail)),
            other => Error::check(other),
        }
    }

    fn code(&self) -> sys::pm_error {
        match self {
            Error::Argument => sys::PM_ERR_ARGUMENT,
            Error::Backend(_) => sys::PM_ERR_BACKEND,
            Error::Config(_) => sys::PM_ERR_CONFIG,
            Error::Memory => sys::PM_ERR_MEMORY,
            Error::Io(_) => sys::PM_ERR_IO,
            Error::Device(_) => sys::PM_ERR_DEVICE,
            Error::Bus => sys::PM_ERR_BUS,
            Error::Timeout => sys::PM_ERR_TIMEOUT,
            Error::Protocol => sys::PM_ERR_PROTOCOL,
            Error::Cancelled => sys::PM_ERR_CANCELLED,
            Error::Mode => sys::PM_ERR_MODE,
            Error::Rejected(_) | Error::Randomness => u32::MAX,
            Error::Unknown(code) => *code,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Rejected(reason) => write!(f, "the core rejected the job: {reason}"),
            Error::Randomness => f.write_str("the operating system gave no randomness"),
            _ => {
                // SAFETY: the function takes any number.
                f.write_str(&text_of(unsafe { sys::pm_strerror(self.code()) }))?;
                match self {
                    Error::Backend(detail) | Error::Config(detail) | Error::Io(detail) | Error::Device(detail)
                        if !detail.is_empty() =>
                    {
                        write!(f, ": {detail}")
                    }
                    _ => Ok(()),
                }
            }
        }
    }
}

impl std::error::Error for Error {}

/// A batch that failed: the error, and all results of the jobs in their order, where those without one have the reason
/// [`Reason::Aborted`]. The device is usable again.
#[derive(Debug)]
pub struct BatchError<T> {
    /// Why it failed.
    pub error: Error,
    /// One for each job; none where the call was wrong.
    pub results: Vec<T>,
}

impl<T> fmt::Display for BatchError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<T: fmt::Debug> std::error::Error for BatchError<T> {}

impl<T> From<BatchError<T>> for Error {
    fn from(failed: BatchError<T>) -> Error {
        failed.error
    }
}
