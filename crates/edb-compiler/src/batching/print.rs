//! A plan in text, for golden tests and for reading.

use std::fmt;

use crate::layout::OperandPlace;
use crate::layout::problem::Cost;
use edb_ir::Program;

use super::Batching;
use super::block::{Matrix, PieceBlock};
use super::calls::Call;
use super::constraints::{Origin, Placed};
use super::group::GroupId;
use super::pieces::PieceId;

/// The groups, one a line, with `products x terms` for each stack: equivalent ways to write a cell
/// print the same.
impl fmt::Display for Batching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for group in &self.groups {
            write!(f, "{:?} {:?} {:?}:", group.phase, group.domain, group.kind)?;
            for stack in &group.stacks {
                let terms = self.products[stack.products[0]].terms.len();
                write!(f, " {} x {terms}", stack.products.len())?;
            }
            writeln!(f)?;
        }
        let Cost { pinned, bytes } = self.copied();
        writeln!(f, "copied: {} bytes", pinned + bytes)
    }
}

impl Batching {
    /// The whole plan: the calls of each phase, the order in memory, and the copies. Piece `i` of
    /// value `v` reads `%v.i`, block (`r`, `c`) of parameter `w` reads `w.r.c`.
    pub fn describe<'a>(&'a self, program: &'a Program) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| {
            for (number, &(phase, call)) in self.calls.iter().enumerate() {
                let before = number.checked_sub(1).map(|before| self.calls[before]);
                if before.is_none_or(|(other, _)| other != phase) {
                    write!(f, "{}{phase:?}", if number == 0 { "" } else { "\n" })?;
                }
                match call {
                    Call::Group(group) => self.describe_group(f, program, group)?,
                    Call::Value(id) => {
                        if matches!(before, Some((of, Call::Group(_))) if of == phase) {
                            write!(f, "\n ")?;
                        }
                        write!(f, " %{}", id.0)?;
                    }
                }
            }
            let mut before = None;
            for &value in &self.layout.order {
                let space = self.constraints.problem.values[value].space;
                if before.replace(space) != Some(space) {
                    write!(f, "\nmemory")?;
                }
                write!(f, " {}", self.placed(program, &self.constraints.values[value]))?;
            }
            writeln!(f)?;
            for (call, origin) in self.layout.calls.iter().zip(&self.constraints.origins) {
                for (operand, place) in call.places.iter().enumerate() {
                    let OperandPlace::Copy(cost) = place else { continue };
                    let bytes = cost.pinned + cost.bytes;
                    match origin {
                        Origin::Whole(id) => write!(f, "copy of %{}", id.0)?,
                        other => write!(f, "copy of operand {operand} of {other:?}")?,
                    }
                    writeln!(f, ": {bytes} bytes")?;
                }
            }
            Ok(())
        })
    }

    fn describe_group(
        &self,
        f: &mut fmt::Formatter<'_>,
        program: &Program,
        group: GroupId,
    ) -> fmt::Result {
        let group = &self.groups[group];
        write!(f, "\n  {:?}", group.kind)?;
        for stack in &group.stacks {
            for &product in &stack.products {
                let product = &self.products[product];
                write!(f, "\n    {} =", self.piece(product.result))?;
                for (block, arg) in &product.terms {
                    write!(f, " {} {}", block_name(program, block), self.piece(*arg))?;
                }
            }
        }
        Ok(())
    }

    fn piece(&self, piece: PieceId) -> String {
        let piece = &self.pieces.list[piece];
        format!("%{}.{}", piece.value.0, piece.index)
    }

    /// The name of a value of the layout problem: `%v.i` for piece `i` of value `v`, and the blocks
    /// of a row or column of blocks, `w.r.c`, with a `+` between them.
    pub fn placed(&self, program: &Program, placed: &Placed) -> String {
        match placed {
            Placed::Piece(piece) => self.piece(*piece),
            Placed::Rows(blocks) | Placed::Columns(blocks) => {
                let names: Vec<String> = blocks.iter().map(|b| block_name(program, b)).collect();
                names.join("+")
            }
        }
    }
}

fn block_name(program: &Program, block: &PieceBlock) -> String {
    let PieceBlock { matrix, row, column } = block;
    match matrix {
        Matrix::Param(param) => {
            format!("{}.{row}.{column}", program.params[usize::from(*param)].name)
        }
        Matrix::Value(id) => format!("%{}.{row}.{column}", id.0),
    }
}
