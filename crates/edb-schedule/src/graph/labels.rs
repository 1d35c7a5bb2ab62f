//! What each vertex waits for and holds up, type by type, before anything has run.

use std::collections::BTreeMap;

use super::type_graph::TypeGraph;

/// How many types are processed at once: each has one byte of a word.
pub(crate) const TYPES_PER_WORD: usize = 8;
/// Stands for a count that a byte cannot hold; the count is then in [`wide`](Labels::wide).
pub(crate) const WIDE_COUNT: u8 = u8::MAX;

/// Static properties of a graph that policies need.
///
/// A vertex *carries* its own type and those of all vertices that it depends on, directly or not.
pub(crate) struct Labels {
    /// For each type, how many vertices have no vertex of their own type below them: |Frontier(Gᵃ)|.
    pub(crate) frontiers: Vec<u32>,
    /// The types that form chains: some vertex has one of its own type below it, directly or
    /// through other types.
    ///
    /// The vertices of any other type (words, scores, read-outs) wait for none of their own type:
    /// one batch can run them all, and nothing needs to be counted for them.
    pub(crate) chained: Vec<bool>,
    /// For every eight types, a word for each vertex. Each byte of it counts the children that carry one of the
    /// types; it is 0 if neither the vertex nor any vertex above it is of the type. There are no words if none
    /// of the eight types forms chains.
    pub(crate) carriers: Vec<Vec<u64>>,
    /// By vertex and type, the same counts as numbers of 32 bits, for vertices with so many children that a
    /// byte might not hold a count.
    pub(crate) wide: BTreeMap<u32, Vec<u32>>,
    pub(crate) heights: Heights,
}

/// The heights of vertices and types.
///
/// The height of a vertex does not change while a graph runs, since the vertices above it run after it.
#[derive(Default)]
pub(crate) struct Heights {
    /// For each vertex, the greatest number of vertices of its own type on one path that begins at
    /// it and leads from children to parents, itself included.
    pub(crate) own: Vec<u32>,
    /// The greatest height of each type: Depth(G_t) of ED-Batch, appendix A.3. The greatest height among the
    /// vertices that have not run says how many more batches the type needs.
    pub(crate) tops: Vec<u32>,
}

impl Heights {
    /// The heights of a graph. Takes time linear in the graph for every sixteen types.
    pub(crate) fn new(graph: &TypeGraph) -> Self {
        let mut heights = Self::unwalked(graph);
        let types = usize::from(graph.type_count());
        let mut first = 0;
        while first < types {
            // A type of one vertex is no chain.
            if graph.type_sizes()[first] <= 1 {
                first += 1;
                continue;
            }
            // Try with counts in bytes first: they stay in cache, and few chains are longer than they can count.
            let (counted, next) = match types - first {
                ..=TYPES_PER_WORD => {
                    (heights.walk_down::<u64>(graph, first, |_, _| ()), first + u64::TYPES)
                }
                _ => (heights.walk_down::<u128>(graph, first, |_, _| ()), first + u128::TYPES),
            };
            if counted.is_none() {
                for first in (first..types.min(next)).step_by(TYPES_PER_WORD) {
                    heights.walk_down::<[u32; TYPES_PER_WORD]>(graph, first, |_, _| ());
                }
            }
            first = next;
        }
        heights
    }

    /// The heights if no type formed chains.
    fn unwalked(graph: &TypeGraph) -> Self {
        let tops = graph.type_sizes().iter().map(|&size| size.min(1)).collect();
        Self { own: vec![1; graph.len()], tops }
    }

    /// Computes the heights of the types from `first` on, as many as `L` counts; `None` if `L` cannot hold one. `see`
    /// gets each vertex, with the numbers of vertices on paths from it upwards.
    fn walk_down<L: PathCounts>(
        &mut self,
        graph: &TypeGraph,
        first: usize,
        mut see: impl FnMut(u32, L),
    ) -> Option<()> {
        let mut ones = vec![L::default(); usize::from(graph.type_count())];
        for (lane, one) in ones[first..].iter_mut().take(L::TYPES).enumerate() {
            *one = L::one(lane);
        }
        // The greatest number of vertices of each type on a path above each vertex.
        let mut above = vec![L::default(); graph.len()];
        let mut tops = L::default();
        for &vertex in graph.children_first().iter().rev() {
            let own = usize::from(graph.vertex_type(vertex));
            let path = above[vertex as usize].plus(ones[own])?;
            if (first..first + L::TYPES).contains(&own) {
                self.own[vertex as usize] = path.lane(own - first);
            }
            tops = tops.larger(path);
            for &child in graph.children(vertex) {
                above[child as usize] = above[child as usize].larger(path);
            }
            see(vertex, path);
        }
        for (top, lane) in self.tops[first..].iter_mut().zip(0..L::TYPES) {
            *top = tops.lane(lane);
        }
        Some(())
    }
}

