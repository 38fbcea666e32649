// SPDX-License-Identifier: Apache-2.0
//! The simulated cores that the tests share: opening one takes longer than most jobs.

use pointmill::Device;
use std::sync::OnceLock;

/// The core `edverify` of this process, in the configuration `POINTMILL_TEST_CONFIG` (default `throughput`).
pub fn device() -> &'static Device {
    static DEVICE: OnceLock<Device> = OnceLock::new();
    DEVICE.get_or_init(|| {
        let config = std::env::var("POINTMILL_TEST_CONFIG").unwrap_or_else(|_| "throughput".to_owned());
        Device::open("sim", &config).unwrap_or_else(|error| panic!("{error}"))
    })
}
