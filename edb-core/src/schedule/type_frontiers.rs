//! Frontier(Gᵃ): of each type, the vertices that wait for none of their own type.

use super::TypeGraph;
use super::chained::chained_types;

/// The column of a type that needs none.
const NONE: usize = usize::MAX;

/// For each type *a*, the exact size of Frontier(Gᵃ) while a graph is being executed: the number
/// of vertices of *a* that have not run and depend on no vertex of *a* that has not run, be it
/// directly or through other types (ED-Batch, section 2.3).
///
/// # How the counts are kept
///
/// Say that a vertex *carries* a type when it or something below it is of that type and has not
/// run. For every vertex and type, `carriers` counts the children that carry the type, so a
/// vertex of type *a* belongs to Frontier(Gᵃ) when its count for *a* is 0. A vertex ceases to
/// carry a type once, when its count reaches 0 (or, for its own type, when it runs), and then
/// lowers the counts of its parents. Each dependency is thus walked at most once for each type,
/// however many children a vertex has and in whatever order they run.
///
/// Only a type that depends on itself has a column of counts: of any other, all that have not run
/// are the frontier. A model has few such types, often one.
pub(super) struct TypeFrontiers<'g> {
    graph: &'g TypeGraph,
    counts: Vec<usize>,
    /// The column of each type in `carriers`, or `NONE`.
    columns: Vec<usize>,
    /// The number of columns.
    width: usize,
    /// The counts of the vertices, a row each.
    carriers: Vec<u32>,
    /// Vertices that have ceased to carry the type at hand, whose parents must hear of it.
    work: Vec<u32>,
}

impl<'g> TypeFrontiers<'g> {
    /// The counts before anything has run.
    pub(super) fn new(graph: &'g TypeGraph) -> Self {
        let mut width = 0;
        let columns: Vec<_> = chained_types(graph)
            .into_iter()
            .map(|chained| {
                width += usize::from(chained);
                if chained { width - 1 } else { NONE }
            })
            .collect();

        let mut counts = vec![0; columns.len()];
        let mut carriers = vec![0; graph.len() * width];
        for &vertex in graph.children_first() {
            let row = vertex as usize * width;
            for &child in graph.children(vertex) {
                let child_row = child as usize * width;
                let own = columns[usize::from(graph.vertex_type(child))];
                for column in 0..width {
                    let carries = carriers[child_row + column] > 0 || column == own;
                    carriers[row + column] += u32::from(carries);
                }
            }
            let vertex_type = usize::from(graph.vertex_type(vertex));
            let own = columns[vertex_type];
            counts[vertex_type] += usize::from(own == NONE || carriers[row + own] == 0);
        }
        Self { graph, counts, columns, width, carriers, work: Vec::new() }
    }

    /// The size of the frontier of a type: |Frontier(Gᵃ)|.
    pub(super) fn count(&self, vertex_type: u16) -> usize {
        self.counts[usize::from(vertex_type)]
    }

    /// Takes note that vertices of a type have run, which were ready.
    pub(super) fn executed(&mut self, vertex_type: u16, batch: &[u32]) {
        self.counts[usize::from(vertex_type)] -= batch.len();
        let column = self.columns[usize::from(vertex_type)];
        if column == NONE {
            return;
        }
        self.work.extend_from_slice(batch);
        while let Some(vertex) = self.work.pop() {
            for &parent in self.graph.parents(vertex) {
                let carriers = &mut self.carriers[parent as usize * self.width + column];
                *carriers -= 1;
                if *carriers > 0 {
                    continue;
                }
                if self.graph.vertex_type(parent) == vertex_type {
                    // It waits for none of its type any more, but still carries the type itself.
                    self.counts[usize::from(vertex_type)] += 1;
                } else {
                    self.work.push(parent);
                }
            }
        }
    }
}
