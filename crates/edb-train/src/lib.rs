//! Training: what a program calls from its first step to its last checkpoint.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`trainer`] | steps, their settings and errors; checkpoints; private and distributed training |
//! | [`run_folder`] | the folder of a run: everything with which a program that was stopped goes on |
//! | [`feed`] | the order of samples |
//! | [`metrics`] | scores |
//! | [`log`] | logs of runs |
//!
//! # Where what is decided
//!
//! Paths are relative to the crate.
//!
//! | question | file |
//! | --- | --- |
//! | What happens in a training step? | `src/trainer/step.rs`; with clipping, groups and the learning rate of `src/trainer/settings.rs` |
//! | How does a step go over graphs that grow? | to their end, in parts: `src/trainer/grow_each.rs`; round by round: `src/trainer/growing.rs` |
//! | What makes a step private, and which steps count? | `src/trainer/private.rs` (settings), `src/trainer/each.rs` (the sum of clipped gradients), `src/trainer/ledger.rs` (which steps count), `src/feed/poisson.rs` (minibatches) |
//! | How do several ranks take a step together? | `src/trainer/distributed/`; their checkpoints: `src/trainer/checkpoint/ranks.rs` |
//! | What does a checkpoint hold, and when does it count as damaged? | `src/trainer/checkpoint/record.rs`, `src/trainer/checkpoint/state.rs`; `src/trainer/checkpoint/checksums.rs` |
//! | With which functions does a run go on? | `src/trainer/checkpoint/functions.rs`; what is compared of each: `edb_ir::fingerprint` |
//! | With which settings does a run go on? | `src/trainer/checkpoint/settings.rs` |
//! | What does a program that was stopped go on with? | `src/run_folder.rs` |
//! | Which samples make up a minibatch, and when is it built? | `src/feed/loader.rs`; `src/feed/prefetch.rs` |
//! | Which file is a log, and what is removed from it? | `src/log/lines.rs`; `src/log/events.rs` |
//!
//! # Names
//!
//! | name | what it means | where |
//! | --- | --- | --- |
//! | step | one update of the parameters by a minibatch; `Step` is its result | `Step`, `src/trainer/mod.rs` |
//! | ledger | which run has taken which steps, those of branches that were left included: what `epsilon` is computed from | `Ledger`, `src/trainer/ledger.rs` |

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod feed;
pub mod log;
pub mod metrics;
pub mod run_folder;
pub mod trainer;
