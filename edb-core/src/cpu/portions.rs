//! Portions: threads that run whole graphs.
//!
//! No vertex depends on one of another graph. So where a minibatch has many graphs, each thread can
//! run some of them from the first batch of the schedule to the last, and need not wait for the
//! others after every batch. Rows do not depend on which thread computes them, nor on which other
//! rows are in a batch: nothing but the time changes.

use std::ops::Range;
use std::sync::Mutex;

use edb_ir::{FunctionId, Instruction, Phase};
use smallvec::SmallVec;

use super::block::Common;
use super::cut::{Cut, Needs};
use super::memory::Memory;
use super::{CpuBackend, MIN_SPLIT_WORK};
use crate::element::Element;
use crate::engine::EngineError;
use crate::engine::backend::Frame;
use crate::engine::layout::TypeLayout;
use crate::model::bound::BoundFunction;
use crate::model::stack::{Matrices, RowCounts};
use crate::trace;

/// The most bytes of weights that a phase multiplies with: each thread reads all of them for every
/// batch, where threads that share a batch of few rows read some each. So many stay in the cache of
/// a core beside the rows.
const MOST_WEIGHTS: usize = 512 << 10;

/// A batch: a function, a phase, and rows.
type Batch = (FunctionId, Phase, Range<u32>);

/// The batches of a schedule that wait to be run, and which graphs each thread runs.
#[derive(Debug, Default)]
pub(super) struct Portions {
    /// The first vertex of each portion, and the end; empty while batches do not wait.
    bounds: Vec<u32>,
    batches: Vec<Batch>,
}

impl Portions {
    /// Whether batches wait.
    pub(super) fn are_cut(&self) -> bool {
        !self.bounds.is_empty()
    }

    /// Lets a batch wait.
    pub(super) fn push(&mut self, function: FunctionId, phase: Phase, rows: Range<u32>) {
        self.batches.push((function, phase, rows));
    }

    /// Cuts graphs into `count` portions of about the same work; none if some portion would have no
    /// graph. `functions` are those of all vertices, `graphs` says where the vertices of each graph
    /// begin, and the end, and `work` how much a vertex of each function takes.
    fn cut(&mut self, functions: &[FunctionId], graphs: &[u32], work: &[usize], count: usize) {
        let of = |vertices: &[FunctionId]| -> usize {
            vertices.iter().map(|function| work[function.index()]).sum()
        };
        let (bounds, all) = (&mut self.bounds, of(functions));
        bounds.push(0);
        let mut before = 0;
        for graph in graphs.windows(2) {
            if bounds.len() == count {
                break;
            }
            let after = before + of(&functions[graph[0] as usize..graph[1] as usize]);
            let due = bounds.len() * all / count;
            if after >= due {
                // The end of the graph is nearer to the end of the portion, or its start is.
                let is_near = after - due <= due - before.min(due);
                bounds.push(if is_near { graph[1] } else { graph[0] });
            }
            before = after;
        }
        bounds.push(functions.len() as u32);
        if bounds.len() != count + 1 || !bounds.is_sorted_by(|one, next| one < next) {
            bounds.clear();
        }
    }
}

/// The blocks of a batch that are of the vertices of a portion.
fn blocks<'a, T: Element>(
    layout: &'a TypeLayout,
    phase: Phase,
    rows: &Range<u32>,
    portion: &[u32],
) -> Cut<'a> {
    let [start, end] = [rows.start as usize, rows.end as usize];
    let vertices = &layout.vertices[start..end];
    debug_assert!(vertices.is_sorted(), "the vertices of a batch ascend");
    let before = |bound: u32| start + vertices.partition_point(|vertex| *vertex < bound);
    Cut::new::<T>(layout, phase, before(portion[0])..before(portion[1]), 1)
}

/// The bytes of the weights that a phase multiplies with.
fn weights_of<T: Element>(frame: Frame<'_, T>, phase: Phase) -> usize {
    let bytes = |function: &BoundFunction| -> usize {
        let weights = |(_, instruction): &(Phase, Instruction)| match instruction {
            Instruction::Product(stack) => match function.routine.stacks[*stack].matrices {
                Matrices::Weights(id) => frame.model.weights[id].size.iter().product(),
                Matrices::Values(_) => 0,
            },
            _ => 0,
        };
        function.instructions(phase).iter().map(weights).sum()
    };
    frame.model.functions.iter().map(bytes).sum::<usize>() * size_of::<T>()
}

