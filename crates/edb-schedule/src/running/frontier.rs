//! Frontier(G): the vertices that can run now.

use crate::graph::TypeGraph;
use crate::schedule::Schedule;

/// How many vertices of each type are ready. Some policies need only this, and not the vertices that have yet
/// to come.
pub(crate) trait ReadyTypes {
    /// The types with ready vertices, ascending.
    fn ready_types(&self) -> impl Iterator<Item = u16>;

    /// How many vertices of a type are ready: |Frontier_a(G)|. A type that does not exist has none.
    fn ready_count(&self, vertex_type: u16) -> usize;
}

impl ReadyTypes for Frontier<'_> {
    #[inline]
    fn ready_types(&self) -> impl Iterator<Item = u16> {
        self.ready_types()
    }

    #[inline]
    fn ready_count(&self, vertex_type: u16) -> usize {
        let ends = self.ends.get(usize::from(vertex_type)).copied().unwrap_or_default();
        (ends.end - ends.start) as usize
    }
}

/// The ready vertices of a graph that is being executed batch by batch, by type: those that have
/// not run but whose children all have (Frontier(G) of ED-Batch, section 2.3).
///
/// A vertex becomes ready once, so each type has a queue with one place for each of its vertices; all queues
/// lie in one array. In a queue, the vertices that have run come first, then the ready ones, and a batch is a
/// range. While the graph runs, no memory is allocated, moved or cleared.
#[derive(Clone)]
pub(crate) struct Frontier<'g> {
    graph: &'g TypeGraph,
    /// The queues of all types, concatenated.
    queue: Vec<u32>,
    /// For each type, where its ready vertices begin and end in `queue`.
    ends: Vec<Ends>,
    /// For each vertex, how many of its children have yet to run.
    pending: Vec<u32>,
    /// How many vertices have yet to run.
    left: usize,
}

#[derive(Clone, Copy, Default)]
struct Ends {
    start: u32,
    end: u32,
}

impl<'g> Frontier<'g> {
    /// The frontier before anything has run: the vertices without children.
    pub(crate) fn new(graph: &'g TypeGraph) -> Self {
        let mut ends = Vec::with_capacity(usize::from(graph.type_count()));
        let mut place = 0;
        for &size in graph.type_sizes() {
            ends.push(Ends { start: place, end: place });
            place += size;
        }
        let pending = graph.child_counts();
        let queue = vec![0; graph.len()];
        let mut frontier = Self { graph, queue, ends, pending, left: graph.len() };
        for &vertex in graph.leaves() {
            frontier.append(vertex);
        }
        frontier
    }

    #[inline]
    fn append(&mut self, vertex: u32) {
        let ends = &mut self.ends[usize::from(self.graph.vertex_type(vertex))];
        self.queue[ends.end as usize] = vertex;
        ends.end += 1;
    }

    /// The graph that is being executed.
    pub(crate) fn graph(&self) -> &'g TypeGraph {
        self.graph
    }

    /// How many vertices of a type are ready: |Frontier_a(G)|.
    #[inline]
    pub(crate) fn ready_count(&self, vertex_type: u16) -> usize {
        let ends = self.ends[usize::from(vertex_type)];
        (ends.end - ends.start) as usize
    }

    /// The types with ready vertices, ascending; there are some until everything has run.
    #[inline]
    pub(crate) fn ready_types(&self) -> impl Iterator<Item = u16> {
        // The range has an end, since counting on after the last type may overflow.
        let ready = (0..=u16::MAX).zip(&self.ends).filter(|(_, ends)| ends.end > ends.start);
        ready.map(|(vertex_type, _)| vertex_type)
    }

    /// How many vertices have yet to run.
    pub(crate) fn left(&self) -> usize {
        self.left
    }

    /// Where the queue of a type ends now, and the vertices that have become ready since it ended at `from`.
    #[inline]
    pub(crate) fn ready_since(&self, vertex_type: u16, from: u32) -> (u32, &[u32]) {
        let end = self.ends[usize::from(vertex_type)].end;
        (end, &self.queue[from as usize..end as usize])
    }

    /// Where the ready vertices of a type begin in its queue.
    #[inline]
    pub(crate) fn ready_start(&self, vertex_type: u16) -> u32 {
        self.ends[usize::from(vertex_type)].start
    }

    /// Runs all ready vertices of a type and returns them, in no particular order. Calls `tell`
    /// with each of their parents, once for each edge.
    #[inline]
    pub(crate) fn execute(&mut self, vertex_type: u16, mut tell: impl FnMut(u32)) -> &[u32] {
        let Ends { start, end } = self.ends[usize::from(vertex_type)];
        self.ends[usize::from(vertex_type)].start = end;
        self.left -= (end - start) as usize;
        let graph = self.graph;
        for place in start..end {
            for &parent in graph.parents(self.queue[place as usize]) {
                let pending = &mut self.pending[parent as usize];
                *pending -= 1;
                if *pending == 0 {
                    self.append(parent);
                }
                tell(parent);
            }
        }
        &self.queue[start as usize..end as usize]
    }

    /// The schedule that has run, given the type and the size of each batch.
    ///
    /// Within a batch the vertices ascend: a counting sort by batch does this in linear time.
    pub(crate) fn into_schedule(mut self, batches: &[(u16, u32)]) -> Schedule {
        // `pending` is no longer needed; its memory is reused for the batch of each vertex.
        let mut places = Vec::with_capacity(batches.len());
        let mut starts = Vec::with_capacity(usize::from(self.graph.type_count()));
        let mut first = 0;
        for &size in self.graph.type_sizes() {
            starts.push(first);
            first += size;
        }
        let mut place = 0;
        for (&(vertex_type, size), number) in batches.iter().zip(0_u32..) {
            let start = &mut starts[usize::from(vertex_type)];
            for &vertex in &self.queue[*start as usize..(*start + size) as usize] {
                self.pending[vertex as usize] = number;
            }
            *start += size;
            places.push(place);
            place += size;
        }
        debug_assert_eq!(place as usize, self.graph.len(), "something has not run");
        for (vertex, &batch) in (0_u32..).zip(&self.pending) {
            let place = &mut places[batch as usize];
            self.queue[*place as usize] = vertex;
            *place += 1;
        }
        Schedule::from_order(self.queue, batches)
    }
}
