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
//! | what a function means, to compare the models of runs | [`fingerprint`] |
//! | the program verifier | [`mod@verify`] |
//! | the sizes of dimensions in a model | [`bind`] |
//! | typed numbers, and vectors that are indexed by them | [`id`] |
//!
//! `edb-compiler` compiles programs to plans. The run time decodes the [`Plan`] and gets the sizes
//! of its dimensions from [`Bindings`]. Everything here is pure data to data: no tensors, no I/O.
//!
//! # Where what is decided
//!
//! Paths are relative to the crate.
//!
//! | question | file |
//! | --- | --- |
//! | Which arguments, shape, gradient and tangent does an op have? | `src/table.rs` and `src/pointwise.rs`, one row each; the rules: `src/shape.rs`, `src/gradient.rs`, `src/tangent.rs` |
//! | What is a call that is more than one op? | `src/form.rs`; its formula, written independently, is in `edb-vertex` (`src/eager/forms.rs`) |
//! | How is a branch computed by choosing? | `src/branch.rs`; what an arm may consist of: `src/arm.rs` |
//! | With which section does a vertex begin, and what comes next? | `src/joint.rs` |
//! | What happens where a vertex decides on NaN? | `src/doubt.rs` |
//! | What is left of a routine where losses do not count? | `src/routine/without_losses.rs` |
//! | Is a plan valid? | `src/verify.rs`, `src/dominance.rs`, `src/joined.rs`, `src/routine/verify/`; with numbers for its dimensions it is checked in `edb-model` |
//! | When are two functions the same for a run? | `src/fingerprint.rs` |
//! | How are programs, routines and plans printed? | `src/print.rs`, `src/routine/print.rs`, `src/dot.rs` |
//!
//! # Names
//!
//! | name | what it means | where |
//! | --- | --- | --- |
//! | program | a function as a list of values in single-assignment form, with its ports; *joint* with its gradient | `Program`, `src/program.rs` |
//! | value | the result of one op of a program, with a shape and a domain | `Value`, `src/program.rs` |
//! | port | where a function exchanges data with the graph or the caller: a state, an input or an output | `PortDecl`, `src/program.rs` |
//! | slot | the place of a child among the children of a vertex: a fixed one, or the rest (`gather_all`) | `Slot`, `src/op.rs` |
//! | op | one operation; its class is the variant of `Op`, and passes decide by class | `Op`, `src/op.rs` |
//! | `Leaf` | ops that read a port, a parameter or a number; they have no arguments | `src/op.rs` |
//! | `Pointwise` | ops that compute each element from the same elements of the arguments | `src/pointwise.rs` |
//! | `Draw` | pointwise ops with random draws, such as dropout | `src/op.rs` |
//! | `Contraction` | products of matrices and vectors | `src/op.rs` |
//! | `Movement` | ops that move elements, such as slices and concatenations | `src/op.rs` |
//! | `Reduction` | ops over the elements of one vertex's tensor, such as a sum or softmax | `src/op.rs` |
//! | `Indexing` | ops that find, move and compare indices | `src/op.rs` |
//! | `Transition` | ops that combine edges or vertices into a coarser domain, such as a sum over children | `src/op.rs` |
//! | index | a value that is a number of a row or a class; its shape is how many it is one of | `Shape::OneOf`, `src/dim.rs` |
//! | decision | an index that is computed from numbers: the greatest, or a sample | `Op::decision`, `src/op.rs` |
//! | site | the number of an op among those of its function that draw or decide, in the order of execution; by it a decision is found again | `Sites`, `src/joint.rs` |
//! | doubt | a number that is 0, or NaN where a vertex has decided on NaN | `Program::doubt`, `src/doubt.rs` |
//! | form | a call that is written in several ops, or that has arguments other than tensors | `Form`, `src/form.rs` |
//! | domain | how often a value exists: once per step, per vertex or per edge | `Domain`, `src/op.rs` |
//! | phase | when a value is computed: prepare; eager, recurrent and lazy, forward and backward; accumulate | `Phase`, `src/phase.rs` |
//! | block | steps of a function that run in order, before they are programs: an arm, or the body of a loop | `Block`, `src/flow.rs` |
//! | arm | what a branch computes in one case; its condition is 1 where it is taken | `Builder::enter_arm`, `src/branch.rs` |
//! | gradient part | one of the values whose sum is the gradient of a parameter; those of tables are sparse, so a program does not add them up | `Gradients::params`, `src/program.rs` |
//! | plan | a compiled function: joint program, phases and routine; *verified* once it has passed all checks on which back ends rely | `Plan`, `Verified`, `src/plan.rs` |
//! | routine | what a back end runs: records, and the instructions of each phase | `Routine`, `src/routine/` |
//! | record | values side by side in memory, with a row for each step, vertex or edge | `Record`, `src/routine/` |
//! | span | consecutive pieces of a record: an operand of an instruction | `Span`, `src/routine/` |
//! | home | the memory of a record's rows: a parameter, a state, rows that are kept, scratch, .. | `Home`, `src/routine/` |
//! | instruction | one step of a routine's phase: an op, a product, a kernel or a copy | `Instruction`, `src/routine/` |
//! | kernel | pointwise ops fused into one pass over rows | `Kernel`, `src/routine/kernel.rs` |
//! | end | a reduction at the end of a kernel, which reads each row as soon as the kernel has computed it | `End`, `src/routine/kernel.rs` |
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
pub mod fingerprint;
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
pub mod source;
pub mod table;
pub mod tangent;
pub mod verify;

pub use bind::{BindError, Bindings, FunctionId, FunctionParam, Member, Sizes};
pub use builder::{Builder, LateError};
pub use dim::{Dim, Shape, Symbol};
pub use fingerprint::Fingerprint;
pub use flow::{Block, Branch, Carried, Flow, Loop, Merge, Step};
pub use form::{Argument, Call, Form};
pub use id::{Id, IdVec};
pub use joint::{Begin, Choice, Compared, JoinedState, Joint, Question, SectionChild, Sites};
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
