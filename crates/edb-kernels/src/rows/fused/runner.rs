//! Runs the kernels of a routine over memory that it allocates itself, for tests and benchmarks.

use edb_ir::{Domain, IdVec, KernelId, Plan, RecordId, Routine, Shape, Span};

use super::kernel_rows::KernelRows;
use super::{Interpreted, KernelFn, run};
use crate::memory::{Operand, OperandMut, RowLookup, Shared, behind, of_row};
use crate::numbers::Element;
use crate::processor::Isa;
use crate::rows::kernels;

/// The records that the kernels of a routine read and write; they are consecutive in one buffer.
pub struct KernelRunner<'a, T> {
    routine: &'a Routine,
    memory: Vec<T>,
    places: IdVec<RecordId, RecordPlace>,
    vertices: usize,
    owners: Vec<u32>,
    isa: Isa,
}

/// Where a record lies.
#[derive(Clone, Default)]
struct RecordPlace {
    start: usize,
    stride: usize,
    /// Where each piece begins in a row, and where the last piece ends.
    pieces: Vec<usize>,
}

impl<'a, T: Element> KernelRunner<'a, T> {
    /// Makes records for `vertices` vertices, and for one edge per entry of `owners`, which is the vertex that
    /// the edge enters. `width` returns the number of elements of a shape, `pad` is the number of elements
    /// between rows, and `number` returns the initial elements.
    ///
    /// # Panics
    /// When the plan is invalid, an edge enters a vertex that does not exist, or no memory has so many
    /// elements.
    pub fn new(
        plan: &'a Plan,
        vertices: usize,
        owners: Vec<u32>,
        pad: usize,
        width: &dyn Fn(&Shape) -> usize,
        number: &mut dyn FnMut() -> T,
    ) -> Self {
        if let Err(error) = plan.verify() {
            panic!("{error}");
        }
        let there_are = |owner: &u32| (*owner as usize) < vertices;
        assert!(owners.iter().all(there_are), "edges enter vertices that there are");
        let routine = &plan.routine;
        let mut places: IdVec<RecordId, RecordPlace> =
            IdVec::filled(RecordPlace::default(), routine.records.len());
        let mut end = 0;
        for (place, (id, record)) in places.raw.iter_mut().zip(routine.records.iter_enumerated()) {
            let used = routine.kernels.iter().any(|kernel| {
                let outputs = kernel.outputs.iter().map(|(span, _)| span);
                let outputs = outputs.chain(kernel.ends.iter().map(|end| &end.out));
                kernel.inputs.iter().chain(outputs).any(|span| span.record == id)
            });
            if !used {
                continue;
            }
            let mut row = 0;
            place.pieces.push(0);
            for piece in &record.pieces {
                row = behind(row, width(piece));
                place.pieces.push(row);
            }
            let rows = match record.domain {
                Domain::Step => 1,
                Domain::Vertex => vertices,
                Domain::Edge => owners.len(),
            };
            (place.start, place.stride) = (end, behind(row, pad));
            end = of_row(end, rows, place.stride);
        }
        let memory = std::iter::repeat_with(number).take(end).collect();
        Self { routine, memory, places, vertices, owners, isa: Isa::best() }
    }

    /// The number of instruction sets of this machine for which kernels are compiled.
    pub fn isas() -> usize {
        Isa::all().len()
    }

    /// Selects one of these instruction sets; the default is the last one, which is the best.
    pub fn set_isa(&mut self, isa: usize) {
        self.isa = Isa::all()[isa];
    }

    /// All elements.
    pub fn memory(&self) -> &[T] {
        &self.memory
    }

    /// How many rows a kernel runs over.
    pub fn count(&self, kernel: KernelId) -> usize {
        match self.routine.kernels[kernel].domain {
            Domain::Step => 1,
            Domain::Vertex => self.vertices,
            Domain::Edge => self.owners.len(),
        }
    }

    /// The elements of an operand that a kernel reads or writes for a row.
    pub fn row(&self, kernel: KernelId, span: Span, row: usize) -> &[T] {
        let place = &self.places[span.record];
        let stored = match (self.routine.record(span).domain, self.routine.kernels[kernel].domain) {
            (Domain::Step, _) => 0,
            (Domain::Vertex, Domain::Edge) => self.owners[row] as usize,
            _ => row,
        };
        let start = place.start + stored * place.stride;
        &self.memory[start + place.pieces[usize::from(span.start)]
            ..start + place.pieces[usize::from(span.end)]]
    }

    /// Runs a kernel; outputs that are not `wanted` are not kept.
    pub fn run(
        &mut self,
        kernel: KernelId,
        compiled: Option<KernelFn<T>>,
        wanted: &dyn Fn(usize) -> bool,
    ) {
        let count = self.count(kernel);
        let Self { routine, memory, places, owners, isa, .. } = self;
        let kernel = &routine.kernels[kernel];
        let overwritten = kernel.overwritten();
        let (memory, owners) = (Shared::new(memory), owners.as_slice());
        let place = |span: &Span| {
            let place = &places[span.record];
            let [start, end] = [span.start, span.end].map(|piece| place.pieces[usize::from(piece)]);
            let rows = match (routine.record(*span).domain, kernel.domain) {
                (Domain::Step, Domain::Vertex | Domain::Edge) => RowLookup::One,
                (Domain::Vertex, Domain::Edge) => RowLookup::Owner { owners, first: 0 },
                _ => RowLookup::SameRow,
            };
            (place.start + start, place.stride, end - start, rows)
        };
        let operand = |span: &Span| {
            let (start, stride, width, rows) = place(span);
            // SAFETY: this has exclusive access to all of the memory. The plan is verified, so a kernel writes
            // no element twice, and no element that it reads, except for inputs that it overwrites element by
            // element.
            unsafe { Operand::new(memory, start, stride, width, rows) }
        };
        let output = |span: &Span| {
            let (start, stride, width, _) = place(span);
            // SAFETY: as above.
            unsafe { OperandMut::new(memory, start, stride, width) }
        };
        let first = kernel.outputs.first();
        let length = first.map_or(0, |(span, _)| operand(span).width());
        let outs: Vec<OperandMut<'_, T>> = kernel.ends.iter().map(|end| output(&end.out)).collect();
        let end = |number: usize, row: usize, x: &[T]| {
            // SAFETY: only this closure writes the output, and each row once.
            let mut out = unsafe { outs[number].duplicate() };
            // The value of the index does not matter here.
            kernels::reduce(kernel.ends[number].op, out.row_mut(row), x, 0);
        };
        let mut rows = KernelRows::new(count, length);
        rows.isa = *isa;
        let read = kernel.inputs.iter().zip(&overwritten).filter(|(_, by)| by.is_none());
        read.for_each(|(input, _)| rows.input(operand(input)));
        rows.overwritten(&overwritten);
        for (number, (span, _)) in kernel.outputs.iter().enumerate() {
            rows.output(wanted(number).then(|| output(span)));
        }
        rows.ends(kernel.ends.iter().map(|end| usize::from(end.output)), &end);
        run(kernel, compiled, &Interpreted::default(), rows);
    }
}
