//! Errors of a device.

use edb_core::engine::EngineError;
use edb_gpu::GpuError;

/// Why a CUDA device could not be used.
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum CudaError {
    /// A CUDA library is missing.
    #[error(
        "{what} was not found: looked for {names} in the directories of the dynamic linker \
         (LD_LIBRARY_PATH={path}); {remedy}"
    )]
    DynamicLibrary {
        /// The library, as in `the CUDA driver`.
        what: &'static str,
        /// The file names that were tried.
        names: String,
        /// The directories that were searched, besides the system's own.
        path: String,
        /// How to fix it.
        remedy: &'static str,
    },
    /// The driver has no device of this number.
    #[error("there is no CUDA device {ordinal}: the driver has {count}")]
    NoDevice {
        /// The requested device.
        ordinal: usize,
        /// The number of devices.
        count: usize,
    },
    /// The device is older than the oldest supported architecture.
    #[error("{device} has compute capability {major}.{minor}; edb needs 8.0 or later")]
    Architecture {
        /// The device's name.
        device: String,
        /// Its major compute capability.
        major: u32,
        /// Its minor compute capability.
        minor: u32,
    },
    /// The device has failed.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}

edb_core::debug_is_display!(CudaError);

impl From<CudaError> for EngineError {
    fn from(error: CudaError) -> Self {
        EngineError::Device(Box::new(error))
    }
}
