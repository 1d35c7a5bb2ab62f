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
//! | `driver` | what the back end asks of a device, and the CUDA driver |
//! | `backend` | phases as launches |
//! | `ceilings` | what a device can do at most |
//! | [`probe`] | which libraries are there |
#![warn(missing_docs)]

mod backend;
mod ceilings;
pub mod compile;
#[doc(hidden)]
pub mod driver;
mod error;
mod launches;
mod number;
pub mod probe;
pub mod source;

use std::sync::Arc;

use edb_core::backend::BackendBox;
use edb_core::engine::{Backends, Ceilings, Device, EngineError};

use backend::CudaBackend;
use driver::{Cuda, Driver};
pub use error::CudaError;
pub use launches::{CudaOptions, Launches, UnknownLaunches};
pub use number::{Number, Precision, UnknownPrecision};

/// Makes CUDA devices, as [`Device`]'s own functions make others: `Device::cuda(0)?`.
pub trait OnCuda: Sized {
    /// GPU number `ordinal`, in [full precision](Precision::Full).
    ///
    /// # Errors
    /// When a library of CUDA or the GPU is not there, or it is older than compute capability 8.0.
    fn cuda(ordinal: usize) -> Result<Self, CudaError>;

    /// GPU number `ordinal`, in a precision of one's choice, or with other options.
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
    /// As [`cuda`](Self::cuda). An `Engine<f64>` on a device that keeps 16 bits is refused when it is
    /// made.
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

/// A device that is driven so: for tests that have no GPU.
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
