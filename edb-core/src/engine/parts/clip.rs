//! Clips and sums the gradients of each graph, in parts that run side by side.
//!
//! The gradients are rounded to whole numbers, so their sum does not depend on the order in which they are added. So
//! each thread has its own sum, and it does not matter which parts it runs.

use std::time::Instant;

use super::crew::{PartsRun, RunOne};
use super::{MAX_BYTES_OF_SUMS, Prepared};
use crate::engine::backend::graph_sums::{Factor, GraphRows};
use crate::engine::base::Engine;
use crate::engine::error::EngineError;
use crate::engine::layout::dependencies::Dependencies;
use crate::engine::pass::Destination;
use crate::engine::pass::losses;
use crate::engine::pass::part_memory::{CountTerms, PartMemory, lock_mut};
use crate::engine::pass::runner::Runner;
use crate::engine::pass::seeds::Seeds;
use edb_kernels::element::Element;
use edb_learn::learn::{Gradients, ParameterId, Workers};
use edb_model::graph::{FlatBatch, Minibatch};
use edb_model::model::Model;

/// How the gradients of graphs are clipped.
pub struct Clip<'a> {
    /// The parameters whose gradients are summed.
    pub parameters: &'a [ParameterId],
    /// Computes the factor by which the gradient of a graph is multiplied before it is rounded to whole numbers.
    pub factor: &'a Factor<'a>,
}

impl Clip<'_> {
    /// Whether the sums are small enough for each thread to have its own; they are dense. If they are too large, the
    /// caller runs the parts one after the other, and the threads share the graphs of each part.
    pub fn is_small<T: Element>(&self, model: &Model<T>) -> bool {
        let elements = self.parameters.iter().map(|id| model.parameters().get(*id).len());
        elements.sum::<usize>().saturating_mul(size_of::<f64>()) <= MAX_BYTES_OF_SUMS
    }

    /// Takes a minibatch that has run forward, runs it backward, and adds the clipped gradients of each graph to
    /// `sums`. If the loss is not finite, it does nothing. Returns the loss.
    pub(crate) fn add<T: Element>(
        &self,
        runner: &mut Runner<'_, T>,
        model: &Model<T>,
        batch: &Minibatch<T>,
        sums: &mut Gradients<f64>,
    ) -> Result<f64, EngineError> {
        let (backend, frame) = runner.split(model, batch);
        let loss = losses::sum(backend, frame)?;
        if !loss.is_finite() {
            // The step will not be taken, and its error will name the loss.
            return Ok(loss);
        }
        runner.pass(model, batch).backward(&Seeds::new(), Destination::Rows)?;
        let begun = Instant::now();
        let rows = GraphRows::new(FlatBatch::of(batch), runner.layout)?;
        let (backend, frame) = runner.split(model, batch);
        backend.begin_graph_sums(frame)?;
        let of_graphs = backend.graph_sums().ok_or(EngineError::NoGraphSums)?;
        of_graphs.add_whole_numbers(frame, &rows, self.parameters, self.factor, sums)?;
        runner.report.backward += begun.elapsed();
        Ok(loss)
    }
}

/// Runs the parts of a minibatch forward and backward as part of training step `step`, as many at a time as there are
/// threads. Clips the gradients of each graph and adds them to `sums`. Returns the sum of the losses, added up in the
/// order of the parts, and what `count` counts.
///
/// # Errors
/// When memory does not suffice.
pub fn clip_in_parts<T: Element>(
    engine: &mut Engine<T>,
    prepared: &Prepared<'_, T>,
    step: u64,
    (clip, sums): (&Clip<'_>, &mut Gradients<f64>),
    count: &CountTerms<'_>,
) -> Result<(f64, usize), EngineError> {
    let rows = &engine.expected_rows(prepared);
    let Prepared { model, batch: whole, dependencies, parts, .. } = prepared;
    let of = PartsRun { model, parts, rows, step: Some(step) };
    engine.clip_side_by_side(&of, sums, &|part, runner, own, sums| {
        let batch = own.refill(whole, parts[part].clone());
        let known =
            dependencies.as_ref().map(|_| Dependencies::of(model.bound(), FlatBatch::of(batch)));
        let ran = runner.forward(model, batch, known.as_ref(), false).and_then(|grown| {
            let part = own.part.as_ref().expect("it has been filled");
            let batch = grown.as_ref().unwrap_or(part);
            sums.loss = clip.add(runner, model, batch, &mut own.clipped)?;
            Ok(count(FlatBatch::of(batch)))
        });
        ran.map_err(|error| error.of_graphs_from(parts[part].start))
    })
}

impl<T: Element> Engine<T> {
    /// Runs parts, and adds up the sums of clipped gradients that they leave with their threads. Returns the sum of
    /// the losses, and what was counted.
    pub(crate) fn clip_side_by_side(
        &mut self,
        of: &PartsRun<'_, T>,
        sums: &mut Gradients<f64>,
        work: &RunOne<'_, T>,
    ) -> Result<(f64, usize), EngineError> {
        let parameters = of.model.parameters();
        for thread in &mut self.parts.threads {
            lock_mut(thread).own.clipped.reset();
        }
        let counted = self.run_side_by_side(of, &|part, runner, own, sums| {
            if !own.clipped.fit(parameters) {
                own.clipped = Gradients::shaped(parameters);
            }
            work(part, runner, own, sums)
        })?;
        let PartMemory { threads, sums: of_parts, .. } = &mut self.parts;
        for thread in threads {
            let clipped = &mut lock_mut(thread).own.clipped;
            if clipped.fit(parameters) {
                sums.absorb(clipped, &mut Workers::alone())?;
            }
        }
        let of_parts = of_parts.iter_mut().take(of.parts.len());
        let loss = of_parts.fold(0.0, |loss, part| loss + lock_mut(part).loss);
        Ok((loss, counted))
    }
}
