//! The routine of a function whose losses do not count.
//!
//! A backward pass is linear in the gradients with which it begins: those of losses, and those that
//! come from outside. So what is computed from the first alone is zero where losses do not count. It
//! is written as zeros, not multiplied by them: the slopes of a loss may be infinite.

use crate::id::IdVec;
use crate::program::{Leaf, Op, Program, Reduction};

use super::{Expr, Instruction, Kernel, KernelOp, ProductKind, RecordId, Routine, Span};

/// What a value depends on; of several values, what the greatest says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    /// On no gradient.
    Forward,
    /// On the gradients of losses alone.
    Losses,
    /// On gradients from outside, too.
    Outside,
}

/// What each piece of each record depends on.
struct Origins(IdVec<RecordId, Vec<Origin>>);

impl Origins {
    fn of(&self, span: Span) -> Origin {
        let pieces = &self.0[span.record][usize::from(span.start)..usize::from(span.end)];
        pieces.iter().copied().max().unwrap_or(Origin::Forward)
    }

    fn of_all(&self, spans: impl IntoIterator<Item = Span>) -> Origin {
        spans.into_iter().map(|span| self.of(span)).max().unwrap_or(Origin::Forward)
    }

    fn set(&mut self, span: Span, origin: Origin) {
        self.0[span.record][usize::from(span.start)..usize::from(span.end)].fill(origin);
    }
}

/// The routine of a program, with zeros in the place of what depends on the gradients of its losses
/// alone. Records and products are the same; kernels have the same numbers, and further ones follow.
///
/// A product is left as it is, since it reads such zeros: so its matrices must be finite.
pub fn without_losses(program: &Program, routine: &Routine) -> Routine {
    let mut result = Routine { instructions: Vec::new(), ..routine.clone() };
    let nothing = routine.records.iter().map(|of| vec![Origin::Forward; of.pieces.len()]);
    let mut origins = Origins(nothing.collect());
    for (phase, instruction) in &routine.instructions {
        let mut zeros = None;
        match instruction {
            Instruction::Op { value, out, args } => {
                let op = &program.value(*value).op;
                let begins = match op {
                    Op::Leaf(Leaf::LossScale) => Origin::Losses,
                    Op::Leaf(Leaf::StateGradient(_) | Leaf::OutputGradient(_)) => Origin::Outside,
                    _ => Origin::Forward,
                };
                let origin = begins.max(origins.of_all(args.iter().copied()));
                if let Some(out) = out {
                    origins.set(*out, origin);
                }
                // Other ops move and add what they read, which is zeros.
                let multiplies = matches!(
                    op,
                    Op::Leaf(_)
                        | Op::Contraction(_)
                        | Op::SemiringContraction(_)
                        | Op::Reduction(Reduction::CrossEntropyGradient)
                );
                zeros = out.filter(|_| multiplies && origin == Origin::Losses);
            }
            Instruction::Copy { from, to } => {
                for (from_piece, to_piece) in (from.start..from.end).zip(to.start..) {
                    let origin = origins.0[from.record][usize::from(from_piece)];
                    origins.0[to.record][usize::from(to_piece)] = origin;
                }
            }
            Instruction::Product(stack) => {
                let of = &routine.stacks[*stack];
                let matrices = of.blocks.iter().map(|block| block.matrix);
                if of.kind == ProductKind::OuterSum {
                    let origin = origins.of_all([of.out, of.args]);
                    matrices.for_each(|matrix| origins.set(matrix, origin));
                } else {
                    let before = of.accumulate.then_some(of.out);
                    let origin = origins.of_all(matrices.chain([of.args]).chain(before));
                    origins.set(of.out, origin);
                }
            }
            Instruction::Kernel(id) => kernel(&mut result.kernels[*id], &mut origins),
        }
        let Some(out) = zeros else {
            result.instructions.push((*phase, instruction.clone()));
            continue;
        };
        for start in out.start..out.end {
            let piece = Span { start, end: start + 1, ..out };
            let record = &routine.records[out.record];
            let kernel = result.kernels.push(Kernel {
                domain: record.domain,
                shape: record.pieces[usize::from(start)].clone(),
                inputs: Vec::new(),
                body: vec![zero()],
                outputs: vec![(piece, 0)],
                ends: Vec::new(),
            });
            result.instructions.push((*phase, Instruction::Kernel(kernel)));
        }
    }
    result
}

fn zero() -> Expr {
    Expr { op: KernelOp::Number(0.0), args: Vec::new() }
}

/// Replaces the expressions of a kernel that depend on losses alone.
fn kernel(kernel: &mut Kernel, origins: &mut Origins) {
    let mut found: Vec<Origin> = kernel.inputs.iter().map(|input| origins.of(*input)).collect();
    let inputs = found.len();
    for expr in &mut kernel.body {
        let args = expr.args.iter().map(|arg| found[usize::from(*arg)]);
        let origin = match expr.op {
            KernelOp::LossScale => Origin::Losses,
            _ => args.max().unwrap_or(Origin::Forward),
        };
        found.push(origin);
        if origin == Origin::Losses {
            *expr = zero();
        }
    }
    for (out, expr) in &kernel.outputs {
        origins.set(*out, found[inputs + usize::from(*expr)]);
    }
    for end in &kernel.ends {
        let (out, _) = kernel.outputs[usize::from(end.output)];
        origins.set(end.out, origins.of(out));
    }
}
