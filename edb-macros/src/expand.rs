//! The expansions, step by step: parse, lower, then request a helper or emit.

use std::collections::BTreeSet;

use edb_ir::source::source;
use edb_ir::{Plan, Program};
use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::parse::Parser;
use syn::{FnArg, Ident, ItemFn, Path};

use crate::arguments::Arguments;
use crate::attr::{check_all, is_helper};
use crate::crate_path::{CratePath, VERTEX_FUNCTION};
use crate::depth;
use crate::emit;
use crate::errors::Context;
use crate::function::{Function, check_signature};
use crate::helper::{self, Expansion};
use crate::lower::{self, Lowered};
use crate::names;
use crate::ties::{called, ports, types};

/// Macros of the standard prelude: a helper with such a name would shadow the macro in its module.
const STANDARD: [&str; 34] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "include",
    "include_bytes",
    "include_str",
    "line",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "print",
    "println",
    "stringify",
    "thread_local",
    "todo",
    "try",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// `#[vertex_function]`.
pub(crate) fn vertex_function(arguments: TokenStream, tokens: TokenStream) -> TokenStream {
    let (mut expansion, arguments) = match parse(VERTEX_FUNCTION, arguments, tokens) {
        Ok(parsed) => parsed,
        Err(fallback) => return fallback,
    };
    let cx = Context::new();
    let names = names::settle(&expansion.edb, &mut expansion.item, true);
    let function = Function::new(&cx, &expansion.item);
    let lowered = lower::function(&cx, &function, &expansion);
    let (clean, reported) = (cx.is_clean(), cx.reports());
    let errors = cx.check().err().map(|errors| errors.to_compile_error());
    let left_to_rustc = lowered.missing.is_empty() && !clean && !reported;
    let types = types_of(&expansion.edb, &expansion.item, false, reported);
    let bounds = ports::bounds(&expansion.edb, &lowered.ports);
    let emitted = emit::item(&expansion.edb, &expansion.item, types, bounds, left_to_rustc, clean);
    let definition = match lowered.missing.first() {
        // The last step reports errors that depend on the results of helpers.
        Some(path) => expansion.ask(path),
        None if left_to_rustc => emit::as_in_the_item(&expansion.item),
        None => definition(&expansion, &function, &lowered, clean, reported),
    };
    let implementation =
        emit::vertex_function(&expansion.edb, &function, &lowered.ports, &definition);
    let test = arguments.check.map(|sizes| emit::test(&expansion.edb, &expansion.item, &sizes));
    quote!(#emitted #errors #names #implementation #test)
}

/// `#[vertex_helper]`; `location` distinguishes helpers with the same text.
pub(crate) fn vertex_helper(
    arguments: TokenStream,
    tokens: TokenStream,
    location: &dyn Fn(&Ident) -> String,
) -> TokenStream {
    let mut expansion = match parse("vertex_helper", arguments, tokens) {
        Ok((expansion, _)) => expansion,
        Err(fallback) => return fallback,
    };
    let names = names::settle(&expansion.edb, &mut expansion.item, false);
    let (edb, item) = (expansion.edb.clone(), expansion.item.clone());
    expansion.helper = Some(helper::macro_name(&item, &location(&item.sig.ident)));
    let HelperStep { rest, is_clean, reported } = helper_step(expansion);
    let left_to_rustc = !is_clean && !reported;
    let types = types_of(&edb, &item, true, reported);
    let emitted = emit::item(&edb, &item, types, Vec::new(), left_to_rustc, is_clean);
    quote!(#emitted #names #rest)
}

/// The code that checks the types of a function; `None` if it needs none, or errors of the function are reported.
fn types_of(
    edb: &CratePath,
    item: &ItemFn,
    is_helper: bool,
    reported: bool,
) -> Option<TokenStream> {
    if reported { None } else { types::checks(edb, item, is_helper) }
}

/// `compile!`: the next step of an expansion.
pub(crate) fn compile(tokens: TokenStream) -> TokenStream {
    let expansion = match helper::resume.parse2(tokens) {
        Ok(expansion) => expansion,
        Err(error) => return error.to_compile_error(),
    };
    if expansion.helper.is_some() {
        return helper_step(expansion).rest;
    }
    let cx = Context::new();
    let function = Function::new(&cx, &expansion.item);
    let lowered = lower::function(&cx, &function, &expansion);
    if let Some(path) = lowered.missing.first() {
        cx.discard();
        return expansion.ask(path);
    }
    let (clean, reported) = (cx.is_clean(), cx.reports());
    // The first step has reported the errors that are visible without the helpers.
    let blind = Context::new();
    Function::new(&blind, &expansion.item);
    let first = Expansion::new(expansion.edb.clone(), expansion.item.clone());
    lower::function(&blind, &function, &first);
    let clean = clean && blind.is_clean();
    let definition =
        definition(&expansion, &function, &lowered, clean, reported || blind.reports());
    match cx.check_except(blind.check().err()) {
        Ok(()) => definition,
        Err(errors) => {
            let errors = errors.to_compile_error();
            quote!({ #errors #definition })
        }
    }
}

/// Parses a function and the arguments of its attribute; after an error the item is all that is
/// emitted, with the error.
fn parse(
    attribute: &str,
    arguments: TokenStream,
    tokens: TokenStream,
) -> Result<(Expansion, Arguments), TokenStream> {
    if let Err(error) = depth::check(&tokens) {
        let item = syn::parse2::<ItemFn>(depth::without_body(tokens));
        let item = item.map_or_else(
            |_| TokenStream::new(),
            |item| emit::without_helper_attributes(&item).into_token_stream(),
        );
        return Err(with_error(item, &error));
    }
    let item: ItemFn = match syn::parse2(tokens.clone()) {
        Ok(item) => item,
        Err(error) => {
            let error = match syn::parse2::<syn::Item>(tokens.clone()) {
                // It parses as another item: report that, rather than that `fn` was expected.
                Ok(item) => {
                    syn::Error::new_spanned(item, format!("`#[{attribute}]` stands on a function"))
                }
                Err(_) => error,
            };
            return Err(with_error(tokens, &error));
        }
    };
    match Arguments::parse(attribute, arguments) {
        Ok(arguments) => {
            let (tangent, is_checked) = (arguments.tangent, arguments.check.is_some());
            let expansion = Expansion::new(arguments.edb.clone(), item);
            Ok((Expansion { tangent, is_checked, ..expansion }, arguments))
        }
        Err(error) => {
            Err(with_error(emit::without_helper_attributes(&item).into_token_stream(), &error))
        }
    }
}

fn with_error(item: TokenStream, error: &syn::Error) -> TokenStream {
    let error = error.to_compile_error();
    quote!(#item #error)
}

/// The body of `definition`: the plan, unless there are errors; some of them may be `reported`.
fn definition(
    expansion: &Expansion,
    function: &Function<'_>,
    lowered: &Lowered,
    clean: bool,
    reported: bool,
) -> TokenStream {
    match &lowered.flow {
        Some(flow) if clean => {
            let plan = edb_compiler::compile_flow(flow.clone());
            dump(&function.name, &plan);
            let tangent = expansion.tangent.then(|| edb_compiler::tangent(&plan)).transpose();
            match tangent {
                Ok(tangent) => {
                    let sources =
                        if expansion.is_checked { sources(&flow.program) } else { vec![] };
                    let plans = emit::Plans { own: &plan, tangent: tangent.as_ref(), sources };
                    emit::definition(expansion, function, &lowered.ports, &plans)
                }
                Err(reason) => {
                    let message = format!("the function has no tangent: {reason}");
                    syn::Error::new_spanned(&function.item.sig.ident, message).to_compile_error()
                }
            }
        }
        _ if !reported && !expansion.helpers.are_sound() => emit::without_helper(),
        _ => emit::poisoned(reported),
    }
}

/// For each state that a function gathers, its number, and a plan whose vertices leave it: what its test makes
/// children of.
fn sources(program: &Program) -> Vec<(usize, Plan)> {
    let slots = program.slots.iter().map(|slot| slot.state);
    let gathered: BTreeSet<u16> = slots.chain(program.rest).collect();
    let source = |number: u16| {
        let state = &program.states[usize::from(number)];
        let name = format!("a child of `{}` that is a `{}`", program.name, state.name);
        let source = source(&name, &program.dims, state).ok()?;
        Some((usize::from(number), edb_compiler::compile(source)))
    };
    gathered.into_iter().filter_map(source).collect()
}

/// The result of a step of a helper's definition.
struct HelperStep {
    /// The tokens of the next step, or of the definition.
    rest: TokenStream,
    /// Whether the helper has no errors so far.
    is_clean: bool,
    /// Whether there are errors that are not left to rustc.
    reported: bool,
}

/// Takes the next step of a helper's definition.
fn helper_step(expansion: Expansion) -> HelperStep {
    let cx = Context::new();
    check_helper(&cx, &expansion.item);
    let missing = lower::helper(&cx, &expansion);
    let name = &expansion.item.sig.ident;
    let recursive = |path: &&Path| path.get_ident() == Some(name);
    if let Some(path) = missing.iter().find(recursive) {
        let message = format!("`{name}` calls itself, without end: helpers are inlined");
        cx.error(path, message);
    } else if let Some(path) = missing.first() {
        let (is_clean, reported) = (cx.is_clean(), cx.reports());
        cx.discard();
        return HelperStep { rest: expansion.ask(path), is_clean, reported };
    }
    let (sound, reported) = (cx.is_clean(), cx.reports());
    let errors = cx.check().err().map(|errors| errors.to_compile_error());
    let called = sound.then(|| called::of_helper(&expansion)).flatten();
    let definition = helper::definition(expansion, sound, called);
    HelperStep { rest: quote!(#errors #definition), is_clean: sound, reported }
}

fn check_helper(cx: &Context, item: &ItemFn) {
    check_signature(cx, "vertex helper", &item.sig);
    check_all(cx, "vertex_helper", item);
    for input in &item.sig.inputs {
        let FnArg::Typed(typed) = input else { continue };
        if let Some(attribute) = typed.attrs.iter().find(|attribute| is_helper(attribute)) {
            let message = "a helper takes any tensor: what is a parameter is said where it is \
                           called";
            cx.error(attribute, message);
        }
    }
    let name = item.sig.ident.to_string();
    if lower::functions().contains(&name.as_str()) || lower::methods().contains(&name.as_str()) {
        cx.error(&item.sig.ident, format!("`{name}` is an op: give the helper another name"));
    } else if let Some(instead) = lower::function_elsewhere(&name) {
        let message = format!(
            "`{name}` is the name of an op elsewhere, for which there is another way here: {instead}; give the helper \
             another name"
        );
        cx.error(&item.sig.ident, message);
    } else if STANDARD.contains(&name.as_str()) {
        let message = format!(
            "beside a helper stands a macro of its name, which would hide `{name}!`: give the \
             helper another name"
        );
        cx.error(&item.sig.ident, message);
    }
}

/// `EDB_DUMP=phrase cargo build` prints the plan of `phrase`, `EDB_DUMP=*` all plans.
#[expect(clippy::print_stderr, reason = "it is what the variable asks for")]
fn dump(name: &str, plan: &Plan) {
    if std::env::var("EDB_DUMP").is_ok_and(|wanted| wanted == name || wanted == "*") {
        eprintln!("{plan}");
    }
}

#[cfg(test)]
mod tests;
