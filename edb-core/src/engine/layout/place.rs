//! Places the records, states and gradients of a minibatch in the arena.

use edb_ir::{Domain, Home, Phase, Slot};

use super::append::KeptPlaces;
use super::rows::Order;
use super::{Feed, Layout, Place, SEGMENT_ALIGN_ELEMENTS, TypeLayout};
use edb_model::graph::{FlatBatch, InputCell};
use edb_model::model::BoundModel;
use edb_model::model::bound::BoundFunction;
use edb_model::model::routine::BoundRoutine;
use edb_model::model::stack::{PerRow, stride};

impl Layout {
    /// Lays out a minibatch. Reuses the memory of the previous layout.
    pub(crate) fn lay_out(
        &mut self,
        model: &BoundModel,
        batch: &FlatBatch,
        order: Order<'_>,
        entangled: &[bool],
        training: bool,
    ) {
        self.begin(model, entangled);
        self.number_rows(model, batch, order);
        self.place_bases(model, |layout| layout.vertices.len());
        self.place_edges(model, batch, training);
        self.types.raw.iter_mut().for_each(|layout| layout.room = layout.row_counts());
        self.place_memory(model, training, None);
        if training {
            self.place_backward(model, batch);
        }
    }

    /// Clears the previous layout.
    pub(crate) fn begin(&mut self, model: &BoundModel, entangled: &[bool]) {
        self.types.raw.resize_with(model.functions.len(), TypeLayout::default);
        for (layout, entangled) in self.types.raw.iter_mut().zip(entangled) {
            layout.entangled = *entangled;
            layout.feeds.clear();
        }
        (self.growing, self.growth) = (false, 0);
    }

    /// Finds where each vertex reads the gradients that it sums: from the edges to its parents, and from the
    /// vertices that pull from it.
    pub(crate) fn place_backward(&mut self, model: &BoundModel, batch: &FlatBatch) {
        self.place_blocks(model);
        self.place_feeds(model, batch);
    }

    /// Places states and records, each with memory for as many rows as its type has [room](TypeLayout::room).
    /// What stays in `kept` keeps its place. All else is placed after the memory of `kept`.
    pub(crate) fn place_memory(
        &mut self,
        model: &BoundModel,
        training: bool,
        kept: Option<&KeptPlaces>,
    ) {
        self.training = training;
        let fields = model.states.iter().flat_map(|state| &state.fields);
        let widths = fields.filter(|field| !field.is_index).map(|field| field.width());
        self.zeros = widths.max().unwrap_or(0);
        (self.size, self.indices) = kept.map_or((self.zeros, 0), |kept| (kept.size, kept.indices));
        self.place_states(model, kept);
        for function in &model.functions {
            let kept = kept.and_then(|kept| kept.records(function.id));
            self.place_records(function, training, kept);
        }
    }

    /// Finds for each type its first row among the rows of its state.
    pub(crate) fn place_bases(&mut self, model: &BoundModel, rows: impl Fn(&TypeLayout) -> usize) {
        for state in 0..model.states.len() {
            let mut base = 0;
            for (layout, function) in self.types.raw.iter_mut().zip(&model.functions) {
                if function.scattered() == Some(state) {
                    layout.state_base = base;
                    base += rows(layout) as u32;
                }
            }
        }
    }

    fn place_states(&mut self, model: &BoundModel, kept: Option<&KeptPlaces>) {
        let mut states = std::mem::take(&mut self.states);
        states.resize_with(model.states.len(), Vec::new);
        for (number, (state, offsets)) in model.states.iter().zip(&mut states).enumerate() {
            let functions = model.functions.iter();
            let of_state = functions.filter(|function| function.scattered() == Some(number));
            offsets.clear();
            if let Some(kept) = kept
                && of_state.clone().all(|function| kept.records(function.id).is_some())
            {
                offsets.extend_from_slice(&kept.states[number]);
                continue;
            }
            let rooms = of_state.map(|function| self.types[function.id].room.vertices);
            let rows: usize = rooms.sum();
            offsets.extend(
                state
                    .fields
                    .iter()
                    .map(|field| self.take_rows(rows, stride(field.width()), field.is_index)),
            );
        }
        self.states = states;
    }

