//! The state of a lowering, and what all constructs share: values, and errors in terms of the source.
//!
//! Comes in: the name, the kind and the dimensions of a function. Goes out: [`Lowering`], which a construct adds ops to, and
//! at the end the program ([`Lowered`]). The file of each construct implements methods of `Lowering`.
//!
//! | file | what it holds |
//! | --- | --- |
//! | this file | the state |
//! | `scope` | the variables of a function |
//! | `ports`, `kinds` | its port types; the kinds of pulled fields |
//! | `hint` | what the context of an expression implies about its value |
//! | `advice` | what is likely meant where shapes do not fit |
//! | `edge_loop` | the effects of a `gather_all` loop on outer variables |

mod advice;
mod edge_loop;
mod hint;
mod kinds;
mod ports;
mod scope;

use std::collections::HashMap;

use edb_ir::{Builder, Flow, Op, Program, ShapeError, Sites, ValueId};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, Path};

use crate::crate_path::CratePath;
use crate::errors::Context;
use crate::helper::{Calls, Expansion, Helpers};
use crate::text;
use crate::value::Value;
use scope::Scopes;

pub(crate) use edge_loop::{EdgeLoop, Fold, FoldKind, Read};
pub(crate) use hint::{Hint, array_length};
pub(crate) use kinds::{FieldKind, Kinds};
pub(crate) use ports::{
    Fields, FixedChild, Port, Ports, Telling, Waiting, Written, WrittenResults,
};
pub(crate) use scope::{Content, spelling};

/// A lowered function.
pub(crate) struct Lowered {
    /// The types at its ports.
    pub(crate) ports: Ports,
    /// The helpers that it calls whose tokens have not arrived yet, in order of calls.
    pub(crate) missing: Vec<Path>,
    /// What it computes, if there are no errors and no helper is missing.
    pub(crate) flow: Option<Flow>,
}

/// The kind of function that is being lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FunctionKind {
    VertexFunction,
    /// A helper on its own: it may not use primitives, and its tensors may be parameters.
    Helper,
}

/// The lowering of one function.
pub(super) struct Lowering<'a> {
    pub(super) cx: &'a Context,
    pub(super) builder: Builder,
    /// The names of dimensions, by number.
    pub(super) dims: Vec<String>,
    pub(super) scopes: Scopes,
    pub(super) ports: Ports,
    /// The kinds of pulled fields.
    pub(super) kinds: Kinds,
    pub(super) helpers: &'a Helpers,
    /// The path of edb in the current function.
    pub(super) edb: &'a CratePath,
    /// The helpers to which the paths of calls resolve in the current function.
    pub(super) calls: &'a Calls,
    pub(super) missing: Vec<Path>,
    pub(super) kind: FunctionKind,
    /// The helpers that are being inlined, outermost first.
    pub(super) frames: Vec<Frame>,
    /// How often the current code runs, by the unrolled loops around it.
    pub(super) executions: usize,
    /// The number of loop bodies lowered so far.
    pub(super) unrolled: usize,
    /// How many values have been checked as parts of an arm.
    checked: usize,
    /// How many branches and loops by values there are around the current code.
    pub(super) arms: usize,
    /// How many of these are loops.
    pub(super) repeats: usize,
    /// The current `gather_all` loop.
    pub(super) edge: Option<EdgeLoop>,
    /// The number of `gather_all` loops so far.
    pub(super) edge_loops: u32,
    /// The number of random draws so far outside these loops.
    pub(super) draws: Sites,
    /// The origins of values whose shapes may turn out to mismatch once the whole function is
    /// known.
    pub(super) origins: HashMap<ValueId, Origin>,
    /// What has been told on the way to the current code.
    pub(super) results: WrittenResults,
    /// Whether the function pushes in a loop, so that what it pushes is a list.
    pub(super) lists: bool,
    /// What is written to ports at the end of the function.
    pub(super) waiting: Vec<Waiting>,
}

/// A call of a helper that is being inlined.
pub(super) struct Frame {
    pub(super) name: String,
    pub(super) call: TokenStream,
}

/// An operand of an op: its value, and its source text.
#[derive(Clone)]
pub(super) struct Operand {
    pub(super) id: ValueId,
    pub(super) text: String,
    pub(super) tokens: TokenStream,
}

/// The context of a late error about a value.
pub(super) struct Origin {
    pub(super) whole: String,
    pub(super) operands: Vec<Operand>,
    pub(super) tokens: TokenStream,
    /// The call at which the error is reported, if the value is inside of a helper.
    pub(super) outer_call: Option<OuterCall>,
}

/// The call of a helper in the function being lowered, where errors inside of the helper are
/// reported.
pub(super) struct OuterCall {
    pub(super) call: TokenStream,
    /// The names of the helpers, which come before the message.
    pub(super) prefix: String,
}

impl<'a> Lowering<'a> {
    pub(super) fn new(
        cx: &'a Context,
        kind: FunctionKind,
        name: &str,
        dims: Vec<String>,
        expansion: &'a Expansion,
    ) -> Self {
        Self {
            cx,
            builder: Builder::new(name, dims.clone()),
            dims,
            scopes: Scopes::default(),
            ports: Ports::default(),
            kinds: Kinds::default(),
            helpers: &expansion.helpers,
            edb: &expansion.edb,
            calls: &expansion.calls,
            missing: Vec::new(),
            kind,
            frames: Vec::new(),
            executions: 1,
            unrolled: 0,
            arms: 0,
            repeats: 0,
            results: WrittenResults::default(),
            lists: false,
            checked: 0,
            edge: None,
            edge_loops: 0,
            draws: Sites::default(),
            origins: HashMap::new(),
            waiting: Vec::new(),
        }
    }

