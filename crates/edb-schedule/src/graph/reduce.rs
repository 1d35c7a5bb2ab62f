//! Smaller graphs with the same schedules.
//!
//! A policy names one type after another, and each batch runs all ready vertices of the type. So a schedule is
//! a word over the types. A word runs the whole graph exactly if, for every path of the graph, the types along
//! the path form a subsequence of the word: scheduling is finding a shortest common supersequence of these path
//! strings. Path strings that are subsequences of others do not matter, so vertices that add only such path
//! strings can be dropped. A word read backwards runs the graph with all edges reversed, so all of this holds
//! in both directions.
//!
//! Minibatches shrink to between a half and a twentieth of their size, since their examples have much in
//! common.

use super::type_graph::TypeGraph;

/// The most vertices that are compared pair by pair. In larger graphs, only equal vertices are merged.
const MAX_COMPARED_VERTICES: usize = 6000;

/// Returns a graph that the same sequences of types run; most often it is far smaller.
///
/// Most of the time is spent comparing pairs of the vertices that are left after equal ones have been merged.
pub(crate) fn reduce(graph: &TypeGraph) -> TypeGraph {
    let mut skeleton = Skeleton::new(graph).merged_both_ways();
    if skeleton.types.len() <= MAX_COMPARED_VERTICES {
        loop {
            let before = skeleton.size();
            skeleton = skeleton.pruned().reversed().pruned().reversed();
            if skeleton.size() == before {
                break;
            }
            skeleton = skeleton.merged().merged_both_ways();
        }
    }
    skeleton.into_graph(graph.type_count())
}

/// Like [`reduce`], but in linear time: it only merges equal vertices.
pub(crate) fn merge(graph: &TypeGraph) -> TypeGraph {
    Skeleton::new(graph).merged_both_ways().into_graph(graph.type_count())
}

/// A graph, with only its vertices and their children, numbered so that children come first.
struct Skeleton {
    types: Vec<u16>,
    offsets: Vec<u32>,
    children: Vec<u32>,
}

impl Skeleton {
    /// A graph without vertices, and room for so many.
    fn with_capacity(vertices: usize) -> Self {
        let mut offsets = Vec::with_capacity(vertices + 1);
        offsets.push(0);
        let (types, children) = (Vec::with_capacity(vertices), Vec::with_capacity(vertices));
        Self { types, offsets, children }
    }

    /// The vertices of a graph, equal ones merged.
    fn new(graph: &TypeGraph) -> Self {
        let order = graph.children_first();
        let row = |vertex: u32| graph.children(vertex);
        merged(graph.len(), order.iter().map(|&v| (v, graph.vertex_type(v))), row)
    }

    fn into_graph(self, type_count: u16) -> TypeGraph {
        TypeGraph::new(type_count, self.types, self.offsets, self.children)
            .expect("a part of a graph is a graph")
    }

    fn row(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.children[self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize]
    }

    fn push(&mut self, vertex_type: u16, children: impl Iterator<Item = u32>) {
        self.types.push(vertex_type);
        self.children.extend(children);
        self.offsets.push(self.children.len() as u32);
    }

    fn size(&self) -> (usize, usize) {
        (self.types.len(), self.children.len())
    }

    /// The graph with all edges reversed, again numbered so that children come first.
    fn reversed(&self) -> Self {
        let count = self.types.len();
        let turned = |vertex: u32| count - 1 - vertex as usize;
        let mut offsets = vec![0_u32; count + 1];
        for &child in &self.children {
            offsets[turned(child) + 1] += 1;
        }
        for number in 1..offsets.len() {
            offsets[number] += offsets[number - 1];
        }
        let mut next = offsets.clone();
        let mut children = vec![0; self.children.len()];
        for vertex in (0..count as u32).rev() {
            for &child in self.row(vertex) {
                let place = &mut next[turned(child)];
                children[*place as usize] = turned(vertex) as u32;
                *place += 1;
            }
        }
        Self { types: self.types.iter().rev().copied().collect(), offsets, children }
    }

