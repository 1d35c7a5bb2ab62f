//! Launches of the kernels that are declared.

use std::marker::PhantomData;
use std::sync::Arc;

use super::launcher::{Kernel, Launcher};
use crate::blocks::Grid;
use crate::dialect::{Dialect, Launched};
use crate::driver::{Driver, Handle, Source};
use crate::error::GpuError;
use crate::kernels::library::{CopyRows, Fill, Library};
use crate::kernels::optimizer::Optimizer;
use crate::kernels::{Arguments, Call, Declaration, Rows, Set};
use crate::number::Numbers;

/// A set of kernels that are loaded.
#[derive(Debug)]
pub(crate) struct KernelSet<S> {
    pub(crate) launcher: Launcher,
    pub(crate) numbers: Numbers,
    /// By the number of the declaration, and which of its names.
    kernels: Vec<Vec<Kernel>>,
    set: PhantomData<S>,
}

impl<S: Set> KernelSet<S> {
    fn load(
        driver: &Arc<dyn Driver>,
        numbers: Numbers,
        now: &Source,
        recorded: Option<&Source>,
    ) -> Result<Self, GpuError> {
        let now = driver.load(now)?.into_iter();
        let recorded = recorded.map_or(Ok(Vec::new()), |source| driver.load(source))?;
        let mut recorded = recorded.into_iter();
        let kernel = |now: Handle| Kernel { now, recorded: recorded.next() };
        let mut loaded = now.map(kernel);
        let kernels_of = |declaration: &Declaration| {
            loaded.by_ref().take(declaration.names.len()).collect::<Vec<_>>()
        };
        let kernels = S::DECLARATIONS.iter().map(kernels_of).collect();
        Ok(Self { launcher: Launcher::new(driver), numbers, kernels, set: PhantomData })
    }

    /// Launches a kernel, unless there is nothing for it to do.
    pub(crate) fn launch<C: Call<Set = S>>(&self, call: C) -> Result<(), GpuError> {
        let Grid { blocks, rows } = call.grid();
        if rows == 0 {
            return Ok(());
        }
        let mut arguments = Arguments::new(self.numbers);
        call.pass(&mut arguments);
        let kernel = self.kernels[C::NUMBER][call.member()];
        self.launcher.launch(kernel, blocks, rows, arguments.as_slice())
    }
}

impl KernelSet<Library> {
    /// Loads the kernels that are the same for all models, and on request their variants for
    /// recording.
    pub(crate) fn library(
        driver: &Arc<dyn Driver>,
        dialect: &dyn Dialect,
        numbers: Numbers,
        recorded: bool,
    ) -> Result<Self, GpuError> {
        let now = dialect.library(numbers, Launched::Now);
        let recorded = recorded.then(|| dialect.library(numbers, Launched::Recorded));
        Self::load(driver, numbers, &now, recorded.as_ref())
    }

    /// Fills `width` elements of each row with a number.
    pub(crate) fn fill(
        &self,
        out: Rows,
        rows: usize,
        width: usize,
        value: f64,
    ) -> Result<(), GpuError> {
        self.launch(Fill { out, rows, width, value })
    }

    /// Copies rows, in any layout.
    pub(crate) fn copy(
        &self,
        out: Rows,
        x: Rows,
        rows: usize,
        width: usize,
    ) -> Result<(), GpuError> {
        self.launch(CopyRows { out, x, rows, width })
    }
}

impl KernelSet<Optimizer> {
    /// Loads the kernels that end a training step.
    pub(crate) fn optimizer(
        driver: &Arc<dyn Driver>,
        dialect: &dyn Dialect,
        numbers: Numbers,
    ) -> Result<Self, GpuError> {
        Self::load(driver, numbers, &dialect.optimizer(numbers), None)
    }
}
