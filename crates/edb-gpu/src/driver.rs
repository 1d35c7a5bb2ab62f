//! The operations that the back end needs of a device.
//!
//! Addresses, handles, marks, recordings and connections are integers, which a driver may use as
//! pointers. Invariant: the back end passes a driver only integers that it got from that driver and
//! has not given back: addresses within allocations that were not freed, kernels that were loaded,
//! with the arguments that their source declares, recordings that were not forgotten, marks that
//! were not given back, and connections that were not ended. A driver with `unsafe` code rests on
//! this, and so must not be handed out: nobody else keeps it.

use std::fmt::Debug;
use std::sync::Arc;

use edb_core::collective::Collective;

use crate::error::GpuError;
use crate::number::Number;

/// A source for a device to compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The text, which includes no other.
    pub text: String,
    /// The names of its kernels.
    pub names: Vec<String>,
    /// Whether each product and each sum is rounded separately, as on the host: no fused
    /// multiply-add.
    pub exact: bool,
}

/// An address in a device's memory.
pub type Address = u64;

/// A kernel that a device has loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handle(pub u64);

/// A point in time on the device's clock, valid until it is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark(pub u64);

/// A sequence of launches that a device has recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recording(pub u64);

/// The connection of a device to those of other ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connection(pub u64);

/// Memory that goes to the device of another rank, or comes from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The other rank.
    pub rank: usize,
    /// Where the memory begins.
    pub address: Address,
    /// Its bytes, at least 1.
    pub bytes: usize,
}

/// A launch to record. Its kernel has one argument: the address in the device's memory from which
/// it reads its actual arguments each time it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The kernel.
    pub kernel: Handle,
    /// Its grid and blocks, which are the same in every replay.
    pub shape: LaunchShape,
    /// The address of its arguments.
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
    /// Its bytes, in the low bytes of a word.
    pub fn word(self) -> u64 {
        match self {
            Argument::Address(word) | Argument::U64(word) => word,
            Argument::U32(word) => u64::from(word),
            Argument::F32(number) => u64::from(number.to_bits()),
            Argument::F64(number) => number.to_bits(),
        }
    }

    /// Its size in bytes.
    pub fn size(self) -> usize {
        match self {
            Argument::U32(_) | Argument::F32(_) => 4,
            Argument::Address(_) | Argument::U64(_) | Argument::F64(_) => 8,
        }
    }
}

/// A launch configuration: the grid, and the threads of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchShape {
    /// Blocks: of rows, of columns.
    pub grid: [u32; 2],
    /// Threads of a block: for columns, for rows.
    pub block: [u32; 2],
}

/// A row-major matrix in a device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// Its first element.
    pub address: Address,
    /// The elements from one row to the next.
    pub stride: usize,
    /// Whether the transpose is used.
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
    /// Whether the product is added to `C`.
    pub added: bool,
    /// The type of the operands' elements. Sums accumulate in double precision for [`Number::F64`],
    /// else in single precision.
    pub operand_type: Number,
    /// The type of the result's elements: the same, or [`Number::F32`].
    pub result_type: Number,
}

/// A device. Calls take effect in the order in which they are made, but asynchronously, so a later
/// call may return an error of an earlier one.
pub trait Driver: Debug + Send + Sync {
    /// The device's name.
    fn name(&self) -> String;

    /// Allocates `bytes` bytes (at least 1), aligned to 256 bytes and uninitialised.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`].
    fn allocate(&self, bytes: usize) -> Result<Address, GpuError>;

    /// Frees memory, once the work that uses it has ended.
    fn free(&self, address: Address);

    /// Fills memory with zero bytes.
    ///
    /// # Errors
    /// When the device fails.
    fn clear(&self, to: Address, bytes: usize) -> Result<(), GpuError>;

    /// Copies within the device; the ranges must not overlap.
    ///
    /// # Errors
    /// When the device fails.
    fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<(), GpuError>;

    /// Copies to the device. The caller may change the bytes as soon as this returns.
    ///
    /// # Errors
    /// When the device fails.
    fn upload(&self, bytes: &[u8], to: Address) -> Result<(), GpuError>;

    /// Copies from the device, and waits for the copy.
    ///
    /// # Errors
    /// When the device fails, now or in earlier work.
    fn download(&self, from: Address, bytes: &mut [u8]) -> Result<(), GpuError>;

    /// Compiles a source, or takes it from the cache, and returns its kernels in the order of their
    /// names.
    ///
    /// # Errors
    /// When it does not compile.
    fn load(&self, source: &Source) -> Result<Vec<Handle>, GpuError>;

