//! `while`, `loop`, and `for` to a dimension: the body is lowered once, with variables of its own for what it changes.
//!
//! A condition is lowered twice, before the loop and at the end of its body, so that an iteration
//! begins where its condition holds. `loop { A; if c { X; break; } B }` is `A; while !c { B; A } X`:
//! what stands before the `break` is lowered twice.

use std::collections::BTreeSet;
use std::ops::Range;

use edb_ir::{Block, Dim, Indexing, ValueId};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, ExprAssign, ExprBinary, ExprForLoop, ExprLoop, ExprWhile, Stmt};

use crate::lower::lowering::{Hint, Lowering, spelling};
use crate::text;
use crate::value::{FieldOrigin, Value};

/// A variable that a loop changes.
struct Changed {
    variable: usize,
    name: String,
    before: Value,
    begin: Value,
    /// Where the loop runs again, what it is then.
    end: Value,
}

impl Lowering<'_> {
    /// `while condition { .. }`.
    pub(crate) fn while_loop(&mut self, repeat: &ExprWhile) -> Value {
        if let Some(label) = &repeat.label {
            self.error(label, "loops in a vertex function have no labels");
        }
        if self.is_repeat_out_of_place(&repeat.while_token) {
            return Value::UNIT;
        }
        if let Some(end) = Breaks::first(&repeat.body.stmts) {
            let message = "a `while` ends by its condition: add to it, `a < b && ..`, or write `loop { .. \
                           if c { break; } .. }`";
            return self.poison(end, message);
        }
        let condition = |lowering: &mut Self| {
            let value = lowering.expression(&repeat.cond, &Hint::Any);
            lowering.condition(&value, &repeat.cond)
        };
        let first = condition(self);
        let mut changes = Changes::default();
        changes.visit_block(&repeat.body);
        changes.visit_expr(&repeat.cond);
        let known = self.changed(&changes.names);
        self.repeat_block(first, known, &repeat.while_token, |lowering| {
            lowering.block(&repeat.body, &Hint::Any);
            condition(lowering)
        });
        Value::UNIT
    }

    /// `loop { .. if condition { break; } .. }`.
    pub(crate) fn endless_loop(&mut self, repeat: &ExprLoop) -> Value {
        if let Some(label) = &repeat.label {
            self.error(label, "loops in a vertex function have no labels");
        }
        if self.is_repeat_out_of_place(&repeat.loop_token) {
            return Value::UNIT;
        }
        let statements = &repeat.body.stmts;
        let Some((place, leave)) = way_out(statements) else {
            let message = "a `loop` has one way out, a statement of its own: `if c { break; }`";
            return self.poison(repeat.loop_token, message);
        };
        let (before, after) = (&statements[..place], &statements[place + 1..]);
        let last = leave.then_branch.stmts.len() - 1;
        let behind = &leave.then_branch.stmts[..last];
        for part in [before, after, behind] {
            if let Some(end) = Breaks::first(part) {
                let message =
                    "a `loop` has one way out: join the conditions, `if a || b { break; }`";
                return self.poison(end, message);
            }
        }
        let outside: BTreeSet<String> = self.scopes.names().map(str::to_owned).collect();
        let mark = self.scopes.enter();
        let declared = self.scopes.len();
        let condition = |lowering: &mut Self| {
            let value = lowering.expression(&leave.cond, &Hint::Any);
            let ends = lowering.condition(&value, &leave.cond)?;
            Some(lowering.builder.not(ends))
        };
        self.statements(before);
        let first = condition(self);
        // What stands before the way out is lowered twice, and a name means the same both times.
        for variable in declared..self.scopes.len() {
            let name = self.scopes.name(variable);
            if outside.contains(name) {
                let message = format!(
                    "before its way out, a `loop` declares no `{name}`, since there is another one outside: give \
                     it another name"
                );
                self.error(repeat.loop_token, message);
                self.scopes.leave(mark);
                return Value::UNIT;
            }
        }
        let mut changes = Changes::default();
        before.iter().chain(after).for_each(|statement| changes.visit_stmt(statement));
        changes.visit_expr(&leave.cond);
        // What is declared before the way out is declared anew in each iteration.
        let anew: Range<usize> = declared..self.scopes.len();
        let mut known = self.changed(&changes.names);
        known.retain(|changed| !anew.contains(&changed.variable));
        let mut carried = Vec::new();
        for variable in anew {
            // What is known when the function is compiled is the same in each iteration.
            if let Some(changed) = self.changed_variable(variable, String::new()) {
                carried.push(variable);
                known.push(changed);
            }
        }
        self.repeat_block(first, known, &repeat.loop_token, |lowering| {
            let inner = lowering.scopes.enter();
            lowering.statements(after);
            lowering.scopes.leave(inner);
            let inner = lowering.scopes.enter();
            let again = lowering.scopes.len();
            lowering.statements(before);
            let condition = condition(lowering);
            for variable in carried {
                let value = lowering.scopes.value(again + (variable - declared)).clone();
                lowering.scopes.set(variable, value);
            }
            lowering.scopes.leave(inner);
            condition
        });
        self.statements(behind);
        self.scopes.leave(mark);
        Value::UNIT
    }

    /// `for k in 0..n`, to what is known when the model is built: `k` is an index, one of `n`.
    pub(super) fn counted_loop(&mut self, n: Dim, for_loop: &ExprForLoop) {
        if self.is_repeat_out_of_place(&for_loop.for_token) {
            return;
        }
        if let Some(end) = Breaks::first(&for_loop.body.stmts) {
            let message =
                "a loop over numbers ends with the last: write `loop { .. if c { break; } .. }`";
            self.error(end, message);
            return;
        }
        let mark = self.scopes.enter();
        let count = self.scopes.len();
        let first = Value::Index(self.builder.first_of(n.clone()));
        // No name of a person's has a space.
        self.scopes.declare("loop count", first);
        let mut changes = Changes::default();
        changes.visit_block(&for_loop.body);
        let mut known = self.changed(&changes.names);
        known.extend(self.changed_variable(count, String::new()));
        // There is at least one step, since names of dimensions are at least 1.
        let first = self.builder.constant(1.0);
        self.repeat_block(Some(first), known, &for_loop.for_token, |lowering| {
            let Value::Index(index) = *lowering.scopes.value(count) else { return None };
            lowering.iteration(Value::Count(index, n.clone()), for_loop);
            let next = lowering.builder.apply(Indexing::Next, &[index]).ok()?;
            lowering.scopes.set(count, Value::Index(next));
            let first = lowering.builder.first_of(n.clone());
            let is_over = lowering.builder.apply(Indexing::Same, &[next, first]).ok()?;
            Some(lowering.builder.not(is_over))
        });
        self.scopes.leave(mark);
    }

    fn is_repeat_out_of_place(&mut self, token: &dyn ToTokens) -> bool {
        if self.edge.is_none() {
            return false;
        }
        let message = "a loop over children runs once for each of them, and has no loop in it that ends by \
                       a value: put it into the child's function";
        self.error(token, message);
        true
    }

    fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    /// The variables of these names, as far as there are some.
    fn changed(&mut self, names: &BTreeSet<String>) -> Vec<Changed> {
        let found = names.iter().filter_map(|name| Some((self.scopes.find(name)?, name.clone())));
        let found: Vec<(usize, String)> = found.collect();
        found
            .into_iter()
            .filter_map(|(variable, name)| self.changed_variable(variable, name))
            .collect()
    }

    fn changed_variable(&mut self, variable: usize, name: String) -> Option<Changed> {
        let before = self.scopes.value(variable).clone();
        let before = self.materialised(&before)?;
        let begin = self.mapped(&before, &mut |lowering, id| lowering.builder.begin_variable(id));
        Some(Changed { variable, name, before, begin: begin.clone(), end: begin })
    }

    /// A value that may change in a loop: a number is one of the vertex.
    fn materialised(&mut self, value: &Value) -> Option<Value> {
        Some(match value {
            Value::Tensor(_) | Value::Index(_) | Value::Real(_) | Value::Condition(_) => {
                value.clone()
            }
            Value::Number(number) => Value::Real(self.builder.constant(*number)),
            Value::Pulled(field) if self.is_index(value) => {
                let field = Value::Pulled(field.clone());
                Value::Index(self.index_of(&field)?)
            }
            // A field that nothing has read yet is a tensor: no loop changes an index.
            Value::Pulled(field) => {
                let field = field.clone();
                Value::Tensor(self.pulled_tensor(&field)?)
            }
            value => return value.rebuilt(|part| self.materialised(part)),
        })
    }

    /// A value with others in the place of its values.
    fn mapped(
        &mut self,
        value: &Value,
        map: &mut dyn FnMut(&mut Self, ValueId) -> ValueId,
    ) -> Value {
        match value {
            Value::Tensor(id) => Value::Tensor(map(self, *id)),
            Value::Index(id) => Value::Index(map(self, *id)),
            Value::Real(id) => Value::Real(map(self, *id)),
            Value::Condition(id) => Value::Condition(map(self, *id)),
            _ => {
                let rebuilt = value.rebuilt(|part| Some(self.mapped(part, map)));
                rebuilt.unwrap_or_else(|| value.clone())
            }
        }
    }

    /// Lowers the body of a loop, which returns its condition, and the loop.
    fn repeat_block(
        &mut self,
        first: Option<ValueId>,
        mut known: Vec<Changed>,
        token: &dyn ToTokens,
        body: impl FnOnce(&mut Self) -> Option<ValueId>,
    ) {
        let contents = self.scopes.contents();
        for changed in &known {
            self.scopes.set(changed.variable, changed.begin.clone());
        }
        let begun = self.scopes.contents();
        self.arms += 1;
        self.repeats += 1;
        self.builder.begin_block();
        let again = body(self);
        let block = self.builder.end_block();
        self.repeats -= 1;
        self.arms -= 1;
        let now = self.scopes.contents();
        // A number that the loop counts with is known to rustc alone.
        for (variable, (begun, now)) in begun.iter().zip(&now).enumerate() {
            let is_known = known.iter().any(|changed| changed.variable == variable);
            if begun.assignment == now.assignment || is_known {
                continue;
            }
            match &begun.value {
                unknown if is_unknown(unknown) || is_unknown(&now.value) => {}
                Value::Struct(port) => {
                    let message = format!(
                        "a `{}` that was gathered or pulled does not change in a loop: read its fields into \
                         variables before it",
                        port.ty.text
                    );
                    self.error(token, message);
                }
                known => {
                    let message = format!(
                        "{} that changes in a loop would not be known when the function is compiled: \
                         make it a tensor, `let mut n = scalar(0.0);`",
                        known.kind()
                    );
                    self.error(token, message);
                }
            }
        }
        for changed in &mut known {
            changed.end = now[changed.variable].value.clone();
        }
        self.scopes.restore(&contents);
        let (Some(first), Some(again)) = (first, again) else {
            for changed in &known {
                let unknown = self.unknown();
                self.scopes.set(changed.variable, unknown);
            }
            return;
        };
        self.end_loop(first, block, again, known, token);
    }

    fn end_loop(
        &mut self,
        first: ValueId,
        block: Block,
        again: ValueId,
        known: Vec<Changed>,
        token: &dyn ToTokens,
    ) {
        let mut variables: Vec<[ValueId; 3]> = Vec::new();
        let mut names = Vec::new();
        for changed in &known {
            let mut triples = Vec::new();
            let end = self.materialised(&changed.end);
            let fits =
                end.is_some_and(|end| triple(&changed.before, &changed.begin, &end, &mut triples));
            if !fits && (is_unknown(&changed.end) || is_unknown(&changed.before)) {
                for changed in &known {
                    let unknown = self.unknown();
                    self.scopes.set(changed.variable, unknown);
                }
                return;
            }
            if !fits {
                let message = format!(
                    "`{}` is {} before the loop and {} at the end of its body",
                    changed.name,
                    changed.before.kind(),
                    changed.end.kind()
                );
                self.error(token, message);
                return;
            }
            names.extend(triples.iter().map(|_| changed.name.clone()));
            variables.extend(triples);
        }
        match self.builder.repeat(first, block, again, &variables) {
            Ok(behind) => {
                let mut behind = behind.into_iter();
                for changed in known {
                    let mut next = |_: &mut Self, id: ValueId| behind.next().unwrap_or(id);
                    let value = self.mapped(&changed.begin, &mut next);
                    self.scopes.set(changed.variable, value);
                }
            }
            Err(error) => {
                let name = error.operand.and_then(|place| names.get(place).cloned());
                let message = format!(
                    "`{}` keeps its shape in a loop: {}",
                    name.unwrap_or_default(),
                    error.describe(&[])
                );
                self.error(token, message);
            }
        }
    }
}

