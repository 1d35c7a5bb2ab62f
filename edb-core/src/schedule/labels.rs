//! What each vertex waits for and holds up, type by type, before anything has run.

use std::collections::BTreeMap;
use std::ops::Add;

use super::TypeGraph;

/// How many types are walked at once: as many as fit a vector register.
const LANES: usize = 8;
/// A model with no more types than this takes half the memory.
const FEW: usize = 4;
/// What stands for a count that a byte cannot hold; it is among the [wide](Labels::wide).
pub(super) const MANY: u8 = u8::MAX;

/// What all policies that look ahead want to know of a graph.
///
/// Say that a vertex *carries* the types that are at it or below it: its own, and those of all that
/// it depends on, directly or not.
#[derive(Clone)]
pub(super) struct Labels {
    /// Of each type, how many vertices have none of their own type below them: |Frontier(Gᵃ)|.
    pub(super) frontiers: Vec<u32>,
    /// The types that form chains: some vertex has one of its own type below it, directly or
    /// through other types.
    ///
    /// The vertices of any other type (words, scores, read-outs) wait for none of their own: one
    /// batch can run them all, and there is nothing to count for them.
    pub(super) chained: Vec<bool>,
    /// For each vertex, the greatest number of vertices of its own type on one path that begins at
    /// it and leads from children to parents, itself included.
    ///
    /// Heights do not change while a graph is executed, as vertices above one run after it.
    pub(super) heights: Vec<u32>,
    /// The greatest height of each type: Depth(G_t) of ED-Batch, appendix A.3. Of what has not run,
    /// it is how many more batches of the type there must be.
    pub(super) tops: Vec<u32>,
    /// The counts a vertex in `carriers`: types, and some to spare.
    pub(super) stride: usize,
    /// For each vertex and each type, how many of its children carry the type; 0 where that does
    /// not matter, as neither the vertex nor any above it is of the type.
    pub(super) carriers: Vec<u8>,
    /// The same of the vertices with so many children that a byte might not hold the counts.
    pub(super) wide: BTreeMap<u32, Vec<u32>>,
}

/// What is found at a vertex of eight types.
#[derive(Clone, Default)]
struct Walked<H> {
    /// The types that it carries, as bytes of 0 or 1, so that they can be added up.
    carried: u64,
    /// The types above it, likewise.
    up: u64,
    /// The greatest number of vertices of each type on a path above it.
    above: [H; LANES],
}

impl Labels {
    /// Takes time linear in the graph for every eight types.
    pub(super) fn new(graph: &TypeGraph) -> Self {
        let types = usize::from(graph.type_count());
        let stride = if types <= FEW { FEW } else { types.next_multiple_of(LANES) };
        let mut labels = Self {
            frontiers: graph.type_sizes().to_vec(),
            chained: vec![false; types],
            heights: vec![1; graph.len()],
            tops: graph.type_sizes().iter().map(|&size| size.min(1)).collect(),
            stride,
            carriers: vec![0; graph.len() * stride],
            wide: BTreeMap::new(),
        };
        // No height is greater than the number of vertices of a type.
        let short = graph.type_sizes().iter().all(|&size| u16::try_from(size).is_ok());
        for first in (0..types).step_by(LANES) {
            if short {
                labels.walk::<u16>(graph, first);
            } else {
                labels.walk::<u32>(graph, first);
            }
        }
        labels
    }

