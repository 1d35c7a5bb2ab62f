//! Programs that are made of a program: with its gradient, of its tangent, and what losses need.
//!
//! What comes in is a forward program. What goes out is the joint program that computes gradients,
//! too ([`autodiff`]), the program of the tangent along a direction ([`mod@tangent`]), the program
//! that pushes its losses one by one ([`losses`]), or the program with the number that is NaN where
//! a vertex decides on NaN ([`mod@doubt`]).
//!
//! The compiler calls all of them: the first and the last for each function, the other two when a
//! user asks a model for tangents, for products with the Hessian or for each loss by itself. What
//! the gradient of one op is, its rule says ([`rules`](crate::rules)); here the rules are applied to
//! all values of a program.

pub mod autodiff;
pub mod doubt;
pub mod losses;
pub mod tangent;
