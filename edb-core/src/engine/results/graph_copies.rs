//! Copies of graphs that have run. The copies are a minibatch: it has each row of a graph as often as there are
//! copies of the graph. It is placed in memory after the run, which stays as it is.

use std::ops::Range;

use edb_ir::{Domain, FunctionId, Phase};

use crate::engine::backend::frame::Frame;
use crate::engine::base::Engine;
use crate::engine::error::EngineError;
use crate::engine::layout::append::{Moves, run_move};
use crate::engine::layout::dependencies::Flags;
use crate::engine::layout::rows::Order;
use crate::engine::layout::{Layout, Place};
use crate::engine::pass::phases::{backward_batches, run_all, run_phase};
use crate::engine::pass::seeds::Seeds;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_model::graph::{FlatBatch, Minibatch};
use edb_model::model::{BoundModel, Model};
use edb_schedule::Schedule;

/// How many elements of the arena the copies that run at once may take: 256 MiB in `f32`. If a graph is larger, one
/// copy runs at a time.
const MAX_ELEMENTS_PER_BLOCK: usize = 1 << 26;

/// Cuts a list of copies into blocks. The copies of a block fit into memory together. `graphs` has the graph of each
/// copy, and `layout` is the layout in which the graphs have run.
pub(crate) fn blocks(batch: &FlatBatch, layout: &Layout, graphs: &[u32]) -> Vec<Range<usize>> {
    let per_vertex = layout.size / batch.vertex_count().max(1) + 1;
    let sizes = graphs.iter().map(|graph| {
        let [start, end] = [*graph, graph + 1].map(|graph| batch.graph_offsets()[graph as usize]);
        ((end - start) as usize).saturating_mul(per_vertex)
    });
    cut(sizes, MAX_ELEMENTS_PER_BLOCK)
}

/// Cuts a list into blocks. The sizes in a block add up to at most `most`, unless the block has only one element.
fn cut(sizes: impl Iterator<Item = usize>, most: usize) -> Vec<Range<usize>> {
    let mut blocks: Vec<Range<usize>> = Vec::new();
    let mut left = 0;
    for (number, size) in sizes.enumerate() {
        match blocks.last_mut() {
            Some(block) if size <= left => block.end = number + 1,
            _ => {
                blocks.push(number..number + 1);
                left = most;
            }
        }
        left = left.saturating_sub(size);
    }
    blocks
}

/// Copies of some graphs of a minibatch that has run.
#[derive(Debug)]
pub(crate) struct Copies<'b, T> {
    /// The minibatch that has run.
    pub(crate) of: &'b FlatBatch,
    /// For each copy, the place of its graph in that minibatch.
    pub(crate) graphs: &'b [u32],
    /// The minibatch of the copies.
    pub(crate) batch: &'b Minibatch<T>,
    /// Vertices of the copies. Only the gradients of their inputs are going to be read. With `None`, everything may
    /// be read.
    pub(crate) pulling: Option<&'b [u32]>,
}

impl<T: Element> Copies<'_, T> {
    /// For each copy: the first vertex of its graph in the minibatch that has run, the first vertex of the copy, and
    /// the number of vertices.
    fn vertices(&self) -> impl Iterator<Item = (u32, u32, u32)> {
        (self.graphs.iter().zip(FlatBatch::of(self.batch).graph_offsets())).map(|(graph, to)| {
            let [start, end] =
                [*graph, graph + 1].map(|graph| self.of.graph_offsets()[graph as usize]);
            (start, *to, end - start)
        })
    }

    /// The schedule of the copies: the batches in which the graphs have run, each with all copies of its vertices.
    fn schedule(&self, layout: &Layout) -> Schedule {
        // For each copy, its graph and its first vertex, sorted by graph.
        let mut copies: Vec<(u32, u32)> = self
            .graphs
            .iter()
            .copied()
            .zip(FlatBatch::of(self.batch).graph_offsets().iter().copied())
            .collect();
        copies.sort_unstable();
        let mut schedule = Schedule::new();
        let mut vertices = Vec::new();
        for (function, rows) in &layout.batches {
            let of_type = &layout.types[*function].vertices;
            vertices.clear();
            for vertex in &of_type[rows.start as usize..rows.end as usize] {
                let graph = self.of.graphs()[*vertex as usize];
                let number = vertex - self.of.graph_offsets()[graph as usize];
                let first = copies.partition_point(|copy| copy.0 < graph);
                let of_graph = copies[first..].iter().take_while(|copy| copy.0 == graph);
                vertices.extend(of_graph.map(|(_, start)| start + number));
            }
            schedule.push(function.0, &vertices);
        }
        schedule
    }
}

