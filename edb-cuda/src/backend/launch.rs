//! Launches of the kernels that are the same for all models.

use std::sync::Arc;

use super::launcher::{Blocks, Kernel, Launcher};
use crate::driver::{Address, Argument, Driver};
use crate::error::CudaError;
use crate::number::{Number, Numbers};
use crate::source::fused::Mode;
use crate::source::{Launched, Source};

/// The bit of a mode that marks rows as wide: `prelude.cuh`.
const WIDE: u32 = 4;
/// The rows of an operand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    pub(super) at: Address,
    /// Elements from one row to the next.
    pub(super) stride: usize,
    /// The number type of the elements.
    pub(super) number: Number,
    pub(super) mode: Mode,
    /// The row indices, for [`Mode::Owner`] and [`Mode::Gather`].
    pub(super) index: Address,
    /// The row number at which owners start.
    pub(super) first: u32,
    /// The zeros that are read for an absent child.
    pub(super) zeros: Address,
}

impl Rows {
    /// Rows of which each row of the result reads its own.
    pub(super) fn each(at: Address, stride: usize, number: Number) -> Self {
        Self { at, stride, number, mode: Mode::Each, index: 0, first: 0, zeros: 0 }
    }

    /// The same rows, from a later column on.
    pub(super) fn from(self, columns: usize) -> Self {
        Self { at: self.at + (columns * self.number.size()) as u64, ..self }
    }
}

/// The pulled index of each row.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Index {
    /// The indices, by row of the function's vertices.
    pub(super) at: Address,
    /// The vertex of each edge, for rows of edges.
    pub(super) owners: Option<Address>,
    /// The first row.
    pub(super) first: u32,
}

/// The argument list of a kernel.
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

    /// A number of the kernel's `real` type.
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

    /// The parameters that `ROWS` declares.
    pub(super) fn rows(self, rows: Rows) -> Self {
        let Rows { at, stride, index, first, zeros, .. } = rows;
        self.at(at).at(zeros).at(index).count(stride).u32(first).mode(rows)
    }

    /// The parameters that `OUTS` and `EACH_OF` declare: equally spaced rows.
    pub(super) fn each(self, rows: Rows) -> Self {
        self.at(rows.at).count(rows.stride).mode(rows)
    }

    /// The parameters that `INDEX` declares.
    pub(super) fn index(self, index: Index) -> Self {
        let Index { at, owners, first } = index;
        self.at(at).at(owners.unwrap_or(0)).u32(first).u32(u32::from(owners.is_some()))
    }

    pub(super) fn as_slice(&self) -> &[Argument] {
        &self.list
    }
}

/// The kernels that are the same for all models, or those of the optimiser.
#[derive(Debug)]
pub(super) struct KernelSet {
    pub(super) launcher: Launcher,
    names: Vec<String>,
    kernels: Vec<Kernel>,
    pub(super) numbers: Numbers,
}

impl KernelSet {
    /// Loads the kernels that are the same for all models, and on request their variants for
    /// recording.
    pub(super) fn new(
        driver: &Arc<dyn Driver>,
        numbers: Numbers,
        recorded: bool,
    ) -> Result<Self, CudaError> {
        let source = Source::library(numbers, Launched::Now);
        let mut library = Self::of(driver, numbers, source)?;
        if recorded {
            let handles = driver.load(&Source::library(numbers, Launched::Recorded))?;
            for (kernel, handle) in library.kernels.iter_mut().zip(handles) {
                kernel.recorded = Some(handle);
            }
        }
        Ok(library)
    }

    /// The kernels that end a training step.
    pub(super) fn optimizer(driver: &Arc<dyn Driver>, numbers: Numbers) -> Result<Self, CudaError> {
        Self::of(driver, numbers, Source::optimizer(numbers))
    }

    fn of(driver: &Arc<dyn Driver>, numbers: Numbers, source: Source) -> Result<Self, CudaError> {
        let kernel = |now| Kernel { now, recorded: None };
        let kernels = driver.load(&source)?.into_iter().map(kernel).collect();
        Ok(Self { launcher: Launcher::new(driver), names: source.names, kernels, numbers })
    }

    pub(super) fn arguments(&self) -> Arguments {
        Arguments::new(self.numbers)
    }

    /// Runs a kernel over rows, with the given blocks.
    pub(super) fn launch_in(
        &self,
        blocks: Blocks,
        name: &str,
        rows: usize,
        arguments: &Arguments,
    ) -> Result<(), CudaError> {
        if rows == 0 {
            return Ok(());
        }
        let of = |known: &String| known.strip_prefix("edb_") == Some(name);
        let at = self.names.iter().position(of);
        let at = at.expect("the library has the kernels that this back end launches");
        self.launcher.launch(self.kernels[at], blocks, rows, arguments.as_slice())
    }

    /// Runs a kernel with a thread for each element.
    pub(super) fn launch(
        &self,
        name: &str,
        (rows, columns): (usize, usize),
        arguments: &Arguments,
    ) -> Result<(), CudaError> {
        if columns == 0 {
            return Ok(());
        }
        self.launch_in(Blocks::each(columns), name, rows, arguments)
    }

    /// Runs a kernel with a block for each row.
    pub(super) fn launch_team(
        &self,
        name: &str,
        rows: usize,
        arguments: &Arguments,
    ) -> Result<(), CudaError> {
        self.launch_in(Blocks::TEAM, name, rows, arguments)
    }

    /// Fills `width` elements of each row with a number.
    pub(super) fn fill(
        &self,
        out: Rows,
        (rows, width): (usize, usize),
        value: f64,
    ) -> Result<(), CudaError> {
        let arguments = self.arguments().each(out).count(rows).count(width);
        self.launch("fill", (rows, width), &arguments.real(value))
    }

    /// Copies rows, in any layout.
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