impl Labels {
    /// Takes time linear in the graph for every eight types.
    pub(crate) fn new(graph: &TypeGraph) -> Self {
        let types = usize::from(graph.type_count());
        let mut labels = Self {
            frontiers: graph.type_sizes().to_vec(),
            chained: vec![false; types],
            carriers: Vec::with_capacity(types.div_ceil(TYPES_PER_WORD)),
            wide: BTreeMap::new(),
            heights: Heights::unwalked(graph),
        };
        for first in (0..types).step_by(TYPES_PER_WORD) {
            let mut of_word = graph.type_sizes()[first..].iter().take(TYPES_PER_WORD);
            if of_word.all(|&size| size <= 1) {
                // Types of one vertex are no chains.
                labels.carriers.push(Vec::new());
                continue;
            }
            let mut carried = labels.walk_up(graph, first);
            if labels.chained[first..].iter().take(TYPES_PER_WORD).any(|&chained| chained) {
                // Try with counts in bytes first: they stay in cache, and few chains are longer than they can
                // count.
                if labels.walk_down::<u64>(graph, first, &mut carried).is_none() {
                    carried = labels.walk_up(graph, first);
                    labels.walk_down::<[u32; TYPES_PER_WORD]>(graph, first, &mut carried);
                }
            } else {
                carried.clear();
            }
            labels.carriers.push(carried);
        }
        labels
    }

    /// Which of the eight types from `first` on each vertex carries, as bytes of 0 or 1, so that they can be added up.
    fn walk_up(&mut self, graph: &TypeGraph, first: usize) -> Vec<u64> {
        let mut ones = vec![0_u64; usize::from(graph.type_count())];
        for (lane, one) in ones[first..].iter_mut().take(TYPES_PER_WORD).enumerate() {
            *one = u64::one(lane);
        }
        let mut carried = vec![0_u64; graph.len()];
        let mut waiting = vec![0_u32; ones.len()];
        for &vertex in graph.children_first() {
            let below = graph.children(vertex).iter();
            let below = below.fold(0, |below, &child| below | carried[child as usize]);
            let own = usize::from(graph.vertex_type(vertex));
            waiting[own] += u32::from(below & ones[own] != 0);
            carried[vertex as usize] = below | ones[own];
        }
        for (own, &waiting) in waiting.iter().enumerate().filter(|(_, waiting)| **waiting > 0) {
            self.frontiers[own] = graph.type_sizes()[own] - waiting;
            self.chained[own] = true;
        }
        carried
    }

    /// Replaces the types that vertices carry by the numbers of children that carry them, and
    /// computes heights; `None` if `L` cannot hold a height.
    fn walk_down<L: OfWord>(
        &mut self,
        graph: &TypeGraph,
        first: usize,
        carried: &mut [u64],
    ) -> Option<()> {
        let mut heights = std::mem::take(&mut self.heights);
        let walked = heights.walk_down::<L>(graph, first, |vertex, path| {
            let children = graph.children(vertex);
            let mut count = 0_u64;
            for &child in children {
                count = count.wrapping_add(carried[child as usize]);
            }
            if children.len() >= usize::from(WIDE_COUNT) {
                count = self.count_wide(vertex, children, carried, first);
            }
            // Only vertices at this one or above use its counts, so counts of other types are dropped.
            carried[vertex as usize] = count & path.mask();
        });
        self.heights = heights;
        walked
    }

    #[cold]
    fn count_wide(&mut self, vertex: u32, children: &[u32], carried: &[u64], first: usize) -> u64 {
        let mut sums = [0_u32; TYPES_PER_WORD];
        for &child in children {
            for (sum, carried) in sums.iter_mut().zip(carried[child as usize].to_le_bytes()) {
                *sum += u32::from(carried);
            }
        }
        let counts = self.wide.entry(vertex).or_insert_with(|| vec![0; self.chained.len()]);
        counts[first..].iter_mut().zip(sums).for_each(|(count, sum)| *count = sum);
        u64::from_le_bytes(sums.map(|sum| if sum == 0 { 0 } else { WIDE_COUNT }))
    }
}

/// For each of some types, a number of vertices on a path.
trait PathCounts: Copy + Default {
    /// How many types there are.
    const TYPES: usize;

    /// One vertex of the type in this lane.
    fn one(lane: usize) -> Self;

    /// The sum; `None` on overflow.
    fn plus(self, other: Self) -> Option<Self>;

    /// The greater of the two counts, for each type.
    fn larger(self, other: Self) -> Self;

    fn lane(self, lane: usize) -> u32;
}

/// Counts of the types of one word.
trait OfWord: PathCounts {
    /// A word whose bytes are all ones where the count of the type is not 0.
    fn mask(self) -> u64;
}

