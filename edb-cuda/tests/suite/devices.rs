//! What tests run on: the emulator, and a GPU where there is one.

use std::sync::Once;

use edb::Device;
use edb_cuda::{OnCuda, Precision};

/// The emulator; and GPU 0, which `EDB_REQUIRE_GPU=1` asks for.
pub fn all(precision: Precision) -> Vec<Device> {
    static SAID: Once = Once::new();
    let mut devices = vec![crate::emulator::device(precision)];
    match Device::cuda_with(0, precision) {
        Ok(device) => devices.push(device),
        Err(error) if std::env::var_os("EDB_REQUIRE_GPU").is_some_and(|value| value == "1") => {
            panic!("EDB_REQUIRE_GPU=1: {error}");
        }
        Err(error) => SAID.call_once(|| eprintln!("kernels run in the emulator only: {error}")),
    }
    devices
}
