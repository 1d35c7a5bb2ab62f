//! How edb learns: what training changes, and how.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`learn`] | parameters, gradients, optimisers, initialisers, privacy |
//! | [`collective`] | what carries messages between processes that train together |
//! | [`secret`] | random numbers that nobody can foresee |
//!
//! Nothing here knows of graphs, models or vertex functions. What is hidden from this documentation is for
//! the other crates of edb, and follows them: any release may change it.
//!
//! # Where what is decided
//!
//! The documentation of each module says what its files hold. Paths are relative to the crate.
//!
//! | question | file |
//! | --- | --- |
//! | How does an optimiser update a parameter? | `src/learn/optimizer/`, one file each; the pass over all values: `src/learn/optimizer/rule.rs`; the update of all parameters: `src/learn/parameter_step.rs`; on a GPU: `rules!` in `edb-gpu` (`src/kernels/optimizer.rs`) |
//! | Where are a parameter's newest values? | `src/learn/storage.rs` |
//! | In which order are the gradients of parts added up? | `src/learn/part_sums.rs`; those of shares: `src/collective/tree.rs`, `src/collective/sum.rs` |
//! | What makes a sum of gradients private? | `src/learn/privacy/` (the grid, noise, accounts); `src/secret.rs` |
//! | Which initial values does a parameter get? | `src/learn/initializer/` |
//! | How are parameters saved and loaded? | `src/learn/checkpoint/`; what a program keeps beside them: `src/learn/notes.rs` |
//!
//! # Names
//!
//! | name | what it means | where |
//! | --- | --- | --- |
//! | factors | the gradient of a matrix as columns and rows that are not multiplied out yet | `Factors`, `src/learn/factors.rs` |
//! | grid | the multiples of a power of two to which what leaves a private step is rounded | `Grid`, `src/learn/privacy/grid.rs` |
//! | rank | one of the processes that train together | `Collective`, `src/collective/mod.rs` |
//! | share | some graphs of a step, whose gradient is summed by itself, whichever rank runs it | `Tree`, `src/collective/tree.rs` |

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod collective;
#[doc(hidden)]
pub use edb_kernels::debug_is_display;
pub mod learn;
pub mod secret;
