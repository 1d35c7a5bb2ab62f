//! The devices on which tests run: the emulator, and a GPU where there is one.

use std::sync::Once;

use edb::Device;
use edb_cuda::source::CudaCpp;
use edb_cuda::{CudaOptions, Launches, OnCuda, Precision};
use edb_gpu::driver::Driver;

/// A device with this driver, and the kernels of CUDA.
pub fn on(driver: impl Driver + 'static, options: impl Into<CudaOptions>) -> Device {
    edb_gpu::device(driver, CudaCpp, options.into())
}

/// The devices of [`both`], once with single launches and once with CUDA graphs.
pub fn all(precision: Precision) -> Vec<Device> {
    let launches = [Launches::Single, Launches::Graphs];
    launches.into_iter().flat_map(|launches| both(precision, launches)).collect()
}

/// The emulator, and GPU 0 if there is one; `EDB_REQUIRE_GPU=1` makes its absence a failure.
pub fn both(precision: Precision, launches: Launches) -> Vec<Device> {
    static REPORTED: Once = Once::new();
    let options = CudaOptions::new().precision(precision).launches(launches);
    let mut devices = vec![crate::emulator::device(options)];
    match Device::cuda_with(0, options) {
        Ok(device) => devices.push(device),
        Err(error) if std::env::var_os("EDB_REQUIRE_GPU").is_some_and(|value| value == "1") => {
            panic!("EDB_REQUIRE_GPU=1: {error}");
        }
        Err(error) => REPORTED.call_once(|| eprintln!("kernels run in the emulator only: {error}")),
    }
    devices
}