impl<T: Element> CpuBackend<T> {
    /// Cuts the graphs into portions, one for each thread, if threads are to run whole graphs in
    /// this phase; its batches then wait.
    pub(super) fn cut_graphs(&mut self, frame: Frame<'_, T>, phase: Phase) {
        let Portions { bounds, batches } = &mut self.portions;
        bounds.clear();
        batches.clear();
        let (threads, batch) = (self.pool.threads(), frame.batch);
        let is_cut = threads > 1
            && batch.graph_count() >= threads
            && batch.has_whole_graphs()
            && weights_of(frame, phase) <= MOST_WEIGHTS;
        if !is_cut {
            return;
        }
        let work = |function: &BoundFunction| function.routine.work(phase).vertex;
        let work: SmallVec<[usize; 16]> = frame.model.functions.iter().map(work).collect();
        let types = frame.layout.types.iter();
        let all: usize = types.zip(&work).map(|(layout, work)| layout.vertices.len() * work).sum();
        if all >= MIN_SPLIT_WORK {
            self.portions.cut(&batch.functions, &batch.graph_offsets, &work, threads);
        }
    }

    /// Runs the batches that wait.
    pub(super) fn run_portions(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        let portions = std::mem::take(&mut self.portions);
        let ran = self.run_cut(frame, &portions);
        self.portions = portions;
        self.portions.bounds.clear();
        ran
    }

    fn run_cut(
        &mut self,
        frame: Frame<'_, T>,
        Portions { bounds, batches }: &Portions,
    ) -> Result<(), EngineError> {
        let count = bounds.len() - 1;
        let mut packed = None;
        for (function, phase, rows) in batches {
            let function = &frame.model.functions[*function];
            let layout = &frame.layout.types[function.id];
            if packed.replace((function.id, *phase)) != Some((function.id, *phase)) {
                // All batches read panels, also where lines would do for the rows of one.
                let many = RowCounts { vertices: usize::MAX, edges: usize::MAX };
                self.pack(frame, function, *phase, many)?;
            }
            let edges = layout.edges_of(rows.start as usize..rows.end as usize);
            let counts = RowCounts { vertices: rows.len(), edges: edges.len() };
            self.count_copies(frame, function, *phase, counts);
            let needs = |portion| blocks::<T>(layout, *phase, rows, portion).needs();
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
        let blocks = blocks::<T>(layout, *phase, rows, portion);
        let _span = trace::phase(&function.name, *phase, blocks.rows().len());
        for block in blocks {
            common.run(thread, function, *phase, block, scratch);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Portions of graphs of so many vertices; a vertex of function 0 takes 1, one of function 1
    /// takes 10, which is the last of every graph.
    fn portions(graphs: &[usize], count: usize) -> Vec<u32> {
        let (mut functions, mut offsets) = (Vec::new(), vec![0]);
        for size in graphs {
            functions.extend((0..*size).map(|vertex| FunctionId(u16::from(vertex + 1 == *size))));
            offsets.push(functions.len() as u32);
        }
        let mut portions = Portions::default();
        portions.cut(&functions, &offsets, &[1, 10], count);
        portions.bounds
    }

    #[test]
    fn portions_are_whole_graphs_of_about_the_same_work() {
        assert_eq!(portions(&[5, 5, 5, 5], 2), [0, 10, 20]);
        assert_eq!(portions(&[5, 5, 5, 5], 4), [0, 5, 10, 15, 20]);
        assert_eq!(portions(&[1, 1, 1, 1, 41], 2), [0, 4, 45], "40 and 50");
        assert_eq!(portions(&[31, 31, 1, 1], 2), [0, 31, 64], "40 and 60, not 80 and 20");
        assert_eq!(portions(&[5, 5, 5], 2), [0, 10, 15]);
    }

    #[test]
    fn no_portion_is_empty() {
        assert!(portions(&[5], 2).is_empty());
        assert!(portions(&[500, 1], 3).is_empty());
        assert_eq!(portions(&[1, 500, 1], 3), [0, 1, 501, 502]);
    }
}
