//! The ranks that train together, as one of their trainers knows them.

use std::sync::Arc;

use edb_learn::collective::{Collective, CollectiveError};
use edb_learn::learn::Gradients;

/// The ranks that train together, and what this rank knows of the others.
#[derive(Debug)]
pub(super) struct Ranks<T> {
    pub(super) world: Arc<dyn Collective>,
    pub(super) shares: usize,
    /// Whether it was checked that all ranks train alike.
    pub(super) met: bool,
    /// Whether the other ranks know the policy that rank 0 has learned: first the policy for minibatches, then the
    /// policy for graphs that grow.
    pub(super) policies_shared: [bool; 2],
    /// How many steps this rank has begun since the ranks met or resumed. Ranks compare it, so that a rank that
    /// has missed a call is found.
    pub(super) calls: u64,
    /// The [versions](crate::trainer::Trainer::versions) of the model, the parameters and the optimiser's state,
    /// when all ranks last had the same. If they are different now, the program has changed something between steps.
    pub(super) versions: u64,
    /// How many messages the other ranks receive from this rank before they read its status.
    pub(super) early: usize,
    /// Why the ranks cannot go on together.
    pub(super) broken: Option<CollectiveError>,
    /// Gradients of zero, whose memory is reused.
    pub(super) spare: Vec<Gradients<T>>,
}
