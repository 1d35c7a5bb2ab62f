//! The intermediate representation of vertex functions: the program that the compiler reads, and
//! the plan that it writes and the run time executes.
//!
//! | | module |
//! | --- | --- |
//! | the ops, and their table: arguments, shapes, gradients, tangents | [`op`], [`table`], [`shape`], [`gradient`], [`tangent`] |
//! | a program: values that are computed by ops | [`program`]; written with the [`builder`], whose calls may be [more than one op](form) |
//! | what a person writes: a program with branches and loops | [`flow`] |
//! | dimensions by name, solved by unification | [`dim`], [`solve`] |
//! | what backpropagation adds to a program | [`autodiff`], with [`reverse`] for the rules |
//! | how fast values change along a direction; losses one by one | [`tangent`]; [`losses`] |
//! | when a value is computed | [`phase`] |
//! | what a back end runs: fused kernels, products, copies | [`mod@routine`] |
//! | program, phases and routine together, and their serialization | [`plan`] |
//! | the program verifier | [`mod@verify`] |
//! | the sizes of dimensions in a model | [`bind`] |
//! | typed numbers, and vectors that are indexed by them | [`id`] |
//!
//! `edb-compiler` compiles programs to plans. The run time decodes the [`Plan`] and gets the sizes
//! of its dimensions from [`Bindings`]. Everything here is pure data to data: no tensors, no I/O.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod arm;
pub mod autodiff;
pub mod bind;
mod branch;
pub mod builder;
pub mod dim;
mod dominance;
mod dot;
pub mod doubt;
pub mod flow;
pub mod form;
pub mod gradient;
pub mod id;
mod joined;
pub mod joint;
pub mod losses;
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
pub mod tangent;
pub mod verify;

pub use bind::{BindError, Bindings, FunctionId, FunctionParam, Member, Sizes};
pub use builder::{Builder, LateError};
pub use dim::{Dim, Shape, Symbol};
pub use flow::{Block, Branch, Carried, Flow, Loop, Merge, Step};
pub use form::{Argument, Call, Form};
pub use id::{Id, IdVec};
pub use joint::{Begin, Choice, Compared, JoinedState, Joint, Question, Sites, Source};
pub use op::{
    Arity, Contraction, Domain, Draw, Indexing, Leaf, Movement, Op, Pointwise, Reduction, Slot,
    Surface, Transition,
};
pub use phase::Phase;
pub use plan::{Plan, Verified};
pub use program::{
    FieldDecl, FieldType, Gradients, MOST_VALUES, ParamDecl, PortDecl, Program, SlotDecl, Value,
    ValueId,
};
pub use routine::{
    End, Home, Instruction, Kernel, KernelId, Record, RecordId, Routine, Span, Stack, StackId,
};
pub use shape::ShapeError;
