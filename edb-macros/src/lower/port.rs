//! The primitives: the types at the ports of a function, and what is read and written there.

use std::collections::HashMap;
use std::rc::Rc;

use edb_ir::{Op, Program, Slot, ValueId};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, ExprCall, ExprPath, GenericArgument, PathArguments};

use super::pattern::Hint;
use super::{Lowering, Operand, What};
use crate::text;
use crate::value::{Source, Struct, TypeName, Value};

/// The types at the ports of a function.
#[derive(Debug, Default)]
pub(crate) struct Ports {
    /// The fixed children, in order of mention.
    pub(crate) places: Vec<Place>,
    /// The state of the children that `gather_all` reads.
    pub(crate) rest: Option<TypeName>,
    /// What is pulled.
    pub(crate) input: Option<TypeName>,
    /// What is scattered.
    pub(crate) state: Option<TypeName>,
    /// What is pushed.
    pub(crate) output: Option<TypeName>,
    /// The states in the order of the program.
    pub(crate) states: Vec<TypeName>,
    scatters: bool,
    pushes: bool,
    loses: bool,
}

/// A fixed child.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Its place among the children.
    pub(crate) at: usize,
    /// Its state.
    pub(crate) ty: TypeName,
    /// Whether it may be absent.
    pub(crate) optional: bool,
    tokens: TokenStream,
}

impl Ports {
    /// Whether anything leaves the function.
    pub(super) fn computes(&self) -> bool {
        self.scatters || self.pushes || self.loses
    }

    /// Brings the fixed children from the order of mention into that of their places.
    pub(super) fn order_places(&mut self, program: &mut Program) {
        let to: Vec<u16> = self.places.iter().map(|place| place.at as u16).collect();
        self.places.sort_by_key(|place| place.at);
        let slots = program.slots.clone();
        for (from, slot) in slots.into_iter().enumerate() {
            program.slots[usize::from(to[from])] = slot;
        }
        for value in &mut program.values {
            match &mut value.op {
                Op::Child { slot: Slot::Fixed(slot), .. } | Op::WhereAbsent(slot) => {
                    *slot = to[usize::from(*slot)];
                }
                _ => {}
            }
        }
    }
}

/// What the pulled fields have turned out to be by their first uses.
pub(super) type Kinds = HashMap<String, Kind>;

/// What a pulled field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Tensor,
    Index,
}

