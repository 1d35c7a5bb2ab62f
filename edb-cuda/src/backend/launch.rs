//! Launches of the kernels that are declared.

use std::marker::PhantomData;
use std::sync::Arc;

use super::launcher::{Kernel, Launcher};
use crate::blocks::Grid;
use crate::driver::{Driver, Handle, Source};
use crate::error::CudaError;
use crate::kernels::library::{CopyRows, Fill, Library};
use crate::kernels::optimizer::Optimizer;
use crate::kernels::{Arguments, Call, Rows, Set};
use crate::number::Numbers;
use crate::source::{self, Launched};

/// A set of kernels that are loaded.
#[derive(Debug)]
pub(super) struct KernelSet<S> {
    pub(super) launcher: Launcher,
    pub(super) numbers: Numbers,
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
    ) -> Result<Self, CudaError> {
        let mut now = driver.load(now)?.into_iter();
        let mut recorded = match recorded {
            Some(source) => driver.load(source)?,
            None => Vec::new(),
        }
        .into_iter();
        let mut kernel = |now: Handle| Kernel { now, recorded: recorded.next() };
        let declarations = S::DECLARATIONS.iter();
        let kernels = declarations
            .map(|of| now.by_ref().take(of.names.len()).map(&mut kernel).collect())
            .collect();
        Ok(Self { launcher: Launcher::new(driver), numbers, kernels, set: PhantomData })
    }

    /// Launches a kernel, unless there is nothing for it to do.
    pub(super) fn launch<C: Call<Set = S>>(&self, call: C) -> Result<(), CudaError> {
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
    pub(super) fn library(
        driver: &Arc<dyn Driver>,
        numbers: Numbers,
        recorded: bool,
    ) -> Result<Self, CudaError> {
        let now = source::library(numbers, Launched::Now);
        let recorded = recorded.then(|| source::library(numbers, Launched::Recorded));
        Self::load(driver, numbers, &now, recorded.as_ref())
    }

    /// Fills `width` elements of each row with a number.
    pub(super) fn fill(
        &self,
        out: Rows,
        (rows, width): (usize, usize),
        value: f64,
    ) -> Result<(), CudaError> {
        self.launch(Fill { out, rows, width, value })
    }

    /// Copies rows, in any layout.
    pub(super) fn copy(
        &self,
        out: Rows,
        x: Rows,
        (rows, width): (usize, usize),
    ) -> Result<(), CudaError> {
        self.launch(CopyRows { out, x, rows, width })
    }
}

impl KernelSet<Optimizer> {
    /// Loads the kernels that end a training step.
    pub(super) fn optimizer(driver: &Arc<dyn Driver>, numbers: Numbers) -> Result<Self, CudaError> {
        Self::load(driver, numbers, &source::optimizer(numbers), None)
    }
}
