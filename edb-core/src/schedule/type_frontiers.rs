//! Frontier(Gᵃ): of each type, the vertices that wait for none of their own type.

use super::TypeGraph;
use super::labels::Labels;

/// The most children that a vertex may have for them to be searched rather than counted.
const NARROW: usize = 8;

/// For each type *a*, the exact size of Frontier(Gᵃ) while a graph is being executed: the number
/// of vertices of *a* that have not run and depend on no vertex of *a* that has not run, be it
/// directly or through other types (ED-Batch, section 2.3).
///
/// # How the counts are kept
///
/// Say that a vertex *carries* a type when it or something below it is of that type and has not
/// run; the types that it carries are a mask. A vertex of type *a* belongs to Frontier(Gᵃ) when no
/// child carries *a*. A vertex ceases to carry a type once: when it runs, its own; any other when
/// the last of its children does. It is then put to work: its bit is cleared and its parents are
/// looked at, one after the other, so that each parent is told exactly once that none of its
/// children carries the type any more.
///
/// To ask that is to look at all children, once for each of them. Vertices have few children, and
/// a word for each takes less memory than a counter for each and every type; the children of
/// vertices with many are counted. (With this and the queues of `Frontier`, the policy of the ratio
/// runs 1.1 to 1.8 times as fast as it did with counters throughout.) That a vertex carries a type
/// matters only if something above it is of that type; otherwise it is taken not to. Time is linear in the graph for
/// each type that depends on itself, in whatever order vertices run; other types cost nothing.
#[derive(Clone)]
pub(super) struct TypeFrontiers<'g> {
    graph: &'g TypeGraph,
    chained: Vec<bool>,
    words: usize,
    counts: Vec<u32>,
    carried: Vec<u64>,
    wide: Wide,
    /// Vertices that cease to carry the type at hand.
    work: Vec<u32>,
}

impl<'g> TypeFrontiers<'g> {
    /// The counts before anything has run.
    pub(super) fn new(graph: &'g TypeGraph, labels: &Labels) -> Self {
        Self {
            graph,
            chained: labels.chained.clone(),
            words: labels.words,
            counts: labels.frontiers.clone(),
            carried: carried(graph, labels),
            wide: Wide::new(graph, labels),
            work: Vec::new(),
        }
    }

    /// The size of the frontier of a type: |Frontier(Gᵃ)|.
    #[inline]
    pub(super) fn count(&self, vertex_type: u16) -> usize {
        self.counts[usize::from(vertex_type)] as usize
    }

    /// Takes note that vertices of a type have run, which were ready.
    pub(super) fn executed(&mut self, vertex_type: u16, batch: &[u32]) {
        let own = usize::from(vertex_type);
        self.counts[own] -= batch.len() as u32;
        if !self.chained[own] {
            return;
        }
        let (words, word, bit) = (self.words, own / 64, 1_u64 << (own % 64));
        let at = |vertex: u32| vertex as usize * words + word;
        let Self { graph, carried, wide, work, .. } = self;
        let graph = *graph;
        let mut entered = 0;
        for &vertex in batch {
            if carried[at(vertex)] & bit == 0 {
                continue;
            }
            let mut next = Some(vertex);
            while let Some(vertex) = next {
                carried[at(vertex)] &= !bit;
                let mut told = u32::MAX;
                for &parent in graph.parents(vertex) {
                    let is_own = graph.vertex_type(parent) == vertex_type;
                    if !is_own && carried[at(parent)] & bit == 0 {
                        continue;
                    }
                    // Parents ascend, so that one that reads the vertex twice stands there twice.
                    let repeated = std::mem::replace(&mut told, parent) == parent;
                    let children = graph.children(parent);
                    if children.len() > NARROW {
                        if !wide.decrement(parent, own) {
                            continue;
                        }
                    } else {
                        let carries = |&child: &u32| carried[at(child)] & bit != 0;
                        if repeated || children.iter().any(carries) {
                            continue;
                        }
                    }
                    if is_own {
                        // It waits for none of its type any more, but still carries it itself.
                        entered += 1;
                    } else {
                        work.push(parent);
                    }
                }
                next = work.pop();
            }
        }
        self.counts[own] += entered;
    }
}

/// What each vertex carries before anything has run, as far as it matters.
fn carried(graph: &TypeGraph, labels: &Labels) -> Vec<u64> {
    let words = labels.words;
    let mut above = vec![0_u64; labels.carried.len()];
    for &vertex in graph.children_first().iter().rev() {
        let own = usize::from(graph.vertex_type(vertex));
        if words == 1 {
            let mask = above[vertex as usize] | 1 << own;
            above[vertex as usize] &= labels.carried[vertex as usize];
            for &child in graph.children(vertex) {
                above[child as usize] |= mask;
            }
            continue;
        }
        for word in 0..words {
            let at = vertex as usize * words + word;
            let mask = above[at] | if own / 64 == word { 1 << (own % 64) } else { 0 };
            above[at] &= labels.carried[at];
            for &child in graph.children(vertex) {
                above[child as usize * words + word] |= mask;
            }
        }
    }
    above
}

/// For the vertices with many children, how many of these carry each type.
#[derive(Clone, Default)]
struct Wide {
    /// By vertex, which row of counts is its own; empty if there are no such vertices.
    rows: Vec<u32>,
    counts: Vec<u32>,
    types: usize,
}

impl Wide {
    fn new(graph: &TypeGraph, labels: &Labels) -> Self {
        let mut wide = Self { types: labels.chained.len(), ..Self::default() };
        let is_wide = |&vertex: &u32| graph.children(vertex).len() > NARROW;
        for (vertex, row) in (0..graph.len() as u32).filter(is_wide).zip(0..) {
            if row == 0 {
                wide.rows = vec![0; graph.len()];
            }
            wide.rows[vertex as usize] = row;
            let start = wide.counts.len();
            wide.counts.resize(start + wide.types, 0);
            for &child in graph.children(vertex) {
                let masks = &labels.carried[child as usize * labels.words..][..labels.words];
                for (word, &mask) in masks.iter().enumerate() {
                    let mut mask = mask;
                    while mask != 0 {
                        let carried = word * 64 + mask.trailing_zeros() as usize;
                        wide.counts[start + carried] += 1;
                        mask &= mask - 1;
                    }
                }
            }
        }
        wide
    }

    /// Takes note that a child of a vertex has ceased to carry a type; whether it was the last.
    fn decrement(&mut self, vertex: u32, vertex_type: usize) -> bool {
        let row = self.rows[vertex as usize] as usize;
        let count = &mut self.counts[row * self.types + vertex_type];
        *count -= 1;
        *count == 0
    }
}
