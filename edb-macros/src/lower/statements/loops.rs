//! `for`: over constants and arrays loops are unrolled, over children and to a dimension the body is lowered once.

use std::rc::Rc;

use edb_ir::{Dim, Slot};
use syn::{Expr, ExprCall, ExprForLoop, ExprPath, ExprRange, RangeLimits};

use crate::lower::calls::function_of_edb;
use crate::lower::expressions::part_of;
use crate::lower::lowering::{EdgeLoop, FunctionKind, Hint, Lowering};
use crate::text;
use crate::value::{FieldOrigin, Struct, Value};

/// The maximum number of loop bodies that are lowered in one function.
const MAX_BODIES: usize = 4096;

impl Lowering<'_> {
    pub(crate) fn for_loop(&mut self, for_loop: &ExprForLoop) -> Value {
        if let Some(label) = &for_loop.label {
            self.error(label, "loops in a vertex function have no labels");
        }
        let over = text::peel(&for_loop.expr);
        match over {
            Expr::Range(range) => self.numbers(range, for_loop),
            Expr::Call(call) if self.is_gather_all(call) => self.children(call, for_loop),
            _ => match self.expression(over, &Hint::Any) {
                Value::Array(items) => self.unroll(items, for_loop),
                value if value.is_silent() => self.unroll(vec![part_of(&value)], for_loop),
                Value::Optional(input) => {
                    let message = format!(
                        "`for` goes through numbers, arrays and children: where a vertex may be without its \
                         `{}`, read it by `if let Some({}) = {} {{ .. }}`",
                        input.ty.text,
                        text::tokens(&for_loop.pat),
                        text::operand(over),
                    );
                    self.error(over, message);
                    self.unroll(vec![Value::Struct(input)], for_loop);
                }
                _ => {
                    self.cx.leave_to_rustc();
                    self.unroll(vec![Value::Poison], for_loop);
                }
            },
        }
        Value::UNIT
    }

    fn numbers(&mut self, range: &ExprRange, for_loop: &ExprForLoop) {
        let mut end = |end: &Option<Box<Expr>>| match end.as_deref() {
            Some(expr) => match self.expression(expr, &Hint::Any) {
                Value::Size(size) => Ok(size),
                value => Err(value.is_silent()),
            },
            None => Err(false),
        };
        let (from, to) = (end(&range.start), end(&range.end));
        let behind = match range.limits {
            RangeLimits::HalfOpen(_) => 0,
            RangeLimits::Closed(_) => 1,
        };
        let to = to.and_then(|to| to.add_scaled(&Dim::constant(behind), 1).ok_or(false));
        let constant = |size: &Result<Dim, bool>| match size {
            Ok(size) => size.as_constant().ok_or(false),
            Err(unknown) => Err(*unknown),
        };
        if let (Ok(0), Ok(to)) = (constant(&from), &to)
            && to.as_constant().is_none()
        {
            if !to.is_at_least(1) {
                let message = "this loop may have no step: it may end at a dimension, at a multiple, or at more, as \
                               `0..n`; leave out a step by a condition, `if k as f64 > 0.0 { .. }`";
                self.error(range, message);
                return self.unroll(vec![Value::Poison], for_loop);
            }
            return self.counted_loop(to.clone(), for_loop);
        }
        let items = match (constant(&from), constant(&to)) {
            (Ok(from), Ok(to)) => {
                if to.saturating_sub(from) > MAX_BODIES as i64 {
                    let message = format!("this loop would be unrolled {} times", to - from);
                    self.error(range, message);
                    vec![Value::Poison]
                } else {
                    (from..to).map(|number| Value::Size(Dim::constant(number))).collect()
                }
            }
            (Err(true), _) | (_, Err(true)) => vec![Value::Poison],
            _ => {
                let message = "a loop over numbers goes from a constant to a constant, as `0..3`, or from 0 to a \
                               dimension, as `0..n`";
                self.error(range, message);
                vec![Value::Poison]
            }
        };
        self.unroll(items, for_loop);
    }

    fn unroll(&mut self, items: Vec<Value>, for_loop: &ExprForLoop) {
        let outside = self.executions;
        self.executions = self.executions.saturating_mul(items.len());
        for item in items {
            self.unrolled += 1;
            if self.unrolled > MAX_BODIES {
                let message =
                    format!("the loops of this function unroll to more than {MAX_BODIES} bodies");
                self.error(for_loop.for_token, message);
                break;
            }
            self.iteration(item, for_loop);
        }
        self.executions = outside;
    }

    pub(super) fn iteration(&mut self, item: Value, for_loop: &ExprForLoop) {
        let mark = self.scopes.enter();
        self.bind(&for_loop.pat, item);
        self.block(&for_loop.body, &Hint::Any);
        self.scopes.leave(mark);
    }

    /// `for child in gather_all::<S>() { .. }`.
    fn children(&mut self, call: &ExprCall, for_loop: &ExprForLoop) {
        let Expr::Path(path) = text::peel(&call.func) else { return };
        let child = self.child(call, path, for_loop);
        if self.edge.is_some() {
            // A nested loop is an error; its body is lowered as part of the outer loop, to find
            // more errors.
            return self.iteration(child, for_loop);
        }
        self.edge_loops += 1;
        self.builder.begin_children(self.edge_loops);
        self.edge = Some(EdgeLoop::new(self.scopes.len(), self.arms));
        self.iteration(child, for_loop);
        if let Some(edge) = self.edge.take() {
            self.add_folds(edge);
        }
    }

    /// The loop variable: the state of the child at an edge.
    fn child(&mut self, call: &ExprCall, path: &ExprPath, for_loop: &ExprForLoop) -> Value {
        if self.kind == FunctionKind::Helper || !self.frames.is_empty() {
            let message = "`gather_all` is not for helpers: loop in the vertex function, and hand \
                           the helper what it computes with";
            return self.poison(path, message);
        }
        if self.edge.is_some() {
            let message = "a loop over children does not stand inside of another one";
            self.note_port("gather_all", &[], self.of_children(path, for_loop), call);
            return self.poison(path, message);
        }
        if !call.args.is_empty() {
            return self.rejected();
        }
        let Hint::Port(ty) = self.of_children(path, for_loop) else {
            let message = "which type do the children have? Write `gather_all::<S>()`";
            return self.poison(path, message);
        };
        if let Some(known) = self.ports.rest.as_ref().filter(|known| **known != ty) {
            let message = format!(
                "`gather_all` reads the same children in each loop: as a `{}` here, and as a `{}` \
                 before",
                ty.text, known.text
            );
            return self.poison(call, message);
        }
        let state = self.state(&ty);
        self.builder.rest(state);
        self.ports.rest = Some(ty.clone());
        Value::Struct(Rc::new(Struct { ty, source: FieldOrigin::Child(Slot::Rest) }))
    }

    /// The type of the children that a loop goes through.
    fn of_children(&self, path: &ExprPath, for_loop: &ExprForLoop) -> Hint {
        self.turbofish(path).unwrap_or_else(|| Hint::of_pattern(&for_loop.pat, None))
    }

    /// Whether this calls edb's `gather_all`, and not another function whose path ends with this name.
    fn is_gather_all(&self, call: &ExprCall) -> bool {
        matches!(text::peel(&call.func), Expr::Path(path)
            if function_of_edb(self.edb, &path.path).as_deref() == Some("gather_all"))
    }
}
