//! `scatter`, `push` and `loss`: the results of a function.

use edb_ir::ValueId;
use syn::{Expr, ExprCall, ExprPath};

use super::lowering::{Lowering, Operand};
use super::ports::{Port, Waiting};
use crate::text;
use crate::value::{Field, Source, TypeName, Value};

/// The fields that are written, unless they cannot be seen yet.
type Fields = Option<Vec<Field>>;

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
        self.write(Port::State(state), ty, fields, call);
        Value::UNIT
    }

    pub(super) fn push(&mut self, call: &ExprCall, path: &ExprPath) -> Value {
        let second = std::mem::replace(&mut self.ports.pushes, true);
        let Some((ty, fields)) = self.written_struct("push", call) else {
            return Value::UNIT;
        };
        if second {
            if self.executions == 1 {
                self.error(path, "a vertex tells the outside one output: it pushes once");
            }
            return Value::UNIT;
        }
        self.ports.output = Some(ty.clone());
        self.write(Port::Output, ty, fields, call);
        Value::UNIT
    }

    /// Scatters or pushes fields; while nothing tells whether one of them is an index, they wait
    /// for the rest of the function.
    fn write(&mut self, port: Port, ty: TypeName, fields: Fields, call: &ExprCall) {
        let Some(fields) = fields else { return };
        if fields.iter().any(|field| self.is_open(&field.value)) {
            self.waiting.push(Waiting { port, ty, fields, call: call.clone() });
        } else {
            self.write_now(port, &ty, &fields, call);
        }
    }

    /// Scatters and pushes what has waited: what nothing in the function reads as an index is a
    /// tensor.
    pub(super) fn write_waiting(&mut self) {
        for Waiting { port, ty, fields, call } in std::mem::take(&mut self.waiting) {
            self.write_now(port, &ty, &fields, &call);
        }
    }

    fn write_now(&mut self, port: Port, ty: &TypeName, fields: &[Field], call: &ExprCall) {
        let operand = |field: &Field| match self.is_index(&field.value) {
            true => self.index_operand(&field.value, &field.expr),
            false => self.operand(&field.value, &field.expr),
        };
        // Lower all fields first, so that every error is reported.
        let operands: Vec<Option<Operand>> = fields.iter().map(operand).collect();
        let Some(operands) = operands.into_iter().collect::<Option<Vec<_>>>() else { return };
        let names = fields.iter().map(|field| field.name.as_str());
        let pairs: Vec<(&str, ValueId)> =
            names.zip(operands.iter().map(|operand| operand.id)).collect();
        match port {
            Port::Output => self.builder.push_output(&ty.text, &pairs),
            Port::State(state) => {
                if let Err(error) = self.builder.scatter(state, &pairs) {
                    let whole = format!("scatter({} {{ .. }})", ty.text);
                    self.result(Err(error), operands, whole, call);
                }
            }
        }
    }

    /// The struct that a call scatters or pushes.
    fn written_struct(&mut self, name: &str, call: &ExprCall) -> Option<(TypeName, Fields)> {
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
        // Where an error of a field points: to the field, if it is written in this call.
        let written = |field: &Field| Field {
            expr: if in_place { field.expr.clone() } else { expr.clone() },
            ..field.clone()
        };
        Some((port.ty.clone(), Some(fields.iter().map(written).collect())))
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
