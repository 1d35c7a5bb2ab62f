//! How few batches a schedule could have at best.

use super::TypeGraph;
use super::chained::chained_types;

/// A number of batches that no schedule of the graph goes below: the sum of its
/// [`type_depths`] (ED-Batch, appendix A.3).
///
/// A batch runs at most one vertex of each path, and only vertices of one type; so every type
/// needs as many batches as some path has vertices of it. The bound is not always reached.
pub fn lower_bound(graph: &TypeGraph) -> usize {
    type_depths(graph).into_iter().map(|depth| depth as usize).sum()
}

/// For each type, the greatest number of vertices of that type on one path: Depth(G_t) of
/// ED-Batch, appendix A.3.
///
/// The paths run through vertices of other types too. Were they to end there, the bound would
/// still hold but be looser. Takes time linear in the graph for every type that depends on itself.
pub fn type_depths(graph: &TypeGraph) -> Vec<u32> {
    let mut depths = vec![0; usize::from(graph.type_count())];
    for &vertex_type in graph.types() {
        depths[usize::from(vertex_type)] = 1;
    }
    let chained = chained_types(graph);
    let mut on_path = vec![0; graph.len()];
    for vertex_type in 0..graph.type_count() {
        if !chained[usize::from(vertex_type)] {
            continue;
        }
        // Every vertex is overwritten before one of its parents reads it, so nothing need be
        // cleared between types.
        for &vertex in graph.children_first() {
            let below = graph.children(vertex).iter().map(|&child| on_path[child as usize]).max();
            let own = u32::from(graph.vertex_type(vertex) == vertex_type);
            on_path[vertex as usize] = below.unwrap_or(0) + own;
        }
        depths[usize::from(vertex_type)] = on_path.iter().copied().max().unwrap_or(0);
    }
    depths
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
