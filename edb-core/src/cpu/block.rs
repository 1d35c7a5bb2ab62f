//! Runs one phase of one vertex function over one block of rows, step by step. Intermediate values
//! are in scratch memory that stays in cache.

use std::ops::Range;
use std::sync::Mutex;

use edb_ir::{Domain, End, Instruction, KernelId, Phase, Slot, Span};
use smallvec::SmallVec;

use super::cut::Block;
use super::index_rows::IndexRows;
use super::value_blocks;
use super::weights::{Packed, RightSide};
use crate::engine::backend::Frame;
use crate::engine::layout::{Place, TypeLayout};
use crate::spans;
use edb_kernels::element::Element;
use edb_kernels::fused::{self, KernelRows};
use edb_kernels::isa::Isa;
use edb_kernels::kernels;
use edb_kernels::memory::{Memory, Shared};
use edb_kernels::operand::{Operand, OperandMut, RowLookup};
use edb_kernels::pairs::PairIsa;
use edb_kernels::product::Workspace;
use edb_kernels::tile::Left;
use edb_model::graph::InputCell;
use edb_model::model::bound::BoundFunction;
use edb_model::model::stack::{BoundStack, Field, Matrices, RowCounts, WeightsId};

/// The data that all blocks of a minibatch share.
pub(super) struct Common<'a, T> {
    pub(super) frame: Frame<'a, T>,
    pub(super) arena: Shared<'a, T>,
    /// The memory of indices.
    pub(super) indices: Shared<'a, u32>,
    pub(super) weights: &'a Packed<T>,
    /// The working memory of each thread for products.
    pub(super) workspaces: &'a [Mutex<Workspace<T>>],
}

impl<'a, T: Element> Common<'a, T> {
    /// Makes a block for this thread.
    ///
    /// # Safety
    /// While the block lives, no other block has any of its rows or of its scratch, unless both blocks only
    /// read. One thread runs the instructions of the block, one after the other.
    pub(super) unsafe fn block(
        &self,
        thread: usize,
        function: &'a BoundFunction,
        (rows, edges): Block,
        scratch: Shared<'a, T>,
    ) -> RowBlock<'a, T> {
        let Self { frame, arena, indices, weights, workspaces } = *self;
        let (layout, workspace) = (&frame.layout.types[function.id], &workspaces[thread]);
        let scratch_rows = rows.clone();
        RowBlock {
            frame,
            function,
            layout,
            arena,
            indices,
            scratch,
            weights,
            workspace,
            rows,
            edges,
            scratch_rows,
        }
    }

    /// Runs a phase over a block on this thread, with the thread's scratch.
    ///
    /// # Safety
    /// While this runs, no other thread runs a block with any of these rows.
    pub(super) unsafe fn run(
        &self,
        thread: usize,
        function: &'a BoundFunction,
        phase: Phase,
        block: Block,
        scratch: &'a [Mutex<Memory<T>>],
    ) {
        let mut scratch = scratch[thread].lock().unwrap_or_else(|poison| poison.into_inner());
        // SAFETY: the caller guarantees that no other block has these rows, and the scratch is locked.
        unsafe { self.block(thread, function, block, Shared::new(&mut scratch)) }.run(phase);
    }

    /// Makes one block of all rows of a function, for the calling thread and without scratch.
    ///
    /// # Safety
    /// As for a [block](Self::block).
    pub(super) unsafe fn all_rows(&self, function: &'a BoundFunction) -> RowBlock<'a, T> {
        let RowCounts { vertices, edges } = self.frame.layout.types[function.id].row_counts();
        // SAFETY: as the caller guarantees; there is no scratch.
        unsafe { self.block(0, function, (0..vertices, 0..edges), Shared::new(&mut [])) }
    }
}

/// A block of rows of one function.
pub(super) struct RowBlock<'a, T> {
    pub(super) frame: Frame<'a, T>,
    pub(super) function: &'a BoundFunction,
    pub(super) layout: &'a TypeLayout,
    pub(super) arena: Shared<'a, T>,
    /// The memory of indices.
    pub(super) indices: Shared<'a, u32>,
    pub(super) scratch: Shared<'a, T>,
    pub(super) weights: &'a Packed<T>,
    /// This thread's working memory for products.
    pub(super) workspace: &'a Mutex<Workspace<T>>,
    /// The rows of the vertices; below, the rows of the edges that enter them in `gather_all` loops.
    pub(super) rows: Range<usize>,
    pub(super) edges: Range<usize>,
    /// The rows for which the scratch has places: the rows of the whole block, of which this may be a
    /// [part](Self::part).
    pub(super) scratch_rows: Range<usize>,
}

