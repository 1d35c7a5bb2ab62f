//! Rows that are appended while graphs grow, and rows that move when their memory does.
//!
//! While graphs grow, a type's records have memory for more rows than it has
//! ([`TypeLayout::room`]), and only the records that forward phases touch have any. When a type has
//! no room left, its rows [move](Moves) behind all others, to twice as much memory; in inference,
//! rows that nothing reads any more are [forgotten](Layout::forget) first. At the end, the
//! minibatch that the graphs have become is laid out behind what they have computed.

use std::ops::Range;

use edb_ir::{Domain, FunctionId};
use smallvec::{SmallVec, smallvec};

use super::dependencies::Flags;
use super::rows::Order;
use super::{Layout, Place, TypeLayout};
use edb_kernels::element::Element;
use edb_model::graph::{ABSENT, Minibatch};
use edb_model::model::BoundModel;
use edb_model::model::stack::{BoundRecord, RowCounts};
use edb_schedule::Schedule;

/// Elements that keep their values where memory is laid out anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The first element before.
    pub from: usize,
    /// The first element afterwards.
    pub to: usize,
    /// How many elements.
    pub length: usize,
}

/// What keeps its values where memory is laid out anew.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// In the arena.
    pub arena: Vec<Move>,
    /// In the memory of indices.
    pub indices: Vec<Move>,
}

/// Where everything lies before it is laid out anew.
#[derive(Debug)]
pub(crate) struct KeptPlaces {
    /// The places of each function's records.
    records: Vec<Vec<Place>>,
    /// Where the fields of each state begin.
    pub(crate) states: Vec<Vec<usize>>,
    /// The elements of the arena, and of the memory of indices.
    pub(crate) size: usize,
    pub(crate) indices: usize,
    /// Whether the records of each function stay where they are.
    stays: Flags,
}

impl KeptPlaces {
    /// The places of a function's records, if they stay where they are.
    pub(crate) fn records(&self, function: FunctionId) -> Option<&[Place]> {
        self.stays[function.index()].then(|| &self.records[function.index()][..])
    }
}

/// The row of a vertex that has none any more.
pub(crate) const FORGOTTEN: u32 = u32::MAX;

/// Rows that stay side by side: the first before, the first afterwards, and their number.
type Runs = SmallVec<[(u32, u32, u32); 4]>;

