//! Where minibatches run, and engines that run them there.

use std::fmt;
use std::sync::Arc;

use crate::cpu::CpuBackend;
use crate::engine::backend::BackendBox;
use crate::engine::{Engine, EngineError, Precision};
use edb_kernels::compiled_here;
use edb_kernels::element::{Element, Family, PerElementType};
use edb_kernels::isa::Isa;

/// Where minibatches run: this machine's processor, or a device of another crate.
///
/// ```
/// # extern crate edb_core as edb;
/// use edb::{Device, Engine};
///
/// let engine: Engine<f32> = Engine::on(&Device::cpu().threads(2))?;
/// # Ok::<(), edb::engine::EngineError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Device(DeviceKind);

#[derive(Clone, Debug)]
enum DeviceKind {
    Cpu { threads: usize, precision: Precision },
    Other(Arc<dyn Backends>),
}

/// A device of another crate: the back ends that it can make.
pub trait Backends: fmt::Debug + Send + Sync {
    /// The device's name, as in `cuda:0`.
    fn name(&self) -> String;

    /// A back end in single precision.
    ///
    /// # Errors
    /// When the device fails.
    fn f32(&self) -> Result<BackendBox<f32>, EngineError>;

    /// A back end in double precision.
    ///
    /// # Errors
    /// When the device fails.
    fn f64(&self) -> Result<BackendBox<f64>, EngineError>;

    /// Measures the peak performance of the device; `None` if it cannot.
    ///
    /// # Errors
    /// When the device fails.
    fn ceilings(&self) -> Result<Option<Ceilings>, EngineError> {
        Ok(None)
    }
}

/// The measured peak performance of a device, with which a run may be compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ceilings {
    /// Billions of operations a second in a large product of matrices of `f32`, with a multiply-add
    /// as two operations, in the precision that the device has for products.
    pub gflops: f64,
    /// Billions of bytes a second in a large copy within its memory, counting reads and writes.
    pub copy_gb_per_s: f64,
}

impl Default for Device {
    fn default() -> Self {
        Self::cpu()
    }
}

impl Device {
    /// This machine's processor, with the calling thread only.
    pub fn cpu() -> Self {
        Self(DeviceKind::Cpu { threads: 1, precision: Precision::Full })
    }

    /// Sets the number of threads of the processor, at least 1, which is the calling thread; with 0, no engine can
    /// be made. Steps that are faster on fewer threads, which is tried now and then, use fewer. It has no effect on
    /// other devices, which have threads of their own.
    pub fn threads(mut self, count: usize) -> Self {
        if let DeviceKind::Cpu { threads, .. } = &mut self.0 {
            *threads = count;
        }
        self
    }

    /// Sets the precision in which the processor computes: [`Precision::Full`], which is the
    /// default, or [`Precision::Bf16`]. It has no effect on other devices, which are made with
    /// theirs.
    ///
    /// ```
    /// # extern crate edb_core as edb;
    /// use edb::engine::Precision;
    /// use edb::{Device, Engine};
    ///
    /// let device = Device::cpu().threads(2).precision(Precision::Bf16);
    /// assert_eq!(device.to_string(), "cpu, 2 threads, bf16");
    /// let engine: Engine<f32> = Engine::on(&device)?;
    ///
    /// // A model of `f64`, and other precisions, are refused.
    /// let error = Engine::<f64>::on(&device).unwrap_err();
    /// assert_eq!(error.to_string(), "a model of `f64` runs in `Precision::Full` only");
    /// # Ok::<(), edb::engine::EngineError>(())
    /// ```
    pub fn precision(mut self, chosen: Precision) -> Self {
        if let DeviceKind::Cpu { precision, .. } = &mut self.0 {
            *precision = chosen;
        }
        self
    }

    /// A device of another crate.
    pub fn new(backends: impl Backends + 'static) -> Self {
        Self(DeviceKind::Other(Arc::new(backends)))
    }

    /// Measures the peak performance of the device; `None` if it cannot, and for the processor,
    /// which [`machine`](edb_kernels::machine) measures.
    ///
    /// # Errors
    /// When the device fails.
    pub fn ceilings(&self) -> Result<Option<Ceilings>, EngineError> {
        match &self.0 {
            DeviceKind::Cpu { .. } => Ok(None),
            DeviceKind::Other(backends) => backends.ceilings(),
        }
    }

