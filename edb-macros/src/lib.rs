//! The macros of edb: a Rust function becomes a vertex function.
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
//! An expansion goes through these modules:
//!
//! | step | module |
//! | --- | --- |
//! | errors are collected and all reported | `errors` |
//! | the signature, with the attributes of arguments | `function`, `attr` |
//! | the body, walked into a program of `edb-ir` | `lower` |
//! | the tokens of helpers are asked for until none is missing | `helper`, `expand` |
//! | the plan is written out beside the function | `emit` |
//! | its fused kernels are written as Rust | `kernels` |
//!
//! The derives of ports are in `derive`. Use the macros through the crate `edb`.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

use proc_macro::TokenStream;
use syn::{DeriveInput, Ident, parse_macro_input};

mod attr;
mod derive;
mod emit;
mod errors;
mod expand;
mod function;
mod helper;
mod kernels;
mod lower;
mod suggest;
mod text;
mod value;

/// Makes a function the function of a vertex type.
///
/// The function stays as it is, and calling it runs one vertex eagerly. Beside it stands a struct
/// of its name that implements `edb::VertexFunction`. Its arguments are parameters,
/// `#[param(5 * H, 2 * H)] u: Tensor`, and sizes of dimensions, `#[dim(H)] h: Dim`; its children,
/// its input and its results go through `gather`, `pull`, `scatter`, `push` and `loss`.
///
/// `EDB_DUMP=name` in the environment of a build prints the plan of the function `name`,
/// `EDB_DUMP=*` all plans; cargo expands again only what has changed, so touch the file.
#[proc_macro_attribute]
pub fn vertex_function(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::vertex_function(&arguments.into(), item.into()).into()
}

/// Makes a function one that vertex functions can call.
///
/// It takes and returns tensors, indices, numbers, sizes, port structs, and arrays and tuples of
/// these. `use cells::gate;` imports all that a call needs.
#[proc_macro_attribute]
pub fn vertex_helper(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let place = |name: &Ident| {
        let span = name.span().unwrap();
        format!("{}:{}:{}", span.file(), span.line(), span.column())
    };
    expand::vertex_helper(&arguments.into(), item.into(), &place).into()
}

/// A step of an expansion that asks for helpers; written by the other macros only.
#[doc(hidden)]
#[proc_macro]
pub fn compile(tokens: TokenStream) -> TokenStream {
    expand::compile(tokens.into()).into()
}

/// What a vertex tells its parents: a struct of `Tensor`s.
#[proc_macro_derive(State)]
pub fn derive_state(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derive::derive(&input, derive::Marker::State).into()
}

/// What a vertex pulls from outside its graph: a struct of `Tensor`s, `Index`es and `Indices`.
#[proc_macro_derive(Input)]
pub fn derive_input(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derive::derive(&input, derive::Marker::Input).into()
}

/// What a vertex pushes to the outside: a struct of `Tensor`s.
#[proc_macro_derive(Output)]
pub fn derive_output(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derive::derive(&input, derive::Marker::Output).into()
}