    /// Merges equal vertices until none are left, in the graph and in its reverse. Equal vertices
    /// of the graph itself have been merged.
    fn merged_both_ways(mut self) -> Self {
        loop {
            let turned = self.reversed();
            let merged = turned.merged();
            if merged.types.len() == self.types.len() {
                return self;
            }
            let turned = merged.reversed();
            self = turned.merged();
            if self.types.len() == turned.types.len() {
                return self;
            }
        }
    }

    fn merged(&self) -> Self {
        let vertices = (0..).zip(self.types.iter().copied());
        merged(self.types.len(), vertices, |vertex| self.row(vertex))
    }

    /// The same graph with its vertices numbered by depth, and where the vertices of each depth begin.
    fn by_depth(&self) -> (Self, Vec<u32>) {
        let mut depths: Vec<u32> = Vec::with_capacity(self.types.len());
        for vertex in 0..self.types.len() as u32 {
            let below = self.row(vertex).iter().map(|&child| depths[child as usize] + 1);
            depths.push(below.max().unwrap_or(0));
        }
        let mut order: Vec<u32> = (0..depths.len() as u32).collect();
        order.sort_by_key(|&vertex| depths[vertex as usize]);
        let mut numbers = vec![0; order.len()];
        let (mut sorted, mut starts) = (Self::with_capacity(order.len()), Vec::new());
        for (number, &vertex) in (0_u32..).zip(&order) {
            numbers[vertex as usize] = number;
            if depths[vertex as usize] as usize == starts.len() {
                starts.push(number);
            }
            let row = self.row(vertex).iter().map(|&child| numbers[child as usize]);
            sorted.push(self.types[vertex as usize], row);
        }
        starts.push(order.len() as u32);
        (sorted, starts)
    }

    /// Drops redundant edges and vertices. An edge is redundant if another child of the vertex never runs
    /// earlier; a vertex without parents is redundant if another vertex never runs earlier.
    ///
    /// What is kept runs in the same batches as before, under any policy.
    fn pruned(self) -> Self {
        let (all, starts) = self.by_depth();
        let count = all.types.len() as u32;
        let sooner = Sooner::new(&all, &starts);
        // If two vertices always run together, the one with the lower number stays.
        let beaten = |a: u32, b: u32| a != b && sooner.has(b, a) && (b < a || !sooner.has(a, b));
        let mut needed = vec![false; count as usize];
        let mut kept_children = vec![Vec::new(); count as usize];
        for vertex in (0..count).rev() {
            if !needed[vertex as usize] && (0..count).any(|other| beaten(vertex, other)) {
                continue;
            }
            needed[vertex as usize] = true;
            let row = all.row(vertex);
            let kept = row.iter().filter(|&&child| !row.iter().any(|&other| beaten(child, other)));
            let kept: Vec<u32> = kept.copied().collect();
            kept.iter().for_each(|&child| needed[child as usize] = true);
            kept_children[vertex as usize] = kept;
        }
        let mut kept = Self::with_capacity(all.types.len());
        let mut numbers = vec![0; count as usize];
        for vertex in (0..count as usize).filter(|&vertex| needed[vertex]) {
            numbers[vertex] = kept.types.len() as u32;
            let row = kept_children[vertex].iter().map(|&child| numbers[child as usize]);
            kept.push(all.types[vertex], row);
        }
        kept
    }
}

