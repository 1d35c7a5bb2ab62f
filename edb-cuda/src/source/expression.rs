//! How an op of a kernel is written: the row of the op table that this back end adds.

use edb_ir::Op;

/// The value of an op of a kernel from the names of its arguments. Where losses are `scaled`, `scale`
/// says by what.
///
/// # Panics
/// For an op that is no part of a kernel, which the compiler of routines never puts there.
pub(super) fn expression(op: &Op, args: &[String], scaled: bool) -> String {
    let a = args.first().map_or("", String::as_str);
    let b = args.get(1).map_or("", String::as_str);
    match op {
        Op::Constant(value) => number(*value),
        Op::LossScale if scaled => "scale".into(),
        Op::LossScale => number(1.0),
        Op::Zeros => number(0.0),
        Op::Copy(_) | Op::Expand => a.into(),
        Op::Neg => format!("-{a}"),
        Op::Sigmoid => format!("sigmoid({a})"),
        Op::Tanh => format!("tanh({a})"),
        Op::Relu => format!("relu({a})"),
        Op::Exp => format!("exp({a})"),
        Op::Ln => format!("log({a})"),
        Op::Positive => format!("positive({a})"),
        Op::Sqrt => format!("sqrt({a})"),
        Op::Abs => format!("fabs({a})"),
        Op::Sign => format!("sign({a})"),
        Op::Erf => format!("erf({a})"),
        Op::Softplus => format!("softplus({a})"),
        Op::Round => format!("rint({a})"),
        Op::Add => format!("{a} + {b}"),
        Op::Sub => format!("{a} - {b}"),
        Op::Mul => format!("{a} * {b}"),
        Op::Div => format!("{a} / {b}"),
        Op::Pow => format!("pow({a}, {b})"),
        Op::Greater => format!("greater({a}, {b})"),
        Op::GreaterEqual => format!("greater_equal({a}, {b})"),
        Op::Exceeds => format!("exceeds({a}, {b})"),
        Op::Mask => format!("mask({a}, {b})"),
        Op::Param(_)
        | Op::Pull(_)
        | Op::Child { .. }
        | Op::StateGradient(_)
        | Op::OutputGradient(_)
        | Op::Length(_)
        | Op::Dropout { .. }
        | Op::Noise { .. }
        | Op::WhereAbsent(_)
        | Op::Dot
        | Op::DotTransposed
        | Op::Outer
        | Op::MatMul
        | Op::MatMulLeftTransposed
        | Op::MatMulRightTransposed
        | Op::Transpose
        | Op::Concat
        | Op::Slice { .. }
        | Op::Pad { .. }
        | Op::Sum
        | Op::Max
        | Op::MaxMask
        | Op::Softmax
        | Op::LogSoftmax
        | Op::LogSumExp
        | Op::Norm
        | Op::CumulativeSum
        | Op::CumulativeSumReversed
        | Op::Reshape
        | Op::Row(_)
        | Op::RowSum(_)
        | Op::BagSum(_)
        | Op::BagRowSum(_)
        | Op::BagSize(_)
        | Op::CrossEntropy(_)
        | Op::OneHot(_)
        | Op::Pick(_)
        | Op::Reduce(_)
        | Op::ReduceMax
        | Op::EdgeMaxMask
        | Op::OuterSum => unreachable!("{op:?} is no part of a kernel"),
    }
}

/// What follows `reduce_` and `edb_` in the names of a reduction.
///
/// # Panics
/// For an op that is no reduction.
pub(crate) fn reduction(op: &Op) -> &'static str {
    match op {
        Op::Sum => "sum",
        Op::Max => "max",
        Op::MaxMask => "max_mask",
        Op::Softmax => "softmax",
        Op::LogSoftmax => "log_softmax",
        Op::LogSumExp => "log_sum_exp",
        Op::Norm => "norm",
        Op::CrossEntropy(_) => "cross_entropy",
        Op::CumulativeSum => "cumulative_sum",
        Op::CumulativeSumReversed => "cumulative_sum_reversed",
        op => unreachable!("`{}` is no reduction", op.row().name),
    }
}

/// A number, rounded to the kernel's type as the CPU rounds it.
fn number(value: f64) -> String {
    match value {
        value if value.is_nan() => "(real)NAN".into(),
        value if value.is_infinite() => {
            format!("(real){}INFINITY", if value < 0.0 { "-" } else { "" })
        }
        value => format!("(real){value:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact() {
        assert_eq!(number(0.1), "(real)1e-1");
        assert_eq!(number(-2.0), "(real)-2e0");
        assert_eq!(number(f64::NEG_INFINITY), "(real)-INFINITY");
        for value in [1.0 / 3.0, 1e-310, f64::MAX, std::f64::consts::PI] {
            let text = number(value);
            assert_eq!(text["(real)".len()..].parse::<f64>().unwrap(), value);
        }
    }
}
