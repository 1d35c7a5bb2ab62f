//! Which handles a graph accepts: those that it gave out itself and, if it is a clone, those that
//! the graphs it comes from had given out when they were cloned.
//!
//! A handle (a [`Vertex`](edb_vertex::function::Vertex), a tensor, a bag of indices) consists of the id of the
//! graph that gave it out, and a place in that graph. As long as a graph keeps its id, it only grows, so
//! everything that the original had when it was cloned lies at the same place in the clone. Later additions to
//! either of them do not.
//!
//! When the last additions to a graph are [taken back](Lineage::take_back), the graph gets a new id, as if it were a
//! clone that was made before these additions. So handles of the additions are no longer valid.

use std::sync::atomic::{AtomicU64, Ordering};

/// The lengths of a graph's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) vertices: u32,
    /// How many numbers of input it has.
    pub(super) data: u32,
    /// How many indices its bags have.
    pub(super) indices: u32,
}

/// A graph from which another one was cloned, directly or through other clones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ancestor {
    pub(super) graph: u64,
    /// How much it had when it was cloned.
    pub(super) shared: Extent,
}

/// The identity of a graph.
#[derive(Debug)]
pub(super) struct Lineage {
    id: u64,
    /// Whether a handle with this id has been given out.
    used: bool,
    /// From the oldest to the youngest, so their ids ascend.
    ancestors: Vec<Ancestor>,
}

impl Lineage {
    /// The identity of a new graph.
    pub(super) fn new() -> Self {
        Self { id: next_id(), used: false, ancestors: Vec::new() }
    }

    /// The identity of a clone of this graph, which has `shared` now.
    pub(super) fn of_clone(&self, shared: Extent) -> Self {
        let mut ancestors = self.ancestors.clone();
        // A graph that has given out no handle is left out, so the list does not grow when a clone is cloned
        // again and again.
        if self.used {
            ancestors.push(Ancestor { graph: self.id, shared });
        }
        Self { id: next_id(), used: false, ancestors }
    }

    /// Gives the graph a new identity, since all additions after `to` are taken back. Older handles stay valid. Handles
    /// of these additions are refused, even if the graph gets other additions in their place.
    pub(super) fn take_back(&mut self, to: Extent) {
        *self = self.of_clone(to);
    }

    /// The id of the graph.
    pub(super) fn id(&self) -> u64 {
        self.id
    }

    /// The id of the graph, for a handle that is being given out.
    #[inline]
    pub(super) fn id_for_handle(&mut self) -> u64 {
        self.used = true;
        self.id
    }

    /// The graphs from which this graph was cloned, directly or through other clones.
    pub(super) fn ancestors(&self) -> &[Ancestor] {
        &self.ancestors
    }

    /// Whether vertex `number` of the graph with this id is also vertex `number` of this graph.
    #[inline]
    pub(super) fn has_vertex(&self, graph: u64, number: u32) -> bool {
        graph == self.id || self.shared_with(graph).is_some_and(|shared| number < shared.vertices)
    }

    /// Whether these numbers of the input of the graph with this id are at the same place in this graph.
    #[inline]
    pub(super) fn has_data(&self, graph: u64, start: u32, length: u32) -> bool {
        let fits = |shared: Extent| ends_by(start, length, shared.data as usize);
        graph == self.id || self.shared_with(graph).is_some_and(fits)
    }

    /// Whether these indices of the graph with this id are at the same place in this graph.
    #[inline]
    pub(super) fn has_indices(&self, graph: u64, start: u32, length: u32) -> bool {
        let fits = |shared: Extent| ends_by(start, length, shared.indices as usize);
        graph == self.id || self.shared_with(graph).is_some_and(fits)
    }

    /// What an ancestor had when it was cloned.
    #[cold]
    fn shared_with(&self, graph: u64) -> Option<Extent> {
        let place = self.ancestors.binary_search_by_key(&graph, |ancestor| ancestor.graph).ok()?;
        Some(self.ancestors[place].shared)
    }
}

/// Whether `length` elements that begin at `start` end at `end` or before it.
#[inline]
pub(super) fn ends_by(start: u32, length: u32, end: usize) -> bool {
    start.checked_add(length).is_some_and(|last| last as usize <= end)
}

/// A new id. No two graphs have the same id, even if their models differ, and ids of
/// [`Arrivals`](super::Arrivals) differ from those of graphs. The id of a clone is greater than that of its
/// original.
pub(super) fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(count: u32) -> Extent {
        Extent { vertices: count, data: 10 * count, indices: 100 * count }
    }

    #[test]
    fn a_clone_accepts_what_was_there_when_it_was_made() {
        let mut first = Lineage::new();
        let a = first.id_for_handle();
        let mut second = first.of_clone(extent(2));
        let b = second.id_for_handle();
        let third = second.of_clone(extent(3));
        assert_eq!(third.ancestors().len(), 2);
        for (graph, count) in [(a, 2), (b, 3)] {
            assert!(third.has_vertex(graph, count - 1) && !third.has_vertex(graph, count));
            let (data, indices) = (10 * count, 100 * count);
            assert!(third.has_data(graph, data - 3, 3) && !third.has_data(graph, data - 2, 3));
            assert!(third.has_indices(graph, 0, indices) && !third.has_indices(graph, 1, indices));
            // An empty range at the end is accepted; sums do not wrap.
            assert!(third.has_data(graph, data, 0) && !third.has_data(graph, u32::MAX, 1));
        }
        assert!(!first.has_vertex(b, 0) && !first.has_vertex(third.id(), 0));
        assert!(!second.has_vertex(third.id(), 0) && second.has_vertex(b, 7));
    }

    #[test]
    fn what_is_taken_back_has_no_handle() {
        let mut lineage = Lineage::new();
        let before = lineage.id_for_handle();
        let clone = lineage.of_clone(extent(5));
        lineage.take_back(extent(3));
        assert!(lineage.has_vertex(before, 2) && !lineage.has_vertex(before, 3));
        assert!(lineage.has_data(before, 29, 1) && !lineage.has_data(before, 30, 1));
        assert!(lineage.has_indices(before, 299, 1) && !lineage.has_indices(before, 300, 1));
        let after = lineage.id_for_handle();
        assert!(lineage.has_vertex(after, 3) && !clone.has_vertex(after, 0));
        // A clone that was made before still has it.
        assert!(clone.has_vertex(before, 4));
    }

    #[test]
    fn clones_that_give_out_nothing_are_not_remembered() {
        let mut first = Lineage::new();
        let a = first.id_for_handle();
        let mut lineage = first.of_clone(extent(1));
        for _ in 0..1000 {
            lineage = lineage.of_clone(extent(1));
        }
        assert_eq!(lineage.ancestors().len(), 1);
        assert!(lineage.has_vertex(a, 0));
    }
}
