//! The code that the macros write beside a function names these items. By them, rustc checks that each name in the
//! function means what edb has taken it for.

use std::marker::PhantomData;

pub use edb_core::eager::forms::*;
pub use edb_core::eager::ops::*;
use edb_core::function::Definition;
pub use edb_core::function::{Helper, HelperCall, HelperNumber, type_of};
use edb_core::port::State;
pub use edb_core::port::{PortStruct, Valued};
pub use edb_core::tensor::{Dim, Index, Indices, Tensor};

/// Rust's own `usize`, whatever `usize` means where the function is.
#[allow(non_camel_case_types)]
pub type usize = ::core::primitive::usize;

/// Rust's own `f64`, whatever `f64` means where the function is.
#[allow(non_camel_case_types)]
pub type f64 = ::core::primitive::f64;

/// Returns `called`, and compiles only if it is the function `known`, since each function has a type of its own.
#[inline(always)]
pub fn the_function_of_edb<F>(called: F, known: F) -> F {
    let _ = known;
    called
}

/// Returns what a method of `Option` returned. The closure, which never runs, calls the method once more where
/// [`MethodsOfOption`] is in scope: if a trait of the user also has a method of this name that takes the value, rustc
/// finds two and refuses the call.
#[inline(always)]
pub fn the_method_of_option(returned: bool, _: impl FnOnce() -> bool) -> bool {
    returned
}

/// Stands for another value of the same type, in code that never runs.
pub fn one_like<T>(_: &T) -> T {
    unreachable!()
}

/// The methods of `Option` that vertex functions call. Here they take the value.
#[expect(
    clippy::wrong_self_convention,
    reason = "a trait of a user's that takes the value has to clash with it"
)]
pub trait MethodsOfOption: Sized {
    /// Whether there is a value.
    fn is_some(self) -> bool;
    /// Whether there is none.
    fn is_none(self) -> bool;
}

impl<T> MethodsOfOption for Option<T> {
    fn is_some(self) -> bool {
        Option::is_some(&self)
    }

    fn is_none(self) -> bool {
        Option::is_none(&self)
    }
}

/// Implemented only by the type `Known` itself.
#[diagnostic::on_unimplemented(
    message = "this name means `{Self}` here, and edb takes it for `{Known}`",
    label = "another type than edb's plan computes with",
    note = "give your type another name"
)]
pub trait Is<Known> {}

impl<T> Is<T> for T {}

/// Compiles only if `T` is the type `Known`, for which edb has taken its name.
pub fn type_of_edb<T: Is<Known>, Known>() {}

/// Compiles only if `T` is a port struct, as edb has taken it for one.
pub fn port_struct<T: PortStruct>() {}

/// Compiles only if `T` is a type of values in a vertex function.
pub fn type_of_values<T: Valued>() {}

/// Compiles only if `T` is a state.
pub fn state<T: State>() {}

/// The type itself. rustc does not check a bound on it where a function has it, for the sake of the lifetime: it takes
/// for granted there that the type is a port, and a type that is none is an error in one place only.
pub trait Same<'a> {
    /// The type.
    type It;
}

impl<T> Same<'_> for T {
    type It = T;
}

/// A vertex function whose types are ports.
pub trait Defined {
    /// See `VertexFunction::definition`.
    fn definition() -> Definition;
}

/// The vertex function `F`, whether its types are ports or not.
pub struct OfFunction<F>(PhantomData<F>);

/// The vertex function `F`.
pub fn of_function<F>() -> OfFunction<F> {
    OfFunction(PhantomData)
}

impl<F: Defined> OfFunction<F> {
    /// Its definition.
    pub fn definition(self) -> Definition {
        F::definition()
    }
}

/// What rustc finds in place of the method of this name if a type is no port, which is an error elsewhere.
pub trait Undefined: Sized {
    /// No definition.
    fn definition(self) -> Definition {
        unreachable!()
    }
}

impl<F> Undefined for OfFunction<F> {}

/// Stands for the variable of a vertex function that has this number.
pub struct Variable<const NUMBER: usize>;

/// Implemented only by the variable with this number.
#[diagnostic::on_unimplemented(
    message = "rustc and edb do not take this name for the same variable",
    label = "a variable that a procedural macro has declared",
    note = "declare the variable under a name that the function does not use"
)]
pub trait Numbered<const NUMBER: usize> {}

impl<const NUMBER: usize> Numbered<NUMBER> for Variable<NUMBER> {}

/// Compiles only if the name means the same variable to rustc as to edb.
pub fn variable_of_edb<const NUMBER: usize, V: Numbered<NUMBER>>(_: &V) {}
