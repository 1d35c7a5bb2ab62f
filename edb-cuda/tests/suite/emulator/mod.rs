//! A device emulated on the processor: memory, launches and products.
//!
//! It runs the kernels of the back end's own sources, compiled by this machine's C++ compiler with
//! `shim.h`. Each thread is a fiber where there are barriers, and every access is checked against
//! the allocation of its pointer. Fresh memory reads as NaN.

use std::alloc::{Layout, alloc, dealloc};
use std::collections::{BTreeMap, HashMap};
use std::ffi::c_int;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use edb::Device;
use edb_backend_suite::machine;
use edb_cuda::{CudaOptions, Number};
use edb_gpu::GpuError;
use edb_gpu::driver::{
    self, Address, Argument, Driver, Handle, LaunchShape, Mark, Matrix, Product, Recording, Source,
};
use half::{bf16, f16};
use libloading::Library;
use sha2::{Digest, Sha256};

use crate::devices;

/// A device that runs every call at once, and returns an error at the first invalid access.
pub fn device(options: impl Into<CudaOptions>) -> Device {
    devices::on(Emulator::default(), options)
}

/// The compiler that the emulator needs, if it is installed.
pub fn compiler() -> Option<Command> {
    machine::program("g++", "tests of kernels in the emulator")
}

#[derive(Debug, Default)]
pub struct Emulator {
    /// The address of each allocation, and its bytes.
    memory: Mutex<BTreeMap<Address, usize>>,
    /// The launches of each recording; `None` once it is forgotten.
    recorded: Mutex<Vec<Option<Vec<driver::Launch>>>>,
}

/// The arguments of a kernel, as `Launch` in `shim.h` lays them out.
#[repr(C)]
struct Launch {
    grid: [u32; 2],
    block: [u32; 2],
    words: *const u64,
    kinds: *const u8,
    count: u64,
    allocations: *const u64,
    allocation_count: u64,
    message: *mut u8,
    message_size: u64,
}

type Entry = unsafe extern "C" fn(*const Launch) -> c_int;

const ALIGN: usize = 256;

impl Emulator {
    fn fail<R>(&self, call: &str, message: impl Into<String>) -> Result<R, GpuError> {
        let (device, call) = (self.name(), call.into());
        Err(GpuError::Driver { device, call, message: message.into() })
    }

    /// A pointer to bytes of the device; fails unless they all belong to one allocation.
    fn bytes(&self, call: &str, start: Address, bytes: usize) -> Result<*mut u8, GpuError> {
        let memory = self.memory.lock().unwrap();
        let within = memory
            .range(..=start)
            .next_back()
            .filter(|(first, size)| start + bytes as Address <= *first + **size as Address);
        match within {
            Some(_) => Ok(start as *mut u8),
            None => self.fail(call, format!("{bytes} bytes at {start:#x} are not allocated")),
        }
    }

    /// A pointer to the elements of a matrix with these rows and columns.
    fn matrix<R>(&self, matrix: &Matrix, size: [usize; 2]) -> Result<*mut R, GpuError> {
        let [rows, columns] = if matrix.transposed { [size[1], size[0]] } else { size };
        if matrix.stride < columns {
            return self.fail("multiply", "rows of a matrix overlap");
        }
        let elements = (rows - 1) * matrix.stride + columns;
        Ok(self.bytes("multiply", matrix.address, elements * size_of::<R>())?.cast())
    }