    /// Reports an error at `tokens`, or, inside a helper, at its call in the function being
    /// lowered.
    pub(super) fn error(&self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        match self.outer_call() {
            Some(outer) => self.cx.error(outer.call, format!("{}{message}", outer.prefix)),
            None => self.cx.error(tokens, message),
        }
    }

    /// Reports an error, and returns `Poison`.
    pub(super) fn poison(&self, tokens: impl ToTokens, message: impl std::fmt::Display) -> Value {
        self.error(tokens, message);
        Value::Poison
    }

    /// Returns `Poison` for a value whose error rustc reports. If rustc finds none, there is no plan.
    pub(super) fn rejected(&self) -> Value {
        self.cx.leave_to_rustc();
        Value::Poison
    }

    fn outer_call(&self) -> Option<OuterCall> {
        let outermost = self.frames.first()?;
        let names: Vec<String> =
            self.frames.iter().map(|frame| format!("in `{}`", frame.name)).collect();
        let prefix = format!("{}: ", names.join(", "));
        Some(OuterCall { call: outermost.call.clone(), prefix })
    }

    /// Applies an op to operands; `whole` is the expression.
    pub(super) fn apply(
        &mut self,
        op: impl Into<Op>,
        operands: Vec<Operand>,
        whole: &Expr,
    ) -> Value {
        let ids: Vec<ValueId> = operands.iter().map(|operand| operand.id).collect();
        let result = self.builder.apply(op, &ids);
        self.result(result, operands, text::whole(whole), whole)
    }

    /// The value of a builder's result, or its error in terms of the source.
    pub(super) fn result(
        &mut self,
        result: Result<ValueId, ShapeError>,
        operands: Vec<Operand>,
        whole: String,
        tokens: &dyn ToTokens,
    ) -> Value {
        match result {
            Ok(id) => {
                self.note_origin(id, operands, whole, tokens);
                let from = std::mem::replace(&mut self.checked, self.builder.len());
                self.check_arm(from, tokens);
                if self.builder.shape(id).is_index() { Value::Index(id) } else { Value::Tensor(id) }
            }
            Err(error) => {
                let tokens = tokens.to_token_stream();
                let advice = self.advice(tokens.clone(), &operands);
                let (tokens, message) = explain(&error, &whole, &operands, tokens, advice);
                self.poison(tokens, message)
            }
        }
    }

    /// Records the origin of a value whose shape may turn out to mismatch: only ops of several
    /// operands.
    pub(super) fn note_origin(
        &mut self,
        id: ValueId,
        operands: Vec<Operand>,
        whole: String,
        tokens: &dyn ToTokens,
    ) {
        if operands.len() > 1 {
            let outer_call = self.outer_call();
            let tokens = tokens.to_token_stream();
            self.origins.insert(id, Origin { whole, operands, tokens, outer_call });
        }
    }

    /// The program, once the whole body has been lowered.
    pub(super) fn finish(mut self, name: &syn::Ident) -> Lowered {
        self.write_waiting();
        self.check_places();
        if !self.ports.computes() {
            let message = format!(
                "`{name}` computes nothing: a vertex function ends in `scatter` (tells its \
                 parents), `push` (tells the outside) or `loss` (is minimised)"
            );
            self.cx.error(name, message);
        }
        let Self { builder, ports, missing, origins, cx, .. } = self;
        let mut lowered = Lowered { ports, missing, flow: None };
        if !cx.is_clean() || !lowered.missing.is_empty() {
            return lowered;
        }
        match builder.finish_flow() {
            Ok(flow) if !scatters_all_fields(&flow.program) => cx.leave_to_rustc(),
            Ok(mut flow) => {
                lowered.ports.order_places(&mut flow.program);
                lowered.flow = Some(flow);
            }
            Err(errors) => {
                for late in errors {
                    let Some(origin) = origins.get(&late.value) else {
                        cx.error(name, late.error.describe(&[]));
                        continue;
                    };
                    let tokens = origin.tokens.clone();
                    let (tokens, message) =
                        explain(&late.error, &origin.whole, &origin.operands, tokens, None);
                    match &origin.outer_call {
                        Some(outer) => cx.error(&outer.call, format!("{}{message}", outer.prefix)),
                        None => cx.error(tokens, message),
                    }
                }
            }
        }
        lowered
    }
}

/// Whether a function scatters all fields of its state that it mentions anywhere. If not, a field is
/// missing or has a name that the struct does not have.
fn scatters_all_fields(program: &Program) -> bool {
    let state = program.scattered.map(|state| &program.states[usize::from(state)]);
    state.is_none_or(|state| state.fields.len() == program.scatter.len())
}

/// The span and the message of a shape error, which ends in what is likely meant, if that is known.
fn explain(
    error: &ShapeError,
    whole: &str,
    operands: &[Operand],
    tokens: TokenStream,
    advice: Option<String>,
) -> (TokenStream, String) {
    let texts: Vec<String> = operands.iter().map(|operand| operand.text.clone()).collect();
    let operand = error.operand.and_then(|operand| operands.get(operand));
    let tokens = operand.map_or(tokens, |operand| operand.tokens.clone());
    let message = error.describe(&texts);
    if let Some(advice) = advice {
        return (tokens, format!("`{whole}`: {message}; {advice}"));
    }
    // How a size that is not known is shown in a shape: as an axis of its own, or in a sum.
    let is_unknown = ["[?", " ?", "* ?"].iter().any(|unknown| message.contains(unknown));
    let help = match is_unknown {
        true => {
            " (`?` is not known here; the shape of a field can be declared where it is bound, `#[shape(2, H)] x` \
                 in the pattern)"
        }
        false => "",
    };
    (tokens, format!("`{whole}`: {message}{help}"))
}