    /// What kind of device it is, without the number of threads or of the device.
    fn kind(&self) -> String {
        match &self.0 {
            DeviceKind::Cpu { precision, .. } => {
                Self(DeviceKind::Cpu { threads: 1, precision: *precision }).to_string()
            }
            DeviceKind::Other(backends) => {
                let name = backends.name();
                let (kind, rest) = name.split_once(':').unwrap_or((&name, ""));
                kind.to_owned() + rest.trim_start_matches(|digit: char| digit.is_ascii_digit())
            }
        }
    }

    /// Fails if the environment says how to compute on it, and what it says means nothing.
    fn check(&self) -> Result<(), EngineError> {
        match &self.0 {
            DeviceKind::Cpu { .. } => Isa::check().map_err(EngineError::Instructions),
            DeviceKind::Other(_) => Ok(()),
        }
    }

    /// A back end that runs on it.
    fn backend<T: Element>(&self) -> Result<BackendBox<T>, EngineError> {
        if T::DTYPE == f64::DTYPE && cfg!(not(feature = "f64")) {
            return Err(EngineError::NotCompiled);
        }
        match &self.0 {
            DeviceKind::Cpu { threads, precision } => on_threads(*threads, *precision),
            DeviceKind::Other(backends) => OTHER.of::<T>()(&**backends),
        }
    }
}

impl<T: Element> Default for Engine<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Element> Engine<T> {
    /// An engine on the calling thread.
    ///
    /// # Panics
    /// If it is one of `f64`, and edb was compiled without its feature `f64`.
    pub fn new() -> Self {
        let device = Device::cpu();
        // No thread is started, so nothing else can fail.
        let backend = device.backend().unwrap_or_else(|error| panic!("{error}"));
        Self::with_backend(device.kind(), backend)
    }

    /// An engine on this many threads, at least 1, which is the calling thread. See
    /// [`Device::threads`].
    ///
    /// # Errors
    /// When there are 0, or they cannot be started.
    pub fn with_threads(threads: usize) -> Result<Self, EngineError> {
        Self::on(&Device::cpu().threads(threads))
    }

    /// An engine on a device.
    ///
    /// # Errors
    /// When the device cannot be used, has 0 threads, or these cannot be started; when `EDB_ISA` is set, and
    /// to no instruction set; for `f64`, when edb was compiled without its feature `f64`.
    pub fn on(device: &Device) -> Result<Self, EngineError> {
        device.check()?;
        Ok(Self::with_backend(device.kind(), device.backend()?))
    }
}

compiled_here! {
    /// A back end of the processor with a number of threads.
    fn on_threads(threads: usize, precision: Precision) -> Result<BackendBox<T>, EngineError> {
        let paired = match precision {
            Precision::Full => false,
            _ if size_of::<T>() != size_of::<f32>() => return Err(EngineError::PrecisionOfModel),
            Precision::Bf16 => true,
            Precision::Tf32 | Precision::F16 => return Err(EngineError::Precision(precision)),
        };
        if threads == 0 {
            return Err(EngineError::NoThreads);
        }
        let backend = CpuBackend::new(threads, paired);
        backend
            .map(|backend| BackendBox(Box::new(backend)))
            .map_err(|error| EngineError::Threads(error.to_string()))
    }
}

/// Back ends of other devices.
struct Other;

impl Family for Other {
    type Member<T: Element> = fn(&dyn Backends) -> Result<BackendBox<T>, EngineError>;
}

static OTHER: PerElementType<Other> =
    PerElementType { f32: |device| device.f32(), f64: |device| device.f64() };

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            DeviceKind::Cpu { threads, precision } => {
                write!(f, "cpu")?;
                if *threads > 1 {
                    write!(f, ", {threads} threads")?;
                }
                if *precision != Precision::default() {
                    write!(f, ", {precision}")?;
                }
                Ok(())
            }
            DeviceKind::Other(backends) => write!(f, "{}", backends.name()),
        }
    }
}