    /// Multiplies operands of type `N` and adds up in the type in which `R` computes.
    fn multiply_as<N: Stored, R: Stored<Real = N::Real>>(
        &self,
        product: &Product,
    ) -> Result<(), GpuError> {
        let [m, n, k] = product.size;
        if product.size.contains(&0) || product.c.transposed {
            return self.fail("multiply", format!("sizes {m}, {n}, {k}"));
        }
        let a = self.matrix::<N>(&product.a, [m, k])?;
        let b = self.matrix::<N>(&product.b, [k, n])?;
        let c = self.matrix::<R>(&product.c, [m, n])?;
        let place = |matrix: &Matrix, row: usize, column: usize| match matrix.transposed {
            true => column * matrix.stride + row,
            false => row * matrix.stride + column,
        };
        for row in 0..m {
            for column in 0..n {
                // SAFETY: `matrix` has checked that each matrix lies within one allocation.
                unsafe {
                    let product_of = |term: usize| {
                        let left = (*a.add(place(&product.a, row, term))).widened();
                        left * (*b.add(place(&product.b, term, column))).widened()
                    };
                    let sum: N::Real = (0..k).map(product_of).sum();
                    let out = c.add(place(&product.c, row, column));
                    *out = R::rounded(if product.added { (*out).widened() + sum } else { sum });
                }
            }
        }
        Ok(())
    }
}

/// A type of number in memory, and the type in which it is computed.
trait Stored: Copy {
    type Real: Copy
        + std::ops::Mul<Output = Self::Real>
        + std::iter::Sum
        + std::ops::Add<Output = Self::Real>;
    fn widened(self) -> Self::Real;
    fn rounded(real: Self::Real) -> Self;
}

macro_rules! stored {
    ($number:ty, $real:ty, $widened:expr, $rounded:expr) => {
        impl Stored for $number {
            type Real = $real;
            fn widened(self) -> $real {
                $widened(self)
            }
            fn rounded(real: $real) -> Self {
                $rounded(real)
            }
        }
    };
}
stored!(f64, f64, f64::from, f64::from);
stored!(f32, f32, f32::from, f32::from);
stored!(f16, f32, f16::to_f32, f16::from_f32);
stored!(bf16, f32, bf16::to_f32, bf16::from_f32);

impl Driver for Emulator {
    fn name(&self) -> String {
        "emulator".into()
    }

    fn allocate(&self, bytes: usize) -> Result<Address, GpuError> {
        let layout = Layout::from_size_align(bytes, ALIGN).unwrap();
        // SAFETY: the layout has at least one byte.
        let start = unsafe { alloc(layout) };
        assert!(!start.is_null(), "the machine has memory for tests");
        // SAFETY: the bytes were just allocated. As a float of any precision, 0xff bytes are NaN.
        unsafe { start.write_bytes(0xff, bytes) };
        self.memory.lock().unwrap().insert(start as Address, bytes);
        Ok(start as Address)
    }

    fn free(&self, address: Address) {
        let bytes = self.memory.lock().unwrap().remove(&address).expect("it was allocated");
        // SAFETY: it was allocated with this layout, and was just removed from the list of
        // allocations.
        unsafe { dealloc(address as *mut u8, Layout::from_size_align(bytes, ALIGN).unwrap()) };
    }

    fn clear(&self, to: Address, bytes: usize) -> Result<(), GpuError> {
        let to = self.bytes("clear", to, bytes)?;
        // SAFETY: the bytes are allocated.
        unsafe { to.write_bytes(0, bytes) };
        Ok(())
    }

    fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<(), GpuError> {
        let (from, to) = (self.bytes("copy", from, bytes)?, self.bytes("copy", to, bytes)?);
        // SAFETY: the bytes are allocated.
        unsafe { from.copy_to(to, bytes) };
        Ok(())
    }

    fn upload(&self, bytes: &[u8], to: Address) -> Result<(), GpuError> {
        let to = self.bytes("upload", to, bytes.len())?;
        // SAFETY: the bytes are allocated.
        unsafe { bytes.as_ptr().copy_to(to, bytes.len()) };
        Ok(())
    }

    fn download(&self, from: Address, bytes: &mut [u8]) -> Result<(), GpuError> {
        let from = self.bytes("download", from, bytes.len())?;
        // SAFETY: the bytes are allocated.
        unsafe { from.copy_to(bytes.as_mut_ptr(), bytes.len()) };
        Ok(())
    }

