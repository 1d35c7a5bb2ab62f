//! The engine of edb: from vertex functions and graphs to results and gradients.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`model`] | vertex functions with numbers for their dimensions, and their parameters |
//! | [`graph`] | input graphs, built one vertex at a time or from records, and minibatches |
//! | [`device`] | where minibatches run |
//! | [`engine`] | rows, arena and the order of phases; runs and their results |
//! | [`backend`] | the interface for back ends, of which `cpu` is one |
//! | [`testing`] | tools that compare runs with the semantic reference |
//!
//! What it stands on, under the names that `edb` has for it: [`tensor`], [`port`], [`function`] and
//! [`eager`] are the language of vertex functions (`edb-vertex`); [`learn`], [`collective`] and
//! [`secret`] are how parameters are learned (`edb-learn`); [`element`], [`math`], [`random`],
//! [`machine`], [`trace`] and [`vouch`] come with the kernels (`edb-kernels`); and [`schedule`] decides which
//! vertices run together (`edb-schedule`).
//!
//! Use it through the crate `edb`, which adds the macros and training.
//!
//! # Where what is decided
//!
//! Paths are relative to the crate.
//!
//! | question | file |
//! | --- | --- |
//! | In which order do phases run, and what does a back end have to do? | `src/engine/pass/phases.rs`; `src/engine/backend/` |
//! | What does a minibatch go through, forward and backward? | `src/engine/pass/`, whether it trains or is only run, whole or in parts |
//! | Which functions follow the schedule, and in which order? | `src/engine/layout/dependencies.rs` |
//! | Which row is a vertex in, and which rows does it read? | `src/engine/layout/rows.rs`, `src/engine/layout/edges.rs` |
//! | Where is a value in the arena? | `src/engine/layout/place.rs`, `src/engine/layout/` |
//! | Which vertex does a handle mean, in a run? | `src/engine/layout/find.rs`; in one graph of it: `src/engine/results/graph_results.rs` |
//! | Who takes a training step, and where are the parameters? | `src/engine/backend/stepper.rs` (the interface), `src/engine/pass/host.rs` (the host), or a back end |
//! | Into which parts is a minibatch cut, and who runs them? | `src/engine/parts/`; `src/engine/parts/crew.rs` |
//! | How do graphs grow while they run? | `src/engine/growing/` (wave by wave), `src/engine/growing/early_waves.rs` (by a policy that needs no future), `src/engine/layout/append.rs` (rows and memory), `src/engine/growing/growth.rs` (what the person sees), `src/engine/growing/grow_each.rs` (in parts, to their end) |
//! | How are the gradients of each graph summed? | `src/engine/gradients/each.rs` (what is asked for), `src/engine/parts/clip.rs` (clipped, in parts), `src/engine/backend/graph_sums.rs` (what a back end does); on the CPU: `src/cpu/graph_sums.rs`, `src/cpu/graph_plan.rs`, `src/cpu/graph_working.rs` |
//! | How are Jacobians and the gradients of single losses computed? | `src/engine/gradients/jacobian.rs`, `src/engine/gradients/losses.rs`; copies of graphs that have run: `src/engine/results/graph_copies.rs` |
//! | By what are gradients multiplied in `f16`? | `src/engine/pass/loss_scale.rs` |
//! | How are the gradients of several ranks added up on devices? | `src/engine/backend/share_sums.rs` (the interface) |
//! | Which precisions are there? | `src/engine/precision.rs` |
//! | Where does a number arise that is not finite? | `src/engine/not_finite/values.rs` (values), `src/engine/not_finite/gradients.rs` (gradients) |
//! | What is in a report? | `src/engine/pass/report.rs` |
//! | How does the CPU run a phase? | in blocks of rows that stay in cache: `src/cpu/mod.rs`, `src/cpu/cut.rs`, `src/cpu/block.rs`; the kernels are in `edb-kernels` |
//! | Which weights are packed, and when? | `src/cpu/weights.rs` |
//! | How does the CPU multiply with matrices that are values? | `src/cpu/value_blocks.rs`; other ops that are neither kernels nor products: `src/cpu/other_ops.rs`, `src/cpu/indexing.rs` |
//! | How does the CPU sum gradients over all vertices? | `src/cpu/accumulate.rs` |
//! | How do threads share the work? | parts of a minibatch side by side (`src/cpu/crew.rs`); whole graphs (`src/cpu/portions.rs`, `src/cpu/run_portions.rs`); rows, or the columns of products (`src/cpu/mod.rs`); how many: the number that is fastest, which is found by trying |
//! | How close must results be to the reference? | `src/testing/closeness.rs`; how exact ops are: `tests/engine/accuracy.rs` of the repository |
//!
//! # Names
//!
//! | name | what it means | where |
//! | --- | --- | --- |
//! | engine | what runs minibatches: it makes schedules, rows and the arena's layout, and calls the back end | `Engine`, `src/engine/` |
//! | back end | what runs phases over rows, on a CPU or a GPU | `Backend`, `src/engine/backend/` |
//! | device | the choice of hardware and settings from which a back end is made | `Device`, `src/device.rs` |
//! | run | a minibatch that has run forward, with its results and its backward pass | `Run`, `src/engine/results/run.rs` |
//! | row | the place of a vertex among those of its type, in schedule order; also its values in a record | `src/engine/layout/rows.rs` |
//! | layout | which row each vertex has, and where everything is in the arena | `Layout`, `src/engine/layout/` |
//! | arena | the memory of all values of a minibatch; its size is known before anything runs, unless graphs grow | `src/engine/layout/place.rs` |
//! | entangled | of a function: all of its phases follow the schedule, since its vertices pull what others push, or others pull what they push | `TypeLayout::entangled`, `src/engine/layout/` |
//! | block of rows | consecutive rows of one function that the CPU computes together, so that their scratch stays in cache | `RowBlock`, `src/cpu/block.rs` |
//! | part | some graphs of a minibatch that one thread runs forward and backward; gradients are added up part by part | `src/engine/parts/` |
//! | crew | the threads of a back end, each with a back end of its own that runs parts; what they keep from step to step is `PartMemory` | `Crew`, `src/engine/backend/`; `src/engine/pass/part_memory.rs` |
//! | portion | graphs of a minibatch that one thread runs from the first batch of the schedule to the last | `Portions`, `src/cpu/portions.rs` |
//! | stepper | what keeps losses and gradients and takes training steps: the host, or a back end that holds the parameters | `Stepper`, `src/engine/backend/stepper.rs` |
//! | wave | what runs between two rounds of graphs that grow: planned, given rows and run together | `src/engine/growing/` |
//! | round | graphs that rest, handed out to get more | `Round`, `src/engine/growing/growth.rs` |
//! | settling | making the minibatch that graphs have become, and laying it out behind what they have computed | `src/engine/growing/` |
//! | room | the rows for which a type's records have memory; more than it has, while graphs grow | `TypeLayout::room`, `src/engine/layout/` |
//!
//! # What `unsafe` rests on here
//!
//! All of it is in `src/cpu/`, but for the key in `src/engine/pass/runner.rs` ([`vouch`]).
//!
//! | file | what it relies on | where that is checked, in release builds |
//! | --- | --- | --- |
//! | `src/cpu/block.rs` | no two threads access an element at the same time if one of them writes it, and no instruction writes what it reads: records have memory of their own, blocks and their parts have rows of their own, and what other rows have written was written in an earlier phase or batch | only a `Verified` plan is bound; `edb-ir` checks homes, domains, phases and operands, `edb-model` widths and blocks of matrices; the batches of a schedule, whose rows are never each other's parents or children, run one after the other, and so they do on each thread that runs whole graphs, on which no vertex of another graph depends |
//! | `src/cpu/value_blocks.rs`, `src/cpu/accumulate.rs` | stripes of rows are disjoint; blocks of a sum are inside their matrix, and do not overlap | by construction (`stripe`); in `edb-model` |
//! | `src/cpu/weights.rs` | rows that are being updated belong to one thread | by type: `RowsToUpdate` are split off one exclusive borrow |

#![warn(missing_docs)]

mod cpu;
pub use cpu::{GraphSumsOnHost, pair_instructions};
pub use edb_kernels::{debug_is_display, fused};
pub use edb_kernels::{element, machine, math, random, trace, vouch};
pub use edb_learn::{collective, learn, secret};
#[cfg(feature = "bundle")]
pub use edb_model::bundle;
pub use edb_model::{dims, graph, model};
pub use edb_vertex::{eager, function, port, tensor};
pub mod device;
pub use device::Device;
pub use engine::backend;
pub mod engine;
pub use engine::Engine;
mod spans;
pub use edb_schedule as schedule;
pub mod testing;
