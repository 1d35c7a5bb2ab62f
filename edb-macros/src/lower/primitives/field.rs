//! Fields of port structs, which are read when they are accessed.

use std::rc::Rc;

use edb_ir::{Indexing, Leaf, Movement, Op, Pointwise, Slot, ValueId};
use quote::ToTokens;
use syn::Expr;

use crate::lower::lowering::{FieldKind, Hint, Lowering, Operand};
use crate::text;
use crate::value::{FieldOrigin, Struct, Value};

impl Lowering<'_> {
    /// Field `name` of a struct.
    pub(crate) fn port_field(
        &mut self,
        port: &Rc<Struct>,
        name: &str,
        tokens: &dyn ToTokens,
    ) -> Value {
        match &port.source {
            FieldOrigin::Child(slot) => Value::Tensor(self.builder.child(*slot, name)),
            FieldOrigin::ChildOr(slot, init) => self.optional_field(*slot, init, name, tokens),
            FieldOrigin::Input => Value::Pulled(name.into()),
            FieldOrigin::Argument(argument) => Value::Pulled(format!("{argument}.{name}")),
            FieldOrigin::Literal(fields) => {
                let field = fields.iter().find(|field| field.name == name);
                field.map_or_else(|| self.rejected(), |field| field.value.clone())
            }
        }
    }

    /// An index of the state of an optional child, or that of its replacement.
    fn optional_index(
        &mut self,
        slot: u16,
        child: ValueId,
        init: &Value,
        name: &str,
        tokens: &dyn ToTokens,
    ) -> Value {
        let Some(init) = self.index_of(init) else { return self.unknown() };
        let tokens = tokens.to_token_stream();
        let operand = |id, text: String| Operand { id, text, tokens: tokens.clone() };
        let result = self.builder.apply(Indexing::IfAbsent(slot), &[child, init]);
        let operands = vec![
            operand(child, format!("the child's `{name}`")),
            operand(init, "that of the absent child".into()),
        ];
        self.result(result, operands, format!("gather_or(..).{name}"), &tokens)
    }

    /// The state of an absent child is zeros, so the field is its sum with the replacement.
    fn optional_field(
        &mut self,
        slot: u16,
        init: &Rc<Struct>,
        name: &str,
        tokens: &dyn ToTokens,
    ) -> Value {
        let child = self.builder.child(Slot::Fixed(slot), name);
        let init = self.port_field(init, name, tokens);
        if self.builder.shape(child).is_index() || self.is_index(&init) {
            return self.optional_index(slot, child, &init, name, tokens);
        }
        let Some(init) = self.tensor(&init) else { return self.unknown() };
        // Adding zeros only requires equal shapes; the sum is simplified away.
        let absent = match self.builder.op(init) {
            Op::Leaf(Leaf::Zeros) => Ok(init),
            _ => self.builder.apply(Op::Movement(Movement::WhereAbsent(slot)), &[init]),
        };
        let tokens = tokens.to_token_stream();
        let operand = |id, text: String| Operand { id, text, tokens: tokens.clone() };
        let result = absent.and_then(|absent| self.builder.apply(Pointwise::Add, &[child, absent]));
        let operands = vec![
            operand(child, format!("the child's `{name}`")),
            operand(init, "that of the absent child".into()),
        ];
        self.result(result, operands, format!("gather_or(..).{name}"), &tokens)
    }

    /// A value as a tensor, without the source text of an operand.
    pub(crate) fn tensor(&mut self, value: &Value) -> Option<ValueId> {
        match value {
            Value::Tensor(id) | Value::Real(id) => Some(*id),
            Value::Number(number) => Some(self.builder.constant(*number)),
            Value::Pulled(field) => self.pulled_tensor(field),
            _ if value.is_silent() => None,
            _ => {
                self.cx.leave_to_rustc();
                None
            }
        }
    }

    /// A pulled field as a tensor.
    pub(crate) fn pulled_tensor(&mut self, field: &str) -> Option<ValueId> {
        self.has_kind(field, FieldKind::Tensor).then(|| self.builder.pull(field))
    }

    /// Records the kind of a pulled field at its first use; whether this use agrees.
    fn has_kind(&mut self, field: &str, kind: FieldKind) -> bool {
        let known = self.kinds.entry(field.into()).or_insert(kind);
        let agrees = *known == kind;
        if !agrees {
            // The field has one type, so rustc rejects one of the two uses; or the first was in a place
            // that takes both, for which the function is lowered once more.
            self.cx.leave_to_rustc();
            if *known == FieldKind::Tensor {
                *known = kind;
            }
        }
        agrees
    }

    /// Whether a value is known to be an index.
    pub(crate) fn is_index(&self, value: &Value) -> bool {
        match value {
            Value::Index(_) => true,
            Value::Tensor(id) => self.builder.shape(*id).is_index(),
            Value::Pulled(field) => self.kinds.get(field) == Some(&FieldKind::Index),
            _ => false,
        }
    }

    /// Whether a value is a pulled field whose kind no use has told yet.
    pub(crate) fn is_open(&self, value: &Value) -> bool {
        matches!(value, Value::Pulled(field) if !self.kinds.contains_key(field))
    }

    /// Whether a value is an index, or a field of a port that may turn out to be one.
    pub(crate) fn is_open_or_index(&self, value: &Value) -> bool {
        match value {
            Value::Pulled(_) => self.is_open(value) || self.is_index(value),
            Value::Tensor(id) => {
                let shape = self.builder.shape(*id);
                shape.is_index() || shape.dims().is_none()
            }
            value => self.is_index(value),
        }
    }

    /// A value as an index: one that has been computed, or a field of a port.
    pub(crate) fn index_of(&mut self, value: &Value) -> Option<ValueId> {
        match value {
            Value::Index(id) => Some(*id),
            Value::Tensor(id) => {
                let index = self.builder.index(*id).ok();
                if index.is_none() {
                    self.cx.leave_to_rustc();
                }
                index
            }
            _ => {
                let field = self.pulled(value, FieldKind::Index)?;
                Some(self.builder.pull_index(&field))
            }
        }
    }

    /// A value as the operand of an op that reads an index.
    pub(crate) fn index_operand(&mut self, value: &Value, expr: &Expr) -> Option<Operand> {
        let id = self.index_of(value)?;
        Some(Operand { id, text: text::operand(expr), tokens: expr.to_token_stream() })
    }

    /// A value whose type is written as `Index`: until then a field of a port may be either.
    pub(crate) fn typed(&mut self, hint: &Hint, value: Value) -> Value {
        match (hint, &value) {
            (Hint::Index, Value::Tensor(_) | Value::Pulled(_)) => {
                self.index_of(&value).map_or_else(|| self.unknown(), Value::Index)
            }
            (Hint::Array(_) | Hint::Tuple(_), Value::Array(_) | Value::Tuple(_)) => {
                let mut place = 0..;
                let item = |item: &Value| Some(self.typed(hint.item(place.next()?), item.clone()));
                value.rebuilt(item).unwrap_or(value)
            }
            _ => value,
        }
    }

    /// A value as a pulled bag of indices.
    pub(crate) fn indices_field(&mut self, value: &Value) -> Option<u16> {
        let field = self.pulled(value, FieldKind::Indices)?;
        Some(self.builder.pull_indices(&field))
    }

    /// The name of a pulled field, if the value is one and is of this kind.
    fn pulled(&mut self, value: &Value, kind: FieldKind) -> Option<String> {
        let field = match value {
            Value::Pulled(field) => field,
            _ if value.is_silent() => return None,
            _ => {
                self.cx.leave_to_rustc();
                return None;
            }
        };
        self.has_kind(field, kind).then(|| field.clone())
    }
}