    /// Runs a kernel.
    ///
    /// # Errors
    /// When it cannot be launched.
    fn launch(
        &self,
        kernel: Handle,
        shape: LaunchShape,
        arguments: &[Argument],
    ) -> Result<(), GpuError>;

    /// Records launches, at least one, to be run one after the other later. A kernel may be started
    /// before the previous one has ended, if what is compiled for recording
    /// ([`Launched::Recorded`](crate::Launched::Recorded)) waits for that one itself.
    ///
    /// # Errors
    /// When they cannot be recorded.
    fn record(&self, launches: &[Launch]) -> Result<Recording, GpuError>;

    /// Runs a recording, as one launch.
    ///
    /// # Errors
    /// When it cannot be launched.
    fn replay(&self, recording: Recording) -> Result<(), GpuError>;

    /// Gives a recording back, once its last run has ended.
    fn forget(&self, recording: Recording);

    /// Multiplies matrices.
    ///
    /// # Errors
    /// When the device fails.
    fn multiply(&self, product: &Product) -> Result<(), GpuError>;

    /// Records the time at which all work enqueued so far ends.
    ///
    /// # Errors
    /// When the device fails.
    fn mark(&self) -> Result<Mark, GpuError>;

    /// The seconds between two marks; the work before both must have ended.
    ///
    /// # Errors
    /// When it has not.
    fn seconds(&self, from: Mark, to: Mark) -> Result<f64, GpuError>;

    /// Gives a mark back.
    fn unmark(&self, mark: Mark);

    /// Waits until all work enqueued so far has ended.
    ///
    /// # Errors
    /// An error of that work.
    fn synchronize(&self) -> Result<(), GpuError>;

    /// Connects the device to those of the other ranks, which make the same call. `None`, on all
    /// ranks, where devices cannot reach one another: memory then goes through the hosts.
    ///
    /// # Errors
    /// When another rank does not answer, or the devices do not connect.
    fn connect(&self, world: &Arc<dyn Collective>) -> Result<Option<Connection>, GpuError> {
        let _ = world;
        Ok(None)
    }

    /// Sends memory to other ranks and receives memory from them, all at once, and waits until that
    /// is done, but not for ever; each rank makes the same call. What one rank sends another one
    /// arrives in the order in which both list it.
    ///
    /// # Errors
    /// When the connection fails, or another rank does not answer. The connection has ended then, and
    /// nothing uses the memory any more.
    fn exchange(
        &self,
        connection: Connection,
        sent: &[Transfer],
        received: &[Transfer],
    ) -> Result<(), GpuError> {
        let _ = (connection, sent, received);
        let (call, message) = ("exchange".into(), "it is connected to no other device".into());
        Err(GpuError::Driver { device: self.name(), call, message })
    }

    /// Ends a connection, unless an error has ended it.
    fn disconnect(&self, connection: Connection) {
        let _ = connection;
    }
}

/// A growable allocation in a device's memory, freed when dropped.
#[derive(Debug)]
pub(crate) struct DeviceMemory {
    driver: Arc<dyn Driver>,
    address: Address,
    bytes: usize,
}

impl DeviceMemory {
    pub(crate) fn new(driver: &Arc<dyn Driver>) -> Self {
        Self { driver: Arc::clone(driver), address: 0, bytes: 0 }
    }

    /// Its address.
    pub(crate) fn address(&self) -> Address {
        self.address
    }

    /// Its size.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Makes it at least this large. If it must grow, its contents are lost.
    pub(crate) fn reserve(&mut self, bytes: usize) -> Result<(), GpuError> {
        if self.bytes < bytes {
            // Freed first, so that old and new need not fit together.
            self.release();
            self.address = self.driver.allocate(bytes)?;
            self.bytes = bytes;
        }
        Ok(())
    }

    /// Makes it at least this large, and keeps its contents.
    pub(crate) fn extend(&mut self, bytes: usize) -> Result<(), GpuError> {
        if self.bytes < bytes {
            let mut larger = DeviceMemory::new(&self.driver);
            larger.reserve(bytes)?;
            if self.bytes > 0 {
                self.driver.copy(self.address, larger.address, self.bytes)?;
            }
            *self = larger;
        }
        Ok(())
    }

    fn release(&mut self) {
        if self.bytes > 0 {
            self.driver.free(self.address);
            (self.address, self.bytes) = (0, 0);
        }
    }
}

impl Drop for DeviceMemory {
    fn drop(&mut self) {
        self.release();
    }
}
