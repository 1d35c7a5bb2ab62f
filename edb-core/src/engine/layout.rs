//! The layout of a minibatch: which row each vertex has, and where everything lies in the arena.
//!
//! Rows of a type are numbered in schedule order, so every batch writes contiguous rows. The rows
//! of a state are those of its types one behind the other, so that a scattered value is computed
//! straight into them. Each edge has a gradient row, in the segment of its block: the type and the
//! slot that it enters at. Everything is sized before anything runs.

use std::ops::Range;

use edb_ir::{Domain, Home, Phase, Slot, ValueId};
use smallvec::{SmallVec, smallvec};

use super::rows::Order;
use crate::element::Element;
use crate::graph::{InputCell, Minibatch};
use crate::learn::ParameterId;
use crate::model::Inner;
use crate::model::bound::BoundFunction;
use crate::model::routine::stride;

/// Segments begin at multiples of this many elements.
const ALIGN: usize = 16;

/// Where a record lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere: nobody reads it in this mode.
    Nowhere,
    /// The parameter itself.
    Parameter(ParameterId),
    /// In the rows, so far apart from this element of the arena on, of the children in this slot.
    Child {
        /// The slot.
        slot: Slot,
        /// Where the rows of the field begin.
        start: usize,
    },
    /// In the gradient of a parameter, as a sum over all rows.
    Gradient(ParameterId),
    /// Rows, the record's stride apart, from this element of the arena.
    Arena(usize),
    /// Behind so many elements a row of vertices, and of edges, in the scratch of the block that is
    /// being worked on.
    Scratch {
        /// Elements for each row of vertices.
        vertex: usize,
        /// Elements for each row of edges.
        edge: usize,
    },
}

/// An edge as its child sees it: the block and the row of its gradient.
#[derive(Clone, Copy, Debug)]
pub struct ParentEdge {
    /// The block of gradients, by its number among the layout's.
    pub block: u32,
    /// The row in it.
    pub row: u32,
}

/// A pull that is fed by a push: whose gradient to add where.
#[derive(Clone, Copy, Debug)]
pub struct Feed {
    /// The row of the pushing vertex.
    pub row: u32,
    /// The field of the program's output.
    pub field: u16,
    /// Where the gradient of the pulling vertex lies.
    pub gradient: usize,
}

/// The vertices of one function in the minibatch.
#[derive(Debug, Default)]
pub struct TypeLayout {
    /// The vertex of each row.
    pub vertices: Vec<u32>,
    /// For each fixed slot, the row of each row's child in its state, or [`ABSENT`](crate::graph::ABSENT).
    pub fixed: Vec<Vec<u32>>,
    /// Where the edges of each row to the other children begin, and the end.
    pub rest_offsets: Vec<u32>,
    /// The rows of these children, edge by edge.
    pub rest: Vec<u32>,
    /// The row that each edge enters.
    pub rest_owners: Vec<u32>,
    /// Where the parents' edges of each row begin, and the end.
    pub parent_offsets: Vec<u32>,
    /// These edges, in order of the parents' numbers.
    pub parents: Vec<ParentEdge>,
    /// The first of its rows among those of its state.
    pub state_base: u32,
    /// Where each record of the function's routine lives.
    pub places: Vec<Place>,
    /// Elements of scratch a row and an edge, in each phase.
    pub scratch: [(usize, usize); Phase::ALL.len()],
    /// The gradients that the outside gives, by field of the program's output.
    pub seeds: Vec<Option<usize>>,
    /// By row, then field.
    pub feeds: Vec<Feed>,
    /// Whether vertices are fed by or feed others, so that all phases follow the schedule.
    pub entangled: bool,
}

/// The layout of a minibatch.
#[derive(Debug, Default)]
pub struct Layout {
    /// The vertices of each function.
    pub types: Vec<TypeLayout>,
    /// The row of each vertex among those of its function.
    pub rows: Vec<u32>,
    /// The batches of the schedule: function and rows.
    pub batches: Vec<(usize, Range<u32>)>,
    /// Where the rows of each field of each state begin.
    pub states: Vec<Vec<usize>>,
    /// Where the gradient rows of each block begin and how far they are apart, by field of the
    /// state; none where the function gives a field no gradient.
    pub blocks: Vec<Vec<Option<(usize, usize)>>>,
    /// The elements that the arena begins with: zeros, which nobody writes, as what an absent child
    /// reads.
    pub zeros: usize,
    /// The elements of the arena.
    pub size: usize,
    /// Memory for numbering rows and edges.
    pub(super) next: Vec<u32>,
    pub(super) level_places: Vec<(u32, u32)>,
}

/// One for each function.
pub(crate) type Flags = SmallVec<[bool; 32]>;

