//! A device emulated on the processor: memory, launches and products.
//!
//! It runs the kernels of the back end's own sources, compiled by this machine's C++ compiler with
//! `shim.h`. Each thread is a fiber where there are barriers, and every access is checked against
//! the allocation of its pointer. Fresh memory reads as NaN.

mod kernels;

use std::alloc::{Layout, alloc, dealloc};
use std::collections::BTreeMap;
use std::ffi::c_int;
use std::process::Command;
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

use edb::Device;
use edb_backend_suite::machine;
use edb_cuda::{CudaOptions, Number};
use edb_gpu::GpuError;
use edb_gpu::driver::{
    self, Address, Argument, Driver, Handle, LaunchShape, Mark, Matrix, Product, Recording, Source,
};
use half::{bf16, f16};

use crate::devices;
use kernels::Kernels;
pub use kernels::prelude;

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
    memory: Mutex<Memory>,
    /// The launches of each recording; `None` once it is forgotten.
    recorded: Mutex<Vec<Option<Vec<driver::Launch>>>>,
    kernels: Mutex<Kernels>,
}

/// What is allocated.
#[derive(Debug, Default)]
struct Memory {
    /// The bytes of each allocation, by its address.
    allocations: BTreeMap<Address, usize>,
    /// The beginning and the end of each, in ascending order, as launches get them; empty after a change.
    ends: Vec<u64>,
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
            .allocations
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
                    // From 0, as cuBLAS and the kernels sum; `sum` begins with -0, which a sum of -0 keeps.
                    let sum = (0..k).map(product_of).fold(N::Real::default(), |sum, x| sum + x);
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
        + Default
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
        let mut memory = self.memory.lock().unwrap();
        memory.allocations.insert(start as Address, bytes);
        memory.ends.clear();
        Ok(start as Address)
    }

    fn free(&self, address: Address) {
        let mut memory = self.memory.lock().unwrap();
        let bytes = memory.allocations.remove(&address).expect("it was allocated");
        memory.ends.clear();
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
        Ok(self.kernels.lock().unwrap().load(source))
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
        let mut memory = self.memory.lock().unwrap();
        let Memory { allocations, ends } = &mut *memory;
        if ends.is_empty() {
            ends.extend(
                allocations.iter().flat_map(|(start, bytes)| [*start, *start + *bytes as Address]),
            );
        }
        let mut message = [0_u8; 256];
        let launch = Launch {
            grid: shape.grid,
            block: shape.block,
            words: words.as_ptr(),
            kinds: kinds.as_ptr(),
            count: words.len() as u64,
            allocations: ends.as_ptr(),
            allocation_count: ends.len() as u64 / 2,
            message: message.as_mut_ptr(),
            message_size: message.len() as u64,
        };
        let entry = self.kernels.lock().unwrap().entry(kernel)?;
        // SAFETY: an entry checks the arguments and every access; what the launch points to outlives
        // the call.
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
