//! What the back end asks of a device.
//!
//! | module | what it is |
//! | --- | --- |
//! | `cuda` | an NVIDIA GPU, by the CUDA driver |
//! | `blas` | its products, by cuBLAS |
//! | `pinned` | which memory for copies to it is free |
//!
//! The tests bring another one, which runs the same sources on the processor: for them alone is this
//! public.
//!
//! Addresses, handles, marks and recordings are integers, which `Cuda` takes for pointers. So `Cuda` is
//! this crate's own, and no code outside can give it one:
//!
//! ```compile_fail,E0603
//! use edb_cuda::driver::Cuda;
//! ```
//!
//! Invariant: the back end gives a driver back what it had from it, and nothing else: addresses within
//! the memory that it has and has not given back, kernels that were loaded, with the arguments
//! that their source declares, recordings that were not forgotten, and marks that were not given back.
//! This is what the safety notes of `cuda` and `blas` call the caller's word. A driver of someone else's
//! is asked for the same, and never gets anything that comes from `Cuda`.

mod blas;
mod cuda;
mod pinned;

use std::fmt::Debug;
use std::sync::Arc;

pub(crate) use cuda::Cuda;

use crate::error::CudaError;
use crate::number::Number;
use crate::source::Source;

/// An address in a device's memory.
pub type Address = u64;

/// A kernel that a device has loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handle(pub u64);

/// A time on the device's clock, until it is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark(pub u64);

/// A list of launches that a device has recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recording(pub u64);

/// A launch that is recorded. Its kernel has one argument: where, in the device's memory, it finds the
/// others each time it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The kernel.
    pub kernel: Handle,
    /// Its blocks and threads, which stay the same.
    pub shape: Shape,
    /// Where its arguments are going to be.
    pub words: Address,
}

/// An argument of a kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Argument {
    /// A pointer; 0 where there is nothing to point to.
    Address(Address),
    /// An unsigned integer of 32 bits.
    U32(u32),
    /// An unsigned integer of 64 bits.
    U64(u64),
    /// A number in single precision.
    F32(f32),
    /// A number in double precision.
    F64(f64),
}

impl Argument {
    /// Its bytes, in the lower ones of a word.
    pub fn word(self) -> u64 {
        match self {
            Argument::Address(word) | Argument::U64(word) => word,
            Argument::U32(word) => u64::from(word),
            Argument::F32(number) => u64::from(number.to_bits()),
            Argument::F64(number) => number.to_bits(),
        }
    }

    /// How many bytes it has.
    pub fn size(self) -> usize {
        match self {
            Argument::U32(_) | Argument::F32(_) => 4,
            Argument::Address(_) | Argument::U64(_) | Argument::F64(_) => 8,
        }
    }
}

/// How many blocks of how many threads run a kernel: those of columns and of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Blocks: of rows, of columns.
    pub grid: [u32; 2],
    /// Threads of a block: for columns, for rows.
    pub block: [u32; 2],
}

/// A matrix in a device's memory, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// Its first element.
    pub at: Address,
    /// The elements from row to row.
    pub stride: usize,
    /// Whether it is used the other way round.
    pub transposed: bool,
}

/// `C = A B`, or `C += A B`, where `C` is `[m, n]` and `A` has `k` columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    /// The rows of `C`, its columns, and the terms of each sum; none is 0.
    pub size: [usize; 3],
    /// The left operand.
    pub a: Matrix,
    /// The right operand.
    pub b: Matrix,
    /// The result, never transposed.
    pub c: Matrix,
    /// Whether `C` holds something that is added to.
    pub added: bool,
    /// What the operands' elements are. Sums are made in double precision of [`Number::F64`], else in
    /// single precision.
    pub of: Number,
    /// What the elements of the result are: the same, or [`Number::F32`].
    pub to: Number,
}

/// A device. Calls run in the order in which they are made, but perhaps later than they return; so an
/// error may be returned by a later call.
pub trait Driver: Debug + Send + Sync {
    /// The device's name.
    fn name(&self) -> String;

    /// Memory of so many bytes (at least 1), aligned to 256 bytes; it holds anything.
    ///
    /// # Errors
    /// [`CudaError::OutOfMemory`].
    fn allocate(&self, bytes: usize) -> Result<Address, CudaError>;

