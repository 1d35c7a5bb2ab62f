//! `scatter`, `push` and `loss`: the results of a function.

use edb_ir::ValueId;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprCall, ExprLoop, ExprPath, ExprWhile};

use crate::crate_path::CratePath;
use crate::lower::calls::function_of_edb;
use crate::lower::lowering::{
    Fields, Lowering, Operand, Port, Telling, Waiting, Written, WrittenResults,
};
use crate::text;
use crate::value::{Field, FieldOrigin, TypeName, Value};

impl Lowering<'_> {
    pub(super) fn scatter(&mut self, call: &ExprCall, path: &ExprPath) -> Value {
        self.ports.scatters = true;
        let twice = "a vertex tells its parents one state: it scatters once";
        self.told_by(Telling::State, "scatter", twice, call, path)
    }

    pub(super) fn push(&mut self, call: &ExprCall, path: &ExprPath) -> Value {
        self.ports.pushes = true;
        if self.lists {
            return self.push_item(call);
        }
        let twice = "a vertex tells the outside one output: it pushes once";
        self.told_by(Telling::Output, "push", twice, call, path)
    }

    /// Pushes an item of a list: on any way, and any number of times.
    fn push_item(&mut self, call: &ExprCall) -> Value {
        let Some((ty, fields)) = self.written_struct("push", call) else {
            self.lose();
            return Value::UNIT;
        };
        let of_list = self.ports.output.get_or_insert_with(|| ty.clone());
        if of_list.text != ty.text {
            let message = format!(
                "`{}` here, and `{}` before: all that a function pushes is of one type",
                ty.text, of_list.text
            );
            self.error(call, message);
            return Value::UNIT;
        }
        if let Some(fields) = fields {
            self.write_now(Port::Item, &ty, &fields, call);
        } else {
            self.lose();
        }
        Value::UNIT
    }

    fn told_by(
        &mut self,
        result: Telling,
        name: &str,
        twice: &str,
        call: &ExprCall,
        path: &ExprPath,
    ) -> Value {
        let second = self.results[result as usize].is_some();
        let Some((ty, fields)) = self.written_struct(name, call) else {
            self.lose();
            return Value::UNIT;
        };
        if second {
            if self.executions == 1 {
                self.error(path, twice);
            }
            return Value::UNIT;
        }
        self.tell(result, Written { ty, fields, call: call.clone() });
        Value::UNIT
    }

    /// Notes what is told; outside of branches it is written.
    fn tell(&mut self, result: Telling, written: Written) {
        self.results[result as usize] = Some(written.clone());
        let Written { ty, fields, call } = written;
        let of_function = match result {
            Telling::State => &mut self.ports.state,
            Telling::Output => &mut self.ports.output,
        };
        *of_function = Some(ty.clone());
        if self.arms > 0 {
            return;
        }
        let port = match result {
            Telling::State => Port::State(self.state(&ty)),
            Telling::Output => Port::Output,
        };
        self.write(port, ty, fields, &call);
    }

    /// Notes all that the arms of a branch tell, behind it.
    pub(crate) fn tell_all(&mut self, results: WrittenResults) {
        for (result, written) in [Telling::State, Telling::Output].into_iter().zip(results) {
            if let Some(written) = written {
                self.tell(result, written);
            }
        }
    }

    /// What the arms of a branch have told.
    pub(crate) fn results_of_arms(
        &mut self,
        condition: Option<ValueId>,
        [then, other]: [WrittenResults; 2],
        tokens: &dyn ToTokens,
    ) -> WrittenResults {
        let mut results = WrittenResults::default();
        let verbs = [(Telling::State, "scatter"), (Telling::Output, "push")];
        for ((result, verb), arms) in verbs.into_iter().zip(then.into_iter().zip(other)) {
            // Before the branch: the arms know it.
            if self.results[result as usize].is_some() {
                continue;
            }
            results[result as usize] = Some(match arms {
                (None, None) => continue,
                (Some(then), Some(other)) => {
                    self.chosen_result(condition, then, other, verb, tokens)
                }
                (Some(one), None) | (None, Some(one)) => {
                    let message = format!(
                        "one arm of this branch calls `{verb}`, and the other does not: a vertex \
                         does on every way, or on none"
                    );
                    self.error(&one.call.func, message);
                    Written { fields: None, ..one }
                }
            });
        }
        results
    }

    /// What one arm tells, or the other.
    fn chosen_result(
        &mut self,
        condition: Option<ValueId>,
        then: Written,
        other: Written,
        verb: &str,
        tokens: &dyn ToTokens,
    ) -> Written {
        if then.ty.text != other.ty.text {
            let message = format!(
                "it is a `{}` here, and a `{}` in the other arm: every vertex of a function calls \
                 `{verb}` with one type",
                other.ty.text, then.ty.text
            );
            self.error(&other.call, message);
            return Written { fields: None, ..then };
        }
        let all = condition.zip(then.fields.as_ref().zip(other.fields));
        let fields = all.and_then(|(condition, (then, other))| {
            let field = |field: &Field| {
                // rustc reports a field that is missing.
                let same = other.iter().find(|same| same.name == field.name)?;
                let value = self.chosen(condition, &field.value, &same.value, tokens);
                Some(Field { value, ..field.clone() })
            };
            then.iter().map(field).collect::<Fields>()
        });
        Written { fields, ..then }
    }

    /// Scatters or pushes fields; while nothing tells whether one of them is an index, they wait
    /// for the rest of the function.
    fn write(&mut self, port: Port, ty: TypeName, fields: Fields, call: &ExprCall) {
        let Some(fields) = fields else { return self.lose() };
        if fields.iter().any(|field| self.is_open(&field.value)) {
            self.waiting.push(Waiting { port, ty, fields, call: call.clone() });
        } else {
            self.write_now(port, &ty, &fields, call);
        }
    }

    /// Scatters and pushes what has waited: what nothing in the function reads as an index is a
    /// tensor.
    pub(crate) fn write_waiting(&mut self) {
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
        let Some(operands) = operands.into_iter().collect::<Option<Vec<_>>>() else {
            return self.lose();
        };
        let names = fields.iter().map(|field| field.name.as_str());
        let pairs: Vec<(&str, ValueId)> =
            names.zip(operands.iter().map(|operand| operand.id)).collect();
        match port {
            Port::Output => self.builder.push_output(&ty.text, &pairs),
            Port::Item => {
                if let Err(error) = self.builder.push_item(&ty.text, &pairs) {
                    let whole = format!("push({} {{ .. }})", ty.text);
                    self.result(Err(error), operands, whole, call);
                }
            }
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
        let FieldOrigin::Literal(fields) = &port.source else {
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
        let Some(operand) = self.operand(&value, &expr) else {
            self.lose();
            return Value::UNIT;
        };
        if let Err(error) = self.builder.loss(operand.id) {
            let whole = format!("loss({})", operand.text);
            self.result(Err(error), vec![operand], whole, call);
        }
        Value::UNIT
    }

    /// Notes that a result is unknown, so that no plan is made without this result. The reason is known if a helper is
    /// still missing or there is an error; otherwise the error is left to rustc.
    pub(crate) fn lose(&self) {
        if self.missing.is_empty() && self.cx.is_clean() {
            self.cx.leave_to_rustc();
        }
    }
}

/// Whether a function pushes in a loop whose end depends on values, so that what it pushes is a list.
pub(crate) fn pushes_list(edb: &CratePath, body: &Block) -> bool {
    let mut pushes = PushesInLoops { edb, loops: 0, found: false };
    pushes.visit_block(body);
    pushes.found
}

struct PushesInLoops<'a> {
    edb: &'a CratePath,
    loops: usize,
    found: bool,
}

impl<'ast> Visit<'ast> for PushesInLoops<'_> {
    fn visit_expr_while(&mut self, repeat: &'ast ExprWhile) {
        self.loops += 1;
        visit::visit_expr_while(self, repeat);
        self.loops -= 1;
    }

    fn visit_expr_loop(&mut self, repeat: &'ast ExprLoop) {
        self.loops += 1;
        visit::visit_expr_loop(self, repeat);
        self.loops -= 1;
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let Expr::Path(path) = text::peel(&call.func) {
            let name = function_of_edb(self.edb, &path.path);
            self.found |= self.loops > 0 && name.as_deref() == Some("push");
        }
        visit::visit_expr_call(self, call);
    }
}

/// The message for a scattered or pushed struct whose type cannot be inferred.
fn type_is_hidden(name: &str) -> String {
    format!(
        "which type? It must be visible in this function: `let x: S = ..; {name}(x);`, or \
         `{name}(S {{ .. }})`"
    )
}
