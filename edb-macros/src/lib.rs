//! The procedural macros of edb, which compile a Rust function into a vertex function.
//!
//! ```text
//! #[derive(State)]
//! struct Node { h: Tensor, c: Tensor }
//!
//! #[vertex_function]
//! fn phrase(#[param(5 * H, 2 * H)] u: Tensor, #[param(5 * H)] b: Tensor) {
//!     let [l, r]: [Node; 2] = [gather(0), gather(1)];
//!     let [i, o, g, fl, fr] = (u.dot(concat([l.h, r.h])) + b).split();
//!     let c = i.sigmoid() * g.tanh() + fl.sigmoid() * l.c + fr.sigmoid() * r.c;
//!     scatter(Node { h: o.sigmoid() * c.tanh(), c });
//! }
//! ```
//!
//! The modules, in the order of an expansion:
//!
//! | step | module |
//! | --- | --- |
//! | expressions that are too deep for the stack are refused | `depth` |
//! | errors are collected, and all are reported | `errors` |
//! | the arguments of the attribute are parsed, with the path by which the user's crate names edb | `arguments`, `crate_path` |
//! | names that macros have brought in are told apart | `names` |
//! | the signature and the attributes of its arguments are parsed | `function`, `attr` |
//! | the body is lowered to a program of `edb-ir` | `lower` |
//! | the tokens of missing helpers are requested, until none is missing | `helper`, `expand` |
//! | code is written by which rustc checks the meaning of types and patterns | `ties::types` |
//! | code is written that compares the functions that are called with the helpers in the plan | `ties::called` |
//! | the plan is emitted beside the function | `emit` |
//! | its fused kernels are emitted as Rust | `kernels` |
//!
//! The derives are in `derives`. Use the macros through the crate `edb`.
//!
//! # Where what is decided
//!
//! Paths are relative to the crate.
//!
//! | question | file |
//! | --- | --- |
//! | What does a Rust construct become? | `src/lower/`, a file each: `expressions/`, `calls/`, `primitives/` (`gather` to `loss`), `statements/`; what they share: `src/lower/lowering/` |
//! | How are errors worded? | `src/suggest.rs`, `src/text.rs` |
//! | What does a compiled fused kernel look like? | `src/kernels.rs`; its ops are in `edb-kernels` (`src/rows/fused/ops.rs`) |
//! | What does an expansion need of the run time? | `src/emit.rs`; the macros do not depend on `edb-core` |
#![forbid(unsafe_code)]
#![warn(missing_docs)]

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use proc_macro::TokenStream;
use syn::{DeriveInput, Ident, parse_macro_input};

mod arguments;
mod attr;
mod crate_path;
mod depth;
mod derives;
mod emit;
mod errors;
mod expand;
mod function;
mod helper;
mod kernels;
mod lower;
mod names;
mod suggest;
mod text;
mod ties;
mod value;

/// Compiles a function into a vertex function, which defines a vertex type.
///
/// The function itself is kept, and calling it runs one vertex eagerly. The macro adds a struct of
/// the same name that implements `edb::VertexFunction`. The arguments are parameters,
/// `#[param(5 * H, 2 * H)] u: Tensor`, and sizes of dimensions, `#[dim(H)] h: Dim`; children, input
/// and results go through `gather`, `pull`, `scatter`, `push` and `loss`.
///
/// What the macro writes names edb as `::edb`. `#[vertex_function(crate = my::edb)]` says where edb
/// is in a crate that has it by another name, or by way of a crate that re-exports it: a path that
/// is right where the function stands.
///
/// `#[vertex_function(tangent)]` compiles the function's tangent, too, for products with Hessians
/// (`Model::tangent`).
///
/// `#[vertex_function(check(H = 3, X = 5))]` writes a test, `phrase_compiled_equals_eager`: it runs the plan and the
/// function itself against each other, forward and backward, over random graphs of this function at these sizes
/// of its dimensions. They agree unless something is read differently by the compiler of plans than by rustc.
///
/// The environment variable `EDB_DUMP=name` makes a build print the plan of the function `name`,
/// and `EDB_DUMP=*` those of all functions. Cargo expands macros again only in changed crates, so
/// touch a source file.
#[proc_macro_attribute]
pub fn vertex_function(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::vertex_function(arguments.into(), item.into()).into()
}

/// Makes a function callable from vertex functions.
///
/// It takes and returns tensors, indices, numbers, sizes, port structs, and arrays and tuples of
/// these. `use cells::gate;` imports everything that a call needs.
///
/// `#[vertex_helper(crate = my::edb)]` says where edb is, as for a vertex function. A helper and the
/// functions that call it may have different paths.
#[proc_macro_attribute]
pub fn vertex_helper(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let location = |name: &Ident| {
        let span = name.span().unwrap();
        let place = format!("{}:{}:{}", span.file(), span.line(), span.column());
        // A macro may write several helpers in one place.
        static WRITTEN: Mutex<BTreeMap<String, usize>> = Mutex::new(BTreeMap::new());
        let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
        let count = written.entry(place.clone()).or_default();
        *count += 1;
        format!("{place}:{count}")
    };
    expand::vertex_helper(arguments.into(), item.into(), &location).into()
}

/// Continues an expansion that has requested a helper; only the other macros emit calls of it.
#[doc(hidden)]
#[proc_macro]
pub fn compile(tokens: TokenStream) -> TokenStream {
    expand::compile(tokens.into()).into()
}

/// The state that a vertex passes to its parents: a struct of `Tensor`s.
///
/// `#[edb(crate = my::edb)]` beside the derive says where edb is, if that is not `::edb`.
#[proc_macro_derive(State, attributes(edb, shape))]
pub fn derive_state(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derives::port(&input, derives::Marker::State).into()
}

/// The input that a vertex pulls from outside its graph: a struct of `Tensor`s, `Index`es and
/// `Indices`.
///
/// `#[edb(crate = my::edb)]` beside the derive says where edb is, if that is not `::edb`.
#[proc_macro_derive(Input, attributes(edb, shape))]
pub fn derive_input(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derives::port(&input, derives::Marker::Input).into()
}

/// The output that a vertex pushes to the caller: a struct of `Tensor`s.
///
/// `#[edb(crate = my::edb)]` beside the derive says where edb is, if that is not `::edb`.
#[proc_macro_derive(Output, attributes(edb, shape))]
pub fn derive_output(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derives::port(&input, derives::Marker::Output).into()
}

/// A struct of vertex functions, `leaf: Function<leaf>`, which `ModelBuilder::add_all` adds to a model
/// together, each under the name of its field.
///
/// `#[edb(crate = my::edb)]` beside the derive says where edb is, if that is not `::edb`.
#[proc_macro_derive(Functions, attributes(edb))]
pub fn derive_functions(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derives::functions(&input).into()
}
