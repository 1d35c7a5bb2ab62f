//! Which vertices wait for which others, and which of them a batch sets free.

use super::own_below::OwnBelow;
use super::window::{Window, has};
use crate::graph::TypeGraph;

/// Stands for several other vertices.
const MANY: u32 = u32::MAX;

/// What vertices wait for: for their children, to be ready, and for those of their own type below
/// them, to be in Frontier(Gᵃ).
pub(super) struct Waits {
    /// By vertex, where the edges to those that wait for it begin.
    starts: Vec<u32>,
    edges: Vec<Edge>,
    own_below: OwnBelow,
}

/// A vertex that waits, for most often one or two others.
#[derive(Clone, Copy, Default)]
struct Edge {
    waiting: u32,
    /// The other vertex that it waits for, [`MANY`] if there are several, or if there is none, the
    /// number of vertices, which stands for one that has always run.
    other: u32,
    /// Whether it waits to be ready.
    for_child: bool,
}

/// A batch that has run in a state.
#[derive(Clone, Copy)]
pub(super) struct Ran<'a> {
    /// The set of its vertices.
    pub(super) batch: &'a [u64],
    /// The set of all vertices that have run, these included.
    pub(super) done: &'a [u64],
}

impl Waits {
    /// Of a graph in which no child is repeated; `chained` says by type whether any vertex of it
    /// has one of its own type below it.
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
                        _ => MANY,
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

    /// Puts the vertices that a batch makes ready to the front of `readied`, which has a place more
    /// than there are vertices. Returns how many these are, and how many vertices of its type wait
    /// for none of their own type any more.
    #[inline]
    pub(super) fn set_free(
        &self,
        graph: &TypeGraph,
        window: &Window,
        ran: Ran<'_>,
        readied: &mut [u32],
    ) -> (usize, u32) {
        // Of several in the batch, the one with the highest number is the last that a vertex waited
        // for. Few branches here can be predicted, so there are few.
        let is_earlier = |other: u32, vertex: u32| {
            let place = window.place(other);
            has(ran.done, place) & !(has(ran.batch, place) & (other > vertex))
        };
        let (mut ready, mut free) = (0, 0);
        window.for_each(ran.batch, |vertex| {
            let (start, end) = (self.starts[vertex as usize], self.starts[vertex as usize + 1]);
            for &Edge { waiting, other, for_child } in &self.edges[start as usize..end as usize] {
                // What has a high number runs late, most often.
                let all = |row: &[u32]| row.iter().rev().all(|&other| is_earlier(other, vertex));
                let is_last = match (other, for_child) {
                    (MANY, false) => all(self.own_below.of(waiting)),
                    (MANY, true) => all(graph.children(waiting)),
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
