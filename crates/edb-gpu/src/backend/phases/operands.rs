//! The locations of a step's operands, for the rows of a phase.

use std::ops::Range;

use edb_core::backend::{ABSENT, BoundFunction, Field, Frame, PerRow, Place, TypeLayout};
use edb_core::element::Element;
use edb_ir::{Domain, FunctionId, Phase, Slot, Span};

use crate::backend::device::GpuBackend;
use crate::backend::launches::batched;
use crate::backend::minibatch::{FunctionTables, of_field};
use crate::driver::Address;
use crate::error::GpuError;
use crate::kernels::fused::mode;
use crate::kernels::{Index, Mode, Rows};
use crate::number::Number;
use crate::options::Launches;

/// A phase of one function over some of its rows.
pub(crate) struct PhaseRun<'a, T> {
    pub(super) backend: &'a mut GpuBackend<T>,
    pub(super) frame: Frame<'a, T>,
    pub(super) function: FunctionId,
    pub(super) bound: &'a BoundFunction,
    pub(super) layout: &'a TypeLayout,
    /// The rows of vertices, and of the edges that enter them.
    pub(crate) rows: Range<usize>,
    pub(super) edges: Range<usize>,
    /// Whether products use the kernel `multiply`, whose order of summation does not depend
    /// on the number of rows.
    pub(super) tiled: bool,
}

impl<'a, T: Element + bytemuck::Pod> PhaseRun<'a, T> {
    pub(crate) fn new(
        backend: &'a mut GpuBackend<T>,
        frame: Frame<'a, T>,
        function: FunctionId,
        phase: Phase,
        rows: Range<usize>,
    ) -> Result<Self, GpuError> {
        let bound = &frame.model().functions[function];
        let layout = &frame.layout().types[function];
        let edge = |row: usize| layout.rest_offsets.get(row).map_or(0, |edge| *edge as usize);
        let edges = edge(rows.start)..edge(rows.end);
        let PerRow { vertex, edge: per_edge } = layout.scratch[phase as usize];
        let elements = rows.len() * vertex + edges.len() * per_edge;
        backend.scratch.reserve(elements * backend.library.numbers.stored.size())?;
        let in_batches = batched(phase, layout.entangled).contains(&phase);
        let tiled = backend.rows_apart || backend.launches != Launches::Single && in_batches;
        Ok(Self { backend, frame, function, bound, layout, rows, edges, tiled })
    }

    pub(crate) fn tables(&self) -> &FunctionTables {
        &self.backend.tables.functions[self.function.index()]
    }

    /// The address of an entry of a table of this function.
    pub(super) fn table(&self, offset: usize, entry: usize, size: usize) -> Address {
        self.backend.tables.address(offset + entry * size)
    }

    pub(super) fn domain(&self, span: Span) -> Domain {
        self.bound.routine.records[span.record].domain
    }

    /// The number of rows of a domain.
    pub(crate) fn count(&self, domain: Domain) -> usize {
        self.rows_of(domain).len()
    }

    pub(super) fn rows_of(&self, domain: Domain) -> Range<usize> {
        match domain {
            Domain::Step => 0..1,
            Domain::Vertex => self.rows.clone(),
            Domain::Edge => self.edges.clone(),
        }
    }

    /// The address of an element of the arena.
    pub(super) fn arena(&self, element: usize) -> Address {
        self.backend.arena.address(element)
    }

    /// The rows of a field; `None` if it is not stored, or lies in the gradient of a parameter.
    pub(crate) fn place(&self, field: Field) -> Option<Rows> {
        let record = &self.bound.routine.records[field.record];
        let number = self.backend.codes.code(self.function).numbers[field.record];
        let behind = |start: Address, element: usize| start + (element * number.size()) as Address;
        let address = match self.layout.places[field.record] {
            Place::Nowhere | Place::Gradient(_) | Place::Pulled(_) => return None,
            Place::Child { start, .. } => self.arena(start + field.start),
            Place::Parameter(id) => behind(self.backend.parameters.address(id), field.start),
            Place::Arena(start) => {
                let row = self.rows_of(record.domain).start;
                self.backend.arena.place(start + row * record.stride + field.start).0
            }
            Place::Scratch(PerRow { vertex, edge }) => {
                let start = vertex * self.rows.len() + edge * self.edges.len();
                behind(self.backend.scratch.address(), start + field.start)
            }
        };
        Some(Rows::same_row(address, record.stride, number))
    }

    /// The rows that a step writes, if the value is used.
    pub(super) fn output(&self, span: Span) -> Option<Rows> {
        self.place(self.bound.routine.field(span))
    }

    /// An operand of a step over the rows of `domain`.
    pub(super) fn input(&self, domain: Domain, span: Span) -> Rows {
        self.field_input(domain, self.bound.routine.field(span))
    }

