//! `gather` and `gather_or`: the fixed children.

use std::rc::Rc;

use edb_ir::Slot;
use quote::ToTokens;
use syn::{Expr, ExprCall, ExprPath};

use crate::lower::expressions::part_of;
use crate::lower::lowering::{FixedChild, Lowering};
use crate::text;
use crate::value::{FieldOrigin, Struct, TypeName, Value};

impl Lowering<'_> {
    /// The number `k` in `gather(k)`.
    fn place(&mut self, value: &Value, expr: &Expr) -> Option<usize> {
        match value {
            Value::Size(size) => {
                let place = size.as_constant().and_then(|place| usize::try_from(place).ok());
                if let Some(place) = place.filter(|&place| place < 1024) {
                    return Some(place);
                }
            }
            Value::Poison => return None,
            Value::Opaque(_) => {}
            _ => {
                self.cx.leave_to_rustc();
                return None;
            }
        }
        let message = "the place of a child is a constant: `gather(0)`, or the variable of a loop \
                       over `0..n`";
        self.error(expr, message);
        None
    }

    /// The slot of the child with this number, declared at its first mention.
    fn slot(
        &mut self,
        child: usize,
        ty: &TypeName,
        optional: bool,
        tokens: &dyn ToTokens,
    ) -> Option<u16> {
        let known = self.ports.places.iter().position(|place| place.child == child);
        let Some(slot) = known else {
            let state = self.state(ty);
            let tokens = tokens.to_token_stream();
            self.ports.places.push(FixedChild { child, ty: ty.clone(), optional, tokens });
            return Some(self.builder.slot(state, optional));
        };
        let place = &self.ports.places[slot];
        if place.ty != *ty {
            let first = &place.ty.text;
            let message = format!(
                "child {child} is gathered as a `{first}` before, and as a `{}` here: a child has one \
                 state",
                ty.text
            );
            self.error(tokens, message);
            return None;
        }
        if place.optional != optional {
            let message = format!(
                "child {child} is read by `gather` in one place and by `gather_or` in another: is it \
                 always there, or not?"
            );
            self.error(tokens, message);
            return None;
        }
        Some(slot as u16)
    }

    pub(super) fn gather(
        &mut self,
        call: &ExprCall,
        path: &ExprPath,
        ty: Option<TypeName>,
    ) -> Value {
        let Some([(value, expr)]) = self.exactly::<1>(call) else {
            return Value::Poison;
        };
        let place = self.place(&value, &expr);
        let Some(ty) = ty else { return self.no_type("gather", &text::operand(&expr), path) };
        let slot = place.and_then(|place| self.slot(place, &ty, false, call));
        match slot {
            Some(slot) => {
                let source = FieldOrigin::Child(Slot::Fixed(slot));
                Value::Struct(Rc::new(Struct { ty, source }))
            }
            None => Value::Poison,
        }
    }

    pub(super) fn gather_or(
        &mut self,
        call: &ExprCall,
        path: &ExprPath,
        ty: Option<TypeName>,
    ) -> Value {
        let Some([(place, place_expr), (init, _)]) = self.exactly::<2>(call) else {
            return Value::Poison;
        };
        let place = self.place(&place, &place_expr);
        let ty = match &init {
            Value::Struct(init) => ty.or(Some(init.ty.clone())),
            Value::Opaque(Some(known)) => ty.or(Some(known.clone())),
            value if value.is_silent() => ty,
            _ => return self.rejected(),
        };
        let Some(ty) = ty else {
            if matches!(init, Value::Poison) {
                return Value::Poison;
            }
            return self.no_type("gather_or", "..", path);
        };
        let slot = place.and_then(|place| self.slot(place, &ty, true, call));
        match (slot, init) {
            (Some(slot), Value::Struct(init)) => {
                let source = FieldOrigin::ChildOr(slot, init);
                Value::Struct(Rc::new(Struct { ty, source }))
            }
            (_, init) => part_of(&init),
        }
    }

    /// Checks that the fixed children are numbered from 0 without gaps.
    pub(crate) fn check_places(&self) {
        let places = self.ports.ordered();
        for (expected, place) in places.iter().enumerate() {
            if place.child != expected {
                let message = format!(
                    "child {} is gathered, and child {expected} is not: places are counted from 0 \
                     without gaps",
                    place.child
                );
                return self.error(&place.tokens, message);
            }
        }
        let tuple = !self.ports.are_alike() || (self.ports.rest.is_some() && !places.is_empty());
        let members = places.len() + usize::from(self.ports.rest.is_some());
        if tuple && members > 8 {
            let message = format!(
                "these are {members} children of different kinds, and a vertex has up to 8: gather \
                 those of one type by `gather_all`"
            );
            self.error(&places[places.len() - 1].tokens, message);
        }
    }
}
