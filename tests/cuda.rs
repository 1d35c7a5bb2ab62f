//! The feature `cuda`: it finds a device, or its error says what is missing.
#![cfg(feature = "cuda")]

use edb::cuda::CudaError;
use edb::prelude::*;

#[test]
fn no_device_is_an_error_with_a_reason() {
    match Device::cuda(0) {
        Ok(device) => assert_eq!(device.to_string(), "cuda:0"),
        Err(error @ CudaError::DynamicLibrary { .. }) => {
            let message = error.to_string();
            assert!(message.contains("LD_LIBRARY_PATH="), "{message}");
        }
        Err(error) => assert!(matches!(error, CudaError::NoDevice { .. }), "{error}"),
    }
    assert!(Device::cuda(4096).is_err());
    assert_eq!(reduced().is_ok(), Device::cuda(0).is_ok());
}

#[test]
fn launches_can_be_chosen() {
    assert_eq!(graphs().is_ok(), Device::cuda(0).is_ok());
}

fn graphs() -> Result<Engine, Box<dyn std::error::Error>> {
    // ANCHOR: launches
    let options = CudaOptions::new().precision(Precision::Tf32).launches(Launches::Graphs);
    let device = Device::cuda_with(0, options)?;
    // ANCHOR_END: launches
    assert_eq!(device.to_string(), "cuda:0 (tf32, graphs)");
    Ok(Engine::on(&device)?)
}

fn reduced() -> Result<Engine, Box<dyn std::error::Error>> {
    // ANCHOR: precision
    let device = Device::cuda_with(0, Precision::Bf16)?;
    let engine: Engine = Engine::on(&device)?;
    // ANCHOR_END: precision
    assert_eq!(device.to_string(), "cuda:0 (bf16)");
    Ok(engine)
}