/// Merges vertices that have the same type and the same children, since they run together under any policy.
/// They are found with a hash table with open addressing.
fn merged<'a>(
    count: usize,
    vertices: impl Iterator<Item = (u32, u16)>,
    row_of: impl Fn(u32) -> &'a [u32],
) -> Skeleton {
    let mut slots = vec![u32::MAX; (2 * count).next_power_of_two()];
    let mask = slots.len() - 1;
    let mut numbers = vec![0_u32; count];
    let mut merged = Skeleton::with_capacity(count);
    for (vertex, vertex_type) in vertices {
        // The children are appended, and removed again if there is an equal vertex.
        let start = merged.children.len();
        let row = row_of(vertex).iter().map(|&child| numbers[child as usize]);
        merged.children.extend(row);
        let row = &mut merged.children[start..];
        match row {
            [] | [_] => {}
            &mut [first, second] if first < second => {}
            row => {
                row.sort_unstable();
                let mut end = 1;
                for place in 1..row.len() {
                    if row[place] != row[end - 1] {
                        row[end] = row[place];
                        end += 1;
                    }
                }
                merged.children.truncate(start + end);
            }
        }
        let (before, row) = merged.children.split_at(start);
        let mix = |hash: u64, &entry: &u32| {
            (hash.rotate_left(5) ^ u64::from(entry)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        };
        let hash = row.iter().fold(mix(1, &u32::from(vertex_type)), mix);
        let mut slot = (hash >> 32) as usize & mask;
        let number = loop {
            let number = slots[slot];
            if number == u32::MAX {
                slots[slot] = merged.types.len() as u32;
                merged.types.push(vertex_type);
                merged.offsets.push(merged.children.len() as u32);
                break slots[slot];
            }
            let place = number as usize;
            let other = merged.offsets[place] as usize..merged.offsets[place + 1] as usize;
            // A loop, since lists of children are short and a call of `memcmp` would take longer.
            if merged.types[place] == vertex_type
                && other.len() == row.len()
                && before[other].iter().zip(row).all(|(other, own)| other == own)
            {
                merged.children.truncate(start);
                break number;
            }
            slot = (slot + 1) & mask;
        };
        numbers[vertex as usize] = number;
    }
    merged
}

/// For each vertex, the vertices that run no later under any policy, as bits.
///
/// Vertex *a* runs no later than *b* if it runs no later than a child of *b*; or if they are of one
/// type and each child of *a* runs no later than some child of *b*. In strings: each path that
/// ends in *a* is a subsequence of one that ends in *b*. So the depth of *a* is no greater.
struct Sooner {
    words: usize,
    bits: Vec<u64>,
}

impl Sooner {
    /// Compares vertices that are numbered by depth; `starts` says where each depth begins.
    fn new(all: &Skeleton, starts: &[u32]) -> Self {
        let words = all.types.len().div_ceil(64);
        let mut sooner = Self { words, bits: vec![0; all.types.len() * words] };
        let types = all.types.iter().max().map_or(0, |&last| usize::from(last) + 1);
        let mut of_type: Vec<Vec<u32>> = vec![Vec::new(); types];
        for level in starts.windows(2) {
            for vertex in level[0]..level[1] {
                of_type[usize::from(all.types[vertex as usize])].push(vertex);
                let (before, own) = sooner.bits.split_at_mut(vertex as usize * words);
                for &child in all.row(vertex) {
                    let row = &before[child as usize * words..][..words];
                    own.iter_mut().zip(row).for_each(|(own, row)| *own |= row);
                }
            }
            // So far the row of a vertex holds the vertices that run strictly before it.
            for vertex in level[0]..level[1] {
                let together = |&&other: &&u32| {
                    let mut below = all.row(other).iter();
                    !sooner.has(vertex, other) && below.all(|&child| sooner.has(vertex, child))
                };
                let peers = &of_type[usize::from(all.types[vertex as usize])];
                let together: Vec<u32> = peers.iter().filter(together).copied().collect();
                for other in together {
                    sooner.bits[vertex as usize * words + other as usize / 64] |= 1 << (other % 64);
                }
            }
        }
        sooner
    }

    /// Whether `other` never runs later than `vertex`.
    fn has(&self, vertex: u32, other: u32) -> bool {
        self.bits[vertex as usize * self.words + other as usize / 64] >> (other % 64) & 1 == 1
    }
}
