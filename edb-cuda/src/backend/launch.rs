//! Launches of the kernels that are the same for all models.

use std::sync::Arc;

use crate::driver::{Address, Argument, Driver, Handle, Shape};
use crate::error::CudaError;
use crate::number::{Number, Numbers};
use crate::source::Source;
use crate::source::fused::Mode;

/// The threads of a block.
const THREADS: u32 = 128;
/// The most blocks of rows: more rows than these have are taken in turns.
const MOST_ROWS: usize = 1 << 20;
/// The bit of a mode that says that rows are wide: `prelude.cuh`.
const WIDE: u32 = 4;
/// The most blocks of columns, which CUDA gives 16 bits.
const MOST_COLUMNS: usize = 65_535;

/// The blocks and threads for so many rows of so many columns.
pub(super) fn grid(rows: usize, columns: usize) -> Shape {
    let across = (columns.clamp(1, THREADS as usize) as u32).next_power_of_two();
    let block = [across, THREADS / across];
    Shape { grid: [blocks(rows, block[1]), columns_blocks(columns, across)], block }
}

/// The blocks for so many rows, of which a block has so many at once.
pub(super) fn blocks(rows: usize, at_once: u32) -> u32 {
    rows.div_ceil(at_once as usize).clamp(1, MOST_ROWS) as u32
}

fn columns_blocks(columns: usize, across: u32) -> u32 {
    columns.div_ceil(across as usize).clamp(1, MOST_COLUMNS) as u32
}

/// The rows of an operand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    pub(super) at: Address,
    /// Elements from row to row.
    pub(super) stride: usize,
    /// What the elements are.
    pub(super) number: Number,
    pub(super) mode: Mode,
    /// Which row is whose, for [`Mode::Owner`] and [`Mode::Gather`].
    pub(super) index: Address,
    /// The row that owners are counted from.
    pub(super) first: u32,
    /// What an absent child reads.
    pub(super) zeros: Address,
}

impl Rows {
    /// A row for each.
    pub(super) fn each(at: Address, stride: usize, number: Number) -> Self {
        Self { at, stride, number, mode: Mode::Each, index: 0, first: 0, zeros: 0 }
    }

    /// The same rows from another column on.
    pub(super) fn from(self, columns: usize) -> Self {
        Self { at: self.at + (columns * self.number.size()) as u64, ..self }
    }
}

/// Where the pulled index of each row is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Index {
    /// By row of the function's vertices.
    pub(super) at: Address,
    /// The vertex of each edge, for rows of edges.
    pub(super) owners: Option<Address>,
    /// The first row.
    pub(super) first: u32,
}

/// The arguments of a kernel, one after the other.
#[derive(Debug)]
pub(super) struct Arguments {
    numbers: Numbers,
    list: Vec<Argument>,
}

impl Arguments {
    pub(super) fn new(numbers: Numbers) -> Self {
        Self { numbers, list: Vec::with_capacity(24) }
    }

    pub(super) fn at(mut self, address: Address) -> Self {
        self.list.push(Argument::Address(address));
        self
    }

    pub(super) fn u32(mut self, number: u32) -> Self {
        self.list.push(Argument::U32(number));
        self
    }

    pub(super) fn count(mut self, number: usize) -> Self {
        self.list.push(Argument::U64(number as u64));
        self
    }

    pub(super) fn u64(mut self, number: u64) -> Self {
        self.list.push(Argument::U64(number));
        self
    }

    pub(super) fn double(mut self, number: f64) -> Self {
        self.list.push(Argument::F64(number));
        self
    }

    /// A number of the kernel's type.
    pub(super) fn real(mut self, number: f64) -> Self {
        self.list.push(match self.numbers.real {
            Number::F64 => Argument::F64(number),
            _ => Argument::F32(number as f32),
        });
        self
    }

    fn mode(self, rows: Rows) -> Self {
        let wide = self.numbers.is_narrow() && rows.number == self.numbers.real;
        self.u32(rows.mode as u32 | if wide { WIDE } else { 0 })
    }

    /// What `ROWS` declares.
    pub(super) fn rows(self, rows: Rows) -> Self {
        let Rows { at, stride, index, first, zeros, .. } = rows;
        self.at(at).at(zeros).at(index).count(stride).u32(first).mode(rows)
    }

    /// What `OUTS` and `EACH_OF` declare: rows at equal distances.
    pub(super) fn each(self, rows: Rows) -> Self {
        self.at(rows.at).count(rows.stride).mode(rows)
    }

    /// What `INDEX` declares.
    pub(super) fn index(self, index: Index) -> Self {
        let Index { at, owners, first } = index;
        self.at(at).at(owners.unwrap_or(0)).u32(first).u32(u32::from(owners.is_some()))
    }

    pub(super) fn as_slice(&self) -> &[Argument] {
        &self.list
    }
}

/// The kernels that are the same for all models.
#[derive(Debug)]
pub(super) struct Library {
    driver: Arc<dyn Driver>,
    names: Vec<String>,
    handles: Vec<Handle>,
    pub(super) numbers: Numbers,
}

impl Library {
    pub(super) fn new(driver: &Arc<dyn Driver>, numbers: Numbers) -> Result<Self, CudaError> {
        Self::of(driver, numbers, Source::library(numbers))
    }

    /// The kernels that end a training step.
    pub(super) fn optimizer(driver: &Arc<dyn Driver>, numbers: Numbers) -> Result<Self, CudaError> {
        Self::of(driver, numbers, Source::optimizer(numbers))
    }

    fn of(driver: &Arc<dyn Driver>, numbers: Numbers, source: Source) -> Result<Self, CudaError> {
        let handles = driver.load(&source)?;
        Ok(Self { driver: Arc::clone(driver), names: source.names, handles, numbers })
    }

    pub(super) fn arguments(&self) -> Arguments {
        Arguments::new(self.numbers)
    }

    fn handle(&self, name: &str) -> Handle {
        let of = |known: &String| known.strip_prefix("edb_") == Some(name);
        let at = self.names.iter().position(of);
        self.handles[at.expect("the library has the kernels that this back end launches")]
    }

    /// Runs a kernel with a thread for each element.
    pub(super) fn launch(
        &self,
        name: &str,
        (rows, columns): (usize, usize),
        arguments: &Arguments,
    ) -> Result<(), CudaError> {
        if rows == 0 || columns == 0 {
            return Ok(());
        }
        self.driver.launch(self.handle(name), grid(rows, columns), arguments.as_slice())
    }

    /// Runs a kernel with a block for each row.
    pub(super) fn launch_team(
        &self,
        name: &str,
        rows: usize,
        arguments: &Arguments,
    ) -> Result<(), CudaError> {
        if rows == 0 {
            return Ok(());
        }
        let shape = Shape { grid: [blocks(rows, 1), 1], block: [THREADS, 1] };
        self.driver.launch(self.handle(name), shape, arguments.as_slice())
    }

    /// `width` numbers for each of `rows`.
    pub(super) fn fill(
        &self,
        out: Rows,
        (rows, width): (usize, usize),
        value: f64,
    ) -> Result<(), CudaError> {
        let arguments = self.arguments().each(out).count(rows).count(width);
        self.launch("fill", (rows, width), &arguments.real(value))
    }

    /// Copies rows, wherever they are.
    pub(super) fn copy(
        &self,
        out: Rows,
        x: Rows,
        (rows, width): (usize, usize),
    ) -> Result<(), CudaError> {
        let arguments = self.arguments().each(out).rows(x);
        self.launch("copy", (rows, width), &arguments.count(rows).count(width))
    }
}
