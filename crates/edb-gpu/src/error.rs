//! Errors of a device.

use edb_core::collective::CollectiveError;
use edb_core::engine::EngineError;

/// Why a GPU has failed, or cannot run a model.
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
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
        "a kernel of `{function}` has {bytes} bytes of arguments, more than the {most} that the GPU \
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
    /// The device of another rank does not answer, or not as it should.
    #[error(transparent)]
    Collective(#[from] CollectiveError),
}

edb_core::debug_is_display!(GpuError);

impl From<GpuError> for EngineError {
    fn from(error: GpuError) -> Self {
        match error {
            GpuError::Collective(error) => EngineError::Collective(error),
            error => EngineError::Device(Box::new(error)),
        }
    }
}
