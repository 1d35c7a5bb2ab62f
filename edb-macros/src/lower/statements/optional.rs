//! An input that a vertex may be without: what is in an arm that asks for it. Whether it is there is
//! known before anything runs, so these are variants of the function.

use std::rc::Rc;

use edb_ir::ValueId;
use quote::ToTokens;
use syn::{Expr, ExprIf, ExprLet, ExprMatch, ExprMethodCall, Pat};

use crate::lower::calls::OPTIONAL;
use crate::lower::expressions::part_of;
use crate::lower::lowering::{Hint, Lowering};
use crate::text;
use crate::value::{Struct, Value};

/// What an arm is for.
#[derive(Clone, Copy)]
enum Case<'a> {
    /// `Some(..)`, with this pattern.
    There(&'a Pat),
    /// `None`.
    Absent,
    /// `_`.
    Any,
}

impl<'a> Case<'a> {
    fn of(pattern: &'a Pat) -> Option<Self> {
        match pattern {
            Pat::Paren(inner) => Self::of(&inner.pat),
            Pat::Wild(_) => Some(Self::Any),
            Pat::TupleStruct(some) if some.path.segments.last()?.ident == "Some" => {
                some.elems.first().filter(|_| some.elems.len() == 1).map(Self::There)
            }
            Pat::Ident(none) if none.ident == "None" => Some(Self::Absent),
            Pat::Path(none) if none.path.segments.last()?.ident == "None" => Some(Self::Absent),
            _ => None,
        }
    }
}

/// The pattern inside of `Some(..)`.
pub(super) fn there(pattern: &Pat) -> Option<&Pat> {
    match Case::of(pattern) {
        Some(Case::There(pattern)) => Some(pattern),
        _ => None,
    }
}

impl Lowering<'_> {
    /// `if let Some(Gold { label }) = gold { .. } else { .. }`.
    pub(super) fn if_let(&mut self, expr: &ExprIf, test: &ExprLet, hint: &Hint) -> Value {
        let mut value = self.expression(&test.expr, &Hint::Any);
        let case = Case::of(&test.pat).unwrap_or(Case::Any);
        if let Case::Any = case {
            let message =
                "`if let` asks whether a vertex has its input: `if let Some(gold) = gold`";
            value = self.poison(&test.pat, message);
            self.bind_poison(&test.pat);
        }
        let then = |lowering: &mut Self| lowering.block(&expr.then_branch, hint);
        let other = |lowering: &mut Self| lowering.else_of(expr, hint);
        match case {
            Case::There(pat) => {
                self.if_there(&value, &test.expr, Some(pat), (then, other), &expr.if_token)
            }
            _ => self.if_there(&value, &test.expr, None, (other, then), &expr.if_token),
        }
    }

    /// `match gold { Some(Gold { label }) => .., None => .. }`, of an input that may be absent.
    pub(super) fn match_optional(&mut self, value: &Value, expr: &ExprMatch, hint: &Hint) -> Value {
        let arms: Vec<_> = expr.arms.iter().map(|arm| (Case::of(&arm.pat), arm)).collect();
        let (pat, there, absent) = match arms[..] {
            [(Some(Case::There(pat)), there), (Some(Case::Absent | Case::Any), absent)]
            | [(Some(Case::Absent), absent), (Some(Case::There(pat)), there)] => {
                (Some(pat), there, absent)
            }
            [(Some(Case::Absent), absent), (Some(Case::Any), there)] => (None, there, absent),
            _ => {
                let message = "there are two arms: `Some(..) => ..` where the vertex has its input, and \
                               `None => ..` where it does not";
                return self.poison(expr.match_token, message);
            }
        };
        let arms = (
            |lowering: &mut Self| lowering.expression(&there.body, hint),
            |lowering: &mut Self| lowering.expression(&absent.body, hint),
        );
        self.if_there(value, &expr.expr, pat, arms, &expr.match_token)
    }

    /// Branches on whether there is input: in the first arm, it is bound to a pattern.
    fn if_there(
        &mut self,
        value: &Value,
        asked: &Expr,
        pat: Option<&Pat>,
        (there, absent): (impl FnOnce(&mut Self) -> Value, impl FnOnce(&mut Self) -> Value),
        tokens: &dyn ToTokens,
    ) -> Value {
        let (condition, input) = match value {
            Value::Optional(input) => (self.has_input(tokens), Value::Struct(Rc::clone(input))),
            value if value.is_silent() => (None, part_of(value)),
            value => {
                let message = format!(
                    "`Some` and `None` are for an input that a vertex may be without, and this is {}; \
                     `if` branches on a condition, such as `x > 0.0`, and `match` on an index",
                    value.kind()
                );
                return self.poison(asked, message);
            }
        };
        let there = |lowering: &mut Self| {
            let mark = lowering.scopes.enter();
            if let Some(pat) = pat {
                lowering.bind(pat, input);
            }
            let value = there(lowering);
            lowering.scopes.leave(mark);
            value
        };
        self.branch(condition, there, absent, tokens)
    }

    /// `gold.is_some()` or `gold.is_none()`.
    pub(crate) fn optional_method(&mut self, input: &Rc<Struct>, call: &ExprMethodCall) -> Value {
        let name = call.method.to_string();
        if ["clone", "as_ref", "as_deref"].contains(&name.as_str()) {
            let message = used_as_it_is(&format!("`.{name}()`"), input);
            self.error(&call.method, message);
            return Value::Optional(Rc::clone(input));
        }
        if !OPTIONAL.contains(&name.as_str()) {
            return self.poison(&call.method, absent(input, &text::operand(&call.receiver)));
        }
        match self.has_input(&call.method) {
            Some(condition) if name == "is_none" => Value::Condition(self.builder.not(condition)),
            Some(condition) => Value::Condition(condition),
            None => Value::Poison,
        }
    }

    /// The condition that the vertex has its input.
    fn has_input(&mut self, tokens: &dyn ToTokens) -> Option<ValueId> {
        if self.edge.is_some() {
            let message = "whether there is input is asked outside of the loop over children: it is the same \
                           for each of them";
            self.error(tokens, message);
            return None;
        }
        self.ports.has_input
    }
}

/// The message for something that an input that may be absent does not need.
pub(super) fn used_as_it_is(what: &str, input: &Struct) -> String {
    format!(
        "an input that may be absent is used as it is: leave out {what}; to use it twice, let `{}` derive \
         `Clone, Copy`",
        input.ty.text
    )
}

/// The message for an input that may be absent, and is read as if it were there.
pub(super) fn absent(input: &Struct, name: &str) -> String {
    format!(
        "a vertex may be without its `{}`: read it where it is there, `if let Some({name}) = {name} {{ .. }}`",
        input.ty.text
    )
}
