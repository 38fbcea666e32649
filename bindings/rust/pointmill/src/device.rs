// SPDX-License-Identifier: Apache-2.0
//! Devices.

use crate::error::{BatchError, Error};
use crate::jobs::{Job, Verdict};
use crate::secret::{Secret, SecretJob, SecretResult};
use pointmill_sys as sys;
use std::any::Any;
use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::ops::ControlFlow;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use zeroize::Zeroize;

/// How verifications are carried out. Verdicts are the same in all modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Mode {
    /// Each individually.
    Single = sys::PM_MODE_SINGLE,
    /// Together, under cofactored rules.
    Batch = sys::PM_MODE_BATCH,
    /// Keys that come often are prepared in the core.
    Cached = sys::PM_MODE_CACHED,
}

/// What is behind a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Name of the back-end.
    pub backend: String,
    /// The configuration that was opened.
    pub config: String,
    /// The core's register NAME as text.
    pub name: String,
    /// The core's register VERSION.
    pub version: u32,
    /// Clock cycles since the device was opened.
    pub elapsed_cycles: u64,
}

/// The counters of the core since its reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counters {
    /// Jobs with a result.
    pub jobs: u64,
    /// Of these, valid ones.
    pub valid: u64,
    /// Of these, malformed or aborted ones.
    pub errors: u64,
    /// Clock cycles.
    pub cycles: u64,
    /// Cycles with a job in the core.
    pub busy: u64,
    /// Multiplications started; 0 of the core `x25519`.
    pub muls: u64,
}

/// The device of the C library; closed when the last handle is dropped.
struct Handle(ptr::NonNull<sys::pm_device>);

// SAFETY: the library has no state of a thread but the text of pm_open_detail(), which is read where a device is
// opened. One device is used by one thread at a time, which the mutex of `Device` sees to.
unsafe impl Send for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the pointer is of pm_open(), and nothing else holds it.
        unsafe { sys::pm_close(self.0.as_ptr()) }
    }
}

/// One opened core `edverify` or `x25519`. Clones are handles to the same core, which is closed with the last.
#[derive(Clone)]
pub struct Device(Arc<Mutex<Handle>>);

/// A progress function, and the panic that stopped it.
struct Progress<'a> {
    function: &'a mut dyn FnMut(usize, usize) -> ControlFlow<()>,
    panic: Option<Box<dyn Any + Send>>,
}

