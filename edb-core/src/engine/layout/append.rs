//! Appends rows while graphs grow, and moves rows when they get more memory.
//!
//! While graphs grow, the records of a type have memory for more rows than the type has
//! ([`TypeLayout::room`]). Only records that forward phases use have memory. When a type has no room left, its
//! rows [move](Moves) to the end of the arena, where they get at least twice as much memory. In inference, rows that
//! nothing reads any more are [forgotten](Layout::forget) first. When the graphs have stopped growing, the minibatch
//! that they have become is laid out after the memory that they have used so far.

use std::ops::Range;

use edb_ir::{Domain, FunctionId};
use smallvec::{SmallVec, smallvec};

use super::dependencies::Flags;
use super::rows::Order;
use super::{Layout, Place, TypeLayout};
use edb_model::graph::{ABSENT, FlatBatch};
use edb_model::model::BoundModel;
use edb_model::model::stack::{BoundRecord, RowCounts};
use edb_schedule::Schedule;

/// A range of elements that keep their values but move to another place when memory is laid out again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where the range begins before the move.
    pub from: usize,
    /// Where the range begins after the move.
    pub to: usize,
    /// How many elements move.
    pub length: usize,
}

/// All ranges that have to be copied when memory is laid out again.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// Ranges of the arena.
    pub arena: Vec<Move>,
    /// Ranges of the memory of indices.
    pub indices: Vec<Move>,
}

/// Where records and states are before memory is laid out again.
#[derive(Debug)]
pub(crate) struct KeptPlaces {
    /// The places of each function's records.
    records: Vec<Vec<Place>>,
    /// Where the rows of each field of each state begin.
    pub(crate) states: Vec<Vec<usize>>,
    /// The size of the arena, and the size of the memory of indices, in elements.
    pub(crate) size: usize,
    pub(crate) indices: usize,
    /// For each function, whether its records stay where they are.
    stays: Flags,
}

impl KeptPlaces {
    /// The places of a function's records, if they stay where they are.
    pub(crate) fn records(&self, function: FunctionId) -> Option<&[Place]> {
        self.stays[function.index()].then(|| &self.records[function.index()][..])
    }
}

/// The entry in [`Layout::rows`] of a vertex that has no row any more, or none yet.
pub(crate) const FORGOTTEN_ROW: u32 = u32::MAX;

/// Runs of rows that stay side by side when they move. Each run has its first row before the move, its first row
/// after the move, and its number of rows.
type Runs = SmallVec<[(u32, u32, u32); 4]>;

impl Layout {
    /// Begins the layout of graphs that grow. It has no rows, and room for `rooms` rows of each function.
    pub(crate) fn begin_growing(
        &mut self,
        model: &BoundModel,
        rooms: impl IntoIterator<Item = RowCounts>,
        training: bool,
    ) {
        self.types.raw.resize_with(model.functions.len(), TypeLayout::default);
        for ((layout, function), room) in self.types.raw.iter_mut().zip(&model.functions).zip(rooms)
        {
            // All phases of a function that decides run batch by batch: its decisions cannot wait for the other graphs.
            layout.entangled = function.decides();
            layout.room = room;
            layout.vertices.clear();
            layout.fixed.resize_with(function.fixed(), Vec::new);
            layout.fixed.iter_mut().for_each(Vec::clear);
            layout.rest.clear();
            layout.rest_owners.clear();
            layout.rest_offsets.clear();
            layout.rest_offsets.push(0);
            layout.parent_offsets.clear();
            layout.parents.clear();
            layout.feeds.clear();
        }
        self.growing = true;
        self.rows.clear();
        self.batches.clear();
        self.place_bases(model, |layout| layout.room.vertices);
        self.place_memory(model, training, None);
    }

    /// Appends rows for vertices of a function, and returns these rows. Call [`Self::append_edges`] when all new
    /// vertices have rows.
    pub(crate) fn append(&mut self, function: FunctionId, vertices: &[u32]) -> Range<u32> {
        let layout = &mut self.types[function];
        let first = layout.vertices.len() as u32;
        layout.vertices.extend_from_slice(vertices);
        for (row, vertex) in (first..).zip(vertices) {
            self.rows[*vertex as usize] = row;
        }
        first..layout.vertices.len() as u32
    }

