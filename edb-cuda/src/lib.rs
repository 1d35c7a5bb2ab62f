//! The CUDA back end of edb: the same vertex functions on an NVIDIA GPU.
//!
//! ```no_run
//! use edb_core::engine::{Device, Engine};
//! use edb_cuda::OnCuda;
//!
//! let device = Device::cuda(0)?;
//! let engine: Engine<f32> = Engine::on(&device)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It builds and links without CUDA: the driver, NVRTC and cuBLAS are opened when a device is made,
//! and an error says which of them is missing.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`source`] | CUDA C++, written by hand and written from plans |
//! | [`compile`] | NVRTC, behind a cache on disk |
//! | [`driver`] | what the back end asks of a device, and the CUDA driver |
//! | `backend` | phases as launches |
//! | `ceilings` | what a device can do at most |
//! | [`probe`] | which libraries are there |
#![warn(missing_docs)]

mod backend;
mod ceilings;
pub mod compile;
pub mod driver;
mod error;
pub mod probe;
pub mod source;

use std::sync::Arc;

use edb_core::backend::BackendBox;
use edb_core::engine::{Backends, Ceilings, Device, EngineError};

use backend::CudaBackend;
use driver::{Cuda, Driver};
pub use error::CudaError;

/// Makes CUDA devices, as [`Device`]'s own functions make others: `Device::cuda(0)?`.
pub trait OnCuda: Sized {
    /// GPU number `ordinal`. Products are computed in full precision.
    ///
    /// # Errors
    /// When a library of CUDA or the GPU is not there, or it is older than compute capability 8.0.
    fn cuda(ordinal: usize) -> Result<Self, CudaError>;

    /// The same, but products of `f32` round their operands to 10 bits (TF32), which is several times
    /// as fast on tensor cores.
    ///
    /// # Errors
    /// As [`cuda`](Self::cuda).
    fn cuda_tf32(ordinal: usize) -> Result<Self, CudaError>;
}

impl OnCuda for Device {
    fn cuda(ordinal: usize) -> Result<Self, CudaError> {
        Ok(on(Cuda::new(ordinal, false)?))
    }

    fn cuda_tf32(ordinal: usize) -> Result<Self, CudaError> {
        Ok(on(Cuda::new(ordinal, true)?))
    }
}

/// A device that is driven so: for tests that have no GPU.
pub fn on(driver: impl Driver + 'static) -> Device {
    Device::new(Gpu(Arc::new(driver)))
}

#[derive(Debug)]
struct Gpu(Arc<dyn Driver>);

impl Backends for Gpu {
    fn name(&self) -> String {
        self.0.name()
    }

    fn f32(&self) -> Result<BackendBox<f32>, EngineError> {
        Ok(BackendBox(Box::new(CudaBackend::new(&self.0)?)))
    }

    fn f64(&self) -> Result<BackendBox<f64>, EngineError> {
        Ok(BackendBox(Box::new(CudaBackend::new(&self.0)?)))
    }

    fn ceilings(&self) -> Result<Option<Ceilings>, EngineError> {
        Ok(Some(ceilings::ceilings(&self.0)?))
    }
}
