//! Which types form chains.

use super::TypeGraph;

/// For each type, whether some vertex of it depends on another vertex of it, directly or through
/// vertices of other types.
///
/// The vertices of a type that is not chained (words, scores, read-outs) wait for none of their
/// own: one batch can run them all, and there is nothing to count for them.
pub(super) fn chained_types(graph: &TypeGraph) -> Vec<bool> {
    let words = usize::from(graph.type_count()).div_ceil(64);
    // The types that occur at a vertex or below it, one bit each.
    let mut found = vec![0_u64; graph.len() * words];
    let mut chained = vec![false; usize::from(graph.type_count())];
    for &vertex in graph.children_first() {
        let row = vertex as usize * words;
        for &child in graph.children(vertex) {
            let child_row = child as usize * words;
            for word in 0..words {
                found[row + word] |= found[child_row + word];
            }
        }
        let own = usize::from(graph.vertex_type(vertex));
        let word = &mut found[row + own / 64];
        chained[own] |= *word >> (own % 64) & 1 == 1;
        *word |= 1 << (own % 64);
    }
    chained
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_run_through_other_types_and_beyond_64() {
        // A chain of the types 70, 3, 69, 70.
        let graph = TypeGraph::new(71, vec![70, 3, 69, 70], vec![0, 0, 1, 2, 3], vec![0, 1, 2]);
        let chained = chained_types(&graph.unwrap());
        assert_eq!(chained.iter().position(|&c| c), Some(70));
        assert_eq!(chained.iter().filter(|&&c| c).count(), 1);
    }
}