impl Layout {
    /// Begins the layout of graphs that grow, with no rows, and room for these.
    pub(crate) fn begin_growing(
        &mut self,
        model: &BoundModel,
        rooms: impl IntoIterator<Item = RowCounts>,
        training: bool,
    ) {
        self.types.raw.resize_with(model.functions.len(), TypeLayout::default);
        for ((layout, function), room) in self.types.raw.iter_mut().zip(&model.functions).zip(rooms)
        {
            // What decisions are read from cannot wait for the other graphs.
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

    /// Appends rows for vertices of a function; [their edges](Self::append_edges) follow when all
    /// new vertices have rows.
    pub(crate) fn append(&mut self, function: FunctionId, vertices: &[u32]) -> Range<u32> {
        let layout = &mut self.types[function];
        let first = layout.vertices.len() as u32;
        layout.vertices.extend_from_slice(vertices);
        for (row, vertex) in (first..).zip(vertices) {
            self.rows[*vertex as usize] = row;
        }
        first..layout.vertices.len() as u32
    }

    /// Appends the edges of all rows that have been appended.
    pub(crate) fn append_edges<T: Element>(&mut self, model: &BoundModel, batch: &Minibatch<T>) {
        let run = self.place_children(model, batch);
        debug_assert!(run, "what is about to run reads nothing that has been forgotten");
    }

    /// Places the edges of all rows that have none yet. Returns whether all children have rows.
    fn place_children<T: Element>(&mut self, model: &BoundModel, batch: &Minibatch<T>) -> bool {
        let mut all = true;
        // Where the rows of each type begin among those of its state.
        let bases: SmallVec<[u32; 16]> =
            self.types.iter().map(|layout| layout.state_base).collect();
        for (layout, function) in self.types.raw.iter_mut().zip(&model.functions) {
            let fixed = function.fixed();
            for row in layout.rest_offsets.len() - 1..layout.vertices.len() {
                let children = batch.children(layout.vertices[row]).iter();
                let rows = children.map(|child| match *child {
                    ABSENT => ABSENT,
                    child => match self.rows[child as usize] {
                        FORGOTTEN => {
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

    /// Makes room for more rows of each type, if some type has not enough: at least twice as many
    /// as it had. Returns what has to be moved.
    pub(crate) fn make_room<T: Element>(
        &mut self,
        model: &BoundModel,
        batch: &Minibatch<T>,
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
        // Where rows of states begin has changed, and so have the rows of children.
        self.number_edges(model, batch);
        let same = |of: &TypeLayout| {
            let rows: Runs = smallvec![(0, 0, of.vertices.len() as u32)];
            let edges: Runs = smallvec![(0, 0, of.rest.len() as u32)];
            (rows, edges)
        };
        Some(moves(model, &kept, self, |function| same(&self.types[function])))
    }

    /// Numbers the rows of children anew.
    fn number_edges<T: Element>(&mut self, model: &BoundModel, batch: &Minibatch<T>) {
        for layout in &mut self.types.raw {
            layout.fixed.iter_mut().for_each(Vec::clear);
            layout.rest.clear();
            layout.rest_owners.clear();
            layout.rest_offsets.truncate(1);
        }
        // Rows that have run may have had children that are forgotten.
        self.place_children(model, batch);
    }

    /// Forgets rows of some functions: of each the `kept` ones stay, side by side from the first one
    /// on. Returns what has to be moved.
    pub(crate) fn forget<T: Element>(
        &mut self,
        model: &BoundModel,
        batch: &Minibatch<T>,
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
                self.rows[*vertex as usize] = FORGOTTEN;
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

    /// Lays out the minibatch that graphs have become behind what they have computed, which stays
    /// where it is, except for the rows of functions that are in another order now; `grown` is their
    /// layout, and `vertices` gives the number of each of its vertices in the minibatch. Returns what
    /// has to be moved.
    pub(crate) fn settle<T: Element>(
        &mut self,
        model: &BoundModel,
        batch: &Minibatch<T>,
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

    /// Lays out a minibatch behind what has run, all of which stays where it is.
    pub(crate) fn lay_out_behind<T: Element>(
        &mut self,
        model: &BoundModel,
        batch: &Minibatch<T>,
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

    /// Numbers the vertices anew where their rows are; `vertices` gives the new number of each. The
    /// batches are those of the record, of the functions that are `needed`.
    pub(crate) fn renumber(&mut self, vertices: &[u32], record: &Schedule, needed: &Flags) {
        self.rows.fill(FORGOTTEN);
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

    /// Where everything lies now, all of which is to stay there.
    fn places(&self) -> KeptPlaces {
        KeptPlaces {
            records: self.types.iter().map(|layout| layout.places.raw.clone()).collect(),
            states: self.states.clone(),
            size: self.size,
            indices: self.indices,
            stays: smallvec![true; self.types.len()],
        }
    }

    /// Where the rows and the edges of a function are in another layout of the same vertices.
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

/// Adds rows to those that stay side by side.
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

/// What has to be moved from places into those of a layout; `runs` gives the runs of rows and of
/// edges of a function.
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

/// What a run of rows of a record has to be moved by, whose rows begin at `from` and then at `to`.
pub(crate) fn run_move(record: &BoundRecord, from: usize, to: usize, run: (u32, u32, u32)) -> Move {
    let [first, first_to, count] = [run.0, run.1, run.2].map(|n| n as usize);
    let (from, to) = (from + first * record.stride, to + first_to * record.stride);
    // Behind its last row nothing is its own.
    let length = (count - 1) * record.stride + record.width();
    Move { from, to, length }
}

/// A run of rows that move towards the first, in pieces none of which overlaps where it goes:
/// devices copy them one after the other.
fn pieces(&(from, to, count): &(u32, u32, u32)) -> impl Iterator<Item = (u32, u32, u32)> {
    let by = from - to;
    let most = by.max(1);
    let count = if by == 0 { 0 } else { count };
    (0..count.div_ceil(most)).map(move |piece| {
        let first = piece * most;
        (from + first, to + first, most.min(count - first))
    })
}
