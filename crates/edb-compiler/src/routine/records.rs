//! Records: which pieces lie side by side.

use crate::batching::{Batching, PieceId, Placed, Space};
use edb_ir::{Domain, Id, IdVec, Leaf, Op, Program, Shape, ValueId};

edb_ir::id_types! {
    /// A record whose memory is not settled yet, by its number.
    pub(super) struct RecordDraftId(u32);
}

/// The records while a routine is made, of the pieces of the batching and those that copies make.
#[derive(Debug)]
pub(super) struct RecordDrafts {
    /// The shape of each piece.
    pub(super) shapes: IdVec<PieceId, Shape>,
    /// The pieces of each record.
    pub(super) records: IdVec<RecordDraftId, RecordDraft>,
    /// Where each piece is: record and place in it.
    places: IdVec<PieceId, Option<(RecordDraftId, usize)>>,
}

/// A record whose memory is not settled yet.
#[derive(Debug)]
pub(super) struct RecordDraft {
    pub(super) domain: Domain,
    pub(super) pieces: Vec<PieceId>,
    /// The port that owns it.
    pub(super) port: Option<Port>,
}

/// Records that ports own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Port {
    Parameter(u16),
    /// A field of the scattered state.
    State(u16),
}

/// Consecutive pieces of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceRange {
    pub(super) record: RecordDraftId,
    /// The first of its pieces, and one past the last.
    pub(super) start: usize,
    pub(super) end: usize,
}

impl RecordDrafts {
    /// Records of pieces that some call needs side by side (with `layout`), and of one piece each.
    pub(super) fn new(program: &Program, batching: &Batching, layout: bool) -> RecordDrafts {
        let pieces = &batching.pieces;
        let shapes: IdVec<PieceId, Shape> =
            pieces.list.iter().map(|piece| piece.shape.clone()).collect();
        let places = IdVec::filled(None, shapes.len());
        let mut memory = RecordDrafts { shapes, records: IdVec::new(), places };
        for (id, value) in program.iter() {
            if let Op::Leaf(Leaf::Param(param)) = value.op {
                memory.add(Domain::Step, pieces.of[id].clone(), Some(Port::Parameter(param)));
            }
        }
        for (field, &id) in program.scatter.iter().enumerate() {
            let of = &pieces.of[id];
            // A piece that is in two fields is computed into the first, and copied into the other. So
            // is one that exists once a step, of a slice or a concatenation.
            let own = |piece: &PieceId| {
                let domain = program.value(pieces.list[*piece].value).domain;
                memory.places[*piece].is_none() && domain == Domain::Vertex
            };
            if of.iter().all(own) {
                memory.add(Domain::Vertex, of.clone(), Some(Port::State(field as u16)));
            }
        }
        if layout {
            memory.add_neighbours(program, batching);
        }
        // Values of the step domain keep the order of their elements, in which gradients of
        // parameters are read.
        let own = |domain: Domain| !layout || domain == Domain::Step;
        memory.add_values(program, batching, own);
        for (id, piece) in pieces.list.iter_enumerated() {
            if memory.places[id].is_none() && !batching.absent[id] {
                memory.add(program.value(piece.value).domain, vec![id], None);
            }
        }
        memory
    }

    /// Adds a record for each maximal run of pieces that calls need side by side.
    fn add_neighbours(&mut self, program: &Program, batching: &Batching) {
        let mut run: Vec<PieceId> = Vec::new();
        for (&value, joined) in batching.layout.order.iter().zip(batching.layout.joined()) {
            if !joined {
                self.add_run(program, batching, &std::mem::take(&mut run));
            }
            let space = batching.constraints.spaces[value];
            if let (Placed::Piece(piece), Space::Record(_)) =
                (&batching.constraints.values[value], space)
            {
                run.push(*piece);
            }
        }
        self.add_run(program, batching, &run);
    }

    fn add_run(&mut self, program: &Program, batching: &Batching, run: &[PieceId]) {
        if run.len() > 1 {
            let domain = program.value(batching.pieces.list[run[0]].value).domain;
            self.add(domain, run.to_vec(), None);
        }
    }

