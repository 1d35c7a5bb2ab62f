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
//! The crate builds and links without CUDA: the driver, NVRTC and cuBLAS are loaded when a device
//! is created, and the error says which of them is missing.
//!
//! | module | what it is |
//! | --- | --- |
//! | `source` | CUDA C++: written by hand, and generated from plans |
//! | [`compile`] | NVRTC, with a cache on disk |
//! | `driver` | the operations that the back end needs of a device, and the CUDA driver |
//! | `backend` | phases as kernel launches |
//! | `kernels` | what host and kernels agree on: declarations |
//! | `blocks` | how the work of a launch is divided |
//! | `ceilings` | a device's measured peak throughput and bandwidth |
//! | [`probe`] | which CUDA libraries are installed |
#![warn(missing_docs)]

mod backend;
mod blocks;
mod ceilings;
pub mod compile;
#[doc(hidden)]
pub mod driver;
mod error;
mod kernels;
mod launches;
mod number;
pub mod probe;
mod source;

use std::sync::Arc;

use edb_core::backend::BackendBox;
use edb_core::engine::{Backends, Ceilings, Device, EngineError};

use backend::CudaBackend;
use driver::{Cuda, Driver};
pub use error::CudaError;
pub use launches::{CudaOptions, Launches, UnknownLaunches};
pub use number::{Number, Precision, UnknownPrecision};

/// Creates CUDA devices, next to [`Device`]'s own constructors: `Device::cuda(0)?`.
pub trait OnCuda: Sized {
    /// GPU number `ordinal`, in [full precision](Precision::Full).
    ///
    /// # Errors
    /// When a CUDA library or the GPU is missing, or the GPU is older than compute capability 8.0.
    fn cuda(ordinal: usize) -> Result<Self, CudaError>;

    /// GPU number `ordinal`, in a chosen precision, or with other options.
    ///
    /// ```no_run
    /// use edb_core::engine::{Device, Engine};
    /// use edb_cuda::{CudaOptions, Launches, OnCuda, Precision};
    ///
    /// let device = Device::cuda_with(0, Precision::Bf16)?;
    /// let engine: Engine<f32> = Engine::on(&device)?;
    /// let options = CudaOptions::new().precision(Precision::Bf16).launches(Launches::Graphs);
    /// let device = Device::cuda_with(0, options)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`cuda`](Self::cuda). Creating an `Engine<f64>` fails on a device that stores values
    /// in 16 bits.
    fn cuda_with(ordinal: usize, options: impl Into<CudaOptions>) -> Result<Self, CudaError>;
}

impl OnCuda for Device {
    fn cuda(ordinal: usize) -> Result<Self, CudaError> {
        Self::cuda_with(ordinal, CudaOptions::new())
    }

    fn cuda_with(ordinal: usize, options: impl Into<CudaOptions>) -> Result<Self, CudaError> {
        let options = options.into();
        Ok(on(Cuda::new(ordinal, options.precision)?, options))
    }
}

/// A device with the given driver: for tests that have no GPU.
#[doc(hidden)]
pub fn on(driver: impl Driver + 'static, options: impl Into<CudaOptions>) -> Device {
    Device::new(Gpu { driver: Arc::new(driver), options: options.into() })
}

#[derive(Debug)]
struct Gpu {
    driver: Arc<dyn Driver>,
    options: CudaOptions,
}

impl Backends for Gpu {
    fn name(&self) -> String {
        let name = self.driver.name();
        match self.options {
            options if options == CudaOptions::new() => name,
            options => format!("{name} ({options})"),
        }
    }

    fn f32(&self) -> Result<BackendBox<f32>, EngineError> {
        Ok(BackendBox(Box::new(CudaBackend::new(&self.driver, self.options)?)))
    }

    fn f64(&self) -> Result<BackendBox<f64>, EngineError> {
        Ok(BackendBox(Box::new(CudaBackend::new(&self.driver, self.options)?)))
    }

    fn ceilings(&self) -> Result<Option<Ceilings>, EngineError> {
        Ok(Some(ceilings::ceilings(&self.driver, self.options.precision)?))
    }
}
