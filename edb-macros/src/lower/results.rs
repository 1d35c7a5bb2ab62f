//! `scatter`, `push` and `loss`: what leaves a function.

use edb_ir::ValueId;
use syn::{Expr, ExprCall, ExprPath};

use super::{Lowering, Operand};
use crate::text;
use crate::value::{Source, TypeName, Value};

impl Lowering<'_> {
    pub(super) fn scatter(&mut self, call: &ExprCall, path: &ExprPath) -> Value {
        let second = std::mem::replace(&mut self.ports.scatters, true);
        let Some((ty, fields)) = self.written_struct("scatter", call) else {
            return Value::UNIT;
        };
        if second {
            if self.executions == 1 {
                self.error(path, "a vertex tells its parents one state: it scatters once");
            }
            return Value::UNIT;
        }
        self.ports.state = Some(ty.clone());
        let state = self.state(&ty);
        let Some(fields) = fields else { return Value::UNIT };
        let pairs: Vec<(&str, ValueId)> =
            fields.iter().map(|(name, operand)| (name.as_str(), operand.id)).collect();
        if let Err(error) = self.builder.scatter(state, &pairs) {
            let operands = fields.into_iter().map(|(_, operand)| operand).collect();
            self.result(Err(error), operands, format!("scatter({} {{ .. }})", ty.text), call);
        }
        Value::UNIT
    }

    pub(super) fn push(&mut self, call: &ExprCall, path: &ExprPath) -> Value {
        let second = std::mem::replace(&mut self.ports.pushes, true);
        let Some((ty, fields)) = self.written_struct("push", call) else { return Value::UNIT };
        if second {
            if self.executions == 1 {
                self.error(path, "a vertex tells the outside one output: it pushes once");
            }
            return Value::UNIT;
        }
        self.ports.output = Some(ty.clone());
        if let Some(fields) = fields {
            let pairs: Vec<(&str, ValueId)> =
                fields.iter().map(|(name, operand)| (name.as_str(), operand.id)).collect();
            self.builder.push_output(&ty.text, &pairs);
        }
        Value::UNIT
    }

    /// The struct that is scattered or pushed: its type, and its fields unless one is in error.
    fn written_struct(
        &mut self,
        name: &str,
        call: &ExprCall,
    ) -> Option<(TypeName, Option<Vec<(String, Operand)>>)> {
        let [(value, expr)] = self.exactly::<1>(call)?;
        let port = match value {
            Value::Struct(port) => port,
            Value::Opaque(Some(ty)) => return Some((ty, None)),
            Value::Opaque(None) => {
                self.error(&expr, type_is_hidden(name));
                return None;
            }
            Value::Poison => return None,
            _ => {
                self.cx.leave_to_rustc();
                return None;
            }
        };
        let Source::Literal(fields) = &port.source else {
            let message = format!(
                "write the fields here, `{name}({} {{ .. }})`: a vertex function has to see all of \
                 them",
                port.ty.text
            );
            self.error(&expr, message);
            return None;
        };
        let in_place = matches!(text::peel(&expr), Expr::Struct(_));
        let mut operands = Some(Vec::new());
        for field in fields {
            let tokens = if in_place { &field.expr } else { &expr };
            match self.operand(&field.value, tokens) {
                Some(operand) => {
                    operands
                        .iter_mut()
                        .for_each(|all| all.push((field.name.clone(), operand.clone())));
                }
                None => operands = None,
            }
        }
        Some((port.ty.clone(), operands))
    }

    pub(super) fn loss(&mut self, call: &ExprCall) -> Value {
        self.ports.loses = true;
        let Some([(value, expr)]) = self.exactly::<1>(call) else {
            return Value::UNIT;
        };
        if let Some(operand) = self.operand(&value, &expr)
            && let Err(error) = self.builder.loss(operand.id)
        {
            let whole = format!("loss({})", operand.text);
            self.result(Err(error), vec![operand], whole, call);
        }
        Value::UNIT
    }
}

/// The message for a scattered or pushed struct whose type cannot be seen.
fn type_is_hidden(name: &str) -> String {
    format!(
        "which type? It must be visible in this function: `let x: S = ..; {name}(x);`, or \
         `{name}(S {{ .. }})`"
    )
}