impl Layout {
    /// Lays out copies of graphs after the memory of `ran`, the layout in which the graphs have run. Returns the
    /// ranges to copy: the values of the run that the backward pass of the copies reads.
    fn repeat<T: Element>(
        &mut self,
        model: &BoundModel,
        ran: &Self,
        copies: &Copies<'_, T>,
    ) -> Moves {
        let entangled: Flags = ran.types.iter().map(|layout| layout.entangled).collect();
        let schedule = copies.schedule(ran);
        let all: Vec<u32> = (0..FlatBatch::of(copies.batch).functions().len() as u32).collect();
        let order = Order::Schedule(&schedule, &all);
        self.lay_out_behind(model, FlatBatch::of(copies.batch), order, &entangled, ran);
        let mut moves = Moves::default();
        for (start, to, count) in copies.vertices() {
            for vertex in 0..count {
                let function = copies.of.functions()[(start + vertex) as usize];
                let (before, after) = (&ran.types[function], &self.types[function]);
                let [from, to] =
                    [ran.rows[(start + vertex) as usize], self.rows[(to + vertex) as usize]];
                let [first, end] = [from, from + 1].map(|row| before.rest_offsets[row as usize]);
                let edges = (first, after.rest_offsets[to as usize], end - first);
                let routine = &model.functions[function].routine;
                // Sums of parameters' gradients read more values than backward phases do.
                let all = copies.pulling.is_none();
                let saved = routine.saved.iter().map(|saved| all || *saved);
                let is_read = routine.forward.iter().zip(saved).map(|(a, b)| *a && b);
                let places = before.places.iter().zip(&after.places);
                for ((record, is_read), places) in routine.records.iter().zip(is_read).zip(places) {
                    let (Place::Arena(place), Place::Arena(to_place)) = places else { continue };
                    let run = match record.domain {
                        // The prepare phase computes it again.
                        Domain::Step => continue,
                        Domain::Vertex => (from, to, 1),
                        Domain::Edge => edges,
                    };
                    if !is_read || run.2 == 0 {
                        continue;
                    }
                    let moves = if record.is_index { &mut moves.indices } else { &mut moves.arena };
                    moves.push(run_move(record, *place, *to_place, run));
                }
            }
        }
        moves
    }
}

impl<T: Element> Engine<T> {}

compiled_here! {
    impl Engine {
        /// Runs copies of graphs backward from `seeds`, which are gradients of the copies' outputs. Losses do not
        /// count. Until [`end_copies`](Self::end_copies), the engine shows the values of the copies; the values
        /// of the run stay in memory unchanged.
        pub(crate) fn run_copies(
            &mut self,
            model: &Model<T>,
            copies: &Copies<'_, T>,
            step: u64,
            seeds: &Seeds<T>,
        ) -> Result<(), EngineError> {
            self.spent = true;
            let mut layout = std::mem::take(&mut self.memory.other_layout);
            let bound = model.bound().without_losses();
            let moves = layout.repeat(bound, &self.layout, copies);
            self.memory.other_layout = std::mem::replace(&mut self.layout, layout);
            let Self { backend, layout, seed, .. } = self;
            let draws = (*seed, Some(step));
            let frame = Frame { model: bound, ..Frame::new(model, copies.batch, layout, draws, 1.0) };
            backend.begin_copies(frame);
            backend.relocate(frame, &moves)?;
            backend.update(frame)?;
            for (function, layout) in layout.types.iter_enumerated() {
                if !layout.vertices.is_empty() {
                    run_phase(backend.as_mut(), frame, function, Phase::Prepare, 0..0)?;
                }
            }
            seeds.place(bound, FlatBatch::of(copies.batch), layout, backend.as_mut(), 1.0)?;
            let frame = Frame { model: bound, ..Frame::new(model, copies.batch, layout, draws, 1.0) };
            backward_batches(backend.as_mut(), frame)?;
            // No other row waits for the lazy phase, which computes the gradients of inputs. It runs only for
            // rows that are going to be read.
            let Some(pulling) = copies.pulling else {
                run_all(backend.as_mut(), frame, Phase::BackwardLazy)?;
                return backend.finish();
            };
            let row = |vertex: &u32| {
                (FlatBatch::of(copies.batch).functions()[*vertex as usize], layout.rows[*vertex as usize])
            };
            let mut rows: Vec<(FunctionId, u32)> = pulling.iter().map(row).collect();
            rows.retain(|(function, _)| !layout.types[*function].entangled);
            rows.sort_unstable();
            rows.dedup();
            for side_by_side in rows.chunk_by(|one, next| (one.0, one.1 + 1) == *next) {
                let (function, first) = side_by_side[0];
                let rows = first..first + side_by_side.len() as u32;
                run_phase(backend.as_mut(), frame, function, Phase::BackwardLazy, rows)?;
            }
            backend.finish()
        }

        /// Ends the run of copies. The engine then shows the minibatch `of` again, which had run before.
        pub(crate) fn end_copies(
            &mut self,
            model: &Model<T>,
            of: &Minibatch<T>,
            step: u64,
        ) -> Result<(), EngineError> {
            self.spent = false;
            std::mem::swap(&mut self.layout, &mut self.memory.other_layout);
            let Self { backend, layout, seed, .. } = self;
            backend.end_copies();
            let frame = Frame::new(model, of, layout, (*seed, Some(step)), 1.0);
            backend.relocate(frame, &Moves::default())?;
            backend.update(frame)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn blocks_fit_or_have_one_element() {
        let found = |sizes: &[usize]| cut(sizes.iter().copied(), 10);
        assert!(found(&[]).is_empty());
        assert_eq!(found(&[4, 6, 1, 9, 9]), [0..2, 2..4, 4..5]);
        assert_eq!(found(&[11, 3, 50, 7, 3]), [0..1, 1..2, 2..3, 3..5]);
        assert_eq!(found(&[usize::MAX, 0, 3]), [0..2, 2..3]);
    }
}
