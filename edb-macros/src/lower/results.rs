//! `scatter`, `push` and `loss`: the results of a function.

use edb_ir::ValueId;
use syn::{Expr, ExprCall, ExprPath};

use super::lowering::{Lowering, Operand};
use crate::text;
use crate::value::{Field, Source, TypeName, Value};

/// A struct that is scattered or pushed.
struct Written {
    ty: TypeName,
    /// The fields with their names, unless one is in error.
    fields: Option<Vec<(String, Operand)>>,
}

impl Written {
    /// The fields, as the builder expects them.
    fn pairs(fields: &[(String, Operand)]) -> Vec<(&str, ValueId)> {
        fields.iter().map(|(name, operand)| (name.as_str(), operand.id)).collect()
    }
}

impl Lowering<'_> {
    pub(super) fn scatter(&mut self, call: &ExprCall, path: &ExprPath) -> Value {
        let second = std::mem::replace(&mut self.ports.scatters, true);
        let Some(Written { ty, fields }) = self.written_struct("scatter", call) else {
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
        if let Err(error) = self.builder.scatter(state, &Written::pairs(&fields)) {
            let operands = fields.into_iter().map(|(_, operand)| operand).collect();
            self.result(Err(error), operands, format!("scatter({} {{ .. }})", ty.text), call);
        }
        Value::UNIT
    }

    pub(super) fn push(&mut self, call: &ExprCall, path: &ExprPath) -> Value {
        let second = std::mem::replace(&mut self.ports.pushes, true);
        let Some(Written { ty, fields }) = self.written_struct("push", call) else {
            return Value::UNIT;
        };
        if second {
            if self.executions == 1 {
                self.error(path, "a vertex tells the outside one output: it pushes once");
            }
            return Value::UNIT;
        }
        self.ports.output = Some(ty.clone());
        if let Some(fields) = fields {
            self.builder.push_output(&ty.text, &Written::pairs(&fields));
        }
        Value::UNIT
    }

    /// The struct that a call scatters or pushes.
    fn written_struct(&mut self, name: &str, call: &ExprCall) -> Option<Written> {
        let [(value, expr)] = self.exactly::<1>(call)?;
        let port = match value {
            Value::Struct(port) => port,
            Value::Opaque(Some(ty)) => return Some(Written { ty, fields: None }),
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
        let operand = |field: &Field| {
            let tokens = if in_place { &field.expr } else { &expr };
            let operand = match self.is_index(&field.value) {
                true => self.index_operand(&field.value, tokens),
                false => self.operand(&field.value, tokens),
            };
            operand.map(|operand| (field.name.clone(), operand))
        };
        // Lower all fields first, so that every error is reported.
        let operands: Vec<Option<_>> = fields.iter().map(operand).collect();
        let fields = operands.into_iter().collect();
        Some(Written { ty: port.ty.clone(), fields })
    }

    pub(super) fn loss(&mut self, call: &ExprCall) -> Value {
        self.ports.has_loss = true;
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

/// The message for a scattered or pushed struct whose type cannot be inferred.
fn type_is_hidden(name: &str) -> String {
    format!(
        "which type? It must be visible in this function: `let x: S = ..; {name}(x);`, or \
         `{name}(S {{ .. }})`"
    )
}
