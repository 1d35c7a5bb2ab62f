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
    /// Why the ranks cannot go on together.
    pub(super) broken: Option<CollectiveError>,
    /// Memory for gradients.
    pub(super) spare: Vec<Gradients<T>>,
}
