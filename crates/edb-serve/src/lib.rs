//! Serving: requests that come from many threads are answered in minibatches.
//!
//! Use it through the crate `edb`, as `edb::serve`.
//!
//! # Where what is decided
//!
//! Paths are relative to the crate.
//!
//! | question | file |
//! | --- | --- |
//! | What does a request go through where it is submitted, and how do threads start and end? | `src/batcher.rs` |
//! | How many threads are there, and what is the most that waits or runs together? | `src/builder.rs` |
//! | Which requests are refused, and which run together? | `src/queue.rs` |
//! | What happens if a minibatch fails, or something panics? | `src/worker.rs`; that each request is answered once: `src/request.rs` |
//! | How is an answer waited for? | `src/pending.rs`; that workers of several batchers do not all wait for one another: `src/circle.rs` |
//! | What is counted, and how are times kept? | `src/counts.rs` |
//!
//! # Names
//!
//! | name | what it means | where |
//! | --- | --- | --- |
//! | request | a graph that was submitted, and what is done with its answer | `Request`, `src/request.rs` |
//! | worker | a thread with an engine of its own, which answers requests | `Worker`, `src/worker.rs` |

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod batcher;
mod bell;
mod builder;
mod circle;
mod counts;
mod error;
mod pending;
mod queue;
mod request;
mod worker;

pub use batcher::Batcher;
pub use builder::BatcherBuilder;
pub use counts::{Counts, Times};
pub use error::ServeError;
pub use pending::Pending;

/// The former name of [`Pending`].
#[deprecated(since = "0.3.0", note = "it is called `Pending` now")]
pub type Later<A> = Pending<A>;
