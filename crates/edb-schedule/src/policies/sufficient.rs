//! The policy of the sufficient condition: run the type *a* with the greatest ratio
//! |Frontier_a(G)| / |Frontier(Gᵃ)|; of equals, the one with the most ready vertices, then the
//! lowest.
//!
//! ED-Batch, section 2.3: if the ratio is 1, no vertex that could join the batch is held up by other types, and
//! some shortest schedule begins with that type (lemma 2.1). In the paper, the ratio is a reward in learning;
//! here it decides. As long as it is 1, the schedule is as short as the lower bound, since each batch shortens
//! the chains of its type by one.

use std::cmp::Ordering;

use super::chooser::{TypeChooser, schedule_by};
use crate::graph::TypeGraph;
use crate::running::{Frontier, TypeFrontiers};
use crate::schedule::Schedule;

pub(super) fn schedule(graph: &TypeGraph) -> Schedule {
    schedule_by(Sufficient::new(TypeFrontiers::new(graph).0), graph)
}

pub(super) struct Sufficient<'g> {
    types: TypeFrontiers<'g>,
    proved: bool,
}

impl<'g> Sufficient<'g> {
    pub(super) fn new(types: TypeFrontiers<'g>) -> Self {
        Self { types, proved: true }
    }

    /// Compares two types by ratio, then by ready vertices.
    fn cmp(&self, frontier: &Frontier<'_>, a: u16, b: u16) -> Ordering {
        let ready = |vertex_type| frontier.ready_count(vertex_type) as u64;
        let whole = |vertex_type| self.types.count(vertex_type) as u64;
        // Fractions compared exactly: both counts are below 2^32.
        let ratio = (ready(a) * whole(b)).cmp(&(ready(b) * whole(a)));
        ratio.then(ready(a).cmp(&ready(b)))
    }
}

impl TypeChooser for Sufficient<'_> {
    fn choose(&mut self, frontier: &Frontier<'_>) -> Option<u16> {
        // The types ascend, and of equal types `min_by` takes the first.
        let choice = frontier.ready_types().min_by(|&a, &b| self.cmp(frontier, b, a));
        let safe = |choice| frontier.ready_count(choice) == self.types.count(choice);
        self.proved &= choice.is_none_or(safe);
        choice
    }

    fn execute<'f>(&mut self, frontier: &'f mut Frontier<'_>, vertex_type: u16) -> &'f [u32] {
        self.types.execute(frontier, vertex_type)
    }

    fn proved(&self) -> bool {
        self.proved
    }
}