/// Which functions of a minibatch are entangled: some vertex pulls what another pushes.
pub(crate) fn entangled<T: Element>(functions: usize, batch: &Minibatch<T>) -> Flags {
    let mut entangled = smallvec![false; functions];
    if !batch.levels.feeds {
        return entangled;
    }
    for vertex in 0..batch.functions.len() as u32 {
        for cell in batch.inputs(vertex) {
            if let InputCell::Pushed { vertex: source, .. } = cell {
                entangled[usize::from(batch.functions[vertex as usize])] = true;
                entangled[usize::from(batch.functions[*source as usize])] = true;
            }
        }
    }
    entangled
}

impl Layout {
    /// Lays out a minibatch in the memory of the one before.
    pub(crate) fn lay_out<T: Element>(
        &mut self,
        model: &Inner,
        batch: &Minibatch<T>,
        order: Order<'_>,
        entangled: &[bool],
        training: bool,
    ) {
        self.types.resize_with(model.functions.len(), TypeLayout::default);
        for (layout, entangled) in self.types.iter_mut().zip(entangled) {
            layout.entangled = *entangled;
            layout.places.clear();
            layout.feeds.clear();
            layout.scratch = Default::default();
        }
        let widths = model.states.iter().flat_map(|state| &state.fields).map(|f| f.width());
        self.zeros = widths.max().unwrap_or(0);
        self.size = self.zeros;
        self.number_rows(model, batch, order);
        self.place_states(model);
        self.place_edges(model, batch, training);
        for (at, function) in model.functions.iter().enumerate() {
            self.place_records(at, function, training);
        }
        if training {
            self.place_blocks(model);
            self.place_feeds(model, batch);
        }
    }

    fn place_states(&mut self, model: &Inner) {
        let mut states = std::mem::take(&mut self.states);
        states.resize_with(model.states.len(), Vec::new);
        for (number, (state, offsets)) in model.states.iter().zip(&mut states).enumerate() {
            let mut rows = 0;
            for (layout, function) in self.types.iter_mut().zip(&model.functions) {
                if function.scattered() == Some(number) {
                    layout.state_base = rows;
                    rows += layout.vertices.len() as u32;
                }
            }
            let fields = state.fields.iter();
            let sizes = fields.map(|field| (rows as usize).saturating_mul(stride(field.width())));
            offsets.clear();
            offsets.extend(sizes.map(|size| self.take(size)));
        }
        self.states = states;
    }

    /// A new segment of the arena. What is larger than can be addressed is as large as can be: there is
    /// no such memory, which who reserves it finds out.
    pub(super) fn take(&mut self, elements: usize) -> usize {
        let start = self.size.checked_next_multiple_of(ALIGN).unwrap_or(usize::MAX);
        self.size = start.saturating_add(elements);
        start
    }

    fn place_records(&mut self, at: usize, function: &BoundFunction, training: bool) {
        let mut scratch = [(0, 0); Phase::ALL.len()];
        let mut places = std::mem::take(&mut self.types[at].places);
        let gradients = &function.routine.gradients;
        for (record, gradient) in function.routine.records.iter().zip(gradients) {
            if let (Some(param), true) = (gradient, training) {
                places.push(Place::Gradient(*param));
                continue;
            }
            let is_edge = record.domain == Domain::Edge;
            let layout = &self.types[at];
            let rows = if is_edge { layout.rest.len() } else { layout.vertices.len() };
            places.push(match record.home(training) {
                Home::Nowhere => Place::Nowhere,
                Home::Parameter(param) => Place::Parameter(function.params[usize::from(param)]),
                Home::Step => Place::Arena(self.take(record.width())),
                Home::Rows => Place::Arena(self.take(rows.saturating_mul(record.stride))),
                Home::Scratch(phase) => {
                    let (vertex, edge) = &mut scratch[phase as usize];
                    let place = Place::Scratch { vertex: *vertex, edge: *edge };
                    *(if is_edge { edge } else { vertex }) += record.stride.next_multiple_of(ALIGN);
                    place
                }
                Home::Child(slot, field) => {
                    let (state, field) = (function.child_field(slot, field))
                        .expect("the field was bound with the model");
                    let start = self.states[state][field];
                    Place::Child { slot, start }
                }
                Home::State(field) => {
                    let base = self.types[at].state_base as usize;
                    match self.scattered_field(function, field) {
                        Some(start) => {
                            let behind = base.saturating_mul(record.stride);
                            Place::Arena(start.saturating_add(behind))
                        }
                        None => Place::Nowhere,
                    }
                }
            });
        }
        self.types[at].places = places;
        self.types[at].scratch = scratch;
        let seeds = &mut self.types[at].seeds;
        seeds.clear();
        seeds.resize(function.plan.program.push.len(), None);
    }

    fn scattered_field(&self, function: &BoundFunction, field: u16) -> Option<usize> {
        let state = function.plan.program.scattered?;
        let (state, fields) = &function.states[usize::from(state)];
        Some(self.states[*state][fields[usize::from(field)]])
    }

