//! The ranks that a trainer trains together with.

use std::sync::Arc;

use edb_learn::collective::{Collective, CollectiveError};
use edb_learn::learn::Gradients;

/// Ranks that train together.
#[derive(Debug)]
pub(super) struct Ranks<T> {
    pub(super) world: Arc<dyn Collective>,
    pub(super) shares: usize,
    /// Whether all ranks have been found to train alike.
    pub(super) met: bool,
    /// Whether the others know the policy that rank 0 has learned, for whole minibatches and for graphs
    /// that grow.
    pub(super) policies_shared: [bool; 2],
    /// How many steps have begun since the ranks met or resumed: one that has missed a call is found.
    pub(super) calls: u64,
    /// The [versions](crate::trainer::Trainer::versions) of what steps move, when all ranks were last
    /// known to have the same; another one means that a program has changed something between steps.
    pub(super) versions: u64,
    /// How many messages other ranks take from this one before they read what it says.
    pub(super) early: usize,
    /// Why the ranks cannot go on together.
    pub(super) broken: Option<CollectiveError>,
    /// Memory for gradients.
    pub(super) spare: Vec<Gradients<T>>,
}
