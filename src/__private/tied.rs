//! What expansions of the macros name beside a function, by which rustc checks that names mean there what edb has taken
//! them for.

pub use edb_core::eager::forms::*;
pub use edb_core::eager::ops::*;
pub use edb_core::function::{Helper, HelperCall, HelperNumber, type_of};
pub use edb_core::port::{PortStruct, Valued};
pub use edb_core::tensor::{Dim, Index, Indices, Tensor};

/// Rust's own, whatever that name means where a function stands.
#[allow(non_camel_case_types)]
pub type usize = ::core::primitive::usize;

/// Likewise.
#[allow(non_camel_case_types)]
pub type f64 = ::core::primitive::f64;

/// The function `called`, which has to be `known`: no two functions have one type.
#[inline(always)]
pub fn the_function_of_edb<F>(called: F, known: F) -> F {
    let _ = known;
    called
}

/// What a method of `Option` returned. That it is Rust's own, and not of a trait of the user's that takes the
/// value, the closure says, in which it is found twice then.
#[inline(always)]
pub fn the_method_of_option(returned: bool, _: impl FnOnce() -> bool) -> bool {
    returned
}

/// A value of a type, where nothing runs.
pub fn one_like<T>(_: &T) -> T {
    unreachable!()
}

/// The methods of `Option` that vertex functions call, which take the value here.
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

/// The type itself.
#[diagnostic::on_unimplemented(
    message = "this name means `{Self}` here, and edb takes it for `{Known}`",
    label = "another type than edb's plan computes with",
    note = "give your type another name"
)]
pub trait Is<Known> {}

impl<T> Is<T> for T {}

/// Compiles if a type is the one that edb has taken its name for.
pub fn type_of_edb<T: Is<Known>, Known>() {}

/// Compiles if edb can have taken a name for that of a port struct.
pub fn port_struct<T: PortStruct>() {}

/// Compiles if a vertex function has values of the type.
pub fn type_of_values<T: Valued>() {}

/// A variable of a vertex function, by its number.
pub struct Variable<const NUMBER: usize>;

/// The variables of one number.
#[diagnostic::on_unimplemented(
    message = "rustc and edb do not take this name for the same variable",
    label = "a variable that a procedural macro has declared",
    note = "declare the variable under a name that the function does not use"
)]
pub trait Numbered<const NUMBER: usize> {}

impl<const NUMBER: usize> Numbered<NUMBER> for Variable<NUMBER> {}

/// Compiles if a variable is the one that edb has taken its name for.
pub fn variable_of_edb<const NUMBER: usize, V: Numbered<NUMBER>>(_: &V) {}
