//! Loops: over numbers and arrays they are unrolled; over children they are lowered once.

use std::collections::BTreeMap;
use std::rc::Rc;

use edb_ir::{Dim, Domain, Op, Slot, ValueId};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{
    BinOp, Expr, ExprAssign, ExprBinary, ExprCall, ExprForLoop, ExprPath, ExprRange, RangeLimits,
};

use super::arithmetic::Arithmetic;
use super::pattern::{Hint, part_of};
use super::{Lowering, Operand};
use crate::text;
use crate::value::{Source, Struct, Value};

/// How many loop bodies are lowered at most in one function.
const MOST: usize = 4096;

/// The `gather_all` loop that is being lowered.
#[derive(Debug)]
pub(super) struct EdgeLoop {
    /// How many variables there were before it: those are not of one edge.
    outer: usize,
    /// What it adds to outer variables.
    sums: BTreeMap<usize, Sum>,
    /// Where it reads outer variables.
    reads: Vec<(usize, TokenStream)>,
    /// How many dropouts there have been in its body.
    dropouts: u32,
}

/// What a loop adds to a variable: `None` when that is in error.
#[derive(Debug)]
struct Sum {
    term: Option<ValueId>,
    tokens: TokenStream,
    name: String,
}

impl Lowering<'_> {
    pub(super) fn for_loop(&mut self, for_loop: &ExprForLoop) -> Value {
        if let Some(label) = &for_loop.label {
            self.error(label, "loops in a vertex function have no labels");
        }
        let over = text::peel(&for_loop.expr);
        match over {
            Expr::Range(range) => self.numbers(range, for_loop),
            Expr::Call(call) if is_gather_all(call) => self.children(call, for_loop),
            _ => match self.expression(over, &Hint::Any) {
                Value::Array(items) => self.unroll(items, for_loop),
                value if value.is_silent() => self.unroll(vec![part_of(&value)], for_loop),
                value => {
                    let message = format!(
                        "a loop runs over numbers, `0..n`, over an array, or over children, \
                         `gather_all::<S>()`; this is {}",
                        value.kind()
                    );
                    self.error(over, message);
                    self.unroll(vec![Value::Poison], for_loop);
                }
            },
        }
        Value::UNIT
    }

    fn numbers(&mut self, range: &ExprRange, for_loop: &ExprForLoop) {
        let mut end = |end: &Option<Box<Expr>>| match end.as_deref() {
            Some(expr) => match self.expression(expr, &Hint::Any) {
                Value::Size(size) => size.as_constant().ok_or(false),
                value => Err(value.is_silent()),
            },
            None => Err(false),
        };
        let items = match (end(&range.start), end(&range.end)) {
            (Ok(from), Ok(to)) => {
                let to = match range.limits {
                    RangeLimits::HalfOpen(_) => to,
                    RangeLimits::Closed(_) => to.saturating_add(1),
                };
                if to.saturating_sub(from) > MOST as i64 {
                    let message = format!("this loop would be unrolled {} times", to - from);
                    self.error(range, message);
                    vec![Value::Poison]
                } else {
                    (from..to).map(|at| Value::Size(Dim::constant(at))).collect()
                }
            }
            (Err(true), _) | (_, Err(true)) => vec![Value::Poison],
            _ => {
                let message = "a loop over numbers is unrolled at build time, so both of its ends \
                               are constants: `0..3`";
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
            if self.unrolled > MOST {
                let message =
                    format!("the loops of this function unroll to more than {MOST} bodies");
                self.error(for_loop.for_token, message);
                break;
            }
            self.iteration(item, for_loop);
        }
        self.executions = outside;
    }

    fn iteration(&mut self, item: Value, for_loop: &ExprForLoop) {
        let mark = self.scopes.enter();
        self.bind(&for_loop.pat, item);
        self.block(&for_loop.body, &Hint::Any);
        self.scopes.leave(mark);
    }

    /// `for child in gather_all::<S>() { .. }`.
    fn children(&mut self, call: &ExprCall, for_loop: &ExprForLoop) {
        let Expr::Path(path) = &*call.func else { return };
        let child = self.child(call, path, for_loop);
        if self.edge.is_some() {
            // What is inside is lowered for its errors, as a part of the loop around.
            return self.iteration(child, for_loop);
        }
        self.edge_loops += 1;
        self.edge = Some(EdgeLoop {
            outer: self.scopes.len(),
            sums: BTreeMap::new(),
            reads: Vec::new(),
            dropouts: 0,
        });
        self.iteration(child, for_loop);
        if let Some(edge) = self.edge.take() {
            self.add_sums(edge);
        }
    }

    /// What the loop's variable is: the state of the child at an edge.
    fn child(&mut self, call: &ExprCall, path: &ExprPath, for_loop: &ExprForLoop) -> Value {
        if self.what == super::What::Helper || !self.frames.is_empty() {
            let message = "`gather_all` is not for helpers: loop in the vertex function, and hand \
                           the helper what it computes with";
            return self.poison(path, message);
        }
        if self.edge.is_some() {
            let message = "a loop over children does not stand inside of another one";
            return self.poison(path, message);
        }
        if !call.args.is_empty() {
            return self.poison(&call.args, "`gather_all` takes no arguments");
        }
        let written = self.turbofish(path);
        let ty = match (written, Hint::of_pattern(&for_loop.pat, None)) {
            (Some(ty), _) | (None, Hint::Port(ty)) => ty,
            _ => {
                let message = "which type do the children have? Write `gather_all::<S>()`";
                return self.poison(path, message);
            }
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
        Value::Struct(Rc::new(Struct { ty, source: Source::Child(Slot::Rest) }))
    }

    /// Whether a variable is from outside of the loop over children that we are in.
    pub(super) fn is_outside_edge_loop(&self, variable: usize) -> bool {
        self.edge.as_ref().is_some_and(|edge| variable < edge.outer)
    }

    /// Notes that a variable is read, which an accumulator must not be inside of its loop.
    pub(super) fn note_read(&mut self, variable: usize, tokens: &dyn ToTokens) {
        if let Some(edge) = self.edge.as_mut().filter(|edge| variable < edge.outer) {
            edge.reads.push((variable, tokens.to_token_stream()));
        }
    }

    /// The number of the dropout that comes next.
    pub(super) fn next_dropout(&mut self) -> u32 {
        let (count, base) = match &mut self.edge {
            Some(edge) => (&mut edge.dropouts, self.edge_loops << 16),
            None => (&mut self.dropouts, 0),
        };
        *count += 1;
        base | (*count - 1)
    }

    /// `acc += term` and its like, in a loop over children.
    pub(super) fn accumulate_op(
        &mut self,
        variable: usize,
        op: Arithmetic,
        binary: &ExprBinary,
    ) -> Value {
        match op {
            Arithmetic::Add => self.accumulate(variable, true, &binary.right, &binary.left),
            Arithmetic::Sub => self.accumulate(variable, false, &binary.right, &binary.left),
            Arithmetic::Mul | Arithmetic::Div => {
                self.expression(&binary.right, &Hint::Any);
                self.only_sums(variable, &binary.left, &binary.op);
            }
        }
        Value::UNIT
    }

    /// `acc = acc + term` and its like, in a loop over children.
    pub(super) fn accumulate_sum(&mut self, variable: usize, assign: &ExprAssign) -> Value {
        let mut terms = Vec::new();
        flatten(&assign.right, true, &mut terms);
        let is_target = |expr: &Expr| match text::peel(expr) {
            Expr::Path(path) => path
                .path
                .get_ident()
                .is_some_and(|ident| self.scopes.find(&ident.to_string()) == Some(variable)),
            _ => false,
        };
        match terms.iter().position(|&(positive, term)| positive && is_target(term)) {
            Some(at) => {
                terms.remove(at);
                for (positive, term) in terms {
                    self.accumulate(variable, positive, term, &assign.left);
                }
            }
            None => {
                self.expression(&assign.right, &Hint::Any);
                self.only_sums(variable, &assign.left, assign);
            }
        }
        Value::UNIT
    }

    fn only_sums(&mut self, variable: usize, target: &Expr, tokens: impl ToTokens) {
        let name = text::operand(target);
        let message = format!(
            "children come in any number and any order, so a loop over them only adds to a variable \
             from outside: `{name} += ..`"
        );
        self.error(tokens, message);
        self.add_term(variable, None, target);
    }

    fn accumulate(&mut self, variable: usize, positive: bool, term: &Expr, target: &Expr) {
        let value = self.expression(term, &Hint::Any);
        let Some(operand) = self.operand(&value, term) else {
            return self.add_term(variable, None, target);
        };
        let mut id = operand.id;
        if self.builder.domain(id) != Domain::Edge {
            id = self.builder.for_each_edge(id);
        }
        if !positive {
            match self.apply(Op::Neg, vec![Operand { id, ..operand }], term) {
                Value::Tensor(negative) => id = negative,
                _ => return self.add_term(variable, None, target),
            }
        }
        self.add_term(variable, Some((id, term)), target);
    }

    fn add_term(&mut self, variable: usize, term: Option<(ValueId, &Expr)>, target: &Expr) {
        let Some(mut edge) = self.edge.take() else { return };
        let sum = match (edge.sums.get(&variable), term) {
            (None, Some((id, _))) => Some(id),
            (Some(Sum { term: Some(before), .. }), Some((id, expr))) => {
                let name = text::operand(target);
                let whole = format!("{name} += {}", text::operand(expr));
                let operand = |id, text, tokens: &Expr| Operand {
                    id,
                    text,
                    tokens: tokens.to_token_stream(),
                };
                let operands = vec![
                    operand(*before, format!("what was added to {name}"), target),
                    operand(id, text::operand(expr), expr),
                ];
                let result = self.builder.apply(Op::Add, &[*before, id]);
                match self.result(result, operands, whole, expr) {
                    Value::Tensor(id) => Some(id),
                    _ => None,
                }
            }
            _ => None,
        };
        let (tokens, name) = (target.to_token_stream(), text::operand(target));
        edge.sums.insert(variable, Sum { term: sum, tokens, name });
        self.edge = Some(edge);
    }

    /// After the loop: each accumulator is what it was before, and the sum over the edges.
    fn add_sums(&mut self, edge: EdgeLoop) {
        for (variable, tokens) in &edge.reads {
            if let Some(sum) = edge.sums.get(variable) {
                let name = &sum.name;
                let message = format!(
                    "`{name}` is only added to inside of this loop, not read: children come in any \
                     order, and its value is there after the loop"
                );
                self.error(tokens, message);
            }
        }
        for (variable, Sum { term, tokens, name }) in edge.sums {
            let before = self.scopes.value(variable).clone();
            let number = matches!(before, Value::Number(_) | Value::Real(_));
            let before = match (&before, term) {
                (Value::Tensor(id) | Value::Real(id), Some(_)) => Some(*id),
                (Value::Number(number), Some(_)) => Some(self.builder.constant(*number)),
                (Value::Pulled(field), Some(_)) => self.pulled_tensor(field, &tokens),
                (value, Some(_)) if !value.is_silent() => {
                    let message = format!("`{name}` is {}, and the loop adds to it", value.kind());
                    self.error(&tokens, message);
                    None
                }
                _ => None,
            };
            let value = match (before, term) {
                (Some(before), Some(term)) => {
                    let sum = self.builder.sum_edges(term);
                    let operand = |id, text| Operand { id, text, tokens: tokens.clone() };
                    let operands = vec![
                        operand(before, name.clone()),
                        operand(sum, "what the loop adds".into()),
                    ];
                    let result = self.builder.apply(Op::Add, &[before, sum]);
                    match self.result(result, operands, format!("{name} += .."), &tokens) {
                        Value::Tensor(id) if number => Value::Real(id),
                        value => value,
                    }
                }
                _ => self.unknown(),
            };
            self.scopes.set(variable, value);
        }
    }
}

fn is_gather_all(call: &ExprCall) -> bool {
    matches!(&*call.func, Expr::Path(path)
        if path.path.segments.last().is_some_and(|last| last.ident == "gather_all"))
}

/// The terms of a sum with their signs, in order.
fn flatten<'e>(expr: &'e Expr, positive: bool, terms: &mut Vec<(bool, &'e Expr)>) {
    match text::peel(expr) {
        Expr::Binary(binary) if matches!(binary.op, BinOp::Add(_) | BinOp::Sub(_)) => {
            flatten(&binary.left, positive, terms);
            flatten(&binary.right, positive == matches!(binary.op, BinOp::Add(_)), terms);
        }
        expr => terms.push((positive, expr)),
    }
}