    /// Gives memory back, once what uses it has run.
    fn free(&self, address: Address);

    /// Fills memory with zero bytes.
    ///
    /// # Errors
    /// When the device fails.
    fn clear(&self, to: Address, bytes: usize) -> Result<(), CudaError>;

    /// Copies within the device; the ranges do not overlap.
    ///
    /// # Errors
    /// When the device fails.
    fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<(), CudaError>;

    /// Copies to the device. The bytes may change as soon as this returns.
    ///
    /// # Errors
    /// When the device fails.
    fn upload(&self, bytes: &[u8], to: Address) -> Result<(), CudaError>;

    /// Copies from the device, and waits for it.
    ///
    /// # Errors
    /// When the device fails, now or before.
    fn download(&self, from: Address, bytes: &mut [u8]) -> Result<(), CudaError>;

    /// Compiles a source, or finds it compiled, and returns its kernels in the order of their names.
    ///
    /// # Errors
    /// When it does not compile.
    fn load(&self, source: &Source) -> Result<Vec<Handle>, CudaError>;

    /// Runs a kernel.
    ///
    /// # Errors
    /// When it cannot be launched.
    fn launch(&self, kernel: Handle, shape: Shape, arguments: &[Argument])
    -> Result<(), CudaError>;

    /// Records launches that are to run one after the other, at least one. They do not run now. From compute
    /// capability 9.0 on a kernel may begin before the one before it has ended, so that it waits for that itself
    /// (`prelude.cuh`, `AWAIT`).
    ///
    /// # Errors
    /// When they cannot be recorded.
    fn record(&self, launches: &[Launch]) -> Result<Recording, CudaError>;

    /// Runs what was recorded, as one launch.
    ///
    /// # Errors
    /// When it cannot be launched.
    fn replay(&self, recording: Recording) -> Result<(), CudaError>;

    /// Gives a recording back, once it has run.
    fn forget(&self, recording: Recording);

    /// Multiplies matrices.
    ///
    /// # Errors
    /// When the device fails.
    fn multiply(&self, product: &Product) -> Result<(), CudaError>;

    /// Notes the time at which all that was asked for before will have been done.
    ///
    /// # Errors
    /// When the device fails.
    fn mark(&self) -> Result<Mark, CudaError>;

    /// The seconds between two marks, which must have been waited for.
    ///
    /// # Errors
    /// When they have not.
    fn seconds(&self, from: Mark, to: Mark) -> Result<f64, CudaError>;

    /// Gives a mark back.
    fn unmark(&self, mark: Mark);

    /// Waits until all that was asked for is done.
    ///
    /// # Errors
    /// What went wrong meanwhile.
    fn synchronize(&self) -> Result<(), CudaError>;
}

/// Memory of a device, which grows and is given back.
#[derive(Debug)]
pub(crate) struct Memory {
    driver: Arc<dyn Driver>,
    at: Address,
    bytes: usize,
}

impl Memory {
    pub(crate) fn new(driver: &Arc<dyn Driver>) -> Self {
        Self { driver: Arc::clone(driver), at: 0, bytes: 0 }
    }

    /// Where it begins.
    pub(crate) fn at(&self) -> Address {
        self.at
    }

    /// Makes it at least this large. What it held is lost if it was smaller.
    pub(crate) fn reserve(&mut self, bytes: usize) -> Result<(), CudaError> {
        if self.bytes < bytes {
            // First, so that both need not fit.
            self.release();
            self.at = self.driver.allocate(bytes)?;
            self.bytes = bytes;
        }
        Ok(())
    }

    /// Makes it at least this large, and keeps what it holds.
    pub(crate) fn extend(&mut self, bytes: usize) -> Result<(), CudaError> {
        if self.bytes < bytes {
            let mut larger = Memory::new(&self.driver);
            larger.reserve(bytes)?;
            if self.bytes > 0 {
                self.driver.copy(self.at, larger.at, self.bytes)?;
            }
            *self = larger;
        }
        Ok(())
    }

    fn release(&mut self) {
        if self.bytes > 0 {
            self.driver.free(self.at);
            (self.at, self.bytes) = (0, 0);
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.release();
    }
}
