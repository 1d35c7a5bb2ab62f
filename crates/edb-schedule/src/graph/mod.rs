//! The graph that is to be scheduled, and what is known of it before anything has run.
//!
//! The inputs are the type of each vertex and the children that it reads. The result is the
//! [`TypeGraph`], which is checked once, when it is made; a smaller graph that has the same
//! schedules ([`reduce`]); the lower bound on the number of batches ([`lower_bound()`]); and what each vertex
//! waits for and holds up, type by type ([`Labels`]). A [`Signature`] says what the types are, so that a policy
//! that was learned for some types is not used for others.
//!
//! Every other folder uses these. Code in this folder does not know schedules or policies.

mod bounds;
mod labels;
pub(crate) mod reduce;
mod signature;
mod type_graph;

pub use bounds::{lower_bound, type_depths};
pub(crate) use labels::{Heights, Labels, TYPES_PER_WORD, WIDE_COUNT, total_heights};
pub use signature::{Signature, TypeSignature};
pub use type_graph::TypeGraph;
