//! The effects of a loop over children on the variables outside it: it adds to them, or takes their
//! maximum or minimum with its terms.
//!
//! The terms are values per edge; after the loop, the variable combines its previous value with the
//! sum, maximum or minimum of its terms over the edges. So no op depends on the number of children,
//! and hardly any on their order (of equal elements the first gets the gradient).

use edb_ir::{Domain, Pointwise, Sites, ValueId};
use quote::ToTokens;
use syn::{BinOp, Expr, ExprAssign, ExprBinary};

use crate::lower::expressions::Arithmetic;
use crate::lower::lowering::{EdgeLoop, Fold, FoldKind, Hint, Lowering, Operand, Read};
use crate::text;
use crate::value::Value;

/// What a loop adds to a variable, or takes its maximum or minimum with.
struct Term<'e> {
    id: ValueId,
    expr: &'e Expr,
}

impl Lowering<'_> {
    /// Whether a variable was declared outside the current loop over children.
    pub(super) fn is_outside_edge_loop(&self, variable: usize) -> bool {
        self.edge.as_ref().is_some_and(|edge| variable < edge.outer)
    }

    /// Records that a variable is read, which is not allowed for an accumulator inside its loop.
    pub(crate) fn note_read(&mut self, variable: usize, tokens: &dyn ToTokens) {
        if let Some(edge) = self.edge.as_mut().filter(|edge| variable < edge.outer) {
            edge.reads.push(Read { variable, tokens: tokens.to_token_stream() });
        }
    }

    /// The number of the next random draw.
    pub(crate) fn next_draw(&mut self) -> u32 {
        match &mut self.edge {
            Some(edge) => {
                edge.draws += 1;
                Sites::in_loop(self.edge_loops, edge.draws - 1)
            }
            None => self.draws.take(),
        }
    }

    /// `acc += term` and similar, in a loop over children.
    pub(super) fn accumulate_op(
        &mut self,
        variable: usize,
        op: Arithmetic,
        binary: &ExprBinary,
    ) -> Value {
        if self.edge.as_ref().is_some_and(|edge| self.arms > edge.arms) {
            self.expression(&binary.right, &Hint::Any);
            return self.accumulates_in_arm(variable, &binary.left);
        }
        match op {
            Arithmetic::Add => self.accumulate(variable, true, &binary.right, &binary.left),
            Arithmetic::Sub => self.accumulate(variable, false, &binary.right, &binary.left),
            Arithmetic::Mul | Arithmetic::Div => {
                self.expression(&binary.right, &Hint::Any);
                self.only_sums(variable, &binary.left, binary.op);
            }
        }
        Value::UNIT
    }

    /// `acc = acc + term` and similar, in a loop over children.
    pub(super) fn accumulate_sum(&mut self, variable: usize, assign: &ExprAssign) -> Value {
        if self.edge.as_ref().is_some_and(|edge| self.arms > edge.arms) {
            return self.accumulates_in_arm(variable, &assign.left);
        }
        let is_target = |expr: &Expr| match text::peel(expr) {
            Expr::Path(path) => path
                .path
                .get_ident()
                .is_some_and(|ident| self.scopes.find(&ident.to_string()) == Some(variable)),
            _ => false,
        };
        if let Expr::MethodCall(call) = text::peel(&assign.right)
            && is_target(&call.receiver)
            && let [term] = &call.args.iter().collect::<Vec<_>>()[..]
            && let Some(kind) = FoldKind::of_method(&call.method.to_string())
        {
            self.fold(variable, kind, term, &assign.left);
            return Value::UNIT;
        }
        let mut terms = Vec::new();
        flatten(&assign.right, true, &mut terms);
        match terms.iter().position(|&(positive, term)| positive && is_target(term)) {
            Some(target) => {
                terms.remove(target);
                for (positive, term) in terms {
                    self.accumulate(variable, positive, term, &assign.left);
                }
            }
            None => {
                let reads = self.edge.as_ref().map_or(0, |edge| edge.reads.len());
                self.expression(&assign.right, &Hint::Any);
                // Reading the variable here is part of the same mistake.
                if let Some(edge) = &mut self.edge {
                    let here = edge.reads.split_off(reads);
                    edge.reads.extend(here.into_iter().filter(|read| read.variable != variable));
                }
                self.only_sums(variable, &assign.left, assign);
            }
        }
        Value::UNIT
    }

    fn accumulates_in_arm(&mut self, variable: usize, target: &Expr) -> Value {
        let name = text::operand(target);
        let message = format!(
            "a loop over children adds to `{name}` for each of them: choose what, \
             `{name} += if .. {{ x }} else {{ zeros(n) }};`"
        );
        self.error(target, message);
        self.add_term(variable, FoldKind::Sum, None, target);
        Value::UNIT
    }

    fn only_sums(&mut self, variable: usize, target: &Expr, tokens: impl ToTokens) {
        let name = text::operand(target);
        let message = format!(
            "children come in any number and any order, so a loop over them only adds to a variable \
             from outside, `{name} += ..` or `{name} = {name}.log_add(..)`, or keeps its maximum or \
             minimum, `{name} = {name}.maximum(..)`"
        );
        self.error(tokens, message);
        self.add_term(variable, FoldKind::Sum, None, target);
    }

    /// `acc = acc.maximum(term)` and similar.
    fn fold(&mut self, variable: usize, kind: FoldKind, term: &Expr, target: &Expr) {
        let value = self.expression(term, &Hint::Any);
        let operand = self.operand(&value, term);
        let mut id = operand.map(|operand| operand.id);
        if let Some(id) = id.as_mut().filter(|id| self.builder.domain(**id) != Domain::Edge) {
            *id = self.builder.for_each_edge(*id);
        }
        self.add_term(variable, kind, id.map(|id| Term { id, expr: term }), target);
    }

    fn accumulate(&mut self, variable: usize, positive: bool, term: &Expr, target: &Expr) {
        let value = self.expression(term, &Hint::Any);
        let Some(operand) = self.operand(&value, term) else {
            return self.add_term(variable, FoldKind::Sum, None, target);
        };
        let mut id = operand.id;
        if self.builder.domain(id) != Domain::Edge {
            id = self.builder.for_each_edge(id);
        }
        if !positive {
            match self.apply(Pointwise::Neg, vec![Operand { id, ..operand }], term) {
                Value::Tensor(negative) => id = negative,
                _ => return self.add_term(variable, FoldKind::Sum, None, target),
            }
        }
        self.add_term(variable, FoldKind::Sum, Some(Term { id, expr: term }), target);
    }

    fn add_term(&mut self, variable: usize, kind: FoldKind, term: Option<Term<'_>>, target: &Expr) {
        let Some(mut edge) = self.edge.take() else { return };
        let term = match (edge.folds.get(&variable), term) {
            (Some(before), Some(_)) if before.kind != kind => {
                let name = text::operand(target);
                let message = format!(
                    "this loop does two things to `{name}`, whose result would depend on the order \
                     of the children: let each have a variable of its own"
                );
                self.error(target, message);
                None
            }
            (None, Some(term)) => Some(term.id),
            (Some(Fold { term: Some(before), .. }), Some(Term { id, expr })) => {
                let name = text::operand(target);
                let whole = kind.statement(&name, &text::operand(expr));
                let operand = |id, text, tokens: &Expr| Operand {
                    id,
                    text,
                    tokens: tokens.to_token_stream(),
                };
                let operands = vec![
                    operand(*before, format!("what was {} {name}", kind.effect()), target),
                    operand(id, text::operand(expr), expr),
                ];
                let result = kind.combine(&mut self.builder, *before, id);
                match self.result(result, operands, whole, expr) {
                    Value::Tensor(id) => Some(id),
                    _ => None,
                }
            }
            _ => None,
        };
        let (tokens, name) = (target.to_token_stream(), text::operand(target));
        edge.folds.insert(variable, Fold { kind, term, tokens, name });
        self.edge = Some(edge);
    }

    /// After the loop: combines the previous value of each accumulator with the terms of the edges.
    pub(super) fn add_folds(&mut self, edge: EdgeLoop) {
        for Read { variable, tokens } in &edge.reads {
            if let Some(Fold { kind, name, .. }) = edge.folds.get(variable) {
                let effect = kind.effect();
                let message = format!(
                    "`{name}` is only {effect} inside of this loop, not read: children come in any \
                     order, and its value is there after the loop"
                );
                self.error(tokens, message);
            }
        }
        for (variable, Fold { kind, term, tokens, name }) in edge.folds {
            let before = self.scopes.value(variable).clone();
            let number = matches!(before, Value::Number(_) | Value::Real(_));
            let before = match (&before, term) {
                (Value::Tensor(id) | Value::Real(id), Some(_)) => Some(*id),
                (Value::Number(number), Some(_)) => Some(self.builder.constant(*number)),
                (Value::Pulled(field), Some(_)) => self.pulled_tensor(field),
                (value, Some(_)) if !value.is_silent() => {
                    self.cx.leave_to_rustc();
                    None
                }
                _ => None,
            };
            let value = match (before, term) {
                (Some(before), Some(term)) => {
                    let operand = |id, text| Operand { id, text, tokens: tokens.clone() };
                    let operands = vec![
                        operand(before, name.clone()),
                        operand(term, kind.result_name().into()),
                    ];
                    let result = kind.over_edges(&mut self.builder, before, term);
                    match self.result(result, operands, kind.statement(&name, ".."), &tokens) {
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