    /// Places the gradient rows of edges, block by block: a function has one for each fixed slot,
    /// then one for the rest.
    fn place_blocks(&mut self, model: &Inner) {
        let mut blocks = std::mem::take(&mut self.blocks);
        let mut count = 0;
        for (at, function) in model.functions.iter().enumerate() {
            let slots = (0..function.fixed()).map(|slot| Slot::Fixed(slot as u16));
            let rest = function.plan.program.rest.map(|_| Slot::Rest);
            for slot in slots.chain(rest) {
                let state = function.plan.program.slot_state(slot);
                let state = state.map_or(0, |state| function.states[usize::from(state)].0);
                if blocks.len() == count {
                    blocks.push(Vec::new());
                }
                let block = &mut blocks[count];
                block.clear();
                block.resize(model.states[state].fields.len(), None);
                for &(of, field, id) in &function.plan.program.gradients.children {
                    let field = function.child_field(of, field);
                    if let (Some((_, field)), true) = (field, of == slot) {
                        let rows = self.rows_of(at, function, id);
                        block[field] = rows.map(|rows| (rows.start, rows.stride));
                    }
                }
                count += 1;
            }
        }
        blocks.truncate(count);
        self.blocks = blocks;
    }

    /// Notes for every pushing vertex where the gradients of those that pull from it lie.
    fn place_feeds<T: Element>(&mut self, model: &Inner, batch: &Minibatch<T>) {
        if !batch.levels.feeds {
            return;
        }
        for vertex in 0..batch.functions.len() {
            let at = usize::from(batch.functions[vertex]);
            if !self.types[at].entangled {
                continue;
            }
            let function = &model.functions[at];
            for &(field, id) in &function.plan.program.gradients.pulls {
                let cell = batch.inputs(vertex as u32)[function.input_fields[usize::from(field)]];
                let InputCell::Pushed { vertex: source, field: pushed } = cell else { continue };
                let Some(rows) = self.rows_of(at, function, id) else { continue };
                let of = usize::from(batch.functions[source as usize]);
                let gradient = rows.of(self, vertex as u32).start;
                let field = model.functions[of].output[usize::from(pushed)].program_field;
                let row = self.rows[source as usize];
                self.types[of].feeds.push(Feed { row, field, gradient });
            }
        }
        for layout in &mut self.types {
            // Stable: several pulls of one push stay in the order of their vertices.
            layout.feeds.sort_by_key(|feed| (feed.row, feed.field));
        }
    }

    /// Makes room for the gradients that the outside gives for a pushed field, if there is none.
    pub(crate) fn place_seed(&mut self, at: usize, function: &BoundFunction, field: u16) -> usize {
        if let Some(start) = self.types[at].seeds[usize::from(field)] {
            return start;
        }
        let id = function.plan.program.push[usize::from(field)];
        let rows = self.types[at].vertices.len();
        let start = self.take(rows.saturating_mul(function.value(id).width));
        self.types[at].seeds[usize::from(field)] = Some(start);
        start
    }

    /// The arena's elements that hold a value of one vertex, if it is kept there.
    pub fn row_of(
        &self,
        at: usize,
        function: &BoundFunction,
        id: ValueId,
        vertex: u32,
    ) -> Option<Range<usize>> {
        Some(self.rows_of(at, function, id)?.of(self, vertex))
    }

    /// Where a value that a port shows is, if it is kept in the arena.
    pub(super) fn rows_of(
        &self,
        at: usize,
        function: &BoundFunction,
        id: ValueId,
    ) -> Option<KeptRows> {
        let field = function.routine.field(function.plan.routine.shown(id)?);
        let Place::Arena(start) = self.types[at].places[field.record] else { return None };
        let stride = function.routine.records[field.record].stride;
        let (count, width) = (self.types[at].vertices.len(), function.value(id).width);
        Some(KeptRows { start: start + field.start, stride, width, count })
    }
}

/// The rows of a value in the arena.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeptRows {
    start: usize,
    stride: usize,
    width: usize,
    count: usize,
}

impl KeptRows {
    /// The elements of one vertex.
    pub(super) fn of(&self, layout: &Layout, vertex: u32) -> Range<usize> {
        let start = self.start + layout.rows[vertex as usize] as usize * self.stride;
        start..start + self.width
    }

    /// The elements of all vertices, with what lies between them.
    pub(super) fn all(&self) -> Range<usize> {
        let last = self.count.saturating_sub(1) * self.stride;
        self.start..self.start + last + self.width
    }
}

/// Whether the vertices of a function follow the schedule; the others run as one batch.
pub(crate) fn is_scheduled(function: &BoundFunction, entangled: bool) -> bool {
    function.is_recurrent() || entangled
}
