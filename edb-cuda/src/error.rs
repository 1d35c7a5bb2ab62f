//! What can go wrong on a device.

use edb_core::engine::EngineError;

/// Why a CUDA device could not be used, or has failed.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CudaError {
    /// A library of CUDA is not there.
    #[error(
        "{what} was not found: looked for {names} in the directories of the dynamic linker \
         (LD_LIBRARY_PATH={path}); {remedy}"
    )]
    Library {
        /// What it is, as in `the CUDA driver`.
        what: &'static str,
        /// The file names that were tried.
        names: String,
        /// Where it was looked for, besides the system's own directories.
        path: String,
        /// What to do.
        remedy: &'static str,
    },
    /// There is a driver, but not this device.
    #[error("there is no CUDA device {ordinal}: the driver has {count}")]
    NoDevice {
        /// The device that was asked for.
        ordinal: usize,
        /// How many there are.
        count: usize,
    },
    /// The device is older than what kernels are written for.
    #[error("{device} has compute capability {major}.{minor}; edb needs 8.0 or later")]
    Architecture {
        /// The device's name.
        device: String,
        /// Its compute capability.
        major: u32,
        /// The digit behind it.
        minor: u32,
    },
    /// The device has not enough memory.
    #[error("{device} has {free} bytes free, {bytes} more are needed; make the minibatch smaller")]
    OutOfMemory {
        /// The device's name.
        device: String,
        /// What is free.
        free: usize,
        /// What was asked for.
        bytes: usize,
    },
    /// A call of the driver failed.
    #[error("{call} failed on {device}: {message}")]
    Driver {
        /// The device's name.
        device: String,
        /// What was to be done.
        call: String,
        /// What the driver says.
        message: String,
    },
    /// A model of `f64` on a device that keeps 16 bits.
    #[error(
        "{device} keeps the values of vertices in 16 bits, which is for models of `f32`; this one is of \
         `f64`: choose `Precision::Full`"
    )]
    Precision {
        /// The device's name.
        device: String,
    },
    /// A kernel does not compile: a mistake in edb.
    #[error("a kernel does not compile, which is a bug of edb: {log}")]
    Compile {
        /// What the compiler says.
        log: String,
    },
    /// A vertex function has more operands than a kernel takes.
    #[error(
        "a kernel of `{function}` has {bytes} bytes of arguments, more than the {most} that CUDA \
         takes: split the function"
    )]
    Arguments {
        /// The function.
        function: String,
        /// The bytes of its arguments.
        bytes: usize,
        /// The most.
        most: usize,
    },
}

impl From<CudaError> for EngineError {
    fn from(error: CudaError) -> Self {
        EngineError::Device(Box::new(error))
    }
}
