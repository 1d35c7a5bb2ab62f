//! The vertices of its own type that a vertex waits for, directly or through other types.

use crate::graph::TypeGraph;

/// For each vertex, the nearest vertices of its own type below it: once these have run, all other vertices of
/// its type below it have run, too.
pub(super) struct OwnBelow {
    /// By vertex, where its row begins and ends.
    rows: Vec<(u32, u32)>,
    below: Vec<u32>,
}

impl OwnBelow {
    /// `chained` says by type whether any vertex of the type has another one of the type below it.
    pub(super) fn new(graph: &TypeGraph, chained: &[bool]) -> Self {
        let mut rows = vec![(0, 0); graph.len()];
        let mut below: Vec<u32> = Vec::new();
        // For each vertex, a range of `seen`: the nearest vertices of the type that a parent of this vertex
        // sees through it.
        let mut views = vec![(0, 0); graph.len()];
        let mut seen: Vec<u32> = Vec::new();
        // By vertex, the last vertex from above which it must not be seen, or not be seen again.
        let mut hidden = vec![u32::MAX; graph.len()];
        for vertex_type in (0..graph.type_count()).filter(|&t| chained[usize::from(t)]) {
            seen.clear();
            for &vertex in graph.children_first() {
                let mut parts = graph.children(vertex).iter().map(|&child| views[child as usize]);
                let mut view = parts.find(|part| part.0 < part.1).unwrap_or((0, 0));
                let start = seen.len();
                for part in parts.filter(|part| part.0 < part.1 && *part != view) {
                    if seen.len() == start {
                        seen.extend_from_within(view.0 as usize..view.1 as usize);
                    }
                    seen.extend_from_within(part.0 as usize..part.1 as usize);
                }
                if seen.len() > start {
                    for &own in &seen[start..] {
                        let (first, last) = rows[own as usize];
                        let further = &below[first as usize..last as usize];
                        further.iter().for_each(|&further| hidden[further as usize] = vertex);
                    }
                    let mut end = start;
                    for place in start..seen.len() {
                        let own = seen[place];
                        if std::mem::replace(&mut hidden[own as usize], vertex) != vertex {
                            seen[end] = own;
                            end += 1;
                        }
                    }
                    seen.truncate(end);
                    view = (start as u32, end as u32);
                }
                if graph.vertex_type(vertex) == vertex_type {
                    let start = below.len() as u32;
                    below.extend_from_slice(&seen[view.0 as usize..view.1 as usize]);
                    rows[vertex as usize] = (start, below.len() as u32);
                    view = (seen.len() as u32, seen.len() as u32 + 1);
                    seen.push(vertex);
                }
                views[vertex as usize] = view;
            }
        }
        Self { rows, below }
    }

    /// The nearest vertices of its own type below a vertex.
    #[inline]
    pub(super) fn of(&self, vertex: u32) -> &[u32] {
        let (start, end) = self.rows[vertex as usize];
        &self.below[start as usize..end as usize]
    }
}
