//! What a vertex depends on: of which types.

use super::TypeGraph;

/// For each vertex, its type and those of the vertices below it (that it depends on, directly or
/// not) as a mask of bits, and what follows from that before anything has run.
///
/// A model with up to 64 types has one word a vertex; one with more has several.
#[derive(Clone)]
pub(super) struct Labels {
    /// The words a vertex.
    pub(super) words: usize,
    /// The types at each vertex or below it: of vertex `v`, from word `v * words` on.
    pub(super) carried: Vec<u64>,
    /// Of each type, how many vertices have none of their own type below them: |Frontier(Gᵃ)|.
    pub(super) frontiers: Vec<u32>,
    /// The types that form chains: some vertex has one of its own type below it, directly or
    /// through other types.
    ///
    /// The vertices of any other type (words, scores, read-outs) wait for none of their own: one
    /// batch can run them all, and there is nothing to count for them.
    pub(super) chained: Vec<bool>,
}

impl Labels {
    pub(super) fn new(graph: &TypeGraph) -> Self {
        let words = usize::from(graph.type_count()).div_ceil(64).max(1);
        let mut carried = vec![0_u64; graph.len() * words];
        let mut frontiers = graph.type_sizes().to_vec();
        let mut chained = vec![false; frontiers.len()];
        for &vertex in graph.children_first() {
            let row = vertex as usize * words;
            if words == 1 {
                let children = graph.children(vertex).iter();
                carried[row] = children.fold(0, |mask, &child| mask | carried[child as usize]);
            } else {
                for &child in graph.children(vertex) {
                    for word in 0..words {
                        carried[row + word] |= carried[child as usize * words + word];
                    }
                }
            }
            let own = usize::from(graph.vertex_type(vertex));
            let word = &mut carried[row + own / 64];
            let waits = *word >> (own % 64) & 1 == 1;
            *word |= 1 << (own % 64);
            frontiers[own] -= u32::from(waits);
            chained[own] |= waits;
        }
        Self { words, carried, frontiers, chained }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_run_through_other_types_and_beyond_64() {
        // A chain of the types 70, 3, 69, 70.
        let graph = TypeGraph::new(71, vec![70, 3, 69, 70], vec![0, 0, 1, 2, 3], vec![0, 1, 2]);
        let labels = Labels::new(&graph.unwrap());
        assert_eq!(labels.chained.iter().position(|&c| c), Some(70));
        assert_eq!(labels.chained.iter().filter(|&&c| c).count(), 1);
        let (a, b, c) = (1 << 3, 1 << 5, 1 << 6);
        assert_eq!(labels.carried, [0, c, a, c, a, b | c, a, b | c]);
        assert_eq!((labels.frontiers[70], labels.frontiers[3]), (1, 1));
    }
}
