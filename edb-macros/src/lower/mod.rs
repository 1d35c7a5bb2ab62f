//! Lowering: the body of a function, walked in the order in which it runs, into a program.
//!
//! Every construct runs once: loops over numbers and arrays are unrolled, helpers are inlined, and
//! the body of a `gather_all` loop is lowered once, for the edge at which it runs. An expression
//! becomes a [`Value`]; one in error becomes [`Value::Poison`], which silences what depends on it.
//! What is only an error of types, as the wrong number of arguments is, rustc reports itself.

use std::collections::HashMap;

use edb_ir::{Builder, Op, Program, ShapeError, ValueId};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, ItemFn, Path};

use crate::attr::Role;
use crate::errors::Context;
use crate::function::Function;
use crate::helper::{Calls, Library};
use crate::text;
use crate::value::Value;

mod accumulate;
mod argument;
mod arithmetic;
mod call;
mod elsewhere;
mod expression;
mod field;
mod gather;
mod helpers;
mod loops;
mod method;
mod pattern;
mod port;
mod results;
mod scope;
mod statement;
mod unsupported;

use self::accumulate::EdgeLoop;
pub(crate) use self::call::functions;
pub(crate) use self::elsewhere::function as function_elsewhere;
use self::field::Kinds;
pub(crate) use self::method::{ITERATORS, methods};
pub(crate) use self::port::Ports;
use self::scope::Scopes;

/// A function, lowered.
pub(crate) struct Lowered {
    /// The types at its ports.
    pub(crate) ports: Ports,
    /// The helpers that it calls and whose tokens have not arrived yet, in order of calls.
    pub(crate) missing: Vec<Path>,
    /// Its program, if it has no error and nothing is missing.
    pub(crate) program: Option<Program>,
}

/// Lowers a vertex function.
pub(crate) fn function(
    cx: &Context,
    function: &Function<'_>,
    library: &Library,
    calls: &Calls,
) -> Lowered {
    let named = (function.name.as_str(), function.dims.clone());
    let mut lowering = Lowering::new(cx, named, library, calls, What::VertexFunction);
    for argument in &function.arguments {
        let name = argument.ident.to_string();
        let value = match &argument.role {
            Some(Role::Param(Some(shape))) => {
                Value::Tensor(lowering.builder.param(&name, shape.clone()))
            }
            Some(Role::Dim(Some(dim))) => Value::Size(edb_ir::Dim::name(*dim)),
            _ => Value::Poison,
        };
        lowering.scopes.declare(name, value);
    }
    for pattern in &function.patterns {
        lowering.bind_poison(pattern);
    }
    lowering.block(&function.item.block, &pattern::Hint::Any);
    lowering.finish(&function.item.sig.ident)
}

/// Checks the body of a helper at its definition, for arguments of any shape; returns the helpers
/// that it calls and whose tokens have not arrived yet.
pub(crate) fn helper(cx: &Context, item: &ItemFn, library: &Library, calls: &Calls) -> Vec<Path> {
    let name = item.sig.ident.to_string();
    let mut lowering = Lowering::new(cx, (&name, Vec::new()), library, calls, What::Helper);
    lowering.helper_definition(item);
    lowering.missing
}

/// What is being lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    VertexFunction,
    /// A helper on its own: the primitives are not for it, and its tensors may be parameters.
    Helper,
}

/// The lowering of one function.
struct Lowering<'a> {
    cx: &'a Context,
    builder: Builder,
    /// The names of the builder's dimensions.
    dims: Vec<String>,
    scopes: Scopes,
    ports: Ports,
    /// What pulled fields have turned out to be.
    kinds: Kinds,
    library: &'a Library,
    /// What the paths of calls stand for where we are.
    calls: &'a Calls,
    missing: Vec<Path>,
    what: What,
    /// The helpers that we are inlining, outermost first.
    frames: Vec<Frame>,
    /// How many times the code where we are runs, by the unrolled loops around it.
    executions: usize,
    /// How many loop bodies have been lowered.
    unrolled: usize,
    /// The `gather_all` loop that we are in.
    edge: Option<EdgeLoop>,
    /// How many `gather_all` loops have begun.
    edge_loops: u32,
    /// How many ops that draw there have been outside of these loops.
    draws: u32,
    /// Where values come from whose shapes may turn out not to fit when the whole function is known.
    origins: HashMap<ValueId, Origin>,
}

/// A call of a helper that is being inlined.
struct Frame {
    name: String,
    call: TokenStream,
}

/// An operand of an op: its value, and how it is written.
#[derive(Clone)]
struct Operand {
    id: ValueId,
    text: String,
    tokens: TokenStream,
}

/// What an error about a value would say, apart from the error.
struct Origin {
    whole: String,
    operands: Vec<Operand>,
    tokens: TokenStream,
    /// Where the error is reported if that is not at the tokens, and in what helpers it is.
    relocated: Option<(TokenStream, String)>,
}