    /// Appends the edges of all rows that have been appended since the last call.
    pub(crate) fn append_edges(&mut self, model: &BoundModel, batch: &FlatBatch) {
        let run = self.place_children(model, batch);
        debug_assert!(run, "what is about to run reads nothing that has been forgotten");
    }

    /// Places the edges of all rows that have none yet. Returns whether all children have rows.
    fn place_children(&mut self, model: &BoundModel, batch: &FlatBatch) -> bool {
        let mut all = true;
        // For each type, its first row among the rows of its state.
        let bases: SmallVec<[u32; 16]> =
            self.types.iter().map(|layout| layout.state_base).collect();
        for (layout, function) in self.types.raw.iter_mut().zip(&model.functions) {
            let fixed = function.fixed();
            for row in layout.rest_offsets.len() - 1..layout.vertices.len() {
                let children = batch.children(layout.vertices[row]).iter();
                let rows = children.map(|child| match *child {
                    ABSENT => ABSENT,
                    child => match self.rows[child as usize] {
                        FORGOTTEN_ROW => {
                            all = false;
                            ABSENT
                        }
                        row => bases[batch.functions()[child as usize].index()] + row,
                    },
                });
                for (place, child) in rows.enumerate() {
                    if place < fixed {
                        layout.fixed[place].push(child);
                    } else {
                        layout.rest.push(child);
                        layout.rest_owners.push(row as u32);
                    }
                }
                layout.rest_offsets.push(layout.rest.len() as u32);
            }
        }
        all
    }

    /// Makes room for the rows that are needed, if some type has too little. Such a type gets at least twice as
    /// much room as it had. Returns what has to be moved; `None` if there is enough room.
    pub(crate) fn make_room(
        &mut self,
        model: &BoundModel,
        batch: &FlatBatch,
        needed: impl Fn(FunctionId) -> RowCounts,
        training: bool,
    ) -> Option<Moves> {
        let fits = |(of, layout): (FunctionId, &TypeLayout)| {
            let needed = needed(of);
            needed.vertices <= layout.room.vertices && needed.edges <= layout.room.edges
        };
        if self.types.iter_enumerated().all(fits) {
            return None;
        }
        let mut kept = self.places();
        for (of, layout) in model.functions.iter().zip(&mut self.types.raw) {
            let (room, needed) = (&mut layout.room, needed(of.id));
            let stays = &mut kept.stays[of.id.index()];
            let mut grow = |room: &mut usize, needed: usize| {
                if needed > *room {
                    *room = needed.max(room.saturating_mul(2));
                    *stays = false;
                }
            };
            grow(&mut room.vertices, needed.vertices);
            grow(&mut room.edges, needed.edges);
        }
        self.place_bases(model, |layout| layout.room.vertices);
        self.place_memory(model, training, Some(&kept));
        // The first row of each type within its state has changed, so the rows of children have new numbers.
        self.number_edges(model, batch);
        let same = |of: &TypeLayout| {
            let rows: Runs = smallvec![(0, 0, of.vertices.len() as u32)];
            let edges: Runs = smallvec![(0, 0, of.rest.len() as u32)];
            (rows, edges)
        };
        Some(moves(model, &kept, self, |function| same(&self.types[function])))
    }

    /// Finds the rows of all children again.
    fn number_edges(&mut self, model: &BoundModel, batch: &FlatBatch) {
        for layout in &mut self.types.raw {
            layout.fixed.iter_mut().for_each(Vec::clear);
            layout.rest.clear();
            layout.rest_owners.clear();
            layout.rest_offsets.truncate(1);
        }
        // The result does not matter: children of rows that have run may be forgotten.
        self.place_children(model, batch);
    }