/// How threads may share a product with weights.
pub(super) struct Units {
    /// How many units there are; below, how many multiplications they take together.
    pub(super) count: usize,
    pub(super) work: usize,
    /// Whether the last units should be read first.
    pub(super) is_turned: bool,
}

impl<'a, T: Element> RowBlock<'a, T> {
    /// Runs a phase.
    pub(super) fn run(&self, phase: Phase) {
        self.function.instructions(phase).iter().for_each(|of| self.instruction(of));
    }

    /// Makes a part of a block, with these `rows` of it and in its scratch. The block must not have edges.
    ///
    /// # Safety
    /// As for a [block](Common::block), and the whole block runs nothing while the part lives.
    pub(super) unsafe fn part(
        &self,
        rows: Range<usize>,
        workspace: &'a Mutex<Workspace<T>>,
    ) -> Self {
        let (edges, scratch_rows) = (self.edges.clone(), self.scratch_rows.clone());
        Self { workspace, rows, edges, scratch_rows, ..*self }
    }

    /// Runs one instruction of a phase.
    pub(super) fn instruction(&self, of: &(Phase, Instruction)) {
        let _span = spans::instruction(&self.function.plan, of, self.rows.len());
        match &of.1 {
            Instruction::Op { value, out, args } => {
                let Some(out) = *out else { return };
                if self.function.routine.records[out.record].is_index {
                    // SAFETY: what the only instruction that runs writes.
                    if let Some(out) = unsafe { self.index_output(out) } {
                        self.indexing(*value, out, args);
                    }
                // SAFETY: as above.
                } else if let Some(out) = unsafe { self.output(out) } {
                    self.op(*value, out, args);
                }
            }
            Instruction::Product(stack) => self.product(&self.function.routine.stacks[*stack]),
            Instruction::Kernel(kernel) => self.kernel(*kernel),
            Instruction::Copy { from, to } => {
                let domain = self.domain(*to);
                // SAFETY: as above.
                if let Some(mut out) = unsafe { self.output(*to) } {
                    let x = self.read_by(domain, *from);
                    self.for_each_row(domain, &mut out, &x, |_, out, x| out.copy_from_slice(x));
                }
            }
        }
    }

    pub(super) fn domain(&self, span: Span) -> Domain {
        self.function.routine.records[span.record].domain
    }

    pub(super) fn rows_of(&self, domain: Domain) -> Range<usize> {
        match domain {
            Domain::Step => 0..1,
            Domain::Vertex => self.rows.clone(),
            Domain::Edge => self.edges.clone(),
        }
    }

