//! The primitives.

use std::rc::Rc;

use quote::ToTokens as _;
use syn::{ExprCall, ExprPath, GenericArgument, PathArguments};

use crate::lower::lowering::{FixedChild, FunctionKind, Hint, Lowering};
use crate::value::{FieldOrigin, Struct, TypeName, Value};

impl Lowering<'_> {
    /// A call of a primitive.
    pub(crate) fn primitive(
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
            let message = format!(
                "`{name}` stands outside of the loop over children: the loop's body runs once for \
                 each of them, in any order"
            );
            return self.refused(name, call, path, hint, message);
        }
        let tells = ["scatter", "push"].contains(&name);
        if name == "scatter" && self.repeats > 0 {
            self.ports.scatters = true;
            let message = "`scatter` stands outside of loops: a vertex has one state, which it tells \
                           behind the loop";
            return self.refused(name, call, path, hint, message.to_owned());
        }
        if self.arms > 0 && name != "loss" && !tells {
            let message = format!(
                "`{name}` stands outside of branches and loops: every vertex of a function reads \
                 the same; `{name}` before, and choose between values"
            );
            return self.refused(name, call, path, hint, message);
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
        let hint = self.turbofish(path).unwrap_or_else(|| hint.clone());
        let expected = match &hint {
            Hint::Port(ty) => Some(ty.clone()),
            Hint::Optional(ty) if name == "gather" || name == "gather_or" => {
                let message = format!(
                    "only input is an `Option`: a child that may be absent is read with `gather_or(k, init)`, \
                     which is the `{0}` that it told, or `init`, a `{0}` too",
                    ty.text
                );
                return self.refused("gather_or", call, path, &Hint::Port(ty.clone()), message);
            }
            _ => None,
        };
        match name {
            "gather" => self.gather(call, path, expected),
            "gather_or" => self.gather_or(call, path, expected),
            "gather_all" => {
                let message = "`gather_all` is what a loop runs over: `for child in \
                               gather_all::<S>() { .. }`";
                self.refused(name, call, path, &hint, message.to_owned())
            }
            "pull" => self.pull(call, path, &hint),
            "scatter" => self.scatter(call, path),
            "push" => self.push(call, path),
            _ => self.loss(call),
        }
    }

    /// The error for a primitive that stands where it may not.
    fn refused(
        &mut self,
        name: &str,
        call: &ExprCall,
        path: &ExprPath,
        hint: &Hint,
        message: String,
    ) -> Value {
        let values = self.arguments(call);
        let hint = self.turbofish(path).unwrap_or_else(|| hint.clone());
        self.note_port(name, &values, hint, call);
        self.poison(path, message)
    }

    /// Notes the port that a call means which is refused, so that rustc does not say of the code that
    /// builds graphs that it is wrong, too.
    pub(crate) fn note_port(&mut self, name: &str, values: &[Value], hint: Hint, call: &ExprCall) {
        match (name, values, hint) {
            ("gather_all", _, Hint::Port(ty)) => {
                // `let all: Vec<S> = gather_all();`
                self.ports.rest.get_or_insert(ty.argument().unwrap_or(ty));
            }
            ("gather" | "gather_or", [Value::Size(place), rest @ ..], hint) => {
                let written = match (hint, rest) {
                    (Hint::Port(ty), _) => Some(ty),
                    (_, [Value::Struct(init)]) => Some(init.ty.clone()),
                    _ => None,
                };
                let child = place.as_constant().and_then(|place| usize::try_from(place).ok());
                let (Some(ty), Some(child)) = (written, child) else { return };
                if self.ports.places.iter().all(|known| known.child != child) {
                    let (optional, tokens) = (name == "gather_or", call.to_token_stream());
                    self.ports.places.push(FixedChild { child, ty, optional, tokens });
                }
            }
            ("pull", _, hint @ (Hint::Port(_) | Hint::Optional(_)))
                if self.ports.input.is_none() =>
            {
                self.pull_as(&hint);
            }
            ("scatter", [Value::Struct(told)], _) => {
                self.ports.state.get_or_insert_with(|| told.ty.clone());
            }
            ("push", [Value::Struct(told)], _) => {
                self.ports.output.get_or_insert_with(|| told.ty.clone());
            }
            _ => {}
        }
    }

    /// The type in `gather::<Node>`, or `pull::<Option<Gold>>`.
    pub(crate) fn turbofish(&self, path: &ExprPath) -> Option<Hint> {
        let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
            return None;
        };
        match arguments.args.first()? {
            GenericArgument::Type(ty) => match Hint::of_type(ty) {
                known @ (Hint::Port(_) | Hint::Optional(_)) => Some(known),
                _ => None,
            },
            _ => None,
        }
    }

    /// The number of a state type in the program.
    pub(crate) fn state(&mut self, ty: &TypeName) -> u16 {
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

    fn pull(&mut self, call: &ExprCall, path: &ExprPath, hint: &Hint) -> Value {
        if self.exactly::<0>(call).is_none() {
            return Value::Poison;
        }
        let (ty, optional) = match hint {
            Hint::Port(ty) => (ty.clone(), false),
            Hint::Optional(ty) => (ty.clone(), true),
            _ => return self.no_type("pull", "", path),
        };
        match &self.ports.input {
            None => self.pull_as(hint),
            Some(known) if *known == ty && optional != self.ports.has_input.is_some() => {
                let message = format!(
                    "this pulls a `{0}` in one place, and an `Option<{0}>` in another: may a vertex be \
                     without it, or not?",
                    ty.text
                );
                return self.poison(call, message);
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
        let input = Rc::new(Struct { ty, source: FieldOrigin::Input });
        if optional { Value::Optional(input) } else { Value::Struct(input) }
    }

    /// Declares the input.
    fn pull_as(&mut self, hint: &Hint) {
        let (Hint::Port(ty) | Hint::Optional(ty)) = hint else { return };
        match hint {
            Hint::Optional(_) => self.ports.has_input = Some(self.builder.optional_input(&ty.text)),
            _ => self.builder.input(&ty.text),
        }
        self.ports.input = Some(ty.clone());
    }
}
