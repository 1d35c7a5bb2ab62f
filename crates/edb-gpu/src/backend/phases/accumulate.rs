//! Sums over all vertices of a minibatch, function by function: the gradients of parameters.

use edb_core::backend::{Field, Matrices, Place, ValueBlock};
use edb_core::element::Element;
use edb_core::learn::ParameterId;
use edb_ir::routine::ProductKind;
use edb_ir::{Domain, Instruction, Op, Phase, Role, Semiring, Span, StackId, Transition, ValueId};

use super::operands::PhaseRun;
use super::products::matrix;
use crate::backend::device::GpuBackend;
use crate::backend::gradients::{ORDER, sorted};
use crate::driver::{Address, Matrix, Product};
use crate::error::GpuError;
use crate::kernels::{Rows, library as kernel};

/// Rows are summed in parts of this many, and then the parts in turn, so the order of summation
/// depends on the number of rows alone.
const PART: usize = 64;

impl<T: Element + bytemuck::Pod> PhaseRun<'_, T> {
    /// Runs the `Accumulate` phase.
    pub(crate) fn accumulate(&mut self) -> Result<(), GpuError> {
        let bound = self.bound;
        let direct: Vec<ParameterId> = bound.routine.gradients.iter().flatten().copied().collect();
        for &parameter in &direct {
            self.reserve_dense(parameter)?;
        }
        for (_, instruction) in bound.instructions(Phase::Accumulate) {
            match instruction {
                Instruction::Product(stack)
                    if bound.routine.stacks[*stack].kind == ProductKind::OuterSum =>
                {
                    self.sum_products(*stack)?;
                }
                Instruction::Op { value, out: Some(out), args } => {
                    match bound.plan.program.value(*value).op {
                        Op::Transition(Transition::Reduce(_)) => self.sum_rows(*out, args[0])?,
                        Op::Transition(Transition::RowSum | Transition::BagRowSum(_)) => {
                            self.sum_table(*value, *out, args)?
                        }
                        Op::Transition(Transition::WeightedSum(semiring, role)) => {
                            self.sum_weighted(*value, (semiring, role), *out, args)?
                        }
                        _ => self.instruction(instruction)?,
                    }
                }
                _ => self.instruction(instruction)?,
            }
        }
        for parameter in direct {
            self.backend.sums.dense[parameter.index()].present = true;
        }
        let parts = &bound.plan.program.gradients.params;
        for (parameter, parts) in bound.params.iter().zip(parts) {
            parts.iter().try_for_each(|id| self.add_gradient(*parameter, *id))?;
        }
        Ok(())
    }

    /// Makes room for a parameter's dense gradient, and records whether there is one already.
    fn reserve_dense(&mut self, parameter: ParameterId) -> Result<(), GpuError> {
        let sum = &mut self.backend.sums.dense[parameter.index()];
        let size = sum.count * size_of::<T>();
        sum.added = sum.present;
        sum.memory.reserve(size.max(1))
    }

    /// Adds a value of the step to a parameter's gradient, unless it was accumulated there
    /// directly.
    fn add_gradient(&mut self, parameter: ParameterId, id: ValueId) -> Result<(), GpuError> {
        let bound = self.bound;
        match bound.plan.routine.shown(id) {
            Some(span) if bound.routine.gradients[span.record].is_some() => Ok(()),
            Some(span) => {
                self.reserve_dense(parameter)?;
                let x = self.output(span).expect("sums have a place");
                let sum = &mut self.backend.sums.dense[parameter.index()];
                sum.present = true;
                let (out, x, added) = (sum.memory.address(), x.address, sum.added);
                let width = bound.routine.field(span).width;
                self.backend.library.launch(kernel::Add { out, x, width, added })
            }
            None => {
                let mut instructions = bound.instructions(Phase::Accumulate).iter();
                let args = instructions.find_map(|(_, instruction)| match instruction {
                    Instruction::Op { value, out: None, args } if *value == id => Some(args),
                    _ => None,
                });
                let Some(args) = args else { return Ok(()) };
                let width = bound.routine.field(args[0]).width;
                let (rows, order) = self.order(id, args)?;
                let (count, bytes) = (rows.len(), rows.len() * width * size_of::<T>());
                let GpuBackend { sums, driver, .. } = &mut *self.backend;
                let to = sums.make_sparse(parameter, (width, rows), bytes, driver)?;
                self.sum_sparse(to, args[0], count, order)?;
                Ok(())
            }
        }
    }

    /// The address of a sum, and whether the sum is added to what is there.
    fn sum_place(&self, field: Field) -> Option<(Address, bool)> {
        match self.layout.places[field.record] {
            Place::Gradient(parameter) => {
                let sum = &self.backend.sums.dense[parameter.index()];
                let address = sum.memory.address() + (field.start * size_of::<T>()) as u64;
                Some((address, sum.added))
            }
            _ => self.place(field).map(|rows| (rows.address, false)),
        }
    }

    /// `Σ y xᵀ` over all rows, into blocks of matrices.
    fn sum_products(&mut self, number: StackId) -> Result<(), GpuError> {
        let bound = self.bound;
        let stack = &bound.routine.stacks[number];
        let Matrices::Values(blocks) = &stack.matrices else {
            unreachable!("sums go to matrices that are values")
        };
        let domain = |field: Field| bound.routine.records[field.record].domain;
        let rows = self.count(domain(stack.out)).max(self.count(domain(stack.args)));
        let y = self.field_input(stack.domain, stack.out);
        let x = self.equidistant(stack, rows, y.number)?;
        let real = self.backend.library.numbers.real;
        for block in merged(blocks) {
            let Some((start, added)) = self.sum_place(block.matrix) else { continue };
            let first = block.start[0] * block.columns + block.start[1];
            let c = Rows::same_row(start, block.columns, real).from(first);
            let (m, n) = (block.out.1, block.args.1);
            if rows == 0 {
                if !added {
                    self.backend.library.fill(c, m, n, 0.0)?;
                }
                continue;
            }
            let a = Matrix { transposed: true, ..matrix(y.from(block.out.0)) };
            let b = matrix(x.from(block.args.0));
            let (size, c) = ([m, n, rows], matrix(c));
            let product =
                Product { size, a, b, c, added, operand_type: y.number, result_type: real };
            self.backend.driver.multiply(&product)?;
        }
        Ok(())
    }

    fn sum_rows(&mut self, out: Span, summed: Span) -> Result<(), GpuError> {
        let field = self.bound.routine.field(out);
        let Some((to, added)) = self.sum_place(field) else { return Ok(()) };
        let (width, count) = (field.width, self.count(self.domain(summed)));
        let x = self.output(summed).expect("what is summed is kept");
        let parts = count.div_ceil(PART);
        let spare = self.spare(parts * width, self.backend.library.numbers.real)?;
        let library = &self.backend.library;
        let summed = kernel::SumParts { out: spare, x, count, part: PART, rows: parts, width };
        library.launch(summed)?;
        library.launch(kernel::SumRows { out: to, x: spare, count: parts, added, width })
    }

    /// Sums of weighted terms of a product in a semiring, over all rows.
    fn sum_weighted(
        &mut self,
        id: ValueId,
        (semiring, role): (Semiring, Role),
        out: Span,
        args: &[Span],
    ) -> Result<(), GpuError> {
        let field = self.bound.routine.field(out);
        let Some((to, added)) = self.sum_place(field) else { return Ok(()) };
        let domain = args.iter().map(|arg| self.domain(*arg)).max().unwrap_or(Domain::Step);
        let (width, count) = (field.width, self.count(domain));
        let [m, inner, n] = self.bound.semiring_sizes(id);
        let parts = count.div_ceil(PART);
        let spare = self.spare(parts * width, self.backend.library.numbers.real)?;
        let [a, b, y, f, g] = [0, 1, 2, 3, 4].map(|operand| self.input(domain, args[operand]));
        let library = &self.backend.library;
        library.launch(kernel::SemiringSumParts {
            out: spare,
            a,
            b,
            y,
            f,
            g,
            greatest: semiring == Semiring::Max,
            role: role as u32,
            m,
            inner,
            n,
            count,
            part: PART,
            rows: parts,
            width,
        })?;
        library.launch(kernel::SumRows { out: to, x: spare, count: parts, added, width })
    }

    /// The rows of a table to sum, ascending, and device addresses of: the offset of each row's
    /// summands, the summands in the order of their rows, and the rows.
    fn order(&mut self, id: ValueId, args: &[Span]) -> Result<(Vec<u32>, [Address; 3]), GpuError> {
        let domain = self.domain(args[0]);
        let mut order: Vec<(u32, u32)> = Vec::new();
        match self.bound.plan.program.value(id).op.bag() {
            Some(field) => {
                for summand in self.rows_of(domain) {
                    let is_edge = domain == Domain::Edge;
                    let row =
                        if is_edge { self.layout.rest_owners[summand] as usize } else { summand };
                    let bag = self.frame.bag(self.layout.vertices[row], field);
                    order.extend(bag.iter().map(|index| (*index, summand as u32)));
                }
            }
            None => order.extend(self.index_values(args[1], domain)?.into_iter().zip(0..)),
        }
        let memory = self.backend.sums.order.as_mut().expect(ORDER);
        sorted(order, memory, &*self.backend.driver)
    }

    fn sum_sparse(
        &self,
        to: Address,
        summed: Span,
        rows: usize,
        [offsets, order, _]: [Address; 3],
    ) -> Result<(), GpuError> {
        let width = self.bound.routine.field(summed).width;
        let x = self.output(summed).expect("what is summed is kept");
        self.backend.library.launch(kernel::SumSparse { out: to, x, offsets, order, rows, width })
    }

    /// The sum of a table's rows, as a dense table.
    fn sum_table(&mut self, id: ValueId, out: Span, args: &[Span]) -> Result<(), GpuError> {
        let summed = args[0];
        let Some(to) = self.output(out) else { return Ok(()) };
        let size = self.bound.routine.field(out).width;
        let width = self.bound.routine.field(summed).width;
        let (rows, order) = self.order(id, args)?;
        let spare = self.spare(rows.len() * width, self.backend.library.numbers.real)?;
        self.sum_sparse(spare, summed, rows.len(), order)?;
        let library = &self.backend.library;
        library.fill(to, 1, size, 0.0)?;
        let (out, places, rows) = (to.address, order[2], rows.len());
        library.launch(kernel::PlaceRows { out, x: spare, places, rows, width })
    }
}

/// Merges blocks that are adjacent both in a matrix and in the operands.
fn merged(blocks: &[ValueBlock]) -> Vec<ValueBlock> {
    let mut wide: Vec<ValueBlock> = Vec::new();
    for block in blocks {
        match wide.last_mut() {
            Some(last)
                if last.matrix == block.matrix
                    && last.out == block.out
                    && last.start[0] == block.start[0]
                    && last.start[1] + last.args.1 == block.start[1]
                    && last.args.0 + last.args.1 == block.args.0 =>
            {
                last.args.1 += block.args.1;
            }
            _ => wide.push(*block),
        }
    }
    let mut merged: Vec<ValueBlock> = Vec::new();
    for block in wide {
        let above = merged.iter_mut().find(|above| {
            above.matrix == block.matrix
                && above.args == block.args
                && above.start[1] == block.start[1]
                && above.start[0] + above.out.1 == block.start[0]
                && above.out.0 + above.out.1 == block.out.0
        });
        match above {
            Some(above) => above.out.1 += block.out.1,
            None => merged.push(block),
        }
    }
    merged
}
