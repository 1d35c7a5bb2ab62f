//! Calls of functions: primitives, ops that are written as functions, helpers.

use edb_ir::{Arity, Op, Surface};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::{Expr, ExprCall, ExprPath};

use super::pattern::Hint;
use super::{Lowering, Operand};
use crate::suggest::closest;
use crate::text;
use crate::value::Value;

/// The primitives.
const PRIMITIVES: [&str; 7] =
    ["gather", "gather_or", "gather_all", "scatter", "pull", "push", "loss"];

/// The functions that are more than an op applied to tensors.
const SPECIAL: [&str; 3] = ["zeros", "cross_entropy", "mse"];

/// The functions that are ops.
fn plain(name: &str) -> Option<&'static Op> {
    let is = |op: &&Op| matches!(op.row().surface, Surface::Function(function) if function == name);
    Op::PLAIN.iter().find(is)
}

/// Every function of the language.
pub(crate) fn functions() -> Vec<&'static str> {
    let ops = Op::PLAIN.iter().filter_map(|op| match op.row().surface {
        Surface::Function(name) => Some(name),
        _ => None,
    });
    PRIMITIVES.into_iter().chain(SPECIAL).chain(ops).collect()
}

impl Lowering<'_> {
    pub(super) fn call(&mut self, call: &ExprCall, whole: &Expr, hint: &Hint) -> Value {
        let Expr::Path(path) = text::peel(&call.func) else {
            self.arguments(call);
            return self.poison(&call.func, "only functions that have a name are called");
        };
        let segments = &path.path.segments;
        let name = segments.last().map(|last| last.ident.unraw().to_string()).unwrap_or_default();
        // A path into edb itself means what the name alone means.
        let of_edb = segments.len() == 1 || segments[0].ident == "edb";
        if of_edb {
            if PRIMITIVES.contains(&name.as_str()) {
                return self.primitive(&name, call, path, hint);
            }
            match name.as_str() {
                "zeros" => return self.zeros(call),
                "cross_entropy" => return self.cross_entropy(call, whole),
                "mse" => return self.mse(call, whole),
                _ => {}
            }
            if let Some(op) = plain(&name) {
                return self.plain_function(op, &name, call, whole);
            }
            if let Some(value) = self.mistaken(&name, call, path) {
                return value;
            }
        }
        if segments.iter().any(|part| part.ident.to_string().starts_with(char::is_uppercase)) {
            let message = format!(
                "`{}` is not called in a vertex function: its functions are {}, and helpers \
                 (`#[vertex_helper] fn`)",
                text::path(&path.path),
                functions().join(", "),
            );
            return self.poison(path, message);
        }
        let variable = path.path.get_ident().and_then(|name| self.scopes.find(&name.to_string()));
        if variable.is_some() {
            self.arguments(call);
            return self.poison(path, format!("`{name}` is a variable; only functions are called"));
        }
        self.helper_call(call, path)
    }

    /// The error of a call whose name is nearly that of an op, or that of a method.
    fn mistaken(&mut self, name: &str, call: &ExprCall, path: &ExprPath) -> Option<Value> {
        let methods = super::method::methods();
        let known = closest(name, methods.iter().copied());
        let message = match closest(name, functions()) {
            Some(known) => format!("there is no function `{name}`: did you mean `{known}`?"),
            None if known == Some(name) => {
                let mut arguments = call.args.iter().map(text::operand);
                let receiver = arguments.next().unwrap_or("x".into());
                let arguments: Vec<String> = arguments.collect();
                format!("`{name}` is a method: `{receiver}.{name}({})`", arguments.join(", "))
            }
            None => format!("there is no function `{name}`: did you mean the method `{}`?", known?),
        };
        self.arguments(call);
        Some(self.poison(path, message))
    }

    /// The values of a call's arguments.
    pub(super) fn arguments(&mut self, call: &ExprCall) -> Vec<Value> {
        call.args.iter().map(|argument| self.expression(argument, &Hint::Any)).collect()
    }

    /// The arguments of a call that takes `N` of them, with their values.
    pub(super) fn exactly<const N: usize>(
        &mut self,
        call: &ExprCall,
    ) -> Option<[(Value, Expr); N]> {
        let values = self.arguments(call);
        let pairs: Vec<(Value, Expr)> = values.into_iter().zip(call.args.iter().cloned()).collect();
        let pairs = pairs.try_into().ok();
        if pairs.is_none() {
            self.cx.leave_to_rustc();
        }
        pairs
    }

    /// An op that is written as a function of tensors, or of an array of any number of them.
    fn plain_function(&mut self, op: &Op, name: &str, call: &ExprCall, whole: &Expr) -> Value {
        let operands = match op.row().arity {
            Arity::Exact(arity) => {
                let values = self.arguments(call);
                if values.len() != arity {
                    return self.rejected();
                }
                self.operands(&values, call.args.iter())
            }
            Arity::Some => {
                let Some([(value, expr)]) = self.exactly::<1>(call) else {
                    return Value::Poison;
                };
                match value {
                    Value::Array(items) => self.array_operands(&items, &expr),
                    value if value.is_silent() => return value,
                    _ => {
                        let message = format!("`{name}` takes an array: `{name}([a, b, ..])`");
                        return self.poison(&expr, message);
                    }
                }
            }
        };
        match operands {
            Some(operands) if operands.is_empty() => {
                self.poison(call, format!("`{name}` of nothing has no length"))
            }
            Some(operands) => self.apply(op.clone(), operands, whole),
            None => self.unknown(),
        }
    }

    /// Values as operands; `None` if one is none or unknown.
    pub(super) fn operands<'e>(
        &mut self,
        values: &[Value],
        exprs: impl Iterator<Item = &'e Expr>,
    ) -> Option<Vec<Operand>> {
        let operands: Vec<Option<Operand>> =
            values.iter().zip(exprs).map(|(value, expr)| self.operand(value, expr)).collect();
        operands.into_iter().collect()
    }

    /// The elements of an array as operands: as they are written, or `xs[0]`, `xs[1]`, ...
    fn array_operands(&mut self, items: &[Value], array: &Expr) -> Option<Vec<Operand>> {
        if let Expr::Array(literal) = text::peel(array) {
            return self.operands(items, literal.elems.iter());
        }
        let mut operands = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let mut operand = self.operand(item, array)?;
            operand.text = format!("{}[{at}]", text::operand(array));
            operands.push(operand);
        }
        Some(operands)
    }

    /// A value of which nothing is known: unknown for now if a helper is to arrive, else in error.
    pub(super) fn unknown(&self) -> Value {
        if self.missing.is_empty() { Value::Poison } else { Value::Opaque(None) }
    }

    fn zeros(&mut self, call: &ExprCall) -> Value {
        let Some([(value, expr)]) = self.exactly::<1>(call) else {
            return Value::Poison;
        };
        match value {
            Value::Size(length) if length.as_constant().is_none_or(|length| length >= 0) => {
                Value::Tensor(self.builder.zeros(length))
            }
            value if value.is_silent() => value,
            Value::Size(_) => self.poison(&expr, "this length is negative"),
            _ => self.rejected(),
        }
    }

    fn cross_entropy(&mut self, call: &ExprCall, whole: &Expr) -> Value {
        let Some([(logits, logits_expr), (label, _)]) = self.exactly::<2>(call) else {
            return Value::Poison;
        };
        let operand = self.operand(&logits, &logits_expr);
        let index = self.index_field(&label);
        match (operand, index) {
            (Some(operand), Some(index)) => {
                self.apply(Op::CrossEntropy(index), vec![operand], whole)
            }
            _ => self.unknown(),
        }
    }

    /// `Σ (a - b)² / n`.
    fn mse(&mut self, call: &ExprCall, whole: &Expr) -> Value {
        let Some([(a, a_expr), (b, b_expr)]) = self.exactly::<2>(call) else {
            return Value::Poison;
        };
        let [a, b] = [self.operand(&a, &a_expr), self.operand(&b, &b_expr)];
        let (Some(a), Some(b)) = (a, b) else { return self.unknown() };
        let Value::Tensor(difference) = self.apply(Op::Sub, vec![a, b], whole) else {
            return Value::Poison;
        };
        let part = |id| Operand { id, text: "a - b".into(), tokens: whole.to_token_stream() };
        let pair = vec![part(difference), part(difference)];
        let Value::Tensor(square) = self.apply(Op::Mul, pair, whole) else { return Value::Poison };
        let Value::Tensor(sum) = self.apply(Op::Sum, vec![part(square)], whole) else {
            return Value::Poison;
        };
        let count = self.builder.length_of(difference);
        self.apply(Op::Div, vec![part(sum), part(count)], whole)
    }
}
