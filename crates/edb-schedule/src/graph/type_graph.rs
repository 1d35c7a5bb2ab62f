//! What a policy sees of a minibatch: the type of each vertex, and which vertices it reads.

use crate::error::ScheduleError;

/// The vertices of a minibatch with their types and, in both directions, their dependencies.
///
/// A vertex reads its *children* and is read by its *parents*. Vertices may be numbered in any
/// order. If a vertex reads a child several times, the child is listed as often among the children of the
/// vertex, and the vertex as often among the parents of the child.
#[derive(Clone, Debug)]
pub struct TypeGraph {
    type_count: u16,
    types: Vec<u16>,
    children: Adjacency,
    parents: Adjacency,
    children_first: Vec<u32>,
    leaves: Vec<u32>,
    type_sizes: Vec<u32>,
}

/// One direction of the dependencies: all lists one after the other, and where each begins.
#[derive(Clone, Debug)]
struct Adjacency {
    offsets: Vec<u32>,
    targets: Vec<u32>,
}

/// The dependencies of children, reversed.
struct Reversed {
    parents: Adjacency,
    /// The vertices without children, ascending.
    leaves: Vec<u32>,
    /// Whether all children have lower numbers than the vertices that read them.
    ascends: bool,
}

impl TypeGraph {
    /// A graph of `types.len()` vertices, whose types are below `type_count`. Vertex `v` reads
    /// the vertices `children[offsets[v]..offsets[v + 1]]`. Takes time linear in the graph.
    ///
    /// # Errors
    ///
    /// If the offsets do not fit the number of vertices and children, a type or a child does not
    /// exist, or vertices wait for each other (the error then names the vertices of one cycle).
    pub fn new(
        type_count: u16,
        types: Vec<u16>,
        offsets: Vec<u32>,
        children: Vec<u32>,
    ) -> Result<Self, ScheduleError> {
        let vertices = types.len();
        if u32::try_from(vertices).is_err() {
            return Err(ScheduleError::TooManyVertices { vertices });
        }
        let mut type_sizes = vec![0; usize::from(type_count)];
        for (vertex, &vertex_type) in (0..).zip(&types) {
            let Some(size) = type_sizes.get_mut(usize::from(vertex_type)) else {
                return Err(ScheduleError::UnknownType { vertex, vertex_type, type_count });
            };
            *size += 1;
        }
        let children = Adjacency::new(vertices, offsets, children)?;
        let Reversed { parents, leaves, ascends } = children.reversed();
        let children_first = if ascends {
            (0..vertices as u32).collect()
        } else {
            children_first(&children, &parents)?
        };
        Ok(Self { type_count, types, children, parents, children_first, leaves, type_sizes })
    }