/// Whether nothing is known about a value, or about a part of it.
fn is_unknown(value: &Value) -> bool {
    match value {
        Value::Array(items) | Value::Tuple(items) => items.iter().any(is_unknown),
        Value::Struct(port) => match &port.source {
            FieldOrigin::Literal(fields) => fields.iter().any(|field| is_unknown(&field.value)),
            _ => false,
        },
        value => value.is_silent(),
    }
}

/// The values of a variable before a loop, where its body begins and at its end, side by side;
/// whether it is of one kind in all of them.
fn triple(before: &Value, begin: &Value, end: &Value, found: &mut Vec<[ValueId; 3]>) -> bool {
    let mut all = |a: &[Value], b: &[Value], c: &[Value]| {
        a.len() == c.len() && a.iter().zip(b).zip(c).all(|((a, b), c)| triple(a, b, c, found))
    };
    match (before, begin, end) {
        (Value::Tensor(a), Value::Tensor(b), Value::Tensor(c) | Value::Real(c))
        | (Value::Index(a), Value::Index(b), Value::Index(c))
        | (Value::Real(a), Value::Real(b), Value::Real(c))
        | (Value::Condition(a), Value::Condition(b), Value::Condition(c)) => {
            found.push([*a, *b, *c]);
            true
        }
        (Value::Array(a), Value::Array(b), Value::Array(c))
        | (Value::Tuple(a), Value::Tuple(b), Value::Tuple(c)) => all(a, b, c),
        (Value::Struct(a), Value::Struct(b), Value::Struct(c)) => {
            let fields = [a, b, c].map(|port| match &port.source {
                FieldOrigin::Literal(fields) => fields.clone(),
                _ => Vec::new(),
            });
            let [a, b, c] = &fields;
            a.len() == c.len()
                && a.iter().zip(b).all(|(a, b)| {
                    let same = c.iter().find(|same| same.name == a.name);
                    same.is_some_and(|c| triple(&a.value, &b.value, &c.value, found))
                })
        }
        _ => false,
    }
}

