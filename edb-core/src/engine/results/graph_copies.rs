//! Copies of graphs that have run: a minibatch of which each row lies in memory as often as there
//! are copies of its graph, behind what has run, which stays as it is.

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
use edb_model::graph::Minibatch;
use edb_model::model::{BoundModel, Model};
use edb_schedule::Schedule;

/// The elements of the arena that copies of graphs may take at once: 256 MiB in `f32`. Of larger
/// graphs, one copy runs at a time.
const BLOCK: usize = 1 << 26;

/// Cuts copies of graphs that have run in this layout, given by their graphs, into blocks that fit into
/// memory together.
pub(crate) fn blocks<T: Element>(
    batch: &Minibatch<T>,
    layout: &Layout,
    graphs: &[u32],
) -> Vec<Range<usize>> {
    let per_vertex = layout.size / batch.vertex_count().max(1) + 1;
    let sizes = graphs.iter().map(|graph| {
        let [start, end] = [*graph, graph + 1].map(|graph| batch.graph_offsets()[graph as usize]);
        ((end - start) as usize).saturating_mul(per_vertex)
    });
    cut(sizes, BLOCK)
}

/// Cuts a list into blocks of at most this size each, or of one element.
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
    /// The minibatch.
    pub(crate) of: &'b Minibatch<T>,
    /// The graphs, by their places there: one for each copy.
    pub(crate) graphs: &'b [u32],
    /// The copies.
    pub(crate) batch: &'b Minibatch<T>,
    /// The vertices of the copies whose inputs' gradients are going to be read, and nothing else;
    /// `None` for everything.
    pub(crate) pulling: Option<&'b [u32]>,
}

impl<T: Element> Copies<'_, T> {
    /// Where the vertices of each copy are: the first one of the graph, that of the copy, and their
    /// number.
    fn vertices(&self) -> impl Iterator<Item = (u32, u32, u32)> {
        (self.graphs.iter().zip(self.batch.graph_offsets())).map(|(graph, to)| {
            let [start, end] =
                [*graph, graph + 1].map(|graph| self.of.graph_offsets()[graph as usize]);
            (start, *to, end - start)
        })
    }

    /// The batches in which the graphs have run, each with the copies of its vertices.
    fn schedule(&self, layout: &Layout) -> Schedule {
        // The copies of each graph, in the order of graphs.
        let mut copies: Vec<(u32, u32)> =
            self.graphs.iter().copied().zip(self.batch.graph_offsets().iter().copied()).collect();
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
    /// Lays out copies of graphs behind the layout that these have run in. Returns what the backward
    /// pass reads of what has run: it is to be copied.
    fn repeat<T: Element>(
        &mut self,
        model: &BoundModel,
        ran: &Self,
        copies: &Copies<'_, T>,
    ) -> Moves {
        let entangled: Flags = ran.types.iter().map(|layout| layout.entangled).collect();
        let schedule = copies.schedule(ran);
        let all: Vec<u32> = (0..copies.batch.functions().len() as u32).collect();
        let order = Order::Schedule(&schedule, &all);
        self.lay_out_behind(model, copies.batch, order, &entangled, ran);
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
                // Sums of parameters' gradients read more than backward phases do.
                let all = copies.pulling.is_none();
                let saved = routine.saved.iter().map(|saved| all || *saved);
                let is_read = routine.forward.iter().zip(saved).map(|(a, b)| *a && b);
                let places = before.places.iter().zip(&after.places);
                for ((record, is_read), places) in routine.records.iter().zip(is_read).zip(places) {
                    let (Place::Arena(place), Place::Arena(to_place)) = places else { continue };
                    let run = match record.domain {
                        // It is prepared again.
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
        /// Runs copies of graphs backward, from these gradients of what the copies push; losses do not
        /// count. Until [`end_copies`](Self::end_copies), the engine holds what they have computed, and
        /// what has run lies untouched beside it.
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
            seeds.place(bound, copies.batch, layout, backend.as_mut(), 1.0)?;
            let frame = Frame { model: bound, ..Frame::new(model, copies.batch, layout, draws, 1.0) };
            backward_batches(backend.as_mut(), frame)?;
            // What no other row waits for, the gradients of inputs among it, where it is read.
            let Some(pulling) = copies.pulling else {
                run_all(backend.as_mut(), frame, Phase::BackwardLazy)?;
                return backend.finish();
            };
            let row = |vertex: &u32| {
                (copies.batch.functions()[*vertex as usize], layout.rows[*vertex as usize])
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

        /// Goes back to what has run.
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