    pub(super) fn field_input(&self, domain: Domain, field: Field) -> Rows {
        let rows = self.place(field).expect("what a step reads has a place");
        match mode(self.bound, field, domain) {
            Mode::SameRow => rows,
            Mode::One => Rows { mode: Mode::One, ..rows },
            Mode::Owner => {
                let (index, first) = (self.owners(), self.rows.start as u32);
                Rows { mode: Mode::Owner, index, first, ..rows }
            }
            Mode::Gather => {
                let Place::Child { slot, .. } = self.layout.places[field.record] else {
                    unreachable!("what is gathered is a child's")
                };
                let (index, zeros) = (self.children(slot), self.arena(0));
                Rows { mode: Mode::Gather, index, zeros, ..rows }
            }
        }
    }

    /// The vertex that each edge enters.
    pub(crate) fn owners(&self) -> Address {
        self.table(self.tables().owners, self.edges.start, 4)
    }

    /// The child in a slot, for each row.
    pub(super) fn children(&self, slot: Slot) -> Address {
        match slot {
            Slot::Fixed(slot) => {
                self.table(self.tables().fixed[usize::from(slot)], self.rows.start, 4)
            }
            Slot::Rest => self.table(self.tables().rest, self.edges.start, 4),
        }
    }

    /// An index, for the rows of `domain`.
    pub(super) fn index(&self, span: Span, domain: Domain) -> Index {
        let by_edge = self.domain(span) == Domain::Edge;
        let owners = (domain == Domain::Edge && !by_edge).then(|| self.owners());
        let (address, children) = match self.layout.places[span.record] {
            Place::Pulled(field) => {
                let table = of_field(&self.tables().inputs, field);
                (self.table(table.expect("every index has its table"), 0, 4), None)
            }
            Place::Child { slot, start } => (self.index_address(start), Some(self.slot(slot))),
            Place::Arena(start) => (self.index_address(start), None),
            place => unreachable!("an index that is read is not in {place:?}"),
        };
        let first = if by_edge { self.edges.start } else { self.rows.start } as u32;
        Index { address, owners, children, first }
    }

    /// Where an index of each row is written, if it is read.
    pub(super) fn index_output(&self, span: Span) -> Option<Address> {
        let Place::Arena(start) = self.layout.places[span.record] else { return None };
        Some(self.index_address(start + self.rows_of(self.domain(span)).start))
    }

    /// The address of an element of the memory of indices.
    fn index_address(&self, element: usize) -> Address {
        self.backend.indices.address() + (element * size_of::<u32>()) as Address
    }

    /// An index of each of the first rows on the host, for the rows of `domain`.
    pub(super) fn index_values(&self, span: Span, domain: Domain) -> Result<Vec<u32>, GpuError> {
        let owner = |row: usize| match (self.domain(span), domain) {
            (Domain::Vertex, Domain::Edge) => self.layout.rest_owners[row] as usize,
            _ => row,
        };
        let rows = self.rows_of(domain);
        if let Place::Pulled(field) = self.layout.places[span.record] {
            let vertex = |row| self.layout.vertices[owner(row)];
            return Ok(rows.map(|row| self.frame.index(vertex(row), field)).collect());
        }
        let indices = self.backend.host_indices()?;
        Ok(match self.layout.places[span.record] {
            Place::Child { slot, start } => {
                let children = match slot {
                    Slot::Fixed(slot) => &self.layout.fixed[usize::from(slot)],
                    Slot::Rest => &self.layout.rest,
                };
                let place = |child: u32| if child == ABSENT { 0 } else { start + child as usize };
                rows.map(|row| indices[place(children[owner(row)])]).collect()
            }
            Place::Arena(start) => rows.map(|row| indices[start + owner(row)]).collect(),
            place => unreachable!("an index that is read is not in {place:?}"),
        })
    }

    /// The children in a slot, by row of all vertices or edges.
    pub(super) fn slot(&self, slot: Slot) -> Address {
        let tables = self.tables();
        match slot {
            Slot::Fixed(slot) => self.table(tables.fixed[usize::from(slot)], 0, 4),
            Slot::Rest => self.table(tables.rest, 0, 4),
        }
    }

    /// The bags of the rows of `domain`: the offset of each, and their indices.
    pub(crate) fn bags(&self, field: u16, domain: Domain) -> (Index, Address) {
        let tables = of_field(&self.tables().bags, field).expect("every bag has its tables");
        let [offsets, list] = tables.map(|table| self.table(table, 0, 4));
        let owners = (domain == Domain::Edge).then(|| self.owners());
        let first = self.rows.start as u32;
        (Index { address: offsets, owners, children: None, first }, list)
    }

    /// Temporary memory for a single step.
    pub(super) fn spare(&mut self, elements: usize, number: Number) -> Result<Address, GpuError> {
        self.backend.spare.reserve((elements * number.size()).max(1))?;
        Ok(self.backend.spare.address())
    }
}