    fn place_records(&mut self, function: &BoundFunction, training: bool, kept: Option<&[Place]>) {
        let mut scratch = [PerRow::default(); Phase::ALL.len()];
        let mut places = std::mem::take(&mut self.types[function.id].places);
        places.raw.clear();
        let BoundRoutine { records, gradients, forward, .. } = &function.routine;
        let all = records.iter().zip(gradients).zip(forward).enumerate();
        for (number, ((record, gradient), forward)) in all {
            if self.growing && !forward {
                places.push(Place::Nowhere);
                continue;
            }
            if let (Some(param), true) = (gradient, training) {
                places.push(Place::Gradient(*param));
                continue;
            }
            let is_edge = record.domain == Domain::Edge;
            let home = record.home(training);
            if let (Home::Step | Home::Rows, Some(Place::Arena(place))) =
                (home, kept.map(|kept| kept[number]))
            {
                places.push(Place::Arena(place));
                continue;
            }
            let room = self.types[function.id].room;
            let rows = if is_edge { room.edges } else { room.vertices };
            places.push(match home {
                Home::Nowhere => Place::Nowhere,
                Home::Parameter(param) => Place::Parameter(function.params[usize::from(param)]),
                Home::Step => Place::Arena(self.take_rows(1, record.width(), record.is_index)),
                Home::Rows => Place::Arena(self.take_rows(rows, record.stride, record.is_index)),
                Home::Pulled(field) => Place::Pulled(field),
                Home::Scratch(phase) => {
                    let PerRow { vertex, edge } = &mut scratch[phase as usize];
                    let place = Place::Scratch(PerRow { vertex: *vertex, edge: *edge });
                    *(if is_edge { edge } else { vertex }) +=
                        record.stride.next_multiple_of(SEGMENT_ALIGN_ELEMENTS);
                    place
                }
                Home::Child(slot, field) => {
                    let (state, field) = (function.child_field(slot, field))
                        .expect("the field was bound with the model");
                    let start = self.states[state][field];
                    Place::Child { slot, start }
                }
                Home::State(field) => {
                    let base = self.types[function.id].state_base as usize;
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
        self.types[function.id].places = places;
        self.types[function.id].scratch = scratch;
        let seeds = &mut self.types[function.id].seeds;
        seeds.clear();
        seeds.resize(function.plan.program.push.len(), None);
    }

    fn scattered_field(&self, function: &BoundFunction, field: u16) -> Option<usize> {
        let state = function.plan.program.scattered?;
        let (state, fields) = &function.states[usize::from(state)];
        Some(self.states[*state][fields[usize::from(field)]])
    }

    /// Finds the gradient rows of edges, block by block. A function has one block for each fixed slot, then one
    /// for the other children, if it can have any.
    fn place_blocks(&mut self, model: &BoundModel) {
        let mut blocks = std::mem::take(&mut self.blocks);
        let mut count = 0;
        for function in &model.functions {
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
                        let rows = self.rows_of(function, id);
                        block[field] = rows.map(|rows| (rows.start, rows.stride));
                    }
                }
                count += 1;
            }
        }
        blocks.truncate(count);
        self.blocks = blocks;
    }

    /// Lists for every pushing vertex where the gradients are of the vertices that pull from it.
    fn place_feeds(&mut self, model: &BoundModel, batch: &FlatBatch) {
        if !batch.levels().feeds {
            return;
        }
        for vertex in 0..batch.functions().len() {
            let function = &model.functions[batch.functions()[vertex]];
            if !self.types[function.id].entangled {
                continue;
            }
            for &(field, id) in &function.plan.program.gradients.pulls {
                let cell = batch.inputs(vertex as u32)[function.input_fields[usize::from(field)]];
                let InputCell::Pushed { vertex: source, field: pushed } = cell else { continue };
                let Some(rows) = self.rows_of(function, id) else { continue };
                let pushing = &model.functions[batch.functions()[source as usize]];
                let gradient = rows.of(self, vertex as u32).start;
                let field = pushing.output[usize::from(pushed)].program_field;
                let row = self.rows[source as usize];
                self.types[pushing.id].feeds.push(Feed { row, field, gradient });
            }
        }
        for layout in &mut self.types.raw {
            // The sort is stable, so several pulls of one push stay in the order of their vertices.
            layout.feeds.sort_by_key(|feed| (feed.row, feed.field));
        }
    }

    /// Returns where the caller's gradients of a pushed field begin. If there is no memory for them yet, takes it
    /// from the arena.
    pub(crate) fn place_seed(&mut self, function: &BoundFunction, field: u16) -> usize {
        if let Some(start) = self.types[function.id].seeds[usize::from(field)] {
            return start;
        }
        let id = function.plan.program.push[usize::from(field)];
        let rows = self.types[function.id].vertices.len();
        let start = self.take(rows.saturating_mul(function.value(id).width));
        self.types[function.id].seeds[usize::from(field)] = Some(start);
        start
    }
}
