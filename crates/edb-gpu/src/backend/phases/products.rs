//! Products: with parameters in one call over all rows, with matrices of vertices row by row.

use edb_core::backend::{BoundStack, Matrices, ValueBlock, WeightsId};
use edb_core::element::Element;
use edb_ir::routine::ProductKind;
use edb_ir::{Domain, StackId};

use super::operands::PhaseRun;
use crate::driver::{Matrix, Product};
use crate::error::GpuError;
use crate::kernels::library as kernel;
use crate::kernels::{Mode, Rows};
use crate::number::Number;

impl<T: Element + bytemuck::Pod> PhaseRun<'_, T> {
    /// Runs a product, by its number in the routine.
    pub(super) fn product(&mut self, stack: StackId) -> Result<(), GpuError> {
        let bound = self.bound;
        let stack = &bound.routine.stacks[stack];
        let Some(out) = self.place(stack.out) else { return Ok(()) };
        let rows = self.count(stack.domain);
        if rows == 0 {
            return Ok(());
        }
        match &stack.matrices {
            Matrices::Weights(weights) => {
                let library = &self.backend.library;
                // Values that are computed once per step are not rounded.
                let number = match stack.domain {
                    Domain::Step => library.numbers.real,
                    Domain::Vertex | Domain::Edge => library.numbers.stored,
                };
                if self.tiled {
                    return self.multiply(stack, *weights, number, out, rows);
                }
                let x = self.equidistant(stack, rows, number)?;
                let library = &self.backend.library;
                let b = self.backend.parameters.stacked(self.frame, *weights, number, library)?;
                self.backend.driver.multiply(&Product {
                    size: [rows, stack.out.width, stack.args.width],
                    a: matrix(x),
                    b,
                    c: matrix(out),
                    added: stack.accumulate,
                    operand_type: number,
                    result_type: out.number,
                })
            }
            Matrices::Values(blocks) => self.contract(stack, blocks, out, rows),
        }
    }

    /// `out = W x`, or `out += W x`, by the back end's own kernel, which reads its arguments in
    /// place.
    fn multiply(
        &mut self,
        stack: &BoundStack,
        weights: WeightsId,
        number: Number,
        out: Rows,
        rows: usize,
    ) -> Result<(), GpuError> {
        let x = self.field_input(stack.domain, stack.args);
        let library = &self.backend.library;
        let w = self.backend.parameters.stacked(self.frame, weights, number, library)?;
        library.launch(kernel::Multiply {
            out,
            x,
            w: Rows::same_row(w.address, w.stride, number),
            transposed: w.transposed,
            added: stack.accumulate,
            rows,
            columns: stack.out.width as u32,
            terms: stack.args.width as u32,
        })
    }

    /// The arguments of a product as equally spaced rows in a number type: in place, or copied.
    pub(super) fn equidistant(
        &mut self,
        stack: &BoundStack,
        rows: usize,
        number: Number,
    ) -> Result<Rows, GpuError> {
        let x = self.field_input(stack.domain, stack.args);
        if x.mode == Mode::SameRow && x.number == number {
            return Ok(x);
        }
        let width = stack.args.width;
        let copied = Rows::same_row(self.spare(rows * width, number)?, width, number);
        self.backend.library.copy(copied, x, rows, width)?;
        Ok(copied)
    }

    /// `out += W x` or `out += Wᵀ x` with a matrix for each row, block by block.
    fn contract(
        &self,
        stack: &BoundStack,
        blocks: &[ValueBlock],
        out: Rows,
        rows: usize,
    ) -> Result<(), GpuError> {
        let library = &self.backend.library;
        if !stack.accumulate {
            library.fill(out, rows, stack.out.width, 0.0)?;
        }
        let x = self.field_input(stack.domain, stack.args);
        for block in blocks {
            let first = block.start[0] * block.columns + block.start[1];
            let w = self.field_input(stack.domain, block.matrix).from(first);
            let (m, n) = (block.out.1, block.args.1);
            library.launch(kernel::Contract {
                out: out.from(block.out.0),
                x: x.from(block.args.0),
                w,
                columns: block.columns,
                transposed: stack.kind == ProductKind::DotTransposed,
                rows,
                m,
                n,
            })?;
        }
        Ok(())
    }
}

/// Equally spaced rows, as a matrix.
pub(super) fn matrix(rows: Rows) -> Matrix {
    Matrix { address: rows.address, stride: rows.stride, transposed: false }
}
