//! Which vertices wait for which other vertices, and which waiting vertices a batch sets free.

use super::own_below::OwnBelow;
use super::window::{Window, has};
use crate::graph::TypeGraph;

/// The value of [`Edge::other`] if a vertex waits for several other vertices.
const SEVERAL_VERTICES: u32 = u32::MAX;

/// What vertices wait for. A vertex waits for its children before it is ready, and for the vertices of its own
/// type below it before it is in Frontier(Gᵃ).
pub(super) struct Waits {
    /// By vertex, where the edges to the vertices that wait for it begin.
    starts: Vec<u32>,
    edges: Vec<Edge>,
    own_below: OwnBelow,
}

/// A vertex that waits, most often for one or two other vertices.
#[derive(Clone, Copy, Default)]
struct Edge {
    waiting: u32,
    /// The other vertex that it waits for; [`SEVERAL_VERTICES`] if there are several. If there is none, this is
    /// the number of vertices of the graph, which stands for a vertex that has always run.
    other: u32,
    /// Whether it waits for a child, to be ready; otherwise it waits for a vertex of its own type.
    for_child: bool,
}

/// A batch that has run in a state.
#[derive(Clone, Copy)]
pub(super) struct Ran<'a> {
    /// The set of its vertices.
    pub(super) batch: &'a [u64],
    /// The set of all vertices that have run, including this batch.
    pub(super) done: &'a [u64],
}

impl Waits {
    /// Finds what the vertices of a graph without repeated children wait for. `chained` says by type whether
    /// any vertex of the type has another one of the type below it.
    pub(super) fn new(graph: &TypeGraph, chained: &[bool]) -> Self {
        let own_below = OwnBelow::new(graph, chained);
        let count = graph.len();
        let children = |vertex: u32| graph.children(vertex);
        let mut starts = vec![0_u32; count + 2];
        for waiting in 0..count as u32 {
            for row in [children(waiting), own_below.of(waiting)] {
                row.iter().for_each(|&vertex| starts[vertex as usize + 2] += 1);
            }
        }
        for number in 2..starts.len() {
            starts[number] += starts[number - 1];
        }
        let mut edges = vec![Edge::default(); starts[count + 1] as usize];
        for waiting in 0..count as u32 {
            for (row, for_child) in [(children(waiting), true), (own_below.of(waiting), false)] {
                for (number, &vertex) in row.iter().enumerate() {
                    let other = match row.len() {
                        1 => count as u32,
                        2 => row[1 - number],
                        _ => SEVERAL_VERTICES,
                    };
                    let place = &mut starts[vertex as usize + 1];
                    edges[*place as usize] = Edge { waiting, other, for_child };
                    *place += 1;
                }
            }
        }
        Self { starts, edges, own_below }
    }

    /// Whether a vertex waits for none of its own type before anything has run.
    pub(super) fn is_free(&self, vertex: u32) -> bool {
        self.own_below.of(vertex).is_empty()
    }

    /// Puts the vertices that a batch makes ready at the front of `readied`, which has one place more than the
    /// graph has vertices. Returns how many vertices become ready, and how many vertices of the batch's type no
    /// longer wait for a vertex of their own type.
    #[inline]
    pub(super) fn set_free(
        &self,
        graph: &TypeGraph,
        window: &Window,
        ran: Ran<'_>,
        readied: &mut [u32],
    ) -> (usize, u32) {
        // If a vertex waited for several vertices of the batch, the one with the highest number counts as the
        // last. The processor can predict few branches here, so this code has few branches.
        let is_earlier = |other: u32, vertex: u32| {
            let place = window.place(other);
            has(ran.done, place) & !(has(ran.batch, place) & (other > vertex))
        };
        let (mut ready, mut free) = (0, 0);
        window.for_each(ran.batch, |vertex| {
            let (start, end) = (self.starts[vertex as usize], self.starts[vertex as usize + 1]);
            for &Edge { waiting, other, for_child } in &self.edges[start as usize..end as usize] {
                // Vertices with high numbers mostly run late, so they are checked first.
                let all = |row: &[u32]| row.iter().rev().all(|&other| is_earlier(other, vertex));
                let is_last = match (other, for_child) {
                    (SEVERAL_VERTICES, false) => all(self.own_below.of(waiting)),
                    (SEVERAL_VERTICES, true) => all(graph.children(waiting)),
                    (other, _) => is_earlier(other, vertex),
                };
                readied[ready] = waiting;
                ready += usize::from(is_last & for_child);
                free += u32::from(is_last & !for_child);
            }
        });
        (ready, free)
    }
}
