//! The primitives, and the types at the ports of a function.

use std::rc::Rc;

use edb_ir::{Op, Program, Slot};
use proc_macro2::TokenStream;
use syn::{ExprCall, ExprPath, GenericArgument, PathArguments};

use super::pattern::Hint;
use super::{Lowering, What};
use crate::value::{Source, Struct, TypeName, Value};

/// The types at the ports of a function.
#[derive(Default)]
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
    pub(super) scatters: bool,
    pub(super) pushes: bool,
    pub(super) loses: bool,
}

/// A fixed child.
#[derive(Clone)]
pub(crate) struct Place {
    /// Its place among the children.
    pub(crate) at: usize,
    /// Its state.
    pub(crate) ty: TypeName,
    /// Whether it may be absent.
    pub(crate) optional: bool,
    pub(super) tokens: TokenStream,
}

impl Ports {
    /// Whether anything leaves the function.
    pub(super) fn computes(&self) -> bool {
        self.scatters || self.pushes || self.loses
    }

    /// The fixed children, in the order of their places.
    pub(crate) fn ordered(&self) -> Vec<&Place> {
        let mut places: Vec<&Place> = self.places.iter().collect();
        places.sort_by_key(|place| place.at);
        places
    }

    /// Whether the fixed children have one type, and are all optional or all not.
    pub(crate) fn are_alike(&self) -> bool {
        let kind = |place: &Place| (place.ty.text.clone(), place.optional);
        self.places.windows(2).all(|pair| kind(&pair[0]) == kind(&pair[1]))
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

    /// The error of a primitive whose type cannot be seen.
    pub(super) fn no_type(&self, name: &str, argument: &str, path: &ExprPath) -> Value {
        let message = format!(
            "which type? It must be visible here: `let x: S = {name}({argument});`, or \
             `{name}::<S>({argument})`"
        );
        self.poison(path, message)
    }

    fn pull(&mut self, call: &ExprCall, path: &ExprPath, ty: Option<TypeName>) -> Value {
        if self.exactly::<0>(call).is_none() {
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
}
