//! Errors of a device.

use edb_core::engine::EngineError;

/// Why a CUDA device could not be used, or has failed.
#[derive(Clone, Debug, thiserror::Error)]
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
    /// The device is out of memory.
    #[error("{device} has {free} bytes free, {bytes} more are needed; make the minibatch smaller")]
    OutOfMemory {
        /// The device's name.
        device: String,
        /// The free bytes.
        free: usize,
        /// The requested bytes.
        bytes: usize,
    },
    /// A call of the driver failed.
    #[error("{call} failed on {device}: {message}")]
    Driver {
        /// The device's name.
        device: String,
        /// The call that failed.
        call: String,
        /// The driver's message.
        message: String,
    },
    /// A model of `f64` on a device that stores values in 16 bits.
    #[error(
        "{device} keeps the values of vertices in 16 bits, which is for models of `f32`; this one is of \
         `f64`: choose `Precision::Full`"
    )]
    Precision {
        /// The device's name.
        device: String,
    },
    /// A kernel does not compile: a bug in edb.
    #[error("a kernel does not compile, which is a bug of edb: {log}")]
    Compile {
        /// The compiler's log.
        log: String,
    },
    /// A vertex function has more operands than a kernel can take.
    #[error(
        "a kernel of `{function}` has {bytes} bytes of arguments, more than the {most} that CUDA \
         takes: split the function"
    )]
    Arguments {
        /// The function.
        function: String,
        /// The size of its arguments, in bytes.
        bytes: usize,
        /// The maximum.
        most: usize,
    },
}

impl From<CudaError> for EngineError {
    fn from(error: CudaError) -> Self {
        EngineError::Device(Box::new(error))
    }
}
