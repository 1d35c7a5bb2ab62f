//! Shapes before their sizes are known: dimensions by name, and the solver that finds them.
//!
//! What comes in are shapes whose dimensions are names, numbers or unknowns, and the equations
//! that ops require of them. What goes out are the shapes with their unknowns found, or the
//! [`Clash`] of two shapes that cannot be equal.
//!
//! The [`rules`](crate::rules) unify the shapes of an op's arguments here. So the builder, the
//! verifiers and [`Bindings`](crate::Bindings) solve in the same way. Nothing here knows ops or
//! programs.

pub mod dim;
pub mod solve;

pub use dim::{Dim, Shape, Symbol};
pub(crate) use solve::{Clash, Solver};
