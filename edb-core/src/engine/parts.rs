//! Into how many parts a training step cuts a minibatch.
//!
//! What is kept for the backward pass of a large minibatch is read from memory again, unless it fits
//! into a cache. Where a vertex is little work for what it keeps, parts of a minibatch that run one
//! after the other, forward and backward, and add up their gradients, take less time than the whole:
//! a Tree-LSTM of 64 units trains at 53 % of the machine's peak with 256 trees at once and at 63 %
//! with parts of 32; one of 256 units loses by it.

use edb_ir::{Home, Phase};

use super::{Engine, entangled, needed};
use crate::element::Element;
use crate::graph::Minibatch;
use crate::model::Model;

/// The bytes that a part may keep.
const KEPT: usize = 4 << 20;
/// The graphs that a part has at least, or the vertices of larger ones, so that batches stay wide.
const GRAPHS: usize = 24;
const VERTICES: usize = 4096;
/// Multiplications for each byte that is kept, from which on memory is not what a step waits for.
const WORK: usize = 64;

impl<T: Element> Engine<T> {
    /// The number of parts of about as many graphs each: 1 unless less memory means less time. The
    /// minibatch must be the model's.
    ///
    /// Depends on the minibatch and the model only, and so do the sums of gradients.
    pub(crate) fn parts(&mut self, model: &Model<T>, batch: &Minibatch<T>) -> usize {
        // Parts of a schedule that was searched for would be others, and where levels are not the
        // schedule, a policy would have to be asked for each.
        let graphs = batch.graph_count();
        let most = (graphs / GRAPHS).max(batch.vertex_count() / VERTICES).min(graphs);
        if most < 2 || batch.schedule.is_some() || !self.scheduler.is_free() {
            return 1;
        }
        let functions = &model.bound().functions;
        let needed = needed(model.bound(), &entangled(functions.len(), batch));
        if !batch.levels.order(&needed, &mut self.order) {
            return 1;
        }
        let mut counts = vec![0_usize; functions.len()];
        batch.functions.iter().for_each(|of| counts[usize::from(*of)] += 1);
        let (mut kept, mut work) = (0_usize, 0_usize);
        for (function, count) in functions.iter().zip(counts) {
            let routine = &function.routine;
            let rows = routine
                .records
                .iter()
                .filter(|record| matches!(record.training, Home::Rows | Home::State(_)));
            let elements: usize = rows.map(|record| record.stride).sum();
            kept = kept.saturating_add(count.saturating_mul(elements * size_of::<T>()));
            let of_vertex: usize = Phase::ALL.iter().map(|phase| routine.work(*phase).0).sum();
            work = work.saturating_add(count.saturating_mul(of_vertex));
        }
        if work / WORK > kept { 1 } else { kept.div_ceil(KEPT).clamp(1, most) }
    }
}
