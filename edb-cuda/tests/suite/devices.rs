//! The devices on which tests run: the emulator, and a GPU where there is one.

use edb::Device;
use edb_backend_suite::machine;
use edb_cuda::source::CudaCpp;
use edb_cuda::{CudaOptions, Launches, OnCuda, Precision};
use edb_gpu::driver::Driver;

use crate::emulator;

/// A device with this driver, and the kernels of CUDA.
pub fn on(driver: impl Driver + 'static, options: impl Into<CudaOptions>) -> Device {
    edb_gpu::device(driver, CudaCpp, options.into())
}

/// The devices of [`both`], once with single launches and once with CUDA graphs.
pub fn all(precision: Precision) -> Vec<Device> {
    let all = [Launches::Graphs, Launches::Single];
    let launches = if machine::all_cases() { &all[..] } else { &all[..1] };
    launches.iter().copied().flat_map(|launches| both(precision, launches)).collect()
}

/// The emulator if it has its compiler, and GPU 0 if there is one. With `EDB_REQUIRE_GPU=only`, the GPU
/// alone: none of such a run's time goes into the emulator.
pub fn both(precision: Precision, launches: Launches) -> Vec<Device> {
    let options = CudaOptions::new().precision(precision).launches(launches);
    let emulates = !requires_gpu("only") && emulator::compiler().is_some();
    let emulator = emulates.then(|| emulator::device(options));
    emulator.into_iter().chain(gpu(options)).collect()
}

/// GPU 0 if there is one; `EDB_REQUIRE_GPU=1` or `=only` makes its absence a failure.
pub fn gpu(options: CudaOptions) -> Option<Device> {
    match Device::cuda_with(0, options) {
        Ok(device) => Some(device),
        Err(error) if requires_gpu("1") || requires_gpu("only") => {
            panic!("EDB_REQUIRE_GPU is set: {error}");
        }
        Err(error) => {
            machine::left_out("kernels on a GPU", error);
            None
        }
    }
}

/// Whether `EDB_REQUIRE_GPU` has this value.
fn requires_gpu(how: &str) -> bool {
    std::env::var_os("EDB_REQUIRE_GPU").is_some_and(|value| value == how)
}
