//! The ready vertices of graphs that grow, by type.

use super::online::OnlinePolicy;
use crate::running::ReadyTypes;

/// The `pending` of a vertex that is done.
const PENDING_DONE: u32 = u32::MAX;
/// The `pending` of a vertex that is running, or that is deciding how it goes on.
const PENDING_RUNNING: u32 = u32::MAX - 1;
/// The end of a list of parents.
const END_OF_LIST: u32 = u32::MAX;

/// The ready vertices of graphs that grow, by type. The last type stands for graphs: its ready rows are the
/// graphs that rest, that is, all their vertices have run.
///
/// A vertex may be added at any time after its children. This takes time linear in the number of its children.
#[derive(Clone, Debug, Default)]
pub struct GrowingFrontier {
    /// For each type, its ready vertices in the order in which they became ready; at the end, the graphs that
    /// rest.
    ready: Vec<Vec<u32>>,
    vertices: Vec<Known>,
    /// Linked lists of parents: each entry has a parent and the next entry.
    parents: Vec<(u32, u32)>,
    /// For each graph, how many of its vertices have yet to run.
    left: Vec<u32>,
    /// A buffer for the state of a policy.
    key: Vec<u16>,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    vertex_type: u16,
    graph: u32,
    /// How many of its children have yet to run.
    pending: u32,
    /// The first entry of its parents.
    parents: u32,
}

impl GrowingFrontier {
    /// The frontier of this many graphs, before any has a vertex.
    pub fn new(type_count: u16, graphs: u32) -> Self {
        Self {
            ready: vec![Vec::new(); usize::from(type_count) + 1],
            left: vec![0; graphs as usize],
            ..Self::default()
        }
    }

    /// Makes room for this many vertices in all, so that adding them moves nothing.
    pub fn reserve(&mut self, vertices: usize) {
        self.vertices.reserve(vertices.saturating_sub(self.vertices.len()));
    }

    /// The number of the last type, whose rows are the graphs that rest.
    pub fn grow(&self) -> u16 {
        (self.ready.len() - 1) as u16
    }

    /// Adds the next vertex, with which a vertex that is not [done](Self::done) goes on. It is ready at once.
    pub fn go_on(&mut self, vertex_type: u16) {
        let vertex = self.vertices.len() as u32;
        let known = Known { vertex_type, graph: 0, pending: PENDING_RUNNING, parents: END_OF_LIST };
        self.vertices.push(known);
        self.ready[usize::from(vertex_type)].push(vertex);
    }

    /// Adds the next vertex; its children are among the vertices before it.
    pub fn add(&mut self, vertex_type: u16, graph: u32, children: impl Iterator<Item = u32>) {
        let vertex = self.vertices.len() as u32;
        self.come(vertex_type, graph);
        self.link(vertex, children);
    }

    /// Adds the next vertex, whose children are [linked](Self::link) later, when all of them have been added.
    pub fn come(&mut self, vertex_type: u16, graph: u32) {
        self.vertices.push(Known { vertex_type, graph, pending: 0, parents: END_OF_LIST });
        self.left[graph as usize] += 1;
    }

    /// Links a vertex, which [`come`](Self::come) has added, with its children. Call it once for each of these
    /// vertices.
    pub fn link(&mut self, vertex: u32, children: impl Iterator<Item = u32>) {
        let mut pending = 0;
        for child in children {
            let child = &mut self.vertices[child as usize];
            if child.pending != PENDING_DONE {
                pending += 1;
                self.parents.push((vertex, child.parents));
                child.parents = self.parents.len() as u32 - 1;
            }
        }
        let known = &mut self.vertices[vertex as usize];
        known.pending = pending;
        if pending == 0 {
            self.ready[usize::from(known.vertex_type)].push(vertex);
        }
    }

    /// Says that no more vertices are added to a graph for now: it rests if all its vertices have run.
    pub fn added(&mut self, graph: u32) {
        if self.left[graph as usize] == 0 {
            self.rest(graph);
        }
    }

    fn rest(&mut self, graph: u32) {
        let resting = self.ready.last_mut().expect("the last type is that of graphs");
        resting.push(graph);
    }

    /// How many vertices of a type are ready.
    pub fn ready(&self, vertex_type: u16) -> usize {
        self.ready_count(vertex_type)
    }

    /// The type that the policy chooses; `None` if no vertex is ready and no graph rests.
    pub fn choose(&mut self, policy: &OnlinePolicy) -> Option<u16> {
        let mut key = std::mem::take(&mut self.key);
        let choice = policy.choose(self, &mut key);
        self.key = key;
        choice
    }