/// Counts below 128, in the bytes of a number: the highest bits stay free for carries.
macro_rules! counts_in_bytes {
    ($Word:ty, $HIGHEST_BITS:ident) => {
        /// The highest bits of bytes.
        const $HIGHEST_BITS: $Word = <$Word>::from_le_bytes([0x80; size_of::<$Word>()]);

        impl PathCounts for $Word {
            const TYPES: usize = size_of::<$Word>();

            #[inline]
            fn one(lane: usize) -> Self {
                1 << (8 * lane)
            }

            #[inline]
            fn plus(self, other: Self) -> Option<Self> {
                let sum = self + other;
                (sum & $HIGHEST_BITS == 0).then_some(sum)
            }

            #[inline]
            fn larger(self, other: Self) -> Self {
                let at_least = (((self | $HIGHEST_BITS) - other) & $HIGHEST_BITS) >> 7;
                // In each byte, all ones for 1.
                let mask = (at_least << 8).wrapping_sub(at_least);
                self & mask | other & !mask
            }

            #[inline]
            fn lane(self, lane: usize) -> u32 {
                u32::from((self >> (8 * lane)) as u8)
            }
        }
    };
}

counts_in_bytes!(u64, HIGHEST_BITS);
counts_in_bytes!(u128, HIGHEST_BITS_OF_TWO);

impl OfWord for u64 {
    #[inline]
    fn mask(self) -> u64 {
        (((self + !HIGHEST_BITS) & HIGHEST_BITS) >> 7) * u64::from(u8::MAX)
    }
}

impl PathCounts for [u32; TYPES_PER_WORD] {
    const TYPES: usize = TYPES_PER_WORD;

    fn one(lane: usize) -> Self {
        std::array::from_fn(|other| u32::from(other == lane))
    }

    fn plus(self, other: Self) -> Option<Self> {
        Some(std::array::from_fn(|lane| self[lane] + other[lane]))
    }

    fn larger(self, other: Self) -> Self {
        std::array::from_fn(|lane| self[lane].max(other[lane]))
    }

    fn lane(self, lane: usize) -> u32 {
        self[lane]
    }
}

impl OfWord for [u32; TYPES_PER_WORD] {
    fn mask(self) -> u64 {
        u64::from_le_bytes(self.map(|lane| if lane == 0 { 0 } else { u8::MAX }))
    }
}

/// For each vertex, the length of the longest path that begins at it and leads from children to
/// parents, whatever the types.
pub(crate) fn total_heights(graph: &TypeGraph) -> Vec<u32> {
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
        assert_eq!(labels.heights.own, [2, 1, 1, 1]);
        let tops = &labels.heights.tops;
        assert_eq!((tops[70], tops[3], tops[0]), (2, 1, 0));
        assert_eq!(tops.iter().sum::<u32>(), 4);
        // Only the type that is above and below counts, and nothing is below the first.
        let one = 1 << (8 * (70 % TYPES_PER_WORD));
        assert_eq!(labels.carriers[70 / TYPES_PER_WORD], [0, one, one, one]);
        assert!(labels.carriers[..70 / TYPES_PER_WORD].iter().all(Vec::is_empty));
        assert!(labels.wide.is_empty());
    }

    #[test]
    fn many_children_are_counted_elsewhere() {
        // 300 leaves of type 0 under one of type 1, under one of type 0.
        let types = [vec![0; 300], vec![1, 0]].concat();
        let offsets = (0..300).map(|_| 0).chain([0, 300, 301]).collect();
        let graph = TypeGraph::new(2, types, offsets, (0..301).collect()).unwrap();
        let labels = Labels::new(&graph);
        assert_eq!(labels.carriers[0][300], u64::from(WIDE_COUNT));
        assert_eq!(labels.wide[&300][..2], [300, 0]);
        assert_eq!(labels.carriers[0][301], 1);
        assert_eq!(labels.frontiers, [300, 1]);
    }
    #[test]
    fn heights_of_many_types_are_counted_together() {
        // Chains of each type, of other lengths, one after the other: so all are below the last one.
        for (types, length) in [(8, 1), (9, 1), (16, 3), (17, 3), (33, 2), (9, 20), (17, 20)] {
            let chain = (0..types).flat_map(|of| vec![of; usize::from(1 + of) * length]);
            let chain: Vec<u16> = chain.collect();
            let count = chain.len() as u32;
            let offsets = [0].into_iter().chain(0..count).collect();
            let graph = TypeGraph::new(types, chain, offsets, (0..count - 1).collect()).unwrap();
            let heights = Heights::new(&graph);
            let tops = (0..types).map(|of| (u32::from(of) + 1) * length as u32);
            assert!(heights.tops.iter().copied().eq(tops.clone()), "{types} {length}");
            let own = tops.flat_map(|top| (1..=top).rev());
            assert!(heights.own.iter().copied().eq(own), "{types} {length}");
        }
    }

    #[test]
    fn chains_may_be_longer_than_a_byte_counts() {
        for length in [127, 128, 129, 1000] {
            let offsets = [0].into_iter().chain(0..length).collect();
            let graph =
                TypeGraph::new(1, vec![0; length as usize], offsets, (0..length - 1).collect());
            let labels = Labels::new(&graph.unwrap());
            assert!(labels.heights.own.iter().copied().eq((1..=length).rev()));
            assert_eq!((labels.heights.tops[0], labels.frontiers[0]), (length, 1));
            assert_eq!(labels.carriers[0].iter().sum::<u64>(), u64::from(length) - 1);
        }
    }
}
