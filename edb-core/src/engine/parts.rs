//! The parts into which a training step cuts a minibatch.
//!
//! The values kept for the backward pass of a large minibatch are read from memory again, unless
//! they fit into a cache. Where a vertex does little work for the bytes that it keeps, it takes
//! less time to cut the minibatch into parts, to run each forward and backward, and to add up the
//! gradients: a Tree-LSTM of 64 units trains at 53 % of the machine's peak with 256 trees at once
//! and at 63 % with parts of 32; one of 256 units becomes slower. Then threads also run parts [side
//! by side](super::crew).

use std::ops::Range;

use edb_ir::{Home, Phase};
use smallvec::SmallVec;

use super::{Engine, entangled, needed};
use edb_kernels::element::Element;
use edb_model::graph::Minibatch;
use edb_model::model::Model;

/// The most bytes that a part should keep.
const KEPT: usize = 2 << 20;
/// The fewest graphs of a part, or (`VERTICES`) vertices where graphs are larger, so that batches
/// stay wide.
const GRAPHS: usize = 16;
const VERTICES: usize = 4096;
/// Multiplications for each kept byte, from which on a step is not bound by memory.
const WORK: usize = 64;

/// The graphs of each part of a minibatch.
pub type Cuts = SmallVec<[Range<usize>; 16]>;

impl<T: Element> Engine<T> {
    /// The graphs of each part; all in one unless parts take less time. The minibatch must be the
    /// model's.
    ///
    /// It depends on the minibatch and the model only, and so does the order in which gradients are
    /// summed.
    #[doc(hidden)]
    pub fn parts(&mut self, model: &Model<T>, batch: &Minibatch<T>) -> Cuts {
        let count = self.part_count(model, batch);
        // A power of two, which as many threads, or half as many, share evenly.
        let count = 1 << count.ilog2();
        let (vertices, offsets) = (batch.vertex_count() as u64, batch.graph_offsets());
        // The graph that begins next to where the part would, if graphs could be cut.
        let graph = |part: u64| {
            if part == count {
                return batch.graph_count();
            }
            let place = (part * vertices / count) as u32;
            let behind = offsets.partition_point(|offset| *offset < place);
            let distance = |graph: usize| offsets[graph].abs_diff(place);
            match behind.checked_sub(1) {
                Some(before) if distance(before) < distance(behind) => before,
                _ => behind,
            }
        };
        let parts = (0..count).map(|part| graph(part)..graph(part + 1));
        parts.filter(|part| !part.is_empty()).collect()
    }

    fn part_count(&mut self, model: &Model<T>, batch: &Minibatch<T>) -> usize {
        // How far vertices go on that decide is not known; a schedule that was searched for holds
        // for the whole minibatch only; and where levels are not the schedule, a policy would have
        // to schedule each part.
        let graphs = batch.graph_count();
        let most = (graphs / GRAPHS).max(batch.vertex_count() / VERTICES).min(graphs);
        let decides = !batch.is_settled(model.bound());
        if self.backend.crew().is_none()
            || most < 2
            || batch.schedule().is_some()
            || !self.scheduler.is_free()
            || decides
        {
            return 1;
        }
        let functions = &model.bound().functions;
        let needed = needed(model.bound(), &entangled(functions.len(), batch));
        if !batch.levels().order(&needed, &mut self.order) {
            return 1;
        }
        let (mut kept, mut work) = (0_usize, 0_usize);
        let mut counts = vec![0_usize; functions.len()];
        batch.functions().iter().for_each(|of| counts[of.index()] += 1);
        for (function, count) in functions.iter().zip(counts) {
            let routine = &function.routine;
            let rows = routine
                .records
                .iter()
                .filter(|record| matches!(record.training, Home::Rows | Home::State(_)));
            let elements: usize = rows.map(|record| record.stride).sum();
            kept = kept.saturating_add(count.saturating_mul(elements * size_of::<T>()));
            let of_vertex: usize = Phase::ALL.iter().map(|phase| routine.work(*phase).vertex).sum();
            work = work.saturating_add(count.saturating_mul(of_vertex));
        }
        if work / WORK > kept { 1 } else { kept.div_ceil(KEPT).clamp(1, most) }
    }
}

#[cfg(test)]
mod tests;
