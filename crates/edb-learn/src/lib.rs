//! How edb learns: the data that training changes, and how it changes.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`learn`] | re-exports what other crates use from the folders below |
//! | [`collective`] | messages between processes that train together |
//! | [`secret`] | random numbers that nobody can foresee |
//!
//! | folder | what it holds |
//! | --- | --- |
//! | `parameters` | the named tensors that training changes |
//! | `files` | parameters and notes to and from safetensors files |
//! | `initializer` | initial values, reproducible from a seed and a name |
//! | `gradients` | one gradient per parameter: absent, dense, a few rows, or factors |
//! | `privacy` | noise on gradients, and accounts of how private this makes training |
//! | `optimizer` | the trait `Optimizer`, the state that optimisers keep, one optimiser per file |
//! | `steps` | a training step, which updates all parameters |
//!
//! Each folder uses only the folders before it in this table, and `error`, which has the errors of all folders.
//!
//! This crate does not know graphs, models or vertex functions. Items that `edb` does not re-export are for the
//! other crates of edb, and any release may change them.
//!
//! # Where what is decided
//!
//! The documentation of each module says what its files hold. Paths are relative to the crate.
//!
//! | question | file |
//! | --- | --- |
//! | How does an optimiser update a parameter? | `src/optimizer/`, one file each; the pass over all values: `src/optimizer/rule.rs`; the update of all parameters: `src/steps/parameter_step.rs`; on a GPU: `rules!` in `edb-gpu` (`src/kernels/optimizer.rs`) |
//! | Where are a parameter's newest values? | `src/parameters/storage.rs` |
//! | In which order are the gradients of parts added up? | `src/gradients/part_sums.rs`; those of shares: `src/collective/tree.rs`, `src/collective/sum.rs` |
//! | What makes a sum of gradients private? | `src/privacy/` (the grid, noise, accounts); `src/secret.rs` |
//! | Which initial values does a parameter get? | `src/initializer/` |
//! | How are parameters saved and loaded? | `src/files/checkpoint/`; the notes of a program: `src/files/notes.rs` |
//!
//! # Names
//!
//! | name | what it means | where |
//! | --- | --- | --- |
//! | factors | the gradient of a matrix as columns and rows that are not multiplied out yet | `Factors`, `src/gradients/factors.rs` |
//! | grid | the multiples of a power of two to which the gradients and the noise of a private step are rounded | `Grid`, `src/privacy/grid.rs` |
//! | rank | one of the processes that train together | `Collective`, `src/collective/mod.rs` |
//! | share | some graphs of a step, whose gradient is summed separately, whichever rank runs them | `Tree`, `src/collective/tree.rs` |

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod collective;
pub mod error;
mod files;
pub mod gradients;
mod initializer;
pub mod learn;
mod optimizer;
mod parameters;
pub mod privacy;
pub mod secret;
mod steps;

pub use edb_kernels::debug_is_display;
