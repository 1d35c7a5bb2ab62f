//! interim
use edb_ir::{Kernel, Op};

use super::operand::Operand;
use crate::element::Element;

pub(super) fn run<T: Element>(
    kernel: &Kernel,
    (rows, length): (usize, usize),
    outputs: Vec<Option<Operand<'_, T>>>,
    inputs: Vec<Operand<'_, T>>,
) {
    let mut outputs = outputs;
    let mut values: Vec<T> = Vec::new();
    for row in 0..rows {
        for at in 0..length {
            values.clear();
            for input in &inputs {
                let x = input.row(row);
                values.push(if input.width == 1 { x[0] } else { x[at] });
            }
            for expr in &kernel.body {
                let x = |a: usize| values[usize::from(expr.args[a])];
                values.push(match expr.op {
                    Op::Constant(n) => T::from_f64(n),
                    Op::Zeros => T::zero(),
                    Op::Neg => -x(0),
                    Op::Sigmoid => x(0).sigmoid_::<true>(),
                    Op::Tanh => x(0).tanh_::<true>(),
                    Op::Relu => {
                        if x(0) > T::zero() {
                            x(0)
                        } else {
                            T::zero()
                        }
                    }
                    Op::Exp => x(0).exp_::<true>(),
                    Op::Ln => x(0).ln(),
                    Op::Positive => {
                        if x(0) > T::zero() {
                            T::one()
                        } else {
                            T::zero()
                        }
                    }
                    Op::Copy(_) | Op::Expand => x(0),
                    Op::Add => x(0) + x(1),
                    Op::Sub => x(0) - x(1),
                    Op::Mul => x(0) * x(1),
                    Op::Div => x(0) / x(1),
                    ref op => unreachable!("{}", op.row().name),
                });
            }
            for (out, (_, expr)) in outputs.iter_mut().zip(&kernel.outputs) {
                if let Some(out) = out {
                    out.row_mut(row)[at] = values[inputs.len() + usize::from(*expr)];
                }
            }
        }
    }
}
