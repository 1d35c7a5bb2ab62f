//! Operators: on tensors they become ops, on constants and dimensions they are evaluated.

use edb_ir::{Dim, Indexing, Op, Pointwise};
use syn::{BinOp, Expr, ExprBinary, ExprUnary, UnOp};

use crate::lower::lowering::{Hint, Lowering, Operand};
use crate::value::Value;
use crate::{attr, text};

/// An arithmetic operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
}

impl Arithmetic {
    /// The operator, if it is arithmetic.
    pub(crate) fn new(op: &BinOp) -> Option<Self> {
        match op {
            BinOp::Add(_) => Some(Arithmetic::Add),
            BinOp::Sub(_) => Some(Arithmetic::Sub),
            BinOp::Mul(_) => Some(Arithmetic::Mul),
            BinOp::Div(_) => Some(Arithmetic::Div),
            _ => None,
        }
    }

    fn op(self) -> Op {
        match self {
            Arithmetic::Add => Op::Pointwise(Pointwise::Add),
            Arithmetic::Sub => Op::Pointwise(Pointwise::Sub),
            Arithmetic::Mul => Op::Pointwise(Pointwise::Mul),
            Arithmetic::Div => Op::Pointwise(Pointwise::Div),
        }
    }

    fn numbers(self, a: f64, b: f64) -> f64 {
        match self {
            Arithmetic::Add => a + b,
            Arithmetic::Sub => a - b,
            Arithmetic::Mul => a * b,
            Arithmetic::Div => a / b,
        }
    }

    /// `None` when the result is not linear, not whole, or out of range.
    fn sizes(self, a: &Dim, b: &Dim) -> Option<Dim> {
        match self {
            Arithmetic::Add => a.add_scaled(b, 1),
            Arithmetic::Sub => a.add_scaled(b, -1),
            Arithmetic::Mul => attr::product(a, b),
            Arithmetic::Div => match (a.as_constant(), b.as_constant()) {
                // As division of `usize`.
                (Some(a), Some(b)) => a.checked_div(b).map(Dim::constant),
                (None, Some(b)) => a.divided(b),
                _ => None,
            },
        }
    }
}

