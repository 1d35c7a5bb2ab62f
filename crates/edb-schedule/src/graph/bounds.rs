//! The least number of batches that a schedule could have.

use super::labels::Heights;
use super::type_graph::TypeGraph;

/// A lower bound on the number of batches of any schedule of the graph: the sum of its [`type_depths`]
/// (ED-Batch, appendix A.3).
///
/// A batch runs at most one vertex of each path, and only vertices of one type. So a type needs at least as
/// many batches as there are vertices of the type on any one path. Some graphs have no schedule that reaches
/// the bound.
pub fn lower_bound(graph: &TypeGraph) -> usize {
    type_depths(graph).into_iter().map(|depth| depth as usize).sum()
}

/// For each type, the greatest number of vertices of that type on one path: Depth(G_t) of
/// ED-Batch, appendix A.3.
///
/// The paths run through vertices of other types, too. If they ended there, the bound would still hold but be
/// looser. Takes time linear in the graph for every eight types.
pub fn type_depths(graph: &TypeGraph) -> Vec<u32> {
    Heights::new(graph).tops
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_run_through_other_types() {
        // Types along a chain: 0, 1, 0, 0; a vertex of type 3 reads all of them; none is of type 2.
        let children = vec![0, 1, 2, 0, 1, 2, 3];
        let graph = TypeGraph::new(4, vec![0, 1, 0, 0, 3], vec![0, 0, 1, 2, 3, 7], children);
        let graph = graph.unwrap();
        assert_eq!(type_depths(&graph), [3, 1, 0, 1]);
        assert_eq!(lower_bound(&graph), 5);
    }
}
