//! Inference forgets rows that nothing reads any more, while sections run.

use edb_ir::FunctionId;
use smallvec::SmallVec;

use super::Growing;
use crate::engine::error::EngineError;
use crate::engine::layout::append::FORGOTTEN_ROW;
use crate::engine::pass::runner::Runner;
use edb_kernels::element::Element;
use edb_model::model::Model;
use edb_model::model::bound::BoundFunction;

/// A type that needs at most this many rows forgets none: more memory costs less than the search for rows to forget.
/// Debug builds forget early, so that tests of small graphs see it.
const MIN_ROWS_TO_FORGET: usize = if cfg!(debug_assertions) { 4 } else { 1024 };
/// A type whose rows take at most this many bytes forgets none, for the same reason.
const MIN_BYTES_TO_FORGET: usize = if cfg!(debug_assertions) { 0 } else { 1 << 20 };

fn few_rows<T>(function: &BoundFunction) -> usize {
    let elements: usize = function.routine.records.iter().map(|record| record.stride).sum();
    (MIN_BYTES_TO_FORGET / (elements * size_of::<T>()).max(1)).max(MIN_ROWS_TO_FORGET)
}

impl<T: Element> Growing<T> {
    /// In inference, forgets rows of sections that nothing reads any more. A type forgets rows only if the rows that
    /// it needs do not fit into its room, and only if it can forget at least half of its rows; otherwise its memory
    /// grows. So a loop takes memory for the vertices that are in it, not for all of its steps. Rows of sections
    /// that have a loss or push an output are kept. Returns whether any rows were forgotten.
    pub(crate) fn forget(
        &mut self,
        runner: &mut Runner<'_, T>,
        model: &Model<T>,
    ) -> Result<bool, EngineError> {
        let (bound, batch) = (model.bound(), self.arrivals.batch());
        // If vertices pull what others push, they may have to be scheduled again at the end. And it is not known
        // what graphs that grow are going to pull. In both cases, no row is forgotten.
        let is_whole = self.growing.is_empty() && !batch.levels().feeds;
        if self.step.is_some() || !self.arrivals.has_paths() || !is_whole {
            return Ok(false);
        }
        let layout = &*runner.layout;
        let rows = &layout.rows;
        let has_run =
            |vertex: u32| rows.get(vertex as usize).is_some_and(|row| *row != FORGOTTEN_ROW);
        let is_full = |function: &&BoundFunction| {
            let of = &layout.types[function.id];
            let leaves_nothing =
                function.plan.program.losses.is_empty() && function.output.is_empty();
            let passes_on = !function.targets().is_empty() && leaves_nothing;
            let needed = self.types[function.id].needed.vertices;
            passes_on && needed > of.room.vertices.max(few_rows::<T>(function))
        };
        let full: SmallVec<[&BoundFunction; 4]> = bound.functions.iter().filter(is_full).collect();
        if full.is_empty() {
            return Ok(false);
        }
        // The vertices that are about to run read their children, even if a later section is already planned.
        let about_to_run = self.plan.vertices.iter().chain(&self.plan.unscheduled);
        let mut read: Vec<u32> =
            about_to_run.flat_map(|vertex| batch.children(*vertex)).copied().collect();
        read.sort_unstable();
        let kept = full.into_iter().filter_map(|function| {
            let vertices = &layout.types[function.id].vertices;
            let needed = (0..).zip(vertices);
            let needed = needed.filter(|of| {
                read.binary_search(of.1).is_ok() || self.arrivals.is_needed(bound, *of.1, has_run)
            });
            let kept: Vec<u32> = needed.map(|(row, _)| row).collect();
            (2 * kept.len() <= vertices.len()).then_some((function.id, kept))
        });
        let kept: Vec<(FunctionId, Vec<u32>)> = kept.collect();
        if kept.is_empty() {
            return Ok(false);
        }
        // Lazy phases that have not run yet may read rows that are going to be forgotten.
        for function in &bound.functions {
            self.complete(runner, model, function.id)?;
        }
        let batch = self.arrivals.batch();
        let moves = runner.layout.forget(bound, batch, &kept);
        for (function, kept) in &kept {
            self.types[*function].complete = kept.len() as u32;
        }
        self.forgot = true;
        let (backend, frame) = runner.split(model, self.arrivals.minibatch());
        backend.relocate(frame, &moves)?;
        Ok(true)
    }
}
