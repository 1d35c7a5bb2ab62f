//! Programs and plans of a vertex function: what the compiler reads and writes, and the run time executes.
//!
//! | | module |
//! | --- | --- |
//! | the ops, and their table: arguments, shapes, gradients | [`op`], [`table`], [`shape`], [`gradient`] |
//! | a program: values that are computed by ops | [`program`]; written with the [`builder`], whose calls may be [more than one op](form) |
//! | dimensions by name, solved by unification | [`dim`], [`solve`] |
//! | what backpropagation adds to a program | [`autodiff`], with [`reverse`] for the rules |
//! | when a value is computed | [`phase`] |
//! | what a back end runs: fused kernels, products, copies | [`mod@routine`] |
//! | program, phases and routine together, as bytes, too | [`plan`] |
//! | what must hold of programs and plans | [`mod@verify`] |
//! | the numbers behind dimensions | [`bind`] |
//!
//! `edb-compiler` makes plans of programs. The run time decodes the [`Plan`] and asks [`Bindings`] for the
//! numbers behind its dimensions. Everything here is pure data to data: no tensors, no I/O.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod autodiff;
pub mod bind;
pub mod builder;
pub mod dim;
mod dot;
pub mod form;
pub mod gradient;
pub mod op;
pub mod phase;
pub mod plan;
mod pointwise;
mod print;
pub mod program;
pub mod reverse;
pub mod routine;
pub mod shape;
pub mod solve;
pub mod table;
pub mod verify;

pub use bind::{BindError, Bindings, Member, Sizes};
pub use builder::{Builder, LateError};
pub use dim::{Dim, Shape, Symbol};
pub use form::{Argument, Call, Form};
pub use op::{
    Arity, Contraction, Domain, Draw, Leaf, Movement, Op, Pointwise, Reduction, Slot, Surface,
    Transition,
};
pub use phase::Phase;
pub use plan::{Plan, Verified};
pub use program::{
    FieldDecl, FieldType, Gradients, MOST_VALUES, ParamDecl, PortDecl, Program, SlotDecl, Value,
    ValueId,
};
pub use routine::{End, Home, Kernel, Record, Routine, Span, Stack, Step};
pub use shape::ShapeError;
