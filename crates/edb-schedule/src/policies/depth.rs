//! The policy of TensorFlow Fold: vertices of equal depth and type form a batch, depths ascending
//! and, within a depth, types ascending.
//!
//! Looks et al., *Deep Learning with Dynamic Computation Graphs*, ICLR 2017. Vertices of one type
//! that could run together are separated when they lie at different depths (ED-Batch, section 2.1).

use crate::graph::TypeGraph;
use crate::schedule::Schedule;

pub(super) fn schedule(graph: &TypeGraph) -> Schedule {
    let depths = graph.depths();
    let levels = depths.iter().max().map_or(0, |&deepest| deepest as usize + 1);

    // Two stable counting sorts, first by type and then by depth. So the order is by depth, and within a depth
    // by type.
    let vertices: Vec<u32> = (0..).take(graph.len()).collect();
    let type_of = |vertex: u32| usize::from(graph.vertex_type(vertex));
    let by_type = counting_sort(&vertices, usize::from(graph.type_count()), type_of);
    let by_depth = counting_sort(&by_type, levels, |vertex| depths[vertex as usize] as usize);

    let mut schedule = Schedule::with_capacity(graph.len());
    let key = |vertex: u32| (depths[vertex as usize], graph.vertex_type(vertex));
    for batch in by_depth.chunk_by(|&a, &b| key(a) == key(b)) {
        schedule.push(graph.vertex_type(batch[0]), batch);
    }
    schedule
}

/// Sorts vertices by ascending key. The sort is stable; all keys are below `keys`.
fn counting_sort(vertices: &[u32], keys: usize, key: impl Fn(u32) -> usize) -> Vec<u32> {
    let mut next = vec![0; keys + 1];
    for &vertex in vertices {
        next[key(vertex) + 1] += 1;
    }
    for depth in 1..next.len() {
        next[depth] += next[depth - 1];
    }
    let mut sorted = vec![0; vertices.len()];
    for &vertex in vertices {
        let place: &mut usize = &mut next[key(vertex)];
        sorted[*place] = vertex;
        *place += 1;
    }
    sorted
}
