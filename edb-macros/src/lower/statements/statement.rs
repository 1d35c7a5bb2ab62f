//! Blocks, `let`, assignments.

use syn::{BinOp, Block, Expr, ExprAssign, ExprBinary, Local, Pat, Stmt};

use super::optional::{absent, there};
use crate::lower::expressions::Arithmetic;
use crate::lower::lowering::{Hint, Lowering};
use crate::text;
use crate::value::Value;

impl Lowering<'_> {
    /// Lowers a block; its value is that of its tail expression.
    pub(crate) fn block(&mut self, block: &Block, hint: &Hint) -> Value {
        let mark = self.scopes.enter();
        let mut tail = Value::UNIT;
        for (number, statement) in block.stmts.iter().enumerate() {
            let last = number + 1 == block.stmts.len();
            tail = match statement {
                Stmt::Expr(expr, None) if last => self.expression(expr, hint),
                _ => self.statement(statement),
            };
        }
        self.scopes.leave(mark);
        tail
    }

    /// Lowers a statement that is no tail expression.
    pub(crate) fn statement(&mut self, statement: &Stmt) -> Value {
        match statement {
            Stmt::Local(local) => self.local(local),
            Stmt::Expr(expr, _) => {
                self.expression(expr, &Hint::Any);
                Value::UNIT
            }
            Stmt::Macro(statement) => self.unsupported_macro(&statement.mac),
            Stmt::Item(item) => {
                let message = "items are not part of a vertex function: put this beside it";
                self.poison(item, message)
            }
        }
    }

    fn local(&mut self, local: &Local) -> Value {
        let hint = Hint::of_pattern(&local.pat, None);
        let Some(init) = &local.init else {
            let message = "a variable is given its value where it is declared: `let x = ..;`";
            self.error(local, message);
            self.bind_poison(&local.pat);
            return Value::UNIT;
        };
        if let Some((token, _)) = &init.diverge {
            let value = match text::peel(&init.expr) {
                Expr::Path(path) => self.path(path),
                _ => Value::Poison,
            };
            let message = match value {
                Value::Optional(input) => absent(&input, &text::operand(&init.expr)),
                _ => let_else(&local.pat),
            };
            self.error(token, message);
            self.bind_poison(&local.pat);
            return Value::UNIT;
        }
        let value = self.expression(&init.expr, &hint);
        let value = self.typed(&hint, value);
        self.bind(&local.pat, value.annotated(&hint));
        Value::UNIT
    }

    /// `x = value`.
    pub(crate) fn assign(&mut self, assign: &ExprAssign) -> Value {
        let Some(variable) = self.assigned(&assign.left) else {
            self.expression(&assign.right, &Hint::Any);
            return Value::UNIT;
        };
        if self.is_outside_edge_loop(variable) {
            return self.accumulate_sum(variable, assign);
        }
        let value = self.expression(&assign.right, &Hint::Any);
        self.scopes.set(variable, value);
        Value::UNIT
    }

    /// `x += value` and similar.
    pub(crate) fn assign_op(&mut self, binary: &ExprBinary, whole: &Expr) -> Value {
        let op = match binary.op {
            BinOp::AddAssign(_) => Arithmetic::Add,
            BinOp::SubAssign(_) => Arithmetic::Sub,
            BinOp::MulAssign(_) => Arithmetic::Mul,
            BinOp::DivAssign(_) => Arithmetic::Div,
            _ => return self.unsupported_operator(&binary.op),
        };
        let variable = self.assigned(&binary.left);
        if let Some(variable) = variable.filter(|&variable| self.is_outside_edge_loop(variable)) {
            return self.accumulate_op(variable, op, binary);
        }
        let right = self.expression(&binary.right, &Hint::Any);
        if let Some(variable) = variable {
            let left = self.scopes.value(variable).clone();
            let value = self.arithmetic(op, left, right, binary, whole);
            self.scopes.set(variable, value);
        }
        Value::UNIT
    }

    /// The variable that an assignment changes.
    fn assigned(&mut self, target: &Expr) -> Option<usize> {
        match text::peel(target) {
            Expr::Path(path) if path.path.get_ident().is_some() => self.variable(path),
            Expr::Infer(_) => None,
            other => {
                let message = "only variables are assigned to: fields and elements keep the value \
                               that they are made with";
                self.error(other, message);
                None
            }
        }
    }
}

/// The error for `let Some(..) = value else { .. }`. For the pattern of a struct or a name, it says how to
/// write this with `if let`.
fn let_else(pattern: &Pat) -> String {
    let message = "`let .. else` is not part of a vertex function".to_owned();
    let (ty, name) = match there(pattern) {
        Some(Pat::Struct(port)) => match port.path.segments.last() {
            Some(last) => (last.ident.to_string(), last.ident.to_string().to_lowercase()),
            None => return message,
        },
        Some(Pat::Ident(name)) => ("S".to_owned(), name.ident.to_string()),
        _ => return message,
    };
    format!(
        "{message}: pull what may be absent by `let {name}: Option<{ty}> = pull();`, and read it where it is there, \
         `if let Some({}) = {name} {{ .. }}`",
        text::tokens(there(pattern))
    )
}