    /// Forgets rows of some functions. For each function, only the rows in `kept` stay; they move together, so
    /// that they are the first rows. Returns what has to be moved.
    pub(crate) fn forget(
        &mut self,
        model: &BoundModel,
        batch: &FlatBatch,
        kept: &[(FunctionId, Vec<u32>)],
    ) -> Moves {
        let mut moves = Moves::default();
        for (function, kept) in kept {
            let layout = &mut self.types[*function];
            let (mut rows, mut edges, mut end) = (Runs::new(), Runs::new(), 0);
            for (to, &row) in (0..).zip(kept) {
                extend(&mut rows, row, to, 1);
                let [from, to] = [row, row + 1].map(|row| layout.rest_offsets[row as usize]);
                extend(&mut edges, from, end, to - from);
                end += to - from;
            }
            for vertex in &layout.vertices {
                self.rows[*vertex as usize] = FORGOTTEN_ROW;
            }
            layout.vertices = kept.iter().map(|row| layout.vertices[*row as usize]).collect();
            for (row, vertex) in (0..).zip(&layout.vertices) {
                self.rows[*vertex as usize] = row;
            }
            let records = &model.functions[*function].routine.records;
            for (record, place) in records.iter().zip(&layout.places.raw) {
                let (Place::Arena(place), false) = (place, record.domain == Domain::Step) else {
                    continue;
                };
                let runs = if record.domain == Domain::Edge { &edges } else { &rows };
                let moves = if record.is_index { &mut moves.indices } else { &mut moves.arena };
                moves.extend(
                    runs.iter().flat_map(pieces).map(|run| run_move(record, *place, *place, run)),
                );
            }
        }
        self.number_edges(model, batch);
        moves
    }

    /// Lays out the minibatch that graphs have become, after the memory that they have used so far. `grown` is the
    /// layout in which they ran, and `vertices` gives for each of its vertices the number in the minibatch. The
    /// rows of a function stay where they are, unless they are in another order now. Returns what has to be moved.
    pub(crate) fn settle(
        &mut self,
        model: &BoundModel,
        batch: &FlatBatch,
        order: Order<'_>,
        (entangled, training): (&[bool], bool),
        (grown, vertices): (&Self, &[u32]),
    ) -> Moves {
        self.begin(model, entangled);
        self.growth = grown.growth;
        self.number_rows(model, batch, order);
        let mut kept = grown.places();
        for (number, (layout, of)) in self.types.raw.iter_mut().zip(&grown.types).enumerate() {
            layout.room = of.room;
            let numbers = of.vertices.iter().map(|vertex| vertices[*vertex as usize]);
            kept.stays[number] = numbers.eq(layout.vertices.iter().copied());
        }
        self.place_bases(model, |layout| layout.room.vertices);
        self.place_edges(model, batch, training);
        self.place_memory(model, training, Some(&kept));
        if training {
            self.place_backward(model, batch);
        }
        moves(model, &kept, self, |function| grown.runs_to(self, function, vertices))
    }

    /// Lays out a minibatch after the memory of the layout `ran`, which stays as it is.
    pub(crate) fn lay_out_behind(
        &mut self,
        model: &BoundModel,
        batch: &FlatBatch,
        order: Order<'_>,
        entangled: &[bool],
        ran: &Self,
    ) {
        self.begin(model, entangled);
        self.growth = ran.growth;
        self.number_rows(model, batch, order);
        let mut kept = ran.places();
        kept.stays.fill(false);
        self.place_bases(model, |layout| layout.vertices.len());
        self.place_edges(model, batch, true);
        self.types.raw.iter_mut().for_each(|layout| layout.room = layout.row_counts());
        self.place_memory(model, true, Some(&kept));
        self.place_backward(model, batch);
    }

    /// Gives new numbers to the vertices, whose rows stay where they are. `vertices` gives the new number of each
    /// vertex. The batches become those batches of `record` whose functions are `needed`.
    pub(crate) fn renumber(&mut self, vertices: &[u32], record: &Schedule, needed: &Flags) {
        self.rows.fill(FORGOTTEN_ROW);
        for layout in &mut self.types.raw {
            layout.vertices.iter_mut().for_each(|vertex| *vertex = vertices[*vertex as usize]);
            for (row, vertex) in (0..).zip(&layout.vertices) {
                self.rows[*vertex as usize] = row;
            }
        }
        let mut next: SmallVec<[u32; 16]> = smallvec![0; self.types.len()];
        self.batches.clear();
        for run in record.batches().iter().filter(|run| needed[usize::from(run.vertex_type)]) {
            let next = &mut next[usize::from(run.vertex_type)];
            let rows = *next..*next + (run.end - run.start);
            *next = rows.end;
            self.batches.push((FunctionId(run.vertex_type), rows));
        }
    }

