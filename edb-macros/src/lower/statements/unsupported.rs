//! Constructs that the language does not have, each with an error that suggests an alternative.

use syn::{BinOp, Expr, Macro};

use super::optional::{absent, used_as_it_is};
use crate::lower::lowering::{Hint, Lowering};
use crate::text;
use crate::value::Value;

impl Lowering<'_> {
    /// The error for an expression that is not part of the language.
    pub(crate) fn unsupported(&mut self, expr: &Expr) -> Value {
        let message = match expr {
            Expr::Let(binding) => {
                let message = "`let` in a condition stands alone, and asks whether a vertex has its input: \
                               `if let Some(gold) = gold { .. }`; put further conditions into its arm";
                return self.poison(binding.let_token, message);
            }
            Expr::Return(_) => {
                "a vertex function returns nothing and runs to its end: `scatter`, `push` and \
                 `loss` are its results"
            }
            Expr::Break(_) => {
                "only a `loop` has a way out, a statement of its own: `if c { break; }`; loops over \
                 numbers are unrolled, and those over children run once for each of them"
            }
            Expr::Continue(_) => {
                "a loop in a vertex function has no `continue`: put what is left out into an `if`"
            }
            Expr::Closure(_) => {
                "closures are not part of a vertex function: code that is shared goes into a \
                 `#[vertex_helper] fn`"
            }
            Expr::Try(expr) => {
                let message = match self.expression(&expr.expr, &Hint::Any) {
                    Value::Optional(input) => absent(&input, &text::operand(&expr.expr)),
                    _ => "nothing fails inside of a vertex function: leave out the `?`".to_owned(),
                };
                return self.poison(expr.question_token, message);
            }
            Expr::Await(_) | Expr::Async(_) => "a vertex function is not async",
            Expr::Unsafe(block) => {
                return self
                    .poison(block.unsafe_token, "`unsafe` is not part of a vertex function");
            }
            Expr::Reference(reference) => {
                let value = self.expression(&reference.expr, &Hint::Any);
                let message = match &value {
                    Value::Optional(input) => used_as_it_is("the `&`", input),
                    _ => "tensors are `Copy` and passed by value: leave out the `&`".to_owned(),
                };
                self.error(reference.and_token, message);
                return value;
            }
            Expr::Macro(expr) => return self.unsupported_macro(&expr.mac),
            Expr::Range(_) => {
                "a range is part of a loop, `for k in 0..n`, or of a slice, `x.slice(from..to)`"
            }
            Expr::Block(_) => "blocks in a vertex function have no labels",
            Expr::Infer(_) => "`_` is no value",
            _ => "this is not part of a vertex function",
        };
        self.poison(expr, message)
    }

    pub(super) fn unsupported_macro(&mut self, called: &Macro) -> Value {
        let name = text::path(&called.path);
        let message = match name.as_str() {
            "vec" => "a vertex function has arrays, not vectors: `[a, b]`".to_string(),
            "println" | "print" | "eprintln" | "eprint" | "dbg" => format!(
                "`{name}!` is not part of a vertex function; to look at values, run the function \
                 eagerly in a debugger"
            ),
            _ => format!("macros such as `{name}!` are not part of a vertex function"),
        };
        self.poison(&called.path, message)
    }

    pub(crate) fn unsupported_operator(&mut self, op: &BinOp) -> Value {
        let text = text::operator(op);
        let message = match op {
            BinOp::Eq(_) | BinOp::Ne(_) => format!(
                "`{text}` compares indices, such as `kind == Index(0)`; numbers are hardly ever the same: `a < b` and \
                 the like compare scalars, and `x.equal(y)` is a mask"
            ),
            _ => format!("`{text}` is no operator of tensors: these are `+`, `-`, `*` and `/`"),
        };
        self.poison(op, message)
    }
}