/// Calls the progress function; a panic stops the batch and goes on behind it, as it must not pass through C.
unsafe extern "C" fn call_progress(context: *mut c_void, done: usize, total: usize) -> c_int {
    // SAFETY: the context is the `Progress` that `with_progress` gave to the library.
    let progress = unsafe { &mut *context.cast::<Progress<'_>>() };
    match catch_unwind(AssertUnwindSafe(|| (progress.function)(done, total))) {
        Ok(ControlFlow::Continue(())) => 0,
        Ok(ControlFlow::Break(())) => 1,
        Err(panic) => {
            progress.panic = Some(panic);
            1
        }
    }
}

/// A text that fills a member of a C structure, up to its zero.
fn text_of(bytes: &[c_char]) -> String {
    let bytes: Vec<u8> = bytes.iter().take_while(|byte| **byte != 0).map(|byte| byte.to_ne_bytes()[0]).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

const EMPTY: sys::pm_result = sys::pm_result {
    tag: 0,
    op: 0,
    rule: 0,
    reason: sys::PM_REASON_ABORTED,
    cycles: 0,
    length: 0,
    valid: 0,
    all_zero: 0,
    payload: [0; 96],
};

impl Device {
    /// Opens a core. `backend` is one of [`Device::backends`]; `config` a configuration name, then settings, separated by commas
    /// (docs/driver.md), for example `"throughput"` or `"x25519-tile,seed=7"`.
    ///
    /// # Errors
    /// [`Error::Backend`], [`Error::Config`], [`Error::Io`] or [`Error::Device`], which say what is wrong.
    pub fn open(backend: &str, config: &str) -> Result<Device, Error> {
        let zero = |_| Error::Config("there is a zero byte in it".to_owned());
        let (name, text) = (CString::new(backend).map_err(zero)?, CString::new(config).map_err(zero)?);
        let mut opened = ptr::null_mut();
        // SAFETY: texts that end with a zero, and a place for a pointer.
        let code = unsafe { sys::pm_open(name.as_ptr(), text.as_ptr(), &raw mut opened) };
        Error::check_open(code, backend)?;
        let handle = ptr::NonNull::new(opened).ok_or(Error::Memory)?;
        Ok(Device(Arc::new(Mutex::new(Handle(handle)))))
    }

    /// The names of the back-ends of the library.
    #[must_use]
    pub fn backends() -> Vec<String> {
        let mut names = Vec::new();
        loop {
            // SAFETY: the function takes any number; a name that is not null ends with a zero and is constant.
            let name = unsafe { sys::pm_backend_name(names.len()) };
            if name.is_null() {
                return names;
            }
            // SAFETY: as above.
            names.push(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned());
        }
    }

    /// Whether both are handles to the same core.
    #[must_use]
    pub fn is_same(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// A panic of a progress function leaves the device usable, so that poison means nothing here.
    fn lock(&self) -> MutexGuard<'_, Handle> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the mode of the verifications that follow.
    ///
    /// # Errors
    /// [`Error::Mode`]: the core was built without it.
    pub fn set_mode(&self, mode: Mode) -> Result<(), Error> {
        // SAFETY: the device is open and locked.
        Error::check(unsafe { sys::pm_set_mode(self.lock().0.as_ptr(), mode as u32) })
    }

    /// Sets after how many clock cycles without progress a batch fails; 4,000,000 at first.
    ///
    /// # Errors
    /// [`Error::Argument`]: 0.
    pub fn set_batch_timeout(&self, cycles: u64) -> Result<(), Error> {
        // SAFETY: as above.
        Error::check(unsafe { sys::pm_set_batch_timeout(self.lock().0.as_ptr(), cycles) })
    }

    /// Verifies one signature.
    ///
    /// # Errors
    /// As [`Device::verify_batch`].
    pub fn verify(&self, job: &Job<'_>) -> Result<Verdict, Error> {
        Ok(self.verify_batch(std::slice::from_ref(job))?[0])
    }

    /// Verifies many signatures; one verdict for each, in their order.
    ///
    /// # Errors
    /// The device failed ([`Error::Timeout`], [`Error::Protocol`], [`Error::Bus`], ...). A signature that is not valid
    /// is no error.
    pub fn verify_batch(&self, jobs: &[Job<'_>]) -> Result<Vec<Verdict>, BatchError<Verdict>> {
        self.verify_batch_with(jobs, |_, _| ControlFlow::Continue(()))
    }

    /// As [`Device::verify_batch`]; `progress` is called after each result with how many there are, of how many. It
    /// must not use the device. `ControlFlow::Break` or a panic stops the batch.
    ///
    /// # Errors
    /// Also [`Error::Cancelled`].
    pub fn verify_batch_with(
        &self,
        jobs: &[Job<'_>],
        mut progress: impl FnMut(usize, usize) -> ControlFlow<()>,
    ) -> Result<Vec<Verdict>, BatchError<Verdict>> {
        let raw: Vec<sys::pm_job> = jobs.iter().enumerate().map(|(tag, job)| job.raw(tag)).collect();
        let mut results = vec![EMPTY; raw.len()];
        let done = self.with_progress(&mut progress, |device| {
            // SAFETY: as many results as jobs, whose bytes outlive the call.
            unsafe { sys::pm_verify_batch(device, raw.as_ptr(), raw.len(), results.as_mut_ptr()) }
        });
        let results: Vec<Verdict> = results.iter().map(Verdict::of).collect();
        match done {
            Ok(()) => Ok(results),
            Err(error) => Err(BatchError { error, results }),
        }
    }

    /// Generates keys, signs, and computes X25519, in any mixture; one result for each job, in their order.
    ///
    /// # Errors
    /// The device failed. A job that the core rejects is an error in its own result alone.
    pub fn secret_batch(&self, jobs: &[SecretJob<'_>]) -> Result<Vec<SecretResult>, BatchError<SecretResult>> {
        let raw: Vec<sys::pm_secret_job> = jobs.iter().enumerate().map(|(tag, job)| job.raw(tag)).collect();
        let mut results = vec![EMPTY; raw.len()];
        let done = self.with_progress(&mut |_, _| ControlFlow::Continue(()), |device| {
            // SAFETY: as many results as jobs, whose bytes outlive the call.
            unsafe { sys::pm_secret_batch(device, raw.as_ptr(), raw.len(), results.as_mut_ptr()) }
        });
        let secrets = results.iter().map(Secret::of).collect();
        for result in &mut results {
            result.payload.zeroize();
        }
        match done {
            Ok(()) => Ok(secrets),
            Err(error) => Err(BatchError { error, results: secrets }),
        }
    }

    /// Runs a batch with this progress function and takes it away again.
    fn with_progress(
        &self,
        function: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
        batch: impl FnOnce(*mut sys::pm_device) -> sys::pm_error,
    ) -> Result<(), Error> {
        let mut progress = Progress { function, panic: None };
        let device = self.lock();
        let raw = device.0.as_ptr();
        // SAFETY: the device is open and locked, and the context outlives the batch, behind which it is taken away.
        unsafe { sys::pm_set_progress(raw, Some(call_progress), (&raw mut progress).cast()) };
        let code = batch(raw);
        // SAFETY: as above.
        unsafe { sys::pm_set_progress(raw, None, ptr::null_mut()) };
        drop(device);
        if let Some(panic) = progress.panic {
            resume_unwind(panic);
        }
        Error::check(code)
    }

    /// Identity and clock of the device.
    ///
    /// # Errors
    /// [`Error::Bus`]: the core did not respond.
    pub fn info(&self) -> Result<Info, Error> {
        // SAFETY: numbers and bytes, of which any are legal.
        let mut info: sys::pm_device_info = unsafe { std::mem::zeroed() };
        // SAFETY: the device is open and locked.
        Error::check(unsafe { sys::pm_info(self.lock().0.as_ptr(), &raw mut info) })?;
        Ok(Info {
            backend: text_of(&info.backend),
            config: text_of(&info.config),
            name: text_of(&info.name),
            version: info.version,
            elapsed_cycles: info.elapsed_cycles,
        })
    }

    /// The counters of the core.
    ///
    /// # Errors
    /// [`Error::Bus`]: the core did not respond.
    pub fn counters(&self) -> Result<Counters, Error> {
        // SAFETY: numbers, of which any are legal.
        let mut values: sys::pm_counter_values = unsafe { std::mem::zeroed() };
        // SAFETY: the device is open and locked.
        Error::check(unsafe { sys::pm_counters(self.lock().0.as_ptr(), &raw mut values) })?;
        let sys::pm_counter_values { jobs, valid, errors, cycles, busy, muls } = values;
        Ok(Counters { jobs, valid, errors, cycles, busy, muls })
    }
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Device").finish_non_exhaustive()
    }
}
