//! What remains from step to step where parts of a minibatch run side by side.

use std::ops::Range;
use std::sync::Mutex;

use super::error::EngineError;
use super::layout::Layout;
use super::report::StepReport;
use super::run_memory::RunMemory;
use edb_kernels::element::Element;
use edb_learn::learn::{Gradients, Parameters};
use edb_model::graph::Minibatch;

/// What the threads of a crew and the parts of a minibatch keep from step to step.
#[derive(Debug)]
pub(super) struct PartMemory<T> {
    /// The memory of each thread.
    pub(super) threads: Vec<Mutex<ThreadMemory<T>>>,
    /// The results of each part.
    pub(super) sums: Vec<Mutex<PartSums<T>>>,
}

impl<T> Default for PartMemory<T> {
    fn default() -> Self {
        Self { threads: Vec::new(), sums: Vec::new() }
    }
}

/// The memory of a thread that runs parts.
#[derive(Debug)]
pub(super) struct ThreadMemory<T> {
    pub(super) layout: Layout,
    pub(super) runs: RunMemory,
    pub(super) own: ThreadOwn<T>,
}

/// What a thread needs besides what runs minibatches.
#[derive(Debug)]
pub(super) struct ThreadOwn<T> {
    /// The part of a minibatch that runs.
    pub(super) part: Option<Minibatch<T>>,
    /// The sums of the clipped gradients of graphs.
    pub(super) clipped: Gradients<f64>,
}

/// What a part leaves.
#[derive(Debug)]
pub(super) struct PartSums<T> {
    pub(super) loss: f64,
    pub(super) gradients: Gradients<T>,
    /// What was [counted](CountTerms) in it, and how it ran.
    pub(super) ran: Result<(usize, StepReport), EngineError>,
}

/// Counts something in a minibatch that has run, or in a part of one.
pub(super) type CountTerms<'a, T> = dyn Fn(&Minibatch<T>) -> usize + Sync + 'a;

impl<T: Element> ThreadOwn<T> {
    /// The part of a minibatch that has these graphs.
    pub(super) fn refill(&mut self, whole: &Minibatch<T>, graphs: Range<usize>) -> &Minibatch<T> {
        let part = self.part.get_or_insert_with(|| whole.hollow());
        part.refill(whole, graphs);
        part
    }
}

impl<T> Default for ThreadMemory<T> {
    fn default() -> Self {
        let own = ThreadOwn { part: None, clipped: Gradients::new(&Parameters::new()) };
        Self { layout: Layout::default(), runs: RunMemory::default(), own }
    }
}

impl<T: Element> Default for PartSums<T> {
    fn default() -> Self {
        let gradients = Gradients::new(&Parameters::new());
        Self { loss: 0.0, gradients, ran: Ok((0, StepReport::default())) }
    }
}
