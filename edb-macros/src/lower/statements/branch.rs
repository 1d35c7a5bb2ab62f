//! `if` and `match` on values: each arm is a block, and what the arms make different is a variable
//! behind the branch. In a loop over children both arms are computed, and one is chosen.

use std::rc::Rc;

use edb_ir::{Block, Indexing, Leaf, Op, Pointwise, ValueId};
use quote::ToTokens;
use syn::{BinOp, Expr, ExprBinary, ExprIf, ExprMatch, Lit, Pat};

use crate::lower::lowering::{Content, Hint, Lowering, Operand};
use crate::text;
use crate::value::{Field, FieldOrigin, Struct, Value};

/// What comes of an arm.
struct Arm {
    value: Value,
    /// The variables, afterwards.
    variables: Vec<Content>,
}

impl Lowering<'_> {
    /// `if condition { .. } else { .. }`.
    pub(crate) fn if_else(&mut self, expr: &ExprIf, hint: &Hint) -> Value {
        if let Expr::Let(test) = text::peel(&expr.cond) {
            return self.if_let(expr, test, hint);
        }
        let condition = self.expression(&expr.cond, &Hint::Any);
        let condition = self.condition(&condition, &expr.cond);
        // What is known when the function is compiled is no branch.
        match condition.and_then(|condition| self.known(condition)) {
            Some(true) => return self.block(&expr.then_branch, hint),
            Some(false) => return self.else_of(expr, hint),
            None => {}
        }
        let then = |lowering: &mut Self| lowering.block(&expr.then_branch, hint);
        let other = |lowering: &mut Self| lowering.else_of(expr, hint);
        self.branch(condition, then, other, &expr.if_token)
    }

    /// What stands behind `else`; nothing if there is none.
    pub(super) fn else_of(&mut self, expr: &ExprIf, hint: &Hint) -> Value {
        match &expr.else_branch {
            Some((_, other)) => self.expression(other, hint),
            None => Value::UNIT,
        }
    }

    /// `match index { Index(0) => .., Index(1) => .., _ => .. }`.
    pub(crate) fn match_index(&mut self, expr: &ExprMatch, hint: &Hint) -> Value {
        let value = self.expression(&expr.expr, &Hint::Any);
        if let Value::Optional(_) = value {
            return self.match_optional(&value, expr, hint);
        }
        let arms: Vec<&syn::Arm> = expr.arms.iter().collect();
        if value.is_silent() {
            // What the arms use shows, whatever the index is.
            return self.match_arms(None, &arms, expr, hint);
        }
        if !self.is_open_or_index(&value) {
            let message = format!(
                "`match` goes by an index, such as that of `x.argmax()`; this is {}",
                value.kind()
            );
            return self.poison(&expr.expr, message);
        }
        let index = self.index_operand(&value, &expr.expr);
        self.match_arms(index.as_ref(), &arms, expr, hint)
    }

    fn match_arms(
        &mut self,
        index: Option<&Operand>,
        arms: &[&syn::Arm],
        whole: &ExprMatch,
        hint: &Hint,
    ) -> Value {
        // All comparisons come before the first arm, so that one decision is enough.
        let mut cases = Vec::new();
        let mut last = None;
        for (place, arm) in arms.iter().enumerate() {
            if let Pat::Guard(guard) = &arm.pat {
                return self.poison(&guard.guard, "an arm has no `if`: put one into its body");
            }
            if matches!(arm.pat, Pat::Wild(_)) {
                if let Some(behind) = arms.get(place + 1) {
                    self.error(&behind.pat, "`_` is the last arm");
                }
                last = Some(*arm);
                break;
            }
            let Some(known) = indices(&arm.pat) else {
                let message = "an arm is for `Index(3)`, `Index(0) | Index(1)` or `_`";
                return self.poison(&arm.pat, message);
            };
            let condition = match index {
                Some(index) => match self.is_one_of(index, &known, arm, whole) {
                    Ok(condition) => condition,
                    Err(poison) => return poison,
                },
                None => None,
            };
            cases.push((condition, *arm));
        }
        let Some(last) = last else {
            let message = "the last arm is `_ => ..`, which all other indices take";
            return self.poison(whole.match_token, message);
        };
        self.cases(&cases, last, whole, hint)
    }

    /// Whether an index is one of those that an arm is for.
    fn is_one_of(
        &mut self,
        index: &Operand,
        known: &[u32],
        arm: &syn::Arm,
        whole: &ExprMatch,
    ) -> Result<Option<ValueId>, Value> {
        let mut condition: Option<ValueId> = None;
        for known in known {
            let given = self.builder.given(*known);
            let same = match self.builder.apply(Indexing::Same, &[index.id, given]) {
                Ok(same) => same,
                Err(error) => {
                    let whole = text::operand(&whole.expr);
                    return Err(self.result(Err(error), vec![index.clone()], whole, &arm.pat));
                }
            };
            condition = Some(match condition {
                Some(before) => self.builder.or(before, same),
                None => same,
            });
        }
        Ok(condition)
    }

    /// The first arm whose condition holds, or else the last.
    fn cases(
        &mut self,
        cases: &[(Option<ValueId>, &syn::Arm)],
        last: &syn::Arm,
        whole: &ExprMatch,
        hint: &Hint,
    ) -> Value {
        let Some(((condition, arm), rest)) = cases.split_first() else {
            return self.expression(&last.body, hint);
        };
        let body = |lowering: &mut Self| lowering.expression(&arm.body, hint);
        let other = |lowering: &mut Self| lowering.cases(rest, last, whole, hint);
        self.branch(*condition, body, other, &whole.match_token)
    }

    /// A value as a condition.
    pub(super) fn condition(&mut self, value: &Value, expr: &Expr) -> Option<ValueId> {
        match value {
            Value::Condition(mask) => Some(*mask),
            Value::Tensor(_) | Value::Real(_) | Value::Pulled(_) => {
                let text = text::operand(expr);
                self.error(expr, format!("a condition compares: `{text} > 0.0`"));
                None
            }
            value => {
                if !value.is_silent() {
                    self.cx.leave_to_rustc();
                }
                None
            }
        }
    }

    /// Lowers both arms, and chooses between what they come to.
    pub(super) fn branch(
        &mut self,
        condition: Option<ValueId>,
        then: impl FnOnce(&mut Self) -> Value,
        other: impl FnOnce(&mut Self) -> Value,
        tokens: &dyn ToTokens,
    ) -> Value {
        let before = self.scopes.contents();
        let results = self.results.clone();
        self.arms += 1;
        // In a loop over children both arms are computed for every child.
        let chooses = self.edge.is_some();
        if let (Some(condition), true) = (condition, chooses) {
            self.builder.enter_arm(condition);
        }
        let (then, then_block) = self.arm(then, &before);
        if let (Some(condition), true) = (condition, chooses) {
            self.builder.leave_arm();
            let rest = self.builder.not(condition);
            self.builder.enter_arm(rest);
        }
        let then_results = std::mem::replace(&mut self.results, results.clone());
        let (other, other_block) = self.arm(other, &before);
        let other_results = std::mem::replace(&mut self.results, results);
        if condition.is_some() && chooses {
            self.builder.leave_arm();
        }
        self.arms -= 1;
        let results = [then_results, other_results];
        let Some(condition) = condition else {
            self.lose();
            let results = self.results_of_arms(None, results, tokens);
            self.tell_all(results);
            for (variable, (then, before)) in then.variables.iter().zip(&before).enumerate() {
                if then.assignment != before.assignment {
                    let unknown = self.unknown();
                    self.scopes.set(variable, unknown);
                }
            }
            return self.unknown();
        };
        self.scopes.restore(&before);
        let pairs = then.variables.into_iter().zip(other.variables);
        for (variable, (then, other)) in pairs.enumerate() {
            if then.assignment != other.assignment {
                let value = self.chosen(condition, &then.value, &other.value, tokens);
                self.scopes.set(variable, value);
            }
        }
        let value = self.chosen(condition, &then.value, &other.value, tokens);
        let results = self.results_of_arms(Some(condition), results, tokens);
        if !chooses {
            self.builder.branch(condition, [then_block, other_block]);
        }
        self.tell_all(results);
        value
    }

    /// Lowers an arm, which begins with the variables as they were `before`. In a loop over
    /// children, what it computes is in the block around the branch.
    fn arm(&mut self, lower: impl FnOnce(&mut Self) -> Value, before: &[Content]) -> (Arm, Block) {
        self.scopes.restore(before);
        let is_block = self.edge.is_none();
        if is_block {
            self.builder.begin_block();
        }
        let value = lower(self);
        let block = if is_block { self.builder.end_block() } else { Block::default() };
        (Arm { value, variables: self.scopes.contents() }, block)
    }

    /// Whether a condition holds, if that is known when the function is compiled.
    fn known(&self, condition: ValueId) -> Option<bool> {
        match self.builder.op(condition) {
            Op::Leaf(Leaf::Constant(number)) => Some(*number != 0.0),
            _ => None,
        }
    }

    /// What is one value in one arm and another in the other.
    pub(crate) fn chosen(
        &mut self,
        condition: ValueId,
        then: &Value,
        other: &Value,
        tokens: &dyn ToTokens,
    ) -> Value {
        match (then, other) {
            _ if then.is_silent() || other.is_silent() => self.unknown(),
            (Value::Size(a), Value::Size(b)) if a == b => then.clone(),
            (Value::Number(a), Value::Number(b)) if a.to_bits() == b.to_bits() => then.clone(),
            (Value::Pulled(a), Value::Pulled(b)) if a == b => then.clone(),
            (Value::Index(a), Value::Index(b)) if a == b => then.clone(),
            (Value::Condition(a), Value::Condition(b)) => self
                .chosen_tensor(condition, *a, *b, tokens)
                .map_or(Value::Poison, Value::Condition),
            (Value::Array(a), Value::Array(b)) | (Value::Tuple(a), Value::Tuple(b))
                if a.len() == b.len() =>
            {
                let mut others = b.iter();
                let chosen =
                    then.rebuilt(|part| Some(self.chosen(condition, part, others.next()?, tokens)));
                chosen.unwrap_or(Value::Poison)
            }
            (Value::Struct(a), Value::Struct(b)) | (Value::Optional(a), Value::Optional(b))
                if Rc::ptr_eq(a, b) =>
            {
                then.clone()
            }
            (Value::Struct(a), Value::Struct(b)) => self.chosen_struct(condition, a, b, tokens),
            (Value::Size(_), Value::Size(_)) => {
                let message = "an integer that differs between the arms would not be known when the \
                               function is compiled: make it a number, `n as f64`";
                self.poison(tokens, message)
            }
            _ if (self.is_index(then) || self.is_index(other)) && self.edge.is_some() => {
                let message = "in a loop over children, an index has to be the same in both arms: use each \
                               in an arm of its own, and choose between what comes of it";
                self.poison(tokens, message)
            }
            _ if self.is_index(then) || self.is_index(other) => {
                let [then, other] = [then, other].map(|value| self.index_of(value));
                let (Some(then), Some(other)) = (then, other) else { return Value::Poison };
                let chosen = self.chosen_tensor(condition, then, other, tokens);
                chosen.map_or(Value::Poison, Value::Index)
            }
            (Value::Pulled(_), Value::Pulled(_)) if self.is_open(then) && self.is_open(other) => {
                let message = "which of two fields it is differs between the arms, and nothing tells \
                               yet what they are: use them before the branch, or in its arms";
                self.poison(tokens, message)
            }
            _ => {
                let number = |value: &Value| matches!(value, Value::Real(_) | Value::Number(_));
                let real = number(then) && number(other);
                let mut id = |value: &Value| match value {
                    Value::Tensor(id) | Value::Real(id) => Some(*id),
                    Value::Number(number) => Some(self.builder.constant(*number)),
                    Value::Pulled(field) => self.pulled_tensor(field),
                    _ => {
                        self.cx.leave_to_rustc();
                        None
                    }
                };
                let (Some(then), Some(other)) = (id(then), id(other)) else { return Value::Poison };
                match self.chosen_tensor(condition, then, other, tokens) {
                    Some(id) if real => Value::Real(id),
                    Some(id) => Value::Tensor(id),
                    None => Value::Poison,
                }
            }
        }
    }

    fn chosen_tensor(
        &mut self,
        condition: ValueId,
        then: ValueId,
        other: ValueId,
        tokens: &dyn ToTokens,
    ) -> Option<ValueId> {
        if then == other {
            return Some(then);
        }
        let chosen = match self.edge {
            Some(_) => self.builder.choose(condition, then, other),
            None => self.builder.behind([then, other]),
        };
        match chosen {
            Ok(id) => {
                let operand = |id, text: &str| Operand {
                    id,
                    text: text.into(),
                    tokens: tokens.to_token_stream(),
                };
                let operands = vec![
                    operand(condition, "the condition"),
                    operand(then, "the value of one arm"),
                    operand(other, "that of the other"),
                ];
                self.note_origin(id, operands, "if .. else ..".into(), tokens);
                Some(id)
            }
            Err(_) => {
                let shapes = [then, other].map(|id| self.builder.show(&self.builder.shape(id)));
                let [then, other] = shapes;
                let message = format!(
                    "what differs between the arms has one shape; here it is {then} in one and \
                     {other} in the other"
                );
                self.error(tokens, message);
                None
            }
        }
    }

    fn chosen_struct(
        &mut self,
        condition: ValueId,
        then: &Struct,
        other: &Struct,
        tokens: &dyn ToTokens,
    ) -> Value {
        let (FieldOrigin::Literal(a), FieldOrigin::Literal(b)) = (&then.source, &other.source)
        else {
            let message = format!(
                "which `{}` it is differs between the arms: choose between its fields",
                then.ty.text
            );
            return self.poison(tokens, message);
        };
        let mut fields = Vec::new();
        for field in a {
            let Some(same) = b.iter().find(|same| same.name == field.name) else {
                return self.rejected();
            };
            let value = self.chosen(condition, &field.value, &same.value, tokens);
            fields.push(Field { value, ..field.clone() });
        }
        let source = FieldOrigin::Literal(fields);
        Value::Struct(Rc::new(Struct { ty: then.ty.clone(), source }))
    }

    /// Reports what an arm in a loop over children must not compute, of the values from a number on.
    pub(crate) fn check_arm(&mut self, from: usize, tokens: &dyn ToTokens) {
        if let Some(dear) = self.builder.too_dear(from) {
            let name = self.builder.op(dear).row().name;
            let message = format!(
                "in a loop over children, both arms of a branch are computed, and one is chosen, so they \
                 are for what is cheap; `{name}` is not: compute it in the child's function"
            );
            self.error(tokens, message);
        }
    }

    /// `a < b` and the like, of scalars and numbers.
    pub(crate) fn compared(&mut self, binary: &ExprBinary, whole: &Expr) -> Value {
        let sides = [&binary.left, &binary.right];
        let values = sides.map(|side| self.expression(side, &Hint::Any));
        if values.iter().any(Value::is_silent) {
            return self.unknown();
        }
        let [left, right] = &values;
        if let (Value::Number(a), Value::Number(b)) = (left, right) {
            let holds = match binary.op {
                BinOp::Gt(_) => a > b,
                BinOp::Ge(_) => a >= b,
                BinOp::Lt(_) => a < b,
                _ => a <= b,
            };
            return Value::Condition(self.builder.constant(f64::from(u8::from(holds))));
        }
        let operands = [self.operand(left, &binary.left), self.operand(right, &binary.right)];
        let [Some(left), Some(right)] = operands else { return self.unknown() };
        let (op, turned) = match binary.op {
            BinOp::Gt(_) => (Pointwise::Greater, false),
            BinOp::Ge(_) => (Pointwise::GreaterEqual, false),
            BinOp::Lt(_) => (Pointwise::Greater, true),
            _ => (Pointwise::GreaterEqual, true),
        };
        let operands = if turned { vec![right, left] } else { vec![left, right] };
        let result = self.builder.compare(op, operands[0].id, operands[1].id);
        match self.result(result, operands, text::whole(whole), whole) {
            Value::Tensor(mask) => Value::Condition(mask),
            value => value,
        }
    }

    /// `a && b` or `a || b`: the second is an arm, which is computed where the first does not decide.
    pub(crate) fn joined(&mut self, binary: &ExprBinary) -> Value {
        let first = self.expression(&binary.left, &Hint::Any);
        let first = self.condition(&first, &binary.left);
        let second = |lowering: &mut Self| {
            let second = lowering.expression(&binary.right, &Hint::Any);
            let second = lowering.condition(&second, &binary.right);
            second.map_or_else(|| lowering.unknown(), Value::Condition)
        };
        let decided = |number: f64| {
            move |lowering: &mut Self| Value::Condition(lowering.builder.constant(number))
        };
        match binary.op {
            BinOp::And(_) => self.branch(first, second, decided(0.0), &binary.op),
            _ => self.branch(first, decided(1.0), second, &binary.op),
        }
    }
}

/// The indices of a pattern: `Index(3)` or `Index(0) | Index(1)`.
fn indices(pattern: &Pat) -> Option<Vec<u32>> {
    match pattern {
        Pat::Or(cases) => {
            let cases = cases.cases.iter().map(indices).collect::<Option<Vec<_>>>()?;
            Some(cases.concat())
        }
        Pat::Paren(inner) => indices(&inner.pat),
        Pat::TupleStruct(index) if index.path.segments.last()?.ident == "Index" => {
            match index.elems.iter().collect::<Vec<_>>()[..] {
                [Pat::Lit(literal)] => match &literal.lit {
                    Lit::Int(number) => Some(vec![number.base10_parse().ok()?]),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}
