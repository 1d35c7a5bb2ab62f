//! The primitives.

use std::rc::Rc;

use syn::{ExprCall, ExprPath, GenericArgument, PathArguments};

use super::hint::Hint;
use super::lowering::{FunctionKind, Lowering};
use crate::value::{FieldOrigin, Struct, TypeName, Value};

impl Lowering<'_> {
    /// A call of a primitive.
    pub(super) fn primitive(
        &mut self,
        name: &str,
        call: &ExprCall,
        path: &ExprPath,
        hint: &Hint,
    ) -> Value {
        if self.kind == FunctionKind::Helper || !self.frames.is_empty() {
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
        let tells = ["scatter", "push"].contains(&name);
        if name == "scatter" && self.repeats > 0 {
            self.arguments(call);
            self.ports.scatters = true;
            let message = "`scatter` stands outside of loops: a vertex has one state, which it tells \
                           behind the loop";
            return self.poison(path, message);
        }
        if self.arms > 0 && name != "loss" && !tells {
            self.arguments(call);
            let message = format!(
                "`{name}` stands outside of branches and loops: every vertex of a function reads \
                 the same; `{name}` before, and choose between values"
            );
            return self.poison(path, message);
        }
        let once = match name {
            "push" => !self.lists,
            name => ["scatter", "pull"].contains(&name),
        };
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

    /// The error of a primitive whose type cannot be inferred.
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
        Value::Struct(Rc::new(Struct { ty, source: FieldOrigin::Input }))
    }
}