    /// Looks at eight types from `first` on: upwards for what is below, then downwards.
    fn walk<H>(&mut self, graph: &TypeGraph, first: usize)
    where
        H: Copy + Ord + Default + From<u8> + Into<u32> + Add<Output = H>,
    {
        // By type, a byte of 1 in its lane, and the same as what it adds to a path.
        let types = usize::from(graph.type_count());
        let mut ones = vec![0_u64; types];
        let mut steps = vec![[H::default(); LANES]; types];
        for (lane, of_type) in (first..types).take(LANES).enumerate() {
            ones[of_type] = 1 << (8 * lane);
            steps[of_type][lane] = H::from(1);
        }

        let mut walked = vec![Walked::<H>::default(); graph.len()];
        let mut waiting = vec![0_u32; types];
        for &vertex in graph.children_first() {
            let below = graph.children(vertex).iter();
            let below = below.fold(0, |below, &child| below | walked[child as usize].carried);
            let own = usize::from(graph.vertex_type(vertex));
            waiting[own] += u32::from(below & ones[own] != 0);
            let carried = below | ones[own];
            walked[vertex as usize].carried = carried;
        }
        for (of_type, &waiting) in waiting.iter().enumerate() {
            self.frontiers[of_type] -= waiting;
            self.chained[of_type] |= waiting > 0;
        }
        if waiting.iter().all(|&waiting| waiting == 0) {
            return;
        }

        let mut tops = [H::default(); LANES];
        for &vertex in graph.children_first().iter().rev() {
            let own = usize::from(graph.vertex_type(vertex));
            let Walked { up, above, .. } = &walked[vertex as usize];
            if let Some(&height) = above.get(own.wrapping_sub(first)) {
                self.heights[vertex as usize] = Into::<u32>::into(height) + 1;
            }
            let up = up | ones[own];
            let path = zip(*above, steps[own], H::add);
            tops = zip(tops, path, H::max);
            let children = graph.children(vertex);
            let mut count = 0_u64;
            for &child in children {
                let child = &mut walked[child as usize];
                child.up |= up;
                child.above = zip(child.above, path, H::max);
                count = count.wrapping_add(child.carried);
            }
            if children.len() >= usize::from(MANY) {
                count = self.count_wide(vertex, children, &walked, first);
            }
            // Bytes of 1 become masks.
            let count = (count & (up * u64::from(u8::MAX))).to_le_bytes();
            let row = &mut self.carriers[vertex as usize * self.stride + first..];
            // Lengths that are known here are copied without a call.
            match *count.as_chunks::<FEW>().0 {
                [few, _] if self.stride == FEW => row[..FEW].copy_from_slice(&few),
                _ => row[..LANES].copy_from_slice(&count),
            }
        }
        for (top, lane) in self.tops[first..].iter_mut().zip(tops) {
            *top = lane.into();
        }
    }

    #[cold]
    fn count_wide<H>(
        &mut self,
        vertex: u32,
        children: &[u32],
        walked: &[Walked<H>],
        first: usize,
    ) -> u64 {
        let stride = self.stride.max(LANES);
        let sums = &mut self.wide.entry(vertex).or_insert_with(|| vec![0; stride])[first..];
        for &child in children {
            for (sum, carried) in sums.iter_mut().zip(walked[child as usize].carried.to_le_bytes())
            {
                *sum += u32::from(carried);
            }
        }
        u64::from_le_bytes(std::array::from_fn(|lane| if sums[lane] == 0 { 0 } else { MANY }))
    }
}

/// Lane by lane.
#[inline(always)]
fn zip<A: Copy, B: Copy, C, const W: usize>(a: [A; W], b: [B; W], f: impl Fn(A, B) -> C) -> [C; W] {
    std::array::from_fn(|lane| f(a[lane], b[lane]))
}

/// For each vertex, the length of the longest path that begins at it and leads from children to
/// parents, whatever the types.
pub(super) fn total_heights(graph: &TypeGraph) -> Vec<u32> {
    let mut totals = vec![1; graph.len()];
    for &vertex in graph.children_first().iter().rev() {
        let above = totals[vertex as usize] + 1;
        for &child in graph.children(vertex) {
            let total = &mut totals[child as usize];
            *total = above.max(*total);
        }
    }
    totals
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
        assert_eq!((labels.frontiers[70], labels.frontiers[3]), (1, 1));
        assert_eq!(labels.heights, [2, 1, 1, 1]);
        assert_eq!((labels.tops[70], labels.tops[3], labels.tops[0]), (2, 1, 0));
        let counts = |vertex: usize| &labels.carriers[vertex * labels.stride..][..71];
        // Only the type that is above and below counts, and nothing is below the first.
        assert!(counts(0).iter().all(|&count| count == 0));
        for vertex in 1..4 {
            let counted = counts(vertex).iter().enumerate().filter(|(_, count)| **count > 0);
            assert_eq!(counted.collect::<Vec<_>>(), [(70, &1)]);
        }
        assert!(labels.wide.is_empty());
    }

    #[test]
    fn many_children_are_counted_elsewhere() {
        // 300 leaves of type 0 under one of type 1, under one of type 0.
        let types = [vec![0; 300], vec![1, 0]].concat();
        let offsets = (0..300).map(|_| 0).chain([0, 300, 301]).collect();
        let graph = TypeGraph::new(2, types, offsets, (0..301).collect()).unwrap();
        let labels = Labels::new(&graph);
        assert_eq!(labels.carriers[300 * labels.stride..][..2], [MANY, 0]);
        assert_eq!(labels.wide[&300][..2], [300, 0]);
        assert_eq!(labels.carriers[301 * labels.stride..][..2], [1, 0]);
        assert_eq!(labels.frontiers, [300, 1]);
    }
}