    fn load(&self, source: &Source) -> Result<Vec<Handle>, GpuError> {
        static LOADED: OnceLock<Mutex<HashMap<String, &'static Library>>> = OnceLock::new();
        let object = compiled(source)?;
        let loaded = LOADED.get_or_init(Mutex::default);
        let mut loaded = loaded.lock().unwrap();
        let library = *loaded.entry(object.to_string_lossy().into()).or_insert_with(|| {
            // SAFETY: the object was just compiled and has no initialisers of its own. It is never
            // unloaded, because threads of this process have thread-local memory in it.
            Box::leak(Box::new(unsafe { Library::new(&object) }.expect("it was compiled")))
        });
        let handle = |name: &String| {
            // SAFETY: `compiled` gives every kernel an entry of this type.
            let entry = unsafe { library.get::<Entry>(format!("{name}_emulated")) };
            Handle(*entry.expect("every kernel has one") as usize as u64)
        };
        Ok(source.names.iter().map(handle).collect())
    }

    fn launch(
        &self,
        kernel: Handle,
        shape: LaunchShape,
        arguments: &[Argument],
    ) -> Result<(), GpuError> {
        let words: Vec<u64> = arguments.iter().map(|argument| argument.word()).collect();
        let kind = |argument: &Argument| match argument {
            Argument::Address(_) => 0,
            Argument::U32(_) => 1,
            Argument::U64(_) => 2,
            Argument::F32(_) => 3,
            Argument::F64(_) => 4,
        };
        let kinds: Vec<u8> = arguments.iter().map(kind).collect();
        let memory = self.memory.lock().unwrap();
        let ends = |(start, bytes): (&Address, &usize)| [*start, *start + *bytes as Address];
        let allocations: Vec<u64> = memory.iter().flat_map(ends).collect();
        let mut message = [0_u8; 256];
        let launch = Launch {
            grid: shape.grid,
            block: shape.block,
            words: words.as_ptr(),
            kinds: kinds.as_ptr(),
            count: words.len() as u64,
            allocations: allocations.as_ptr(),
            allocation_count: allocations.len() as u64 / 2,
            message: message.as_mut_ptr(),
            message_size: message.len() as u64,
        };
        // SAFETY: the handle is that of an entry. It checks the arguments and every access.
        let entry: Entry = unsafe { std::mem::transmute(kernel.0 as usize) };
        // SAFETY: as above; what the launch points to outlives the call.
        match unsafe { entry(&launch) } {
            0 => Ok(()),
            _ => {
                let end = message.iter().position(|byte| *byte == 0).unwrap_or(0);
                self.fail("launch", String::from_utf8_lossy(&message[..end]))
            }
        }
    }

    fn record(&self, launches: &[driver::Launch]) -> Result<Recording, GpuError> {
        if launches.is_empty() {
            return self.fail("record", "nothing to be recorded");
        }
        let mut recorded = self.recorded.lock().unwrap();
        recorded.push(Some(launches.to_vec()));
        Ok(Recording(recorded.len() as u64 - 1))
    }

    fn replay(&self, recording: Recording) -> Result<(), GpuError> {
        let launches = self.recorded.lock().unwrap()[recording.0 as usize].clone();
        let launches = launches.expect("it was not forgotten");
        launches.iter().try_for_each(|launch| {
            self.launch(launch.kernel, launch.shape, &[Argument::Address(launch.words)])
        })
    }

    fn forget(&self, recording: Recording) {
        let forgotten = self.recorded.lock().unwrap()[recording.0 as usize].take();
        forgotten.expect("it is forgotten once");
    }

    fn multiply(&self, product: &Product) -> Result<(), GpuError> {
        match (product.operand_type, product.result_type) {
            (Number::F64, Number::F64) => self.multiply_as::<f64, f64>(product),
            (Number::F32, Number::F32) => self.multiply_as::<f32, f32>(product),
            (Number::F16, Number::F16) => self.multiply_as::<f16, f16>(product),
            (Number::F16, Number::F32) => self.multiply_as::<f16, f32>(product),
            (Number::Bf16, Number::Bf16) => self.multiply_as::<bf16, bf16>(product),
            (Number::Bf16, Number::F32) => self.multiply_as::<bf16, f32>(product),
            (operands, result) => self
                .fail("multiply", format!("cuBLAS has no product of {operands:?} to {result:?}")),
        }
    }