    /// The same vertices with all edges reversed: a schedule of one graph, read backwards, is a schedule of the
    /// other. The vertices are numbered from the last to the first, so that children still come first if they
    /// did before.
    pub(crate) fn reversed(&self) -> Self {
        let turned = |vertex: &u32| self.len() as u32 - 1 - vertex;
        let targets: Vec<u32> = self.parents.targets.iter().rev().map(turned).collect();
        let starts = self.parents.offsets.iter().rev();
        let offsets = starts.map(|start| targets.len() as u32 - start).collect();
        let children = Adjacency { offsets, targets };
        let Reversed { parents, leaves, .. } = children.reversed();
        Self {
            type_count: self.type_count,
            types: self.types.iter().rev().copied().collect(),
            leaves,
            parents,
            children,
            children_first: self.children_first.iter().rev().map(turned).collect(),
            type_sizes: self.type_sizes.clone(),
        }
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// The number of types, including those without a vertex.
    pub fn type_count(&self) -> u16 {
        self.type_count
    }

    /// For each type, how many vertices it has.
    pub fn type_sizes(&self) -> &[u32] {
        &self.type_sizes
    }

    /// The vertices without children, ascending.
    pub(crate) fn leaves(&self) -> &[u32] {
        &self.leaves
    }

    /// For each vertex, how many children it has; a repeated child counts each time.
    pub(crate) fn child_counts(&self) -> Vec<u32> {
        self.children.offsets.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    /// The type of every vertex.
    pub fn types(&self) -> &[u16] {
        &self.types
    }

    /// The type of a vertex.
    ///
    /// # Panics
    ///
    /// If there is no such vertex.
    pub fn vertex_type(&self, vertex: u32) -> u16 {
        self.types[vertex as usize]
    }

    /// The vertices that a vertex reads, in the order in which they were given.
    ///
    /// # Panics
    ///
    /// If there is no such vertex.
    pub fn children(&self, vertex: u32) -> &[u32] {
        self.children.row(vertex)
    }

    /// The vertices that read a vertex, ascending.
    ///
    /// # Panics
    ///
    /// If there is no such vertex.
    pub fn parents(&self, vertex: u32) -> &[u32] {
        self.parents.row(vertex)
    }

    /// All vertices, in an order in which each comes after its children.
    pub fn children_first(&self) -> &[u32] {
        &self.children_first
    }

    /// The depth of every vertex: the number of steps on the longest way down from it to a
    /// vertex without children, which itself has depth 0.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0; self.len()];
        for &vertex in &self.children_first {
            let below = self.children(vertex).iter().map(|&child| depths[child as usize] + 1).max();
            depths[vertex as usize] = below.unwrap_or(0);
        }
        depths
    }
}

impl Adjacency {
    fn new(vertices: usize, offsets: Vec<u32>, targets: Vec<u32>) -> Result<Self, ScheduleError> {
        let (&[first, ..], &[.., last]) = (&offsets[..], &offsets[..]) else {
            return Err(ScheduleError::OffsetCount { vertices, offsets: offsets.len() });
        };
        if offsets.len() != vertices + 1 {
            return Err(ScheduleError::OffsetCount { vertices, offsets: offsets.len() });
        }
        if first != 0 || last as usize != targets.len() {
            return Err(ScheduleError::OffsetEnds { first, last, children: targets.len() });
        }
        let ends = offsets.windows(2).map(|pair| (pair[0], pair[1]));
        if let Some((vertex, (start, end))) = (0..).zip(ends).find(|&(_, (start, end))| start > end)
        {
            return Err(ScheduleError::OffsetsDescend { vertex, start, end });
        }
        if let Some(place) = targets.iter().position(|&child| child as usize >= vertices) {
            // The row in which it stands is the last that begins there or before; empty rows come before it.
            let vertex = offsets.partition_point(|&start| start as usize <= place) - 1;
            let (position, child) = (place - offsets[vertex] as usize, targets[place]);
            let vertex = vertex as u32;
            return Err(ScheduleError::UnknownChild { vertex, position, child, vertices });
        }
        Ok(Self { offsets, targets })
    }

    fn row(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.targets[self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize]
    }

    fn vertices(&self) -> u32 {
        // `TypeGraph::new` has made sure that the number fits.
        (self.offsets.len() - 1) as u32
    }

