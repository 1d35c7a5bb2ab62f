//! Runs portions: each thread runs whole graphs from the first batch of the schedule to the last.

use std::ops::Range;
use std::sync::Mutex;

use edb_ir::Phase;
use smallvec::SmallVec;

use super::block::Common;
use super::cut::{Cut, Needs};
use super::portions::{Batch, Portions};
use super::{CpuBackend, MIN_SPLIT_MULTIPLICATIONS};
use crate::engine::EngineError;
use crate::engine::backend::Frame;
use crate::engine::layout::TypeLayout;
use crate::spans;
use edb_kernels::element::Element;
use edb_kernels::memory::Memory;
use edb_model::model::bound::BoundFunction;
use edb_model::model::needs::PhaseNeeds;
use edb_model::model::stack::RowCounts;

/// Graphs are cut into portions only if the weights of a phase have at most this many bytes. With portions,
/// each thread reads all weights for each batch, while threads that share a batch of few rows read only some
/// each. This many bytes stay in the cache of a core together with the rows.
const MAX_WEIGHT_BYTES: usize = 512 << 10;

/// Cuts those rows of a batch into blocks that belong to the vertices of a portion.
fn blocks<'a, T: Element>(
    layout: &'a TypeLayout,
    needs: &PhaseNeeds,
    phase: Phase,
    rows: &Range<u32>,
    portion: &[u32],
) -> Cut<'a> {
    let [start, end] = [rows.start as usize, rows.end as usize];
    let vertices = &layout.vertices[start..end];
    debug_assert!(vertices.is_sorted(), "the vertices of a batch ascend");
    let before = |bound: u32| start + vertices.partition_point(|vertex| *vertex < bound);
    Cut::new::<T>(layout, needs, phase, before(portion[0])..before(portion[1]), 1)
}

/// How many bytes the weights of a phase's products have.
fn weights_of<T: Element>(frame: Frame<'_, T>, phase: Phase) -> usize {
    let bytes = |function: &BoundFunction| -> usize {
        let weights = function.needs(phase).weights.iter();
        weights.map(|(id, _)| frame.model.weights[*id].size.iter().product::<usize>()).sum()
    };
    frame.model.functions.iter().map(bytes).sum::<usize>() * size_of::<T>()
}

impl<T: Element> CpuBackend<T> {
    /// Decides whether threads run whole graphs in this phase. If so, cuts the graphs into portions, one for
    /// each thread; the batches of the phase then wait.
    pub(super) fn cut_graphs(&mut self, frame: Frame<'_, T>, phase: Phase) {
        self.portions.clear();
        let (threads, batch) = (self.pool.threads(), frame.batch);
        let is_cut = threads > 1
            && batch.graph_count() >= threads
            && batch.has_whole_graphs()
            && weights_of(frame, phase) <= MAX_WEIGHT_BYTES;
        if !is_cut {
            return;
        }
        let work = |function: &BoundFunction| function.routine.work(phase).vertex;
        let work: SmallVec<[usize; 16]> = frame.model.functions.iter().map(work).collect();
        let types = frame.layout.types.iter();
        let all: usize = types.zip(&work).map(|(layout, work)| layout.vertices.len() * work).sum();
        if all >= MIN_SPLIT_MULTIPLICATIONS {
            self.portions.cut(batch.functions(), batch.graph_offsets(), &work, threads);
        }
    }

    /// Runs the batches that wait.
    pub(super) fn run_portions(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        let portions = std::mem::take(&mut self.portions);
        let ran = self.run_cut(frame, &portions);
        self.portions = portions;
        self.portions.clear();
        ran
    }

    fn run_cut(
        &mut self,
        frame: Frame<'_, T>,
        Portions { bounds, batches, .. }: &Portions,
    ) -> Result<(), EngineError> {
        let count = bounds.len() - 1;
        let mut packed = None;
        for (function, phase, rows) in batches {
            let function = &frame.model.functions[*function];
            let layout = &frame.layout.types[function.id];
            if packed.replace((function.id, *phase)) != Some((function.id, *phase)) {
                // All batches read panels, even if a single batch could read lines.
                let many = RowCounts { vertices: usize::MAX, edges: usize::MAX };
                self.pack(frame.model, frame.parameters, function, *phase, many)?;
            }
            let edges = layout.edges_of(rows.start as usize..rows.end as usize);
            let counts = RowCounts { vertices: rows.len(), edges: edges.len() };
            self.count_copies(frame.layout, function, *phase, counts);
            let needs = |portion| {
                blocks::<T>(layout, function.needs(*phase), *phase, rows, portion).needs()
            };
            let needs = bounds.windows(2).map(needs).fold(Needs::default(), Needs::max);
            self.reserve_blocks(function, *phase, count, needs)?;
        }
        let (common, pool, scratch) = self.common(frame);
        pool.run(count, &|thread, portion| {
            run_portion(&common, thread, batches, &bounds[portion..portion + 2], scratch);
        });
        Ok(())
    }
}

/// Runs the batches over the vertices of a portion.
fn run_portion<'a, T: Element>(
    common: &Common<'a, T>,
    thread: usize,
    batches: &[Batch],
    portion: &[u32],
    scratch: &'a [Mutex<Memory<T>>],
) {
    for (function, phase, rows) in batches {
        let function = &common.frame.model.functions[*function];
        let layout = &common.frame.layout.types[function.id];
        let blocks = blocks::<T>(layout, function.needs(*phase), *phase, rows, portion);
        let _span = spans::phase(&function.name, *phase, blocks.rows().len());
        for block in blocks {
            // SAFETY: portions have different graphs, and so different rows; within a portion, blocks were cut
            // from the rows.
            unsafe { common.run(thread, function, *phase, block, scratch) };
        }
    }
}
