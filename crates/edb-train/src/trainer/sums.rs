//! The losses and gradients that a step sums: of some graphs, of the shares of one rank, or of all ranks.

use edb_core::engine::StepReport;
use edb_core::engine::backend::ShareSum;
use edb_kernels::element::Element;
use edb_learn::learn::gradients;
use edb_learn::learn::{GradientKind, Gradients};

/// A sum of gradients, in the memory where it was computed.
#[derive(Debug)]
pub(super) enum SummedGradients<T> {
    /// The engine has the sum, in the place of the gradients of its own minibatches.
    InEngine,
    /// The host has the sum. The gradients are not clipped.
    Whole(Gradients<T>),
    /// The host has the sum. The gradient of each graph is clipped and rounded to whole numbers of steps of the
    /// [`Grid`](edb_learn::learn::privacy::Grid). The sum is in `f64` for every type of parameters.
    Clipped(Gradients<f64>),
    /// A device has the sum of some shares.
    OnDevice(ShareSum),
}

/// All sums over some graphs of a step.
#[derive(Debug)]
pub(super) struct Sums<T> {
    pub(super) loss: f64,
    pub(super) gradients: SummedGradients<T>,
    /// The sum of the squared norms of the gradients of each graph, if these are needed and not clipped.
    pub(super) squares: f64,
    /// How many graphs there are whose own gradients were needed.
    pub(super) graphs: usize,
    /// The number by which the sum of the losses is divided.
    pub(super) terms: usize,
    pub(super) report: Option<StepReport>,
}

impl<T: Element> SummedGradients<T> {
    /// The kind of the gradient of each parameter; `None` if the host does not have the sum.
    pub(super) fn gradient_kinds(&self) -> Option<Vec<GradientKind>> {
        match self {
            Self::Whole(gradients) => Some(gradients::kinds(gradients)),
            Self::Clipped(gradients) => Some(gradients::kinds(gradients)),
            Self::InEngine | Self::OnDevice(_) => None,
        }
    }
}

impl<T> Sums<T> {
    /// These gradients, with all other sums zero.
    pub(super) fn of(gradients: SummedGradients<T>) -> Self {
        Self { loss: 0.0, gradients, squares: 0.0, graphs: 0, terms: 0, report: None }
    }

    /// Adds the report of a run, if there is one.
    pub(super) fn add_report(&mut self, report: Option<StepReport>) {
        match (&mut self.report, report) {
            (Some(sum), Some(report)) => sum.add(&report),
            (sum, report) => *sum = sum.or(report),
        }
    }
}
