//! Own-type heights: how many vertices of its own type a vertex still holds up, one on another.

use super::TypeGraph;
use super::labels::Labels;

/// How many types are walked at once: as many as fit a vector register or two.
const LANES: usize = 8;

/// For each vertex, the greatest number of vertices of its own type on one path that begins at it
/// and leads from children to parents, itself included. The greatest height of a type is
/// Depth(G_t) of ED-Batch, appendix A.3; of what has not run, it is how many more batches of that
/// type there must be.
///
/// Heights do not change while a graph is executed, as vertices above one run after it.
#[derive(Clone)]
pub(super) struct Heights {
    pub(super) heights: Vec<u32>,
    /// The same over all types: the length of the longest path that begins at each vertex. Empty
    /// unless asked for.
    pub(super) totals: Vec<u32>,
}

impl Heights {
    /// Takes time linear in the graph for every eight types that depend on themselves.
    pub(super) fn new(graph: &TypeGraph, labels: &Labels) -> Self {
        let mut heights = vec![1; graph.len()];
        let chained = (0..graph.type_count()).filter(|&t| labels.chained[usize::from(t)]);
        let chained: Vec<u16> = chained.collect();
        for types in chained.chunks(LANES) {
            match types.len() {
                1 => walk::<1>(graph, types, &mut heights),
                2 => walk::<2>(graph, types, &mut heights),
                3..=4 => walk::<4>(graph, types, &mut heights),
                _ => walk::<LANES>(graph, types, &mut heights),
            }
        }
        Self { heights, totals: Vec::new() }
    }

    /// The same with the total heights.
    pub(super) fn with_totals(graph: &TypeGraph, labels: &Labels) -> Self {
        let mut totals = vec![1; graph.len()];
        for &vertex in graph.children_first().iter().rev() {
            let above = totals[vertex as usize] + 1;
            for &child in graph.children(vertex) {
                let total = &mut totals[child as usize];
                *total = above.max(*total);
            }
        }
        Self { totals, ..Self::new(graph, labels) }
    }
}

fn walk<const W: usize>(graph: &TypeGraph, types: &[u16], heights: &mut [u32]) {
    // What a vertex of each type adds to the paths through it.
    let mut own = vec![[0; W]; usize::from(graph.type_count())];
    let mut lanes = vec![usize::MAX; own.len()];
    for (lane, &vertex_type) in types.iter().enumerate() {
        own[usize::from(vertex_type)][lane] = 1;
        lanes[usize::from(vertex_type)] = lane;
    }
    // The greatest number of vertices of each type on a path above each vertex.
    let mut above = vec![[0_u32; W]; graph.len()];
    for &vertex in graph.children_first().iter().rev() {
        let vertex_type = usize::from(graph.vertex_type(vertex));
        let mut path = above[vertex as usize];
        for (path, own) in path.iter_mut().zip(own[vertex_type]) {
            *path += own;
        }
        if let Some(&height) = path.get(lanes[vertex_type]) {
            heights[vertex as usize] = height;
        }
        for &child in graph.children(vertex) {
            for (above, path) in above[child as usize].iter_mut().zip(path) {
                *above = (*above).max(path);
            }
        }
    }
}
