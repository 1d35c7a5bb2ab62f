//! The rules of ops: the op table, and the shape, gradient and tangent rules that its rows name.
//!
//! What comes in is an op with its arguments. What goes out is its [`Row`](table::Row), by
//! [`Op::row`](crate::Op::row): its name, how it is written, the shape of its result, and what
//! gradients and tangents are made of. Rules for gradients and tangents write ops of the same
//! table into the program ([`reverse`], [`mod@tangent`]).
//!
//! A pointwise op is one row of `pointwise.rs` and one rule of `gradient.rs`; an op of another class has a
//! variant in [`op`](crate::op) and a row in `table.rs`. The builder and the verifiers call the shape rules; the passes in
//! `gradients/` call the other two.

pub mod gradient;
mod pointwise;
pub mod reverse;
pub mod shape;
pub mod table;
pub(crate) mod tangent;
mod term;

pub(crate) use reverse::{Gift, Reverse};
pub use shape::ShapeError;
