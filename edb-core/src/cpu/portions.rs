//! Portions: threads that run whole graphs.
//!
//! No vertex depends on a vertex of another graph. So if a minibatch has many graphs, each thread can run some
//! graphs from the first batch of the schedule to the last, and need not wait for the other threads after each
//! batch. The result of a row depends neither on the thread that computes it nor on the other rows of the
//! batch, so only the time changes.

use std::ops::Range;

use edb_ir::{FunctionId, Phase};

use crate::engine::parts::first_graph;

/// A batch: a function, a phase, and rows.
pub(super) type Batch = (FunctionId, Phase, Range<u32>);

/// The batches of a schedule that wait to be run, and which graphs each thread runs.
#[derive(Debug, Default)]
pub(super) struct Portions {
    /// The first vertex of each portion, and the end; empty if batches run at once.
    pub(super) bounds: Vec<u32>,
    pub(super) batches: Vec<Batch>,
    /// The work before each graph.
    before: Vec<u64>,
}

impl Portions {
    /// Whether batches wait to be run portion by portion.
    pub(super) fn are_cut(&self) -> bool {
        !self.bounds.is_empty()
    }

    /// Forgets all batches.
    pub(super) fn clear(&mut self) {
        self.bounds.clear();
        self.batches.clear();
    }

    /// Adds a batch that waits.
    pub(super) fn push(&mut self, function: FunctionId, phase: Phase, rows: Range<u32>) {
        self.batches.push((function, phase, rows));
    }

    /// Cuts graphs into `count` portions of about the same work. If a portion would have no graph, nothing is
    /// cut. `functions` has the function of each vertex, `graphs` where the vertices of each graph begin (with
    /// the end), and `work` the work of a vertex of each function.
    pub(super) fn cut(
        &mut self,
        functions: &[FunctionId],
        graphs: &[u32],
        work: &[usize],
        count: usize,
    ) {
        let Self { bounds, before, .. } = self;
        let of = |graph: &[u32]| -> u64 {
            let vertices = &functions[graph[0] as usize..graph[1] as usize];
            vertices.iter().map(|function| work[function.index()] as u64).sum()
        };
        before.clear();
        before.push(0);
        let mut all = 0;
        before.extend(graphs.windows(2).map(|graph| {
            all += of(graph);
            all
        }));
        bounds.extend((0..=count).map(|portion| graphs[first_graph(before, portion, count)]));
        if !bounds.is_sorted_by(|one, next| one < next) {
            bounds.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cuts graphs with these numbers of vertices. The last vertex of each graph has function 1 and work 10;
    /// all others have function 0 and work 1.
    fn portions(graphs: &[usize], count: usize) -> Vec<u32> {
        let (mut functions, mut offsets) = (Vec::new(), vec![0]);
        for size in graphs {
            functions.extend((0..*size).map(|vertex| FunctionId(u16::from(vertex + 1 == *size))));
            offsets.push(functions.len() as u32);
        }
        let mut portions = Portions::default();
        portions.cut(&functions, &offsets, &[1, 10], count);
        portions.bounds
    }

    #[test]
    fn portions_are_whole_graphs_of_about_the_same_work() {
        assert_eq!(portions(&[5, 5, 5, 5], 2), [0, 10, 20]);
        assert_eq!(portions(&[5, 5, 5, 5], 4), [0, 5, 10, 15, 20]);
        assert_eq!(portions(&[1, 1, 1, 1, 41], 2), [0, 4, 45], "40 and 50");
        assert_eq!(portions(&[31, 31, 1, 1], 2), [0, 31, 64], "40 and 60, not 80 and 20");
        assert_eq!(portions(&[5, 5, 5], 2), [0, 10, 15]);
    }

    #[test]
    fn no_portion_is_empty() {
        assert!(portions(&[5], 2).is_empty());
        assert!(portions(&[500, 1], 3).is_empty());
        assert_eq!(portions(&[1, 500, 1], 3), [0, 1, 501, 502]);
    }
}
