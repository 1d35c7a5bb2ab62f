//! What remains from step to step where parts of a minibatch run side by side.

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
    pub(super) part: Minibatch<T>,
    pub(super) layout: Layout,
    pub(super) runs: RunMemory,
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

impl<T: Element> PartSums<T> {
    pub(super) fn new(parameters: &Parameters<T>) -> Self {
        let gradients = Gradients::new(parameters);
        Self { loss: 0.0, gradients, ran: Ok((0, StepReport::default())) }
    }
}