    /// The rows of a span, to be written: one for each of the block's rows in the span's domain. `None` if the
    /// record has no memory, or is summed into a parameter's gradient.
    ///
    /// # Safety
    /// The present instruction writes this span. While the result lives, there is no other operand for any of
    /// its elements.
    pub(super) unsafe fn output(&self, span: Span) -> Option<OperandMut<'a, T>> {
        // SAFETY: as the caller guarantees.
        unsafe { self.field_output(self.function.routine.field(span)) }
    }

    /// # Safety
    /// As for [`output`](Self::output).
    unsafe fn field_output(&self, field: Field) -> Option<OperandMut<'a, T>> {
        let place = self.layout.places[field.record];
        if matches!(place, Place::Parameter(_) | Place::Child { .. } | Place::Pulled(_)) {
            unreachable!(
                "the plan was verified: no instruction writes a parameter or a child's state"
            );
        }
        let (memory, start, _) = self.place(field)?;
        let stride = self.function.routine.records[field.record].stride;
        // SAFETY: the plan is `Verified`: records do not overlap in memory, nor do the pieces of a record, and
        // an instruction writes no piece that it reads through another operand. The maker of the block
        // guarantees that rows and scratch belong to this block only, and the caller guarantees this for the
        // columns. Values of the `Step` domain are never in scratch, and only one block computes them. Reads of
        // other rows (states of children, gradients of parents' edges) access earlier batches.
        Some(unsafe { OperandMut::new(memory, start, stride, field.width) })
    }

    /// Where the rows of a field are: the memory, the first element, and how to find a row.
    fn place(&self, field: Field) -> Option<(Shared<'a, T>, usize, RowLookup<'a>)> {
        let record = &self.function.routine.records[field.record];
        Some(match self.layout.places[field.record] {
            Place::Nowhere | Place::Gradient(_) | Place::Pulled(_) => return None,
            Place::Child { slot, start } => {
                (self.arena, start + field.start, RowLookup::Gather(self.children(slot)))
            }
            Place::Parameter(param) => {
                let values = self.frame.parameters.get(param).fetched();
                (Shared::of(values), field.start, RowLookup::SameRow)
            }
            Place::Arena(start) => {
                let row = self.rows_of(record.domain).start;
                (self.arena, start + row * record.stride + field.start, RowLookup::SameRow)
            }
            Place::Scratch(before) => {
                let start =
                    before.vertex * self.scratch_rows.len() + before.edge * self.edges.len();
                let row = match record.domain {
                    Domain::Vertex => self.rows.start - self.scratch_rows.start,
                    Domain::Step | Domain::Edge => 0,
                };
                (self.scratch, start + row * record.stride + field.start, RowLookup::SameRow)
            }
        })
    }

    /// The arena element at which a value of the `Step` domain begins.
    pub(super) fn start_of(&self, field: Field) -> usize {
        match self.layout.places[field.record] {
            Place::Arena(start) => start + field.start,
            place => unreachable!("values of a step are in the arena, not in {place:?}"),
        }
    }

    /// An argument of an instruction that runs over the rows of `domain`.
    pub(super) fn read_by(&self, domain: Domain, span: Span) -> Operand<'a, T> {
        self.field_read_by(domain, self.function.routine.field(span))
    }

    pub(super) fn field_read_by(&self, domain: Domain, field: Field) -> Operand<'a, T> {
        let record = &self.function.routine.records[field.record];
        let (memory, start, rows) =
            self.place(field).expect("what an instruction reads has a place");
        let rows = self.looked_up(record.domain, domain, rows);
        // SAFETY: no piece is written while an instruction reads it through this operand (see `field_output`),
        // and no parameter is written while a minibatch runs.
        unsafe { Operand::new(memory, start, record.stride, field.width, rows) }
    }

    /// How an instruction that runs over the rows of `domain` finds the rows of a record of the domain `own`.
    fn looked_up(&self, own: Domain, domain: Domain, rows: RowLookup<'a>) -> RowLookup<'a> {
        match (own, domain) {
            (own, domain) if own == domain => rows,
            (Domain::Step, Domain::Vertex | Domain::Edge) => RowLookup::One,
            (Domain::Vertex, Domain::Edge) => RowLookup::Owner {
                owners: &self.layout.rest_owners[self.edges.clone()],
                first: self.rows.start as u32,
            },
            _ => RowLookup::SameRow,
        }
    }

    /// An index that an instruction over the rows of `domain` reads.
    pub(super) fn index_by(&self, domain: Domain, span: Span) -> IndexRows<'a> {
        let record = &self.function.routine.records[span.record];
        let (start, rows) = match self.layout.places[span.record] {
            Place::Pulled(field) => {
                let field = self.function.input_fields[usize::from(field)];
                let owners = match domain {
                    Domain::Edge => Some(&self.layout.rest_owners[self.edges.clone()]),
                    _ => None,
                };
                let vertices = match owners {
                    Some(_) => &self.layout.vertices[..],
                    None => &self.layout.vertices[self.rows.clone()],
                };
                let (input_offsets, inputs) = self.frame.batch.all_inputs();
                return IndexRows::Pulled { field, owners, vertices, input_offsets, inputs };
            }
            // If the domains differ, an edge reads the index of a child of the vertex that it enters.
            Place::Child { slot, start } => match (record.domain, domain) {
                (Domain::Vertex, Domain::Edge) => {
                    let owners = &self.layout.rest_owners[self.edges.clone()];
                    let Slot::Fixed(slot) = slot else {
                        unreachable!("the plan was verified: other children are of edges")
                    };
                    let children = &self.layout.fixed[usize::from(slot)];
                    return IndexRows::OfOwner { indices: self.indices, start, owners, children };
                }
                _ => (start, RowLookup::Gather(self.children(slot))),
            },
            Place::Arena(start) => {
                let rows = self.looked_up(record.domain, domain, RowLookup::SameRow);
                (start + self.rows_of(record.domain).start, rows)
            }
            place => unreachable!("an index that is read is not in {place:?}"),
        };
        // SAFETY: as in `field_read_by`.
        IndexRows::Stored(unsafe { Operand::new(self.indices, start, 1, 1, rows) })
    }

    /// The block's rows of an index, to be written; `None` if the index has no memory.
    ///
    /// # Safety
    /// As for [`output`](Self::output).
    pub(super) unsafe fn index_output(&self, span: Span) -> Option<OperandMut<'a, u32>> {
        let Place::Arena(start) = self.layout.places[span.record] else { return None };
        let row = self.rows_of(self.domain(span)).start;
        // SAFETY: as in `field_output`. No record of numbers lies in the memory of indices.
        Some(unsafe { OperandMut::new(self.indices, start + row, 1, 1) })
    }

    /// Calls `f` for each row of a domain, with this row of the result and of the argument.
    pub(super) fn for_each_row(
        &self,
        domain: Domain,
        out: &mut OperandMut<'a, T>,
        x: &Operand<'a, T>,
        mut f: impl FnMut(usize, &mut [T], &[T]),
    ) {
        for row in 0..self.rows_of(domain).len() {
            f(row, out.row_mut(row), x.row(row));
        }
    }

    /// Elements of the arena that belong to rows of earlier batches, or of other functions.
    pub(super) fn read(&self, range: Range<usize>) -> &'a [T] {
        // SAFETY: this batch and phase do not write elements that an earlier one has written.
        unsafe { self.arena.read(range) }
    }

    fn kernel(&self, id: KernelId) {
        let kernel = &self.function.plan.routine.kernels[id];
        let field = kernel.outputs.first().map(|(out, _)| self.function.routine.field(*out));
        let length = field.map_or(0, |field| field.width);
        // An output of an end that is never read has no memory.
        let outs: SmallVec<[Option<OperandMut<'a, T>>; 4]> =
            // SAFETY: these are outputs of the only instruction that runs, as below.
            kernel.ends.iter().map(|end| unsafe { self.output(end.out) }).collect();
        let index = |end: &End| end.index.map(|index| self.index_by(kernel.domain, index));
        let indices: SmallVec<[Option<IndexRows<'a>>; 4]> = kernel.ends.iter().map(index).collect();
        let end = |number: usize, row: usize, x: &[T]| {
            let Some(out) = &outs[number] else { return };
            // SAFETY: only this closure writes the output, and each row once.
            let mut out = unsafe { out.duplicate() };
            let index = indices[number].as_ref().map_or(0, |index| index.row(row));
            kernels::reduce(kernel.ends[number].op, out.row_mut(row), x, index);
        };
        let mut rows = KernelRows::new(self.rows_of(kernel.domain).len(), length);
        // SAFETY: the plan is verified, so outputs do not overlap.
        kernel.outputs.iter().for_each(|(out, _)| rows.output(unsafe { self.output(*out) }));
        let overwritten = &self.function.routine.overwritten[id];
        for (input, _) in kernel.inputs.iter().zip(overwritten).filter(|(_, by)| by.is_none()) {
            rows.input(self.read_by(kernel.domain, *input));
        }
        rows.overwritten(overwritten);
        rows.ends(kernel.ends.iter().map(|end| usize::from(end.output)), &end);
        let interpreted = &self.function.routine.interpreted[id];
        fused::run(kernel, self.function.kernels.get(id), interpreted, rows);
    }

    /// How threads may share an instruction, if it is a product with weights.
    pub(super) fn units_of(&self, instruction: &Instruction) -> Option<Units> {
        let Instruction::Product(stack) = instruction else { return None };
        let stack = &self.function.routine.stacks[*stack];
        let work = self.rows_of(stack.domain).len() * stack.out.width * stack.args.width;
        match stack.matrices {
            Matrices::Weights(id) => {
                let side = self.right_side(id);
                Some(Units { count: side.units(), work, is_turned: side.is_turned() })
            }
            Matrices::Values(_) => None,
        }
    }

    fn right_side(&self, id: WeightsId) -> RightSide<'a, T> {
        self.weights.right_side(id, self.frame.parameters)
    }

    /// Computes some units of a product with weights; each unit is some columns of the result.
    pub(super) fn product_units(
        &self,
        instruction: &Instruction,
        part: Range<usize>,
        left: Left<'_, T>,
    ) {
        let Instruction::Product(stack) = instruction else { return };
        let stack = &self.function.routine.stacks[*stack];
        if let Matrices::Weights(id) = stack.matrices {
            self.multiply_units(stack, &self.right_side(id), part, left);
        }
    }

    /// Calls `work` with the left side of a product with weights.
    pub(super) fn with_left(&self, instruction: &Instruction, work: &mut dyn FnMut(Left<'_, T>)) {
        let Instruction::Product(stack) = instruction else { return };
        let stack = &self.function.routine.stacks[*stack];
        if let Matrices::Weights(id) = stack.matrices {
            self.with_left_of(stack, &self.right_side(id), work);
        }
    }

    fn with_left_of(
        &self,
        stack: &BoundStack,
        side: &RightSide<'_, T>,
        work: &mut dyn FnMut(Left<'_, T>),
    ) {
        let args = self.field_read_by(stack.domain, stack.args);
        let panels = match side {
            RightSide::Panels(panels) if panels.is_paired() => panels,
            _ => return work(Left::Rows(&args)),
        };
        let isa = PairIsa::best();
        let (rows, width) = (self.rows_of(stack.domain).len(), panels.inner() * isa.terms());
        let mut workspace = self.workspace.lock().unwrap_or_else(|poison| poison.into_inner());
        let left = &mut workspace.left[..rows * width];
        for (row, out) in left.chunks_exact_mut(width).enumerate() {
            isa.left_row(args.row(row), out);
        }
        work(Left::Rows(&Operand::of_slice(left, width)));
    }

    fn multiply_units(
        &self,
        stack: &BoundStack,
        side: &RightSide<'_, T>,
        part: Range<usize>,
        left: Left<'_, T>,
    ) {
        // SAFETY: different units have disjoint columns, and only the columns of these units are used.
        let Some(out) = (unsafe { self.field_output(stack.out) }) else { return };
        let columns = side.columns(&part);
        let columns = columns.start..columns.end.min(out.width());
        let out = out.narrowed(columns.clone());
        let rows = self.rows_of(stack.domain).len();
        let (isa, add) = (Isa::best(), stack.accumulate);
        match side {
            RightSide::Panels(panels) => panels.multiply_panels(part, rows, out, left, add),
            RightSide::InPlace(matrix) => matrix.multiply(isa, columns, rows, out, left, add),
        }
    }

    fn product(&self, stack: &BoundStack) {
        match &stack.matrices {
            Matrices::Weights(id) => {
                let side = self.right_side(*id);
                self.with_left_of(stack, &side, &mut |left| {
                    self.multiply_units(stack, &side, 0..side.units(), left);
                });
            }
            Matrices::Values(blocks) => {
                // SAFETY: what the only instruction that runs writes.
                let Some(mut out) = (unsafe { self.field_output(stack.out) }) else { return };
                let args = self.field_read_by(stack.domain, stack.args);
                let rows = self.rows_of(stack.domain).len();
                let matrices: SmallVec<[Operand<'_, T>; 4]> = (blocks.iter())
                    .map(|block| self.field_read_by(stack.domain, block.matrix))
                    .collect();
                value_blocks::contract(rows, &mut out, &args, stack, blocks, &matrices);
            }
        }
    }

    /// The row of the vertex to which a row of the block belongs: its own row, or for an edge the
    /// row of the vertex that it enters.
    pub(super) fn owner(&self, row: usize, domain: Domain) -> usize {
        match domain {
            Domain::Edge => self.layout.rest_owners[self.edges.start + row] as usize,
            _ => self.rows.start + row,
        }
    }

    pub(super) fn cell(&self, row: usize, field: u16) -> &'a InputCell {
        let vertex = self.layout.vertices[row];
        &self.frame.batch.inputs(vertex)[self.function.input_fields[usize::from(field)]]
    }

    /// The pulled bag of a row.
    pub(super) fn bag(&self, row: usize, field: u16, domain: Domain) -> &'a [u32] {
        self.frame.batch.indices(self.cell(self.owner(row, domain), field))
    }
}