    /// The current places of records and states. All functions are marked to stay there.
    fn places(&self) -> KeptPlaces {
        KeptPlaces {
            records: self.types.iter().map(|layout| layout.places.raw.clone()).collect(),
            states: self.states.clone(),
            size: self.size,
            indices: self.indices,
            stays: smallvec![true; self.types.len()],
        }
    }

    /// Finds where the rows and the edges of a function are in another layout of the same vertices.
    fn runs_to(&self, other: &Self, function: FunctionId, vertices: &[u32]) -> (Runs, Runs) {
        let [before, after] = [&self.types[function], &other.types[function]];
        let (mut rows, mut edges) = (Runs::new(), Runs::new());
        for (row, vertex) in (0..).zip(&before.vertices) {
            let to = other.rows[vertices[*vertex as usize] as usize];
            extend(&mut rows, row, to, 1);
            let [from, end] = [row, row + 1].map(|row| before.rest_offsets[row as usize]);
            extend(&mut edges, from, after.rest_offsets[to as usize], end - from);
        }
        (rows, edges)
    }
}

/// Adds rows to the last run, or begins another run if they are not side by side with it.
fn extend(runs: &mut Runs, from: u32, to: u32, count: u32) {
    match runs.last_mut() {
        Some((first, first_to, length))
            if *first + *length == from && *first_to + *length == to =>
        {
            *length += count;
        }
        _ => runs.push((from, to, count)),
    }
}

/// Finds what has to be moved from the places `before` to the places of the layout `after`. `runs` gives the runs of
/// rows and of edges of a function.
fn moves(
    model: &BoundModel,
    before: &KeptPlaces,
    after: &Layout,
    runs: impl Fn(FunctionId) -> (Runs, Runs),
) -> Moves {
    let mut moves = Moves::default();
    for (function, before) in model.functions.iter().zip(&before.records) {
        let after = &after.types[function.id].places;
        if before.iter().zip(after).all(|(from, to)| from == to || *from == Place::Nowhere) {
            continue;
        }
        let (rows, edges) = runs(function.id);
        let once: Runs = smallvec![(0, 0, 1)];
        for ((record, from), to) in function.routine.records.iter().zip(before).zip(after) {
            let (Place::Arena(from), Place::Arena(to)) = (from, to) else { continue };
            if from == to {
                continue;
            }
            let moves = if record.is_index { &mut moves.indices } else { &mut moves.arena };
            let runs = match record.domain {
                Domain::Step => &once,
                Domain::Vertex => &rows,
                Domain::Edge => &edges,
            };
            let runs = runs.iter().filter(|(_, _, count)| *count > 0);
            moves.extend(runs.map(|run| run_move(record, *from, *to, *run)));
        }
    }
    moves
}

/// The move of a run of rows of a record. The rows of the record begin at `from` before the move, and at `to` after
/// it.
pub(crate) fn run_move(record: &BoundRecord, from: usize, to: usize, run: (u32, u32, u32)) -> Move {
    let [first, first_to, count] = [run.0, run.1, run.2].map(|n| n as usize);
    let (from, to) = (from + first * record.stride, to + first_to * record.stride);
    // The gap after the last row does not belong to the record.
    let length = (count - 1) * record.stride + record.width();
    Move { from, to, length }
}

/// Cuts a run of rows that move towards the first row into pieces. No piece overlaps its own destination, so that a
/// device can copy the pieces one after the other.
fn pieces(&(from, to, count): &(u32, u32, u32)) -> impl Iterator<Item = (u32, u32, u32)> {
    let by = from - to;
    let most = by.max(1);
    let count = if by == 0 { 0 } else { count };
    (0..count.div_ceil(most)).map(move |piece| {
        let first = piece * most;
        (from + first, to + first, most.min(count - first))
    })
}