    /// Adds a record for each value of some domains, in the order of the program: for all domains,
    /// the baseline that layouts are compared with.
    fn add_values(
        &mut self,
        program: &Program,
        batching: &Batching,
        domains: impl Fn(Domain) -> bool,
    ) {
        for (id, value) in program.iter().filter(|(_, value)| domains(value.domain)) {
            let of = &batching.pieces.of[id];
            if !batching.pieces.is_alias(id) && of.iter().all(|piece| self.places[*piece].is_none())
            {
                let present = of.iter().copied().filter(|piece| !batching.absent[*piece]).collect();
                self.add(value.domain, present, None);
            }
        }
    }

    fn add(&mut self, domain: Domain, pieces: Vec<PieceId>, port: Option<Port>) {
        let record = RecordDraftId::new(self.records.len());
        for (place, &piece) in pieces.iter().enumerate() {
            self.places[piece] = Some((record, place));
        }
        self.records.push(RecordDraft { domain, pieces, port });
    }

    /// New pieces side by side, of the same shapes.
    pub(super) fn copies_of(
        &mut self,
        domain: Domain,
        pieces: &[PieceId],
        port: Option<Port>,
    ) -> Vec<PieceId> {
        let first = self.shapes.len();
        let shapes: Vec<Shape> = pieces.iter().map(|piece| self.shapes[*piece].clone()).collect();
        self.shapes.raw.extend(shapes);
        self.places.raw.resize(self.shapes.len(), None);
        let copies: Vec<PieceId> = self.shapes.ids().skip(first).collect();
        self.add(domain, copies.clone(), port);
        copies
    }

    /// Whether these pieces are side by side in this order.
    pub(super) fn is_run(&self, pieces: &[PieceId]) -> bool {
        let place = |piece: &PieceId| self.places[*piece];
        pieces.first().is_some_and(|first| place(first).is_some())
            && pieces.windows(2).all(|pair| match (place(&pair[0]), place(&pair[1])) {
                (Some((a, place)), Some((b, next))) => a == b && place + 1 == next,
                _ => false,
            })
    }

    /// Sorts pieces by their place in memory, those without one first.
    pub(super) fn sort(&self, pieces: &mut [PieceId]) {
        pieces.sort_by_key(|piece| self.places[*piece]);
    }

    /// The pieces of a range.
    pub(super) fn pieces(&self, range: PieceRange) -> &[PieceId] {
        &self.records[range.record].pieces[range.start..range.end]
    }

    /// The run of pieces that are side by side.
    ///
    /// # Panics
    /// When they have no place or, in debug builds, are not side by side: [`items`](super::items)
    /// copies operands that are not.
    pub(super) fn run(&self, pieces: &[PieceId]) -> PieceRange {
        debug_assert!(self.is_run(pieces));
        let (record, start) = self.places[pieces[0]].expect("an operand has a place");
        PieceRange { record, start, end: start + pieces.len() }
    }

    /// The record that holds a piece.
    pub(super) fn record(&self, piece: PieceId) -> Option<RecordDraftId> {
        self.places[piece].map(|place| place.0)
    }

    /// The domain of the record that holds a piece.
    pub(super) fn domain(&self, piece: PieceId) -> Domain {
        self.record(piece).map_or(Domain::Step, |record| self.records[record].domain)
    }

    /// Whether a record is of an index.
    pub(super) fn is_index(&self, record: &RecordDraft) -> bool {
        record.pieces.iter().any(|piece| self.shapes[*piece].is_index())
    }

    /// The record of a state's field.
    pub(super) fn state(&self, field: u16) -> Option<&RecordDraft> {
        self.records.iter().find(|record| record.port == Some(Port::State(field)))
    }
}

/// The values that ports show, each with its port if that owns its record.
pub(super) fn shown(program: &Program) -> Vec<(ValueId, Option<Port>)> {
    let scatter = program.scatter.iter().enumerate();
    let scatter = scatter.map(|(field, id)| (*id, Some(Port::State(field as u16))));
    let others = program.push.iter().copied().chain(program.summed()).chain(program.next);
    let others = others.chain(program.backward_results()).map(|id| (id, None));
    scatter.chain(others).collect()
}
