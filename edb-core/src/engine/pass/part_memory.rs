//! The memory that is kept from step to step when parts of a minibatch run side by side.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use derive_where::derive_where;

use super::report::StepReport;
use super::run_memory::RunMemory;
use crate::engine::backend::{Backend, Kept};
use crate::engine::error::EngineError;
use crate::engine::layout::Layout;
use edb_kernels::element::Element;
use edb_learn::learn::{Gradients, Parameters};
use edb_model::graph::{FlatBatch, Minibatch};
use edb_model::model::Model;

/// The memory of the threads of a crew and of the parts of a minibatch. It is kept from step to step.
#[derive(Debug)]
#[derive_where(Default)]
pub(crate) struct PartMemory<T> {
    /// The memory of each thread.
    pub(crate) threads: Vec<Mutex<ThreadMemory<T>>>,
    /// The results of each part.
    pub(crate) sums: Vec<Mutex<PartSums<T>>>,
    /// The parts that have run and are kept.
    pub(crate) ran: Vec<RanPart<T>>,
}

impl<T: Element> PartMemory<T> {
    /// Sets the sums of gradients of `parts` parts to zero.
    pub(crate) fn begin_sums(&mut self, model: &Model<T>, parts: usize) {
        self.sums.resize_with(self.sums.len().max(parts), Mutex::default);
        for of_part in &mut self.sums {
            let PartSums { gradients, .. } = lock_mut(of_part);
            match gradients.fit(model.parameters()) {
                true => gradients.reset(),
                false => *gradients = Gradients::new(model.parameters()),
            }
        }
    }
}

/// The memory of a thread that runs parts.
#[derive(Debug)]
pub(crate) struct ThreadMemory<T> {
    pub(crate) layout: Layout,
    pub(crate) runs: RunMemory,
    pub(crate) own: ThreadOwn<T>,
}

/// The memory that a thread needs in addition to that of its runner.
#[derive(Debug)]
pub(crate) struct ThreadOwn<T> {
    /// The part of a minibatch that is running.
    pub(crate) part: Option<Minibatch<T>>,
    /// The sums of the clipped gradients of graphs.
    pub(crate) clipped: Gradients<f64>,
}

/// The results of a part: its loss, its gradients, and its report.
#[derive(Debug)]
pub(crate) struct PartSums<T> {
    pub(crate) loss: f64,
    pub(crate) gradients: Gradients<T>,
    /// What was [counted](CountTerms) in the part, and its report.
    pub(crate) ran: Result<(usize, StepReport), EngineError>,
}

/// A part of a minibatch that has run, with its memory.
#[derive(Debug)]
#[derive_where(Default)]
pub(crate) struct RanPart<T> {
    /// The minibatch that the part has become.
    pub(crate) batch: Option<Minibatch<T>>,
    pub(crate) layout: Layout,
    pub(crate) kept: Kept<T>,
}

impl<T: Element> RanPart<T> {
    /// Exchanges the memory of the part with the layout and the memory of the back end that are in use.
    pub(crate) fn exchange(&mut self, layout: &mut Layout, backend: &mut dyn Backend<T>) {
        std::mem::swap(layout, &mut self.layout);
        backend.crew().expect("only a crew runs parts").exchange(&mut self.kept);
    }

    pub(crate) fn batch(&self) -> &Minibatch<T> {
        self.batch.as_ref().expect("it has run")
    }
}

/// A function that counts something in a minibatch that has run, or in a part of one.
pub(crate) type CountTerms<'a> = dyn Fn(&FlatBatch) -> usize + Sync + 'a;

impl<T: Element> ThreadOwn<T> {
    /// Fills `part` with these graphs of a minibatch, and returns it.
    pub(crate) fn refill(&mut self, whole: &Minibatch<T>, graphs: Range<usize>) -> &Minibatch<T> {
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

/// Returns the contents of a mutex of which this is the only reference. If a thread has panicked while it held
/// the lock, the contents can still be used: nothing that it left incomplete is read again.
pub(crate) fn lock_mut<T>(mutex: &mut Mutex<T>) -> &mut T {
    mutex.get_mut().unwrap_or_else(PoisonError::into_inner)
}