    /// The last type, if graphs rest.
    pub fn rests(&self) -> Option<u16> {
        (self.ready_count(self.grow()) > 0).then_some(self.grow())
    }

    /// The type with the most ready vertices, whether graphs rest or not.
    pub fn fullest(&self) -> Option<u16> {
        super::online::fullest(self, self.grow())
    }

    /// Moves everything that is ready of a type into `taken`, in ascending order. This is vertices, which run
    /// now and then are [done](Self::done) or [go on](Self::go_on), or graphs, which grow.
    pub fn take(&mut self, vertex_type: u16, taken: &mut Vec<u32>) {
        taken.clear();
        taken.append(&mut self.ready[usize::from(vertex_type)]);
        taken.sort_unstable();
        if vertex_type != self.grow() {
            taken
                .iter()
                .for_each(|vertex| self.vertices[*vertex as usize].pending = PENDING_RUNNING);
        }
    }

    /// Says that a vertex that was [added](Self::add) is done: the vertices that read it no longer wait for it.
    pub fn done(&mut self, vertex: u32) {
        let Known { graph, parents, .. } = self.vertices[vertex as usize];
        self.vertices[vertex as usize].pending = PENDING_DONE;
        let mut next = parents;
        while next != END_OF_LIST {
            let (parent, after) = self.parents[next as usize];
            let known = &mut self.vertices[parent as usize];
            known.pending -= 1;
            if known.pending == 0 {
                self.ready[usize::from(known.vertex_type)].push(parent);
            }
            next = after;
        }
        let left = &mut self.left[graph as usize];
        *left -= 1;
        if *left == 0 {
            self.rest(graph);
        }
    }
}

impl ReadyTypes for GrowingFrontier {
    fn ready_types(&self) -> impl Iterator<Item = u16> {
        (0..=u16::MAX).zip(&self.ready).filter(|(_, ready)| !ready.is_empty()).map(|(of, _)| of)
    }

    fn ready_count(&self, vertex_type: u16) -> usize {
        self.ready.get(usize::from(vertex_type)).map_or(0, Vec::len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_rests_when_all_that_it_has_has_run() {
        let mut frontier = GrowingFrontier::new(2, 3);
        let taken = |frontier: &mut GrowingFrontier, vertex_type| {
            let mut taken = Vec::new();
            frontier.take(vertex_type, &mut taken);
            if vertex_type != frontier.grow() {
                taken.iter().for_each(|vertex| frontier.done(*vertex));
            }
            taken
        };
        // Graph 0: 0 <- 1 twice; graph 1: 2; graph 2 begins empty.
        frontier.add(0, 0, [].into_iter());
        frontier.add(1, 0, [0, 0].into_iter());
        frontier.add(0, 1, [].into_iter());
        (0..3).for_each(|graph| frontier.added(graph));
        assert_eq!(frontier.grow(), 2);
        assert_eq!(frontier.ready_types().collect::<Vec<_>>(), [0, 2]);
        assert_eq!(taken(&mut frontier, 0), [0, 2]);
        assert_eq!(taken(&mut frontier, 2), [1, 2]);
        // They get vertices that read what has run and what has not.
        frontier.add(0, 1, [2].into_iter());
        frontier.add(1, 1, [3, 2].into_iter());
        frontier.added(2);
        frontier.added(1);
        assert_eq!(taken(&mut frontier, 0), [3]);
        assert_eq!(frontier.fullest(), Some(1));
        assert_eq!(taken(&mut frontier, 1), [1, 4]);
        assert_eq!(frontier.fullest(), None);
        assert_eq!((frontier.rests(), taken(&mut frontier, 2)), (Some(2), vec![0, 1, 2]));
        assert_eq!(frontier.rests(), None);
    }

    #[test]
    fn what_reads_a_vertex_waits_until_it_is_done() {
        let mut frontier = GrowingFrontier::new(3, 1);
        let mut taken = Vec::new();
        frontier.add(0, 0, [].into_iter());
        frontier.add(2, 0, [0].into_iter());
        frontier.added(0);
        frontier.take(0, &mut taken);
        assert_eq!((&taken[..], frontier.fullest()), (&[0][..], None));
        // It goes on twice.
        for vertex in [2, 3] {
            frontier.go_on(1);
            frontier.take(1, &mut taken);
            assert_eq!((&taken[..], frontier.fullest()), (&[vertex][..], None));
        }
        frontier.done(0);
        frontier.take(2, &mut taken);
        assert_eq!((&taken[..], frontier.rests()), (&[1][..], None));
        frontier.done(1);
        assert_eq!(frontier.rests(), Some(3));
    }
}