/// The statement by which a loop ends, `if c { ..; break; }`, and its place.
fn way_out(statements: &[Stmt]) -> Option<(usize, &syn::ExprIf)> {
    statements.iter().enumerate().find_map(|(place, statement)| {
        let Stmt::Expr(Expr::If(leave), _) = statement else { return None };
        let last = leave.then_branch.stmts.last()?;
        let leaves = matches!(last, Stmt::Expr(Expr::Break(end), _)
            if end.label.is_none() && end.expr.is_none());
        (leaves && leave.else_branch.is_none()).then_some((place, leave))
    })
}

/// The names of the variables that are assigned to.
#[derive(Default)]
struct Changes {
    names: BTreeSet<String>,
}

impl Changes {
    fn note(&mut self, target: &Expr) {
        if let Expr::Path(path) = text::peel(target)
            && let Some(name) = path.path.get_ident()
        {
            self.names.insert(spelling(&name.to_string()).to_owned());
        }
    }
}

impl<'ast> Visit<'ast> for Changes {
    fn visit_expr_assign(&mut self, assign: &'ast ExprAssign) {
        self.note(&assign.left);
        visit::visit_expr_assign(self, assign);
    }

    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        use syn::BinOp::{AddAssign, DivAssign, MulAssign, SubAssign};
        if matches!(binary.op, AddAssign(_) | SubAssign(_) | MulAssign(_) | DivAssign(_)) {
            self.note(&binary.left);
        }
        visit::visit_expr_binary(self, binary);
    }
}

/// The first way out of a loop.
#[derive(Default)]
struct Breaks<'ast>(Option<&'ast Expr>);

impl<'ast> Breaks<'ast> {
    fn first(statements: &'ast [Stmt]) -> Option<&'ast Expr> {
        let mut breaks = Self::default();
        statements.iter().for_each(|statement| breaks.visit_stmt(statement));
        breaks.0
    }
}

impl<'ast> Visit<'ast> for Breaks<'ast> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Break(_) => self.0 = self.0.or(Some(expr)),
            // A loop inside ends by itself.
            Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_) => {}
            _ => visit::visit_expr(self, expr),
        }
    }
}