impl Lowering<'_> {
    /// A call of a primitive.
    pub(super) fn primitive(
        &mut self,
        name: &str,
        call: &ExprCall,
        path: &ExprPath,
        hint: &Hint,
    ) -> Value {
        if self.what == What::Helper || !self.frames.is_empty() {
            self.arguments(call);
            let message = format!(
                "`{name}` is not for helpers: call it in the vertex function, and hand the helper \
                 what it computes with"
            );
            return self.poison(path, message);
        }
        if self.edge.is_some() {
            self.arguments(call);
            let message = format!(
                "`{name}` stands outside of the loop over children: the loop's body runs once for \
                 each of them, in any order"
            );
            return self.poison(path, message);
        }
        let once = ["scatter", "push", "pull"].contains(&name);
        if once && self.executions > 1 {
            let message = format!(
                "a vertex calls `{name}` once, and this loop runs {} times: move it out of the loop",
                self.executions
            );
            self.error(path, message);
        }
        let written = self.turbofish(path);
        let expected = match (written, hint) {
            (Some(ty), _) => Some(ty),
            (None, Hint::Port(ty)) => Some(ty.clone()),
            (None, _) => None,
        };
        match name {
            "gather" => self.gather(call, path, expected),
            "gather_or" => self.gather_or(call, path, expected),
            "gather_all" => {
                let message = "`gather_all` is what a loop runs over: `for child in \
                               gather_all::<S>() { .. }`";
                self.poison(path, message)
            }
            "pull" => self.pull(call, path, expected),
            "scatter" => self.scatter(call, path),
            "push" => self.push(call, path),
            _ => self.loss(call),
        }
    }

    /// The type in `gather::<Node>`.
    pub(super) fn turbofish(&mut self, path: &ExprPath) -> Option<TypeName> {
        let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
            return None;
        };
        match arguments.args.first()? {
            GenericArgument::Type(ty) => match Hint::of_type(ty) {
                Hint::Port(ty) => Some(ty),
                _ => None,
            },
            _ => None,
        }
    }

    /// The number of a state type in the program.
    pub(super) fn state(&mut self, ty: &TypeName) -> u16 {
        let number = self.builder.state(&ty.text);
        if usize::from(number) == self.ports.states.len() {
            self.ports.states.push(ty.clone());
        }
        number
    }

    /// The place in `gather(k)`.
    fn place(&mut self, value: &Value, expr: &Expr) -> Option<usize> {
        match value {
            Value::Size(size) => {
                let place = size.as_constant().and_then(|at| usize::try_from(at).ok());
                if let Some(place) = place.filter(|&place| place < 1024) {
                    return Some(place);
                }
            }
            Value::Poison => return None,
            _ => {}
        }
        let message = "the place of a child is a constant: `gather(0)`, or the variable of a loop \
                       over `0..n`";
        self.error(expr, message);
        None
    }

    /// The slot of the child at a place, declared at its first mention.
    fn slot(
        &mut self,
        at: usize,
        ty: &TypeName,
        optional: bool,
        tokens: &dyn ToTokens,
    ) -> Option<u16> {
        let known = self.ports.places.iter().position(|place| place.at == at);
        let Some(slot) = known else {
            let state = self.state(ty);
            let tokens = tokens.to_token_stream();
            self.ports.places.push(Place { at, ty: ty.clone(), optional, tokens });
            return Some(self.builder.slot(state, optional));
        };
        let place = &self.ports.places[slot];
        if place.ty != *ty {
            let first = &place.ty.text;
            let message = format!(
                "child {at} is gathered as a `{first}` before, and as a `{}` here: a child has one \
                 state",
                ty.text
            );
            self.error(tokens, message);
            return None;
        }
        if place.optional != optional {
            let message = format!(
                "child {at} is read by `gather` in one place and by `gather_or` in another: is it \
                 always there, or not?"
            );
            self.error(tokens, message);
            return None;
        }
        Some(slot as u16)
    }

    fn no_type(&self, name: &str, argument: &str, path: &ExprPath) -> Value {
        let message = format!(
            "which type? It must be visible here: `let x: S = {name}({argument});`, or \
             `{name}::<S>({argument})`"
        );
        self.poison(path, message)
    }

    fn gather(&mut self, call: &ExprCall, path: &ExprPath, ty: Option<TypeName>) -> Value {
        let Some([(value, expr)]) = self.exactly::<1>(call, "gather(k)") else {
            return Value::Poison;
        };
        let place = self.place(&value, &expr);
        let Some(ty) = ty else { return self.no_type("gather", &text::operand(&expr), path) };
        let slot = place.and_then(|place| self.slot(place, &ty, false, call));
        match slot {
            Some(slot) => {
                let source = Source::Child(Slot::Fixed(slot));
                Value::Struct(Rc::new(Struct { ty, source }))
            }
            None => Value::Poison,
        }
    }

    fn gather_or(&mut self, call: &ExprCall, path: &ExprPath, ty: Option<TypeName>) -> Value {
        let Some([(place, place_expr), (init, init_expr)]) =
            self.exactly::<2>(call, "gather_or(k, init)")
        else {
            return Value::Poison;
        };
        let place = self.place(&place, &place_expr);
        let ty = match &init {
            Value::Struct(init) => Some(init.ty.clone()),
            Value::Opaque(Some(known)) => ty.or(Some(known.clone())),
            value if value.is_silent() => ty,
            value => {
                let message = format!(
                    "what an absent child reads as is written as a struct, `gather_or(0, S {{ h: \
                     zeros(h) }})`; this is {}",
                    value.kind()
                );
                return self.poison(&init_expr, message);
            }
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
                let source = Source::ChildOr(slot, init);
                Value::Struct(Rc::new(Struct { ty, source }))
            }
            (_, init) => super::pattern::part_of(&init),
        }
    }

    fn pull(&mut self, call: &ExprCall, path: &ExprPath, ty: Option<TypeName>) -> Value {
        if self.exactly::<0>(call, "pull()").is_none() {
            return Value::Poison;
        }
        let Some(ty) = ty else { return self.no_type("pull", "", path) };
        match &self.ports.input {
            None => {
                self.builder.input(&ty.text);
                self.ports.input = Some(ty.clone());
            }
            Some(known) if *known != ty => {
                let message = format!(
                    "a vertex has one input: this pulls a `{}`, and a `{}` was pulled before",
                    ty.text, known.text
                );
                return self.poison(call, message);
            }
            Some(_) => {}
        }
        Value::Struct(Rc::new(Struct { ty, source: Source::Input }))
    }

    /// Field `name` of a struct.
    pub(super) fn port_field(
        &mut self,
        port: &Rc<Struct>,
        name: &str,
        tokens: &dyn ToTokens,
    ) -> Value {
        match &port.source {
            Source::Child(slot) => Value::Tensor(self.builder.child(*slot, name)),
            Source::ChildOr(slot, init) => self.optional_field(*slot, init, name, tokens),
            Source::Input => Value::Pulled(name.into()),
            Source::Argument(argument) => Value::Pulled(format!("{argument}.{name}")),
            Source::Literal(fields) => {
                let field = fields.iter().find(|field| field.name == name);
                // A field that is not there is an error of rustc's.
                field.map_or(Value::Poison, |field| field.value.clone())
            }
        }
    }

    /// An absent child's state is zeros: the field is the sum of it and of what stands for it.
    fn optional_field(
        &mut self,
        slot: u16,
        init: &Rc<Struct>,
        name: &str,
        tokens: &dyn ToTokens,
    ) -> Value {
        let child = self.builder.child(Slot::Fixed(slot), name);
        let init = self.port_field(init, name, tokens);
        let Some(init) = self.tensor(&init, tokens) else { return self.unknown() };
        // Zeros add nothing: the sum only says that the shapes are one, and is simplified away.
        let absent = match self.builder.op(init) {
            Op::Zeros => Ok(init),
            _ => self.builder.apply(Op::WhereAbsent(slot), &[init]),
        };
        let tokens = tokens.to_token_stream();
        let operand = |id, text: String| Operand { id, text, tokens: tokens.clone() };
        let result = absent.and_then(|absent| self.builder.apply(Op::Add, &[child, absent]));
        let operands = vec![
            operand(child, format!("the child's `{name}`")),
            operand(init, format!("that of the absent child")),
        ];
        self.result(result, operands, format!("gather_or(..).{name}"), &tokens)
    }

    /// A value as a tensor, at tokens that are no expression.
    fn tensor(&mut self, value: &Value, tokens: &dyn ToTokens) -> Option<ValueId> {
        match value {
            Value::Tensor(id) | Value::Real(id) => Some(*id),
            Value::Number(number) => Some(self.builder.constant(*number)),
            Value::Pulled(field) => self.pulled_tensor(field, tokens),
            _ if value.is_silent() => None,
            _ => {
                self.error(tokens, format!("this is {}, not a tensor", value.kind()));
                None
            }
        }
    }

    /// A pulled field as a tensor.
    pub(super) fn pulled_tensor(&mut self, field: &str, tokens: impl ToTokens) -> Option<ValueId> {
        let kind = *self.kinds.entry(field.into()).or_insert(Kind::Tensor);
        if kind == Kind::Index {
            let message = format!(
                "`{field}` is an index where it was used before, and a tensor here: it is one of \
                 the two"
            );
            self.error(tokens, message);
            return None;
        }
        Some(self.builder.pull(field))
    }

    /// A value as a pulled index.
    pub(super) fn index_field(&mut self, value: &Value, expr: &Expr) -> Option<u16> {
        let field = match value {
            Value::Pulled(field) => field,
            _ if value.is_silent() => return None,
            _ => {
                let message = format!(
                    "`{}` is {}, not an index: an index comes from outside, as an `Index` field of \
                     what is pulled",
                    text::operand(expr),
                    value.kind()
                );
                self.error(expr, message);
                return None;
            }
        };
        let kind = *self.kinds.entry(field.clone()).or_insert(Kind::Index);
        if kind == Kind::Tensor {
            let message = format!(
                "`{field}` is a tensor where it was used before, and an index here: it is one of \
                 the two"
            );
            self.error(expr, message);
            return None;
        }
        Some(self.builder.pull_index(field))
    }

    fn scatter(&mut self, call: &ExprCall, path: &ExprPath) -> Value {
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

    fn push(&mut self, call: &ExprCall, path: &ExprPath) -> Value {
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
        let usage = format!("{name}(S {{ .. }})");
        let [(value, expr)] = self.exactly::<1>(call, &usage)?;
        let fields_visible =
            format!("write the fields here, `{usage}`: a vertex function has to see all of them");
        let port = match value {
            Value::Struct(port) => port,
            Value::Opaque(Some(ty)) => return Some((ty, None)),
            Value::Opaque(None) => {
                self.error(&expr, type_is_hidden(name));
                return None;
            }
            Value::Poison => return None,
            value => {
                self.error(&expr, format!("`{usage}` takes a struct; this is {}", value.kind()));
                return None;
            }
        };
        let Source::Literal(fields) = &port.source else {
            self.error(&expr, fields_visible);
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

    fn loss(&mut self, call: &ExprCall) -> Value {
        self.ports.loses = true;
        let Some([(value, expr)]) = self.exactly::<1>(call, "loss(scalar)") else {
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

    /// The places of the fixed children are counted from 0 without gaps.
    pub(super) fn check_places(&self) {
        let mut places: Vec<&Place> = self.ports.places.iter().collect();
        places.sort_by_key(|place| place.at);
        for (expected, place) in places.iter().enumerate() {
            if place.at != expected {
                let message = format!(
                    "child {} is gathered, and child {expected} is not: places are counted from 0 \
                     without gaps",
                    place.at
                );
                return self.error(&place.tokens, message);
            }
        }
        let alike = places
            .windows(2)
            .all(|pair| pair[0].ty == pair[1].ty && pair[0].optional == pair[1].optional);
        let tuple = !alike || (self.ports.rest.is_some() && !places.is_empty());
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

/// The message for a scattered or pushed struct whose type cannot be seen.
fn type_is_hidden(name: &str) -> String {
    format!(
        "which type? It must be visible in this function: `let x: S = ..; {name}(x);`, or \
         `{name}(S {{ .. }})`"
    )
}
