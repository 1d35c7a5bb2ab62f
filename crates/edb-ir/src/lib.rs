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
//! | numbers that JSON lacks: infinite ones, and NaN | [`any_number`] |
//!
//! `edb-compiler` compiles programs to plans. The run time decodes the [`Plan`] and gets the sizes
//! of its dimensions from [`Bindings`]. Everything here is pure data to data: no tensors, no I/O.
//!
//! # How the folders hang together
//!
//! ```text
//! shapes/     dimensions by name, and the solver
//! program/    the data: ops, programs, functions with branches and loops
//! rules/      the op table, with the rules for shapes, gradients and tangents
//! builder/    calls ─▶ Program or Flow, with shapes
//! verify/     Program or Flow ─▶ whether it keeps the rules
//! gradients/  Program ─▶ Program with gradients, Program of the tangent
//! routine/    what a back end runs, and whether it is valid
//! plan/       Program, phases and Routine of each section ─▶ Plan ─▶ bytes ─▶ Verified
//! bind.rs     Programs of a model, and numbers for their dimensions ─▶ Bindings
//! ```
//!
//! Each needs only those above it, and `id.rs`. Its `mod.rs` says what comes in, what goes out and
//! who calls it.
//!
//! # Where what is decided
//!
//! Paths are relative to the crate.
//!
//! | question | file |
//! | --- | --- |
//! | Which arguments, shape, gradient and tangent does an op have? | `src/rules/table.rs` and `src/rules/pointwise.rs`, one row each; the rules: `src/rules/shape.rs`, `gradient.rs`, `tangent.rs` |
//! | What is a call that is more than one op? | `src/builder/form.rs`; its formula, written independently, is in `edb-vertex` (`src/eager/forms.rs`) |
//! | How is a branch computed by choosing? | `src/builder/branch.rs`; what an arm may consist of: `src/builder/arm.rs` |
//! | With which section does a vertex begin, and what comes next? | `src/plan/joint.rs` |
//! | What happens where a vertex decides on NaN? | `src/gradients/doubt.rs` |
//! | What is left of a routine where losses do not count? | `src/routine/without_losses.rs` |
//! | Is a plan valid? | `src/verify/`, `src/plan/joined.rs`, `src/routine/verify/`; with numbers for its dimensions it is checked in `edb-model` |
//! | When are two functions the same for a run? | `src/program/fingerprint.rs` |
//! | How are programs, routines and plans printed? | `src/program/print.rs`, `src/routine/print.rs`, `src/plan/dot.rs` |
//!
//! # Names
//!
//! | name | what it means | where |
//! | --- | --- | --- |
//! | program | a function as a list of values in single-assignment form, with its ports; *joint* with its gradient | `Program`, `src/program/mod.rs` |
//! | value | the result of one op of a program, with a shape and a domain | `Value`, `src/program/mod.rs` |
//! | port | where a function exchanges data with the graph or the caller: a state, an input or an output | `PortDecl`, `src/program/mod.rs` |
//! | slot | the place of a child among the children of a vertex: a fixed one, or the rest (`gather_all`) | `Slot`, `src/program/op.rs` |
//! | op | one operation; its class is the variant of `Op`, and passes decide by class | `Op`, `src/program/op.rs` |
//! | `Leaf` | ops that read a port, a parameter or a number; they have no arguments | `src/program/op.rs` |
//! | `Pointwise` | ops that compute each element from the same elements of the arguments | `src/rules/pointwise.rs` |
//! | `Draw` | pointwise ops with random draws, such as dropout | `src/program/op.rs` |
//! | `Contraction` | products of matrices and vectors | `src/program/op.rs` |
//! | `Movement` | ops that move elements, such as slices and concatenations | `src/program/op.rs` |
//! | `Reduction` | ops over the elements of one vertex's tensor, such as a sum or softmax | `src/program/op.rs` |
//! | `RowReduction` | a reduction of each row of one vertex's matrix | `src/program/op.rs` |
//! | `Indexing` | ops that find, move and compare indices | `src/program/op.rs` |
//! | `Transition` | ops that combine edges or vertices into a coarser domain, such as a sum over children | `src/program/op.rs` |
//! | index | a value that is a number of a row or a class; its shape is how many it is one of | `Shape::OneOf`, `src/shapes/dim.rs` |
//! | decision | an index that is computed from numbers: the greatest, or a sample | `Op::decision`, `src/program/op.rs` |
//! | site | the number of an op among those of its function that draw or decide, in the order of execution; by it a decision is found again | `Sites`, `src/plan/joint.rs` |
//! | doubt | a number that is 0, or NaN where a vertex has decided on NaN | `Program::doubt`, `src/gradients/doubt.rs` |
//! | form | a call that is written in several ops, or that has arguments other than tensors | `Form`, `src/builder/form.rs` |
//! | domain | how often a value exists: once per step, per vertex or per edge | `Domain`, `src/program/op.rs` |
//! | phase | when a value is computed: prepare; eager, recurrent and lazy, forward and backward; accumulate | `Phase`, `src/routine/phase.rs` |
//! | block | steps of a function that run in order, before they are programs: an arm, or the body of a loop | `Block`, `src/program/flow.rs` |
//! | arm | what a branch computes in one case; its condition is 1 where it is taken | `Builder::enter_arm`, `src/builder/branch.rs` |
//! | gradient part | one of the values whose sum is the gradient of a parameter; those of tables are sparse, so a program does not add them up | `Gradients::params`, `src/program/mod.rs` |
//! | plan | a compiled function: joint program, phases and routine; *verified* once it has passed all checks on which back ends rely | `Plan`, `Verified`, `src/plan/mod.rs` |
//! | routine | what a back end runs: records, and the instructions of each phase | `Routine`, `src/routine/` |
//! | record | values side by side in memory, with a row for each step, vertex or edge | `Record`, `src/routine/` |
//! | span | consecutive pieces of a record: an operand of an instruction | `Span`, `src/routine/` |
//! | home | the memory of a record's rows: a parameter, a state, rows that are kept, scratch, .. | `Home`, `src/routine/` |
//! | instruction | one step of a routine's phase: an op, a product, a kernel or a copy | `Instruction`, `src/routine/` |
//! | kernel | pointwise ops fused into one pass over rows | `Kernel`, `src/routine/kernel.rs` |
//! | end | a reduction at the end of a kernel, which reads each row as soon as the kernel has computed it | `End`, `src/routine/kernel.rs` |
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod any_number;
pub mod bind;
pub mod builder;
mod gradients;
pub mod id;
pub mod plan;
pub mod program;
pub mod routine;
mod rules;
mod shapes;
pub mod verify;

pub use bind::{BindError, Bindings, FunctionId, FunctionParam, Member, Sizes};
pub use builder::{Argument, Builder, Call, Form, LateError, form, source};
pub use gradients::{autodiff, doubt, losses, tangent};
pub use id::{Id, IdVec};
pub use plan::{
    Begin, Choice, Compared, JoinedState, Joint, Plan, Question, SectionChild, Sites, Verified,
    joint,
};
pub use program::{
    Arity, Block, Branch, Carried, Contraction, Domain, Draw, FieldDecl, FieldType, Fingerprint,
    Flow, Gradients, Indexing, Leaf, Loop, MOST_VALUES, Merge, Movement, Op, ParamDecl, Pointwise,
    PortDecl, Program, Reduction, Role, RowReduction, Semiring, SemiringContraction, Slot,
    SlotDecl, Step, Surface, Transition, Value, ValueId, fingerprint, flow, op,
};
pub use routine::{
    End, Home, Instruction, Kernel, KernelId, Phase, Record, RecordId, Routine, Span, Stack,
    StackId, phase,
};
pub use rules::{ShapeError, gradient, reverse, shape, table};
pub use shapes::{Dim, Shape, Symbol, dim, solve};
