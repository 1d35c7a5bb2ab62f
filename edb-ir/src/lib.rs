//! The compiler of a vertex function: from the program of one vertex to a plan.
//!
//! The macro front end (`edb-macros`) lowers a Rust function into a [`Program`] with the
//! [`Builder`], and [`Plan::compile`] runs the passes over it:
//!
//! | pass | module |
//! | --- | --- |
//! | shapes, by unification over dimension names | [`builder`], [`shape`], [`solve`] |
//! | constants, common values, dead values | [`simplify`] |
//! | autodiff, to a joint forward/backward program | [`autodiff`], [`gradient`] |
//! | a place for every port | [`outlets`] |
//! | phases | [`phase`] |
//! | which contractions run together | [`batching`] |
//! | where their operands are | [`layout`] |
//! | what a back end runs: fused kernels, products, copies | [`mod@routine`] |
//!
//! The run time decodes the [`Plan`] and asks [`Bindings`] for the numbers behind its dimensions.
//! Everything here is pure data to data: no tensors, no I/O.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod autodiff;
pub mod batching;
pub mod bind;
pub mod builder;
pub mod dim;
pub mod form;
pub mod gradient;
pub mod layout;
pub mod op;
pub mod outlets;
pub mod phase;
pub mod plan;
mod print;
pub mod program;
pub mod routine;
pub mod shape;
pub mod simplify;
pub mod solve;
pub mod verify;

pub use bind::{BindError, Bindings, Member, Sizes};
pub use builder::{Builder, LateError};
pub use dim::{Dim, Shape, Symbol};
pub use form::{Argument, Call, Form};
pub use op::{Arity, Class, Domain, Op, Slot, Surface};
pub use phase::Phase;
pub use plan::Plan;
pub use program::{
    FieldDecl, FieldType, Gradients, MOST_VALUES, ParamDecl, PortDecl, Program, SlotDecl, Value,
    ValueId,
};
pub use routine::{End, Home, Kernel, Options, Record, Routine, Span, Stack, Step};
pub use shape::ShapeError;