    /// The other direction, whose rows ascend, and what is found on the way.
    fn reversed(&self) -> Reversed {
        let mut offsets = vec![0; self.offsets.len()];
        for &target in &self.targets {
            offsets[target as usize + 1] += 1;
        }
        for vertex in 1..offsets.len() {
            offsets[vertex] += offsets[vertex - 1];
        }
        let mut next = offsets.clone();
        let mut targets = vec![0; self.targets.len()];
        let (mut leaves, mut ascends) = (Vec::new(), true);
        for source in 0..self.vertices() {
            let row = self.row(source);
            if row.is_empty() {
                leaves.push(source);
            }
            for &target in row {
                ascends &= target < source;
                let place = &mut next[target as usize];
                targets[*place as usize] = source;
                *place += 1;
            }
        }
        Reversed { parents: Self { offsets, targets }, leaves, ascends }
    }
}

/// The vertices in an order in which each comes after its children, or the error that names a
/// cycle.
///
/// Most graphs are built children first. Then the order of their numbers is taken in its place, since walks in that
/// order stay in cache.
fn children_first(children: &Adjacency, parents: &Adjacency) -> Result<Vec<u32>, ScheduleError> {
    let mut pending: Vec<_> = children.offsets.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let mut order = Vec::with_capacity(pending.len());
    order.extend((0..children.vertices()).filter(|&vertex| pending[vertex as usize] == 0));
    // The order is also the queue: entries from `next` on have yet to be processed.
    let mut next = 0;
    while let Some(&vertex) = order.get(next) {
        next += 1;
        for &parent in parents.row(vertex) {
            let pending = &mut pending[parent as usize];
            *pending -= 1;
            if *pending == 0 {
                order.push(parent);
            }
        }
    }
    match pending.iter().position(|&pending| pending > 0) {
        None => Ok(order),
        Some(stuck) => Err(find_cycle(children, &pending, stuck as u32)),
    }
}

/// Names a cycle below `start`, a vertex that waits. `pending` counts for each vertex the children that it
/// waits for.
fn find_cycle(children: &Adjacency, pending: &[u32], start: u32) -> ScheduleError {
    let waits = |vertex: &&u32| pending[**vertex as usize] > 0;
    // A vertex that waits has a child that waits, so the walk down ends in a cycle.
    let mut path = Vec::new();
    let mut place = vec![None; pending.len()];
    let mut next = Some(start);
    while let Some(vertex) = next {
        if let Some(entry) = place[vertex as usize].replace(path.len()) {
            path.drain(..entry);
            break;
        }
        path.push(vertex);
        next = children.row(vertex).iter().find(waits).copied();
    }
    // Begin with the lowest number, so that the same cycle always reads the same.
    let lowest = (0..path.len()).min_by_key(|&place| path[place]).unwrap_or(0);
    path.rotate_left(lowest);
    ScheduleError::Cycle { vertices: path }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(types: &[u16], offsets: &[u32], children: &[u32]) -> ScheduleError {
        TypeGraph::new(2, types.to_vec(), offsets.to_vec(), children.to_vec()).unwrap_err()
    }

    #[test]
    fn both_directions_agree_and_keep_duplicates() {
        // 2 reads 0 twice and 3; 1 reads 2: children are numbered higher and lower.
        let graph = TypeGraph::new(1, vec![0; 4], vec![0, 0, 1, 4, 4], vec![2, 0, 3, 0]).unwrap();
        assert_eq!(graph.children(2), [0, 3, 0]);
        assert_eq!(graph.parents(0), [2, 2]);
        assert_eq!(graph.parents(2), [1]);
        assert_eq!(graph.children_first(), [0, 3, 2, 1]);
        assert_eq!(graph.depths(), [0, 2, 1, 0]);
    }

    #[test]
    fn malformed_graphs_are_refused() {
        use ScheduleError as E;
        assert_eq!(error(&[], &[], &[]), E::OffsetCount { vertices: 0, offsets: 0 });
        assert_eq!(error(&[0], &[0, 0, 0], &[]), E::OffsetCount { vertices: 1, offsets: 3 });
        assert_eq!(error(&[0], &[1, 1], &[0]), E::OffsetEnds { first: 1, last: 1, children: 1 });
        assert_eq!(error(&[0], &[0, 0], &[0]), E::OffsetEnds { first: 0, last: 0, children: 1 });
        assert_eq!(
            error(&[0, 0], &[0, 2, 1], &[0]),
            E::OffsetsDescend { vertex: 1, start: 2, end: 1 }
        );
        assert_eq!(
            error(&[0, 2], &[0, 0, 0], &[]),
            E::UnknownType { vertex: 1, vertex_type: 2, type_count: 2 }
        );
        assert_eq!(
            error(&[0, 0], &[0, 0, 2], &[0, 2]),
            E::UnknownChild { vertex: 1, position: 1, child: 2, vertices: 2 }
        );
    }

    #[test]
    fn cycles_are_named() {
        let cycle = |vertices: &[u32]| ScheduleError::Cycle { vertices: vertices.to_vec() };
        assert_eq!(error(&[0], &[0, 1], &[0]), cycle(&[0]));
        // 0 reads 3, which is on the cycle 1 -> 3 -> 2 -> 1; 3 also reads 4, which is not.
        assert_eq!(error(&[0; 5], &[0, 1, 2, 3, 5, 5], &[3, 3, 1, 4, 2]), cycle(&[1, 3, 2]));
        let n = 100_000;
        let reads = (0..n).map(|v| (v + 1) % n).collect::<Vec<_>>();
        let offsets = (0..=n).collect::<Vec<_>>();
        assert_eq!(
            error(&vec![0; n as usize], &offsets, &reads),
            cycle(&(0..n).collect::<Vec<_>>())
        );
    }
}