    fn mark(&self) -> Result<Mark, GpuError> {
        // Times are relative to the first call.
        static START: OnceLock<Instant> = OnceLock::new();
        Ok(Mark(START.get_or_init(Instant::now).elapsed().as_nanos() as u64))
    }

    fn seconds(&self, from: Mark, to: Mark) -> Result<f64, GpuError> {
        Ok((to.0 - from.0) as f64 * 1e-9)
    }

    fn unmark(&self, _: Mark) {}

    fn synchronize(&self) -> Result<(), GpuError> {
        Ok(())
    }
}

/// The beginning of a source: the numbers that it is for, and `prelude.cuh`.
pub fn prelude(text: &str) -> &str {
    const PRELUDE: &str = include_str!("../../../src/source/prelude.cuh");
    &text[..text.find(PRELUDE).map_or(0, |start| start + PRELUDE.len())]
}

/// Compiles a source to an object that this process can load.
fn compiled(source: &Source) -> Result<PathBuf, GpuError> {
    const SHIM: &str = include_str!("shim.h");
    // Nearly all sources begin with the same text. It is compiled to a precompiled header, one for
    // each type of number.
    let beginning = prelude(&source.text);
    let kernels = &source.text[beginning.len()..];
    let header = made("gch", &["-x", "c++-header"], &format!("{SHIM}\n{beginning}"))?;
    let header = header.with_extension("");
    let entries = source.names.iter().map(|name| {
        format!(
            "extern \"C\" int {name}_emulated(const Launch* launch) {{ \
             return emulate({name}, launch); }}\n"
        )
    });
    let text = format!("#include {header:?}\n{kernels}\n{}", entries.collect::<String>());
    made("so", &["-shared"], &text)
}

/// The result of compiling a text, made once and kept for later runs of the tests. The text lies
/// beside it, under the same name without the extension.
fn made(extension: &str, options: &[&str], text: &str) -> Result<PathBuf, GpuError> {
    // Without optimisation, since more time goes into compiling than into running, and g++ takes
    // minutes over checked pointers. The fortified longjmp is off because it does not know fibers.
    const OPTIONS: [&str; 5] = ["-std=c++17", "-O0", "-fPIC", "-w", "-U_FORTIFY_SOURCE"];
    /// A lock for each text, held by the thread that compiles it.
    static STARTED: OnceLock<Mutex<HashMap<String, Arc<Mutex<()>>>>> = OnceLock::new();
    let key: String = Sha256::digest(format!("{OPTIONS:?}{options:?}{text}"))
        .iter()
        .take(12)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let started = STARTED.get_or_init(Mutex::default);
    let lock = Arc::clone(started.lock().unwrap().entry(key.clone()).or_default());
    // A poisoned lock is fine: the thread that panicked has reported its error.
    let _only = lock.lock().unwrap_or_else(PoisonError::into_inner);
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emulator");
    let made = directory.join(format!("{key}.{extension}"));
    if made.exists() {
        return Ok(made);
    }
    std::fs::create_dir_all(&directory).unwrap();
    // Other processes may compile the same text: the result gets its final name only when complete.
    let temporary = tempfile::tempdir_in(&directory).unwrap();
    let [from, to] = ["kernels.cc", "made"].map(|name| temporary.path().join(name));
    std::fs::write(&from, text).unwrap();
    let mut compiler = Command::new("g++");
    compiler.args(OPTIONS).args(options).arg(&from).arg("-o").arg(&to);
    let output = compiler.output().expect("the tests of kernels need g++");
    if !output.status.success() {
        let log = String::from_utf8_lossy(&output.stderr).chars().take(2000).collect();
        return Err(GpuError::Compile { log });
    }
    std::fs::rename(&from, made.with_extension("")).unwrap();
    std::fs::rename(&to, &made).unwrap();
    Ok(made)
}
