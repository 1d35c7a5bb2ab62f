//! The CUDA back end of edb: the same vertex functions on an NVIDIA GPU.
//!
//! ```no_run
//! # mod edb { pub use edb_core::*; pub use edb_cuda as cuda; }
//! use edb::{Device, Engine};
//! use edb::cuda::OnCuda;
//!
//! let device = Device::cuda(0)?;
//! let engine: Engine<f32> = Engine::on(&device)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate builds and links without CUDA: the driver, NVRTC and cuBLAS are loaded when a device
//! is created, and the error says which of them is missing. NCCL, which carries gradients between the
//! GPUs of several ranks, is looked for when these first meet; without it they pass the hosts.
//!
//! What is not CUDA's own is in `edb-gpu`: phases as kernel launches, which kernels there are, and
//! what each of them is passed. This crate is its dialect and its driver:
//!
//! | module | what it is |
//! | --- | --- |
//! | [`source`] | the dialect, CUDA C++: kernels written by hand, and the text of fused ones |
//! | [`compile`] | NVRTC, with a cache on disk |
//! | `driver` | the CUDA driver, cuBLAS and NCCL |
//! | [`probe`] | which CUDA libraries are installed |
#![warn(missing_docs)]

pub mod compile;
mod driver;
mod error;
pub mod probe;
pub mod source;

use edb_core::Device;

use driver::Cuda;
pub use edb_core::engine::Precision;
pub use edb_gpu::{GpuError, GpuOptions as CudaOptions, Launches, Number, UnknownLaunches};
pub use error::CudaError;
use source::CudaCpp;

/// Creates CUDA devices, next to [`Device`]'s own constructors: `Device::cuda(0)?`.
pub trait OnCuda: Sized {
    /// GPU number `ordinal`, in [full precision](Precision::Full).
    ///
    /// # Errors
    /// When a CUDA library or the GPU is missing, or the GPU is older than compute capability 8.0.
    fn cuda(ordinal: usize) -> Result<Self, CudaError>;

    /// The number of GPUs of this machine.
    ///
    /// # Errors
    /// When the CUDA driver is missing, or fails.
    fn cuda_count() -> Result<usize, CudaError>;

    /// GPU number `ordinal`, in a chosen precision, or with other options.
    ///
    /// ```no_run
    /// # mod edb { pub use edb_core::*; pub use edb_cuda as cuda; }
    /// use edb::cuda::{CudaOptions, Launches, OnCuda};
    /// use edb::engine::Precision;
    /// use edb::{Device, Engine};
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

    fn cuda_count() -> Result<usize, CudaError> {
        driver::count()
    }

    fn cuda_with(ordinal: usize, options: impl Into<CudaOptions>) -> Result<Self, CudaError> {
        let options = options.into();
        let cuda = Cuda::new(ordinal, options.precision)?;
        Ok(edb_gpu::device(cuda, CudaCpp, options))
    }
}
