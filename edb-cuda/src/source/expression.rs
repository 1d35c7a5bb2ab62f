//! How an op of a fused kernel is written in CUDA C++: this back end's row of the op table.

use edb_ir::Pointwise;
use edb_ir::routine::KernelOp;

/// The expression of an op, from the names of its arguments. If losses are `scaled`, the variable
/// `scale` holds the loss scale.
pub(super) fn expression(op: KernelOp, args: &[String], scaled: bool) -> String {
    match op {
        KernelOp::Number(value) => number(value),
        KernelOp::LossScale if scaled => "scale".into(),
        KernelOp::LossScale => number(1.0),
        KernelOp::Copy => args[0].clone(),
        KernelOp::Pointwise(op) => {
            let arg = |place: usize| args.get(place).map_or("", String::as_str);
            pointwise(op, arg(0), arg(1), arg(2))
        }
    }
}

fn pointwise(op: Pointwise, a: &str, b: &str, c: &str) -> String {
    match op {
        Pointwise::Neg => format!("-{a}"),
        Pointwise::Sigmoid => format!("sigmoid({a})"),
        Pointwise::Tanh => format!("tanh({a})"),
        Pointwise::Relu => format!("relu({a})"),
        Pointwise::Exp => format!("exp({a})"),
        Pointwise::Ln => format!("log({a})"),
        Pointwise::Positive => format!("positive({a})"),
        Pointwise::Sqrt => format!("sqrt({a})"),
        Pointwise::Abs => format!("fabs({a})"),
        Pointwise::Sign => format!("sign({a})"),
        Pointwise::Erf => format!("erf({a})"),
        Pointwise::Softplus => format!("softplus({a})"),
        Pointwise::Round => format!("rint({a})"),
        Pointwise::ExpM1 => format!("expm1({a})"),
        Pointwise::NormalCdf => format!("normal_cdf({a})"),
        Pointwise::Bell => format!("bell({a})"),
        Pointwise::Add => format!("{a} + {b}"),
        Pointwise::Sub => format!("{a} - {b}"),
        Pointwise::Mul => format!("{a} * {b}"),
        Pointwise::Div => format!("{a} / {b}"),
        Pointwise::Pow => format!("pow({a}, {b})"),
        Pointwise::LogAdd => format!("log_add({a}, {b})"),
        Pointwise::Greater => format!("greater({a}, {b})"),
        Pointwise::GreaterEqual => format!("greater_equal({a}, {b})"),
        Pointwise::Exceeds => format!("exceeds({a}, {b})"),
        Pointwise::Mask => format!("mask({a}, {b})"),
        Pointwise::Select => format!("select({a}, {b}, {c})"),
    }
}

/// A literal, rounded to the kernel's type as the CPU rounds it.
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