impl<'a> Lowering<'a> {
    fn new(
        cx: &'a Context,
        (name, dims): (&str, Vec<String>),
        library: &'a Library,
        calls: &'a Calls,
        what: What,
    ) -> Self {
        Self {
            cx,
            builder: Builder::new(name, dims.clone()),
            dims,
            scopes: Scopes::default(),
            ports: Ports::default(),
            kinds: Kinds::default(),
            library,
            calls,
            missing: Vec::new(),
            what,
            frames: Vec::new(),
            executions: 1,
            unrolled: 0,
            edge: None,
            edge_loops: 0,
            draws: 0,
            origins: HashMap::new(),
        }
    }

    /// Reports an error at `tokens`; inside a helper, at its call in the function being lowered.
    fn error(&self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        match self.relocated() {
            Some((call, prefix)) => self.cx.error(call, format!("{prefix}{message}")),
            None => self.cx.error(tokens, message),
        }
    }

    /// Reports an error and poisons the value.
    fn poison(&self, tokens: impl ToTokens, message: impl std::fmt::Display) -> Value {
        self.error(tokens, message);
        Value::Poison
    }

    /// Poisons a value whose error rustc reports.
    fn rejected(&self) -> Value {
        self.cx.leave_to_rustc();
        Value::Poison
    }

    fn relocated(&self) -> Option<(TokenStream, String)> {
        let outermost = self.frames.first()?;
        let names: Vec<String> =
            self.frames.iter().map(|frame| format!("in `{}`", frame.name)).collect();
        Some((outermost.call.clone(), format!("{}: ", names.join(", "))))
    }

    /// Applies an op to operands; `whole` is the expression.
    fn apply(&mut self, op: Op, operands: Vec<Operand>, whole: &Expr) -> Value {
        let ids: Vec<ValueId> = operands.iter().map(|operand| operand.id).collect();
        let result = self.builder.apply(op, &ids);
        self.result(result, operands, text::whole(whole), whole)
    }

    /// The value of an op of the builder, or its error in the words of the source.
    fn result(
        &mut self,
        result: Result<ValueId, ShapeError>,
        operands: Vec<Operand>,
        whole: String,
        tokens: &dyn ToTokens,
    ) -> Value {
        match result {
            Ok(id) => {
                self.note_origin(id, operands, whole, tokens);
                Value::Tensor(id)
            }
            Err(error) => {
                let (at, message) = explain(&error, &whole, &operands, tokens.to_token_stream());
                self.poison(at, message)
            }
        }
    }

    /// Notes where a value comes from that may turn out not to fit: only pairs can.
    fn note_origin(
        &mut self,
        id: ValueId,
        operands: Vec<Operand>,
        whole: String,
        tokens: &dyn ToTokens,
    ) {
        if operands.len() > 1 {
            let relocated = self.relocated();
            let tokens = tokens.to_token_stream();
            self.origins.insert(id, Origin { whole, operands, tokens, relocated });
        }
    }

    /// The program, once the whole body has been lowered.
    fn finish(self, name: &syn::Ident) -> Lowered {
        self.check_places();
        if !self.ports.computes() {
            let message = format!(
                "`{name}` computes nothing: a vertex function ends in `scatter` (tells its \
                 parents), `push` (tells the outside) or `loss` (is minimised)"
            );
            self.cx.error(name, message);
        }
        let Self { builder, ports, missing, origins, cx, .. } = self;
        let mut lowered = Lowered { ports, missing, program: None };
        if !cx.is_clean() || !lowered.missing.is_empty() {
            return lowered;
        }
        match builder.finish() {
            Ok(mut program) => {
                lowered.ports.order_places(&mut program);
                lowered.program = Some(program);
            }
            Err(errors) => {
                for late in errors {
                    let Some(origin) = origins.get(&late.value) else {
                        cx.error(name, late.error.describe(&[]));
                        continue;
                    };
                    let tokens = origin.tokens.clone();
                    let (at, message) =
                        explain(&late.error, &origin.whole, &origin.operands, tokens);
                    match &origin.relocated {
                        Some((call, prefix)) => cx.error(call, format!("{prefix}{message}")),
                        None => cx.error(at, message),
                    }
                }
            }
        }
        lowered
    }
}

/// Where a shape error is reported, and its message.
fn explain(
    error: &ShapeError,
    whole: &str,
    operands: &[Operand],
    tokens: TokenStream,
) -> (TokenStream, String) {
    let texts: Vec<String> = operands.iter().map(|operand| operand.text.clone()).collect();
    let at = error.operand.and_then(|at| operands.get(at));
    let at = at.map_or(tokens, |operand| operand.tokens.clone());
    (at, format!("`{whole}`: {}", error.describe(&texts)))
}
