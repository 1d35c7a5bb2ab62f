//! Resampling: more minibatches, drawn from the graphs of a few.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::graph::TypeGraph;

/// The graphs that minibatches consist of.
///
/// A policy that is learned on a few minibatches overfits them; drawing their graphs again, with
/// replacement (the bootstrap of Efron, 1979), gives it more minibatches of the same kind.
pub(crate) struct Pool<'g> {
    /// The connected components. For each, the sample that contains it, and its vertices, children first.
    parts: Vec<(&'g TypeGraph, Vec<u32>)>,
}

impl<'g> Pool<'g> {
    pub(crate) fn new(samples: &[&'g TypeGraph]) -> Self {
        let mut parts = Vec::new();
        for &graph in samples {
            let mut group: Vec<u32> = (0..graph.len() as u32).collect();
            for vertex in 0..graph.len() as u32 {
                for &child in graph.children(vertex) {
                    let (a, b) = (root(&mut group, vertex), root(&mut group, child));
                    group[a.max(b) as usize] = a.min(b);
                }
            }
            let first = parts.len();
            let mut numbers = vec![usize::MAX; graph.len()];
            for &vertex in graph.children_first() {
                let number = &mut numbers[root(&mut group, vertex) as usize];
                if *number == usize::MAX {
                    *number = parts.len() - first;
                    parts.push((graph, Vec::new()));
                }
                parts[first + *number].1.push(vertex);
            }
        }
        Self { parts }
    }

    /// A minibatch of `count` graphs, drawn with replacement.
    pub(crate) fn draw(&self, count: usize, rng: &mut ChaCha8Rng) -> Option<TypeGraph> {
        if self.parts.is_empty() {
            return None;
        }
        let (mut types, mut offsets, mut children) = (Vec::new(), vec![0], Vec::new());
        // For all graphs: what one reads of it, it has written before, since children come first.
        let mut numbers = Vec::new();
        for _ in 0..count {
            let (graph, vertices) = &self.parts[rng.random_range(0..self.parts.len())];
            numbers.resize(numbers.len().max(graph.len()), 0);
            for &vertex in vertices {
                numbers[vertex as usize] = types.len() as u32;
                types.push(graph.vertex_type(vertex));
                children.extend(graph.children(vertex).iter().map(|c| numbers[*c as usize]));
                offsets.push(children.len() as u32);
            }
        }
        // The components come from valid graphs, so this fails only if there are too many vertices.
        TypeGraph::new(self.parts[0].0.type_count(), types, offsets, children).ok()
    }

    /// The number of graphs.
    pub(crate) fn len(&self) -> usize {
        self.parts.len()
    }
}

/// The representative of a vertex's group, with path halving.
fn root(group: &mut [u32], mut vertex: u32) -> u32 {
    while group[vertex as usize] != vertex {
        group[vertex as usize] = group[group[vertex as usize] as usize];
        vertex = group[vertex as usize];
    }
    vertex
}