impl Lowering<'_> {
    /// `left op right`, or `left op= right`, of which these are the values.
    pub(crate) fn arithmetic(
        &mut self,
        op: Arithmetic,
        left: Value,
        right: Value,
        binary: &ExprBinary,
        whole: &Expr,
    ) -> Value {
        if matches!(left, Value::Poison) || matches!(right, Value::Poison) {
            return Value::Poison;
        }
        if left.is_silent() || right.is_silent() {
            return Value::Opaque(None);
        }
        match (&left, &right) {
            (Value::Number(a), Value::Number(b)) => return Value::Number(op.numbers(*a, *b)),
            (Value::Size(a), Value::Size(b)) => {
                let size = op.sizes(a, b);
                return size.map_or_else(
                    || {
                        let message = format!(
                            "`{}` cannot be computed at build time: dimensions are added, \
                             subtracted, and multiplied or divided by constants",
                            text::whole(whole)
                        );
                        self.poison(whole, message)
                    },
                    |size| self.size(size, whole),
                );
            }
            _ => {}
        }
        let number = |value: &Value| matches!(value, Value::Real(_) | Value::Number(_));
        let real = number(&left) && number(&right);
        let operands = [(&left, &binary.left), (&right, &binary.right)]
            .map(|(value, expr)| self.operand(value, expr));
        let [Some(left), Some(right)] = operands else { return Value::Poison };
        match self.apply(op.op(), vec![left, right], whole) {
            Value::Tensor(id) if real => Value::Real(id),
            value => value,
        }
    }

    /// A size, or an error if it does not fit both an `i32` and a `usize`: Rust may take a literal for either.
    pub(super) fn size(&self, size: Dim, whole: &Expr) -> Value {
        let Some(number) = size.as_constant() else { return Value::Size(size) };
        let what = match text::whole(whole) {
            text if text == number.to_string() => format!("`{text}`"),
            text => format!("`{text}`, which is {number},"),
        };
        if number < 0 {
            let message = format!(
                "{what} is no size: the integers of a vertex function are not negative, and numbers may be, \
                 `k as f64 - 1.0`"
            );
            return self.poison(whole, message);
        }
        if i32::try_from(number).is_err() {
            let message = format!(
                "{what} is too large for an integer of Rust's that has no other type, an `i32`: compute with numbers, \
                 `3000000000.0` or `k as f64 * 2.0`"
            );
            return self.poison(whole, message);
        }
        Value::Size(size)
    }

    /// `-x`.
    pub(super) fn unary(&mut self, unary: &ExprUnary, whole: &Expr) -> Value {
        match unary.op {
            UnOp::Neg(_) => {}
            UnOp::Deref(star) => {
                let message = "there are no references here: leave out the `*`";
                return self.poison(star, message);
            }
            UnOp::Not(_) => {
                return match self.expression(&unary.expr, &Hint::Any) {
                    Value::Condition(mask) => Value::Condition(self.builder.not(mask)),
                    value if value.is_silent() => value,
                    _ => self.poison(unary, "`!` negates conditions: `!(a == b)` of two indices"),
                };
            }
            _ => return self.poison(unary, "this operator is not part of a vertex function"),
        }
        match self.expression(&unary.expr, &Hint::Any) {
            Value::Number(number) => Value::Number(-number),
            Value::Size(size) => match size.as_constant().and_then(i64::checked_neg) {
                Some(negative) => self.size(Dim::constant(negative), whole),
                None => self.rejected(),
            },
            value if value.is_silent() => value,
            value => {
                let real = matches!(value, Value::Real(_));
                let Some(operand) = self.operand(&value, &unary.expr) else {
                    return Value::Poison;
                };
                match self.apply(Pointwise::Neg, vec![operand], whole) {
                    Value::Tensor(id) if real => Value::Real(id),
                    value => value,
                }
            }
        }
    }

    /// `left == right` or `left != right` of indices.
    pub(super) fn comparison(&mut self, binary: &ExprBinary, whole: &Expr) -> Value {
        let sides = [&binary.left, &binary.right];
        let values = sides.map(|side| self.expression(side, &Hint::Any));
        if values.iter().any(Value::is_silent) {
            return self.unknown();
        }
        if !values.iter().all(|value| self.is_open_or_index(value)) {
            return self.unsupported_operator(&binary.op);
        }
        let [left, right] = &values;
        let operands =
            [self.index_operand(left, &binary.left), self.index_operand(right, &binary.right)];
        let [Some(left), Some(right)] = operands else { return self.unknown() };
        match self.apply(Indexing::Same, vec![left, right], whole) {
            Value::Tensor(mask) if matches!(binary.op, BinOp::Ne(_)) => {
                Value::Condition(self.builder.not(mask))
            }
            Value::Tensor(mask) => Value::Condition(mask),
            value => value,
        }
    }

    /// A value as a tensor operand; `None` if it is unknown, or not a tensor, which has been
    /// reported.
    pub(crate) fn operand(&mut self, value: &Value, expr: &Expr) -> Option<Operand> {
        let text = text::operand(expr);
        let wrong = match value {
            Value::Tensor(id) | Value::Real(id) => return Some(operand(*id, text, expr)),
            Value::Number(number) => {
                return Some(operand(self.builder.constant(*number), text, expr));
            }
            Value::Pulled(field) => {
                return self.pulled_tensor(field).map(|id| operand(id, text, expr));
            }
            Value::Opaque(_) | Value::Poison | Value::Count(..) => return None,
            Value::Index(_) => format!(
                "`{text}` is an index, not a tensor: `table.row({text})` is a row of a table, \
                 `one_hot({text}, n)` a vector"
            ),
            Value::Condition(_) => {
                format!(
                    "`{text}` is a condition, not a tensor: `indicator({text})` is 1 where it holds"
                )
            }
            Value::Size(size) => match size.as_constant() {
                Some(number) if matches!(text::peel(expr), Expr::Lit(_)) => {
                    format!(
                        "tensors compute with `f64`, and `{text}` is an integer: write `{number}.0`"
                    )
                }
                _ => format!(
                    "tensors compute with `f64`, and `{text}` is an integer: write `{} as f64`",
                    text::receiver(expr)
                ),
            },
            Value::Struct(port) => {
                format!("`{text}` is a `{}`, not a tensor: name one of its fields", port.ty.text)
            }
            Value::Optional(_) => format!(
                "`{text}` is {}, not a tensor: `if let Some(..) = {text}` reads it where it is there",
                value.kind()
            ),
            Value::Array(_) => {
                format!(
                    "`{text}` is {}, not a tensor: name an element, or `concat` it",
                    value.kind()
                )
            }
            Value::Tuple(_) => format!("`{text}` is {}, not a tensor", value.kind()),
        };
        self.error(text::peel(expr), wrong);
        None
    }
}

fn operand(id: edb_ir::ValueId, text: String, expr: &Expr) -> Operand {
    Operand { id, text, tokens: quote::ToTokens::to_token_stream(expr) }
}
