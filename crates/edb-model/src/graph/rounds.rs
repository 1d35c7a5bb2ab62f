//! Rounds of messages over data with cycles, unrolled into a graph that has none.

use super::{Graph, GraphProblem};

use edb_kernels::element::Element;
use edb_vertex::function::Vertex;

impl<T: Element> Graph<T> {
    /// Passes messages over `edges` in rounds, and returns the vertices of the last one (Gilmer et al., 2017,
    /// "Neural message passing for quantum chemistry").
    ///
    /// The nodes of the data are numbered from 0: node `v` begins as `vertices[v]`. In each round it gets a new
    /// vertex, `update(graph, round, vertex, received)`, where `vertex` is its own of the round before, and
    /// `received` are the messages along the edges that end at `v`, in the order of `edges`. An edge is
    /// `(from, to, e)`; its message is `message(graph, round, [from, to], &e)`, where `from` and `to` are the
    /// vertices of its two nodes in the round before. Edges may form cycles, may join a node with itself and be there
    /// twice. Each leads in one direction: where messages go both ways, give `(a, b, e)` and `(b, a, e)`.
    ///
    /// `rounds` says what each round is told: `0..k` is its number, and `&layers` its own functions.
    /// Without messages of their own, nodes read what their neighbours are: [`rounds_of_states`](Self::rounds_of_states).
    ///
    /// An edge from or to a node that does not exist is left out, and reported as
    /// [`problem`](Self::problem).
    pub fn rounds<R: Copy, E, S, M>(
        &mut self,
        rounds: impl IntoIterator<Item = R>,
        vertices: &[Vertex<S>],
        edges: impl IntoIterator<Item = (usize, usize, E)>,
        mut message: impl FnMut(&mut Self, R, [Vertex<S>; 2], &E) -> Vertex<M>,
        mut update: impl FnMut(&mut Self, R, Vertex<S>, &[Vertex<M>]) -> Vertex<S>,
    ) -> Vec<Vertex<S>> {
        let mut now = vertices.to_vec();
        let mut kept: Vec<(usize, usize, E)> = Vec::new();
        for (edge, (from, to, e)) in edges.into_iter().enumerate() {
            match [from, to].into_iter().find(|&node| node >= now.len()) {
                None => kept.push((from, to, e)),
                Some(node) => {
                    let problem = GraphProblem::NoSuchNode { edge, node, nodes: now.len() };
                    self.report(self.len() as u32, problem);
                }
            }
        }
        // By receiver, and there in the order of the edges: `sort_by_key` is stable.
        let mut order: Vec<usize> = (0..kept.len()).collect();
        order.sort_by_key(|&edge| kept[edge].1);
        let mut counts = vec![0; now.len()];
        kept.iter().for_each(|&(_, to, _)| counts[to] += 1);
        let (mut sent, mut received) =
            (Vec::with_capacity(kept.len()), Vec::with_capacity(kept.len()));
        for round in rounds {
            sent.clear();
            for (from, to, e) in &kept {
                sent.push(message(self, round, [now[*from], now[*to]], e));
            }
            received.clear();
            received.extend(order.iter().map(|&edge| sent[edge]));
            let mut rest = &received[..];
            for (vertex, &count) in now.iter_mut().zip(&counts) {
                let (of_vertex, others) = rest.split_at(count);
                *vertex = update(self, round, *vertex, of_vertex);
                rest = others;
            }
        }
        now
    }

    /// [`rounds`](Self::rounds) in which a node reads the states of its neighbours, of the round before, in the place of
    /// messages: `update(graph, round, vertex, neighbours)`. An edge `(from, to)` makes `from` a neighbour of `to`.
    pub fn rounds_of_states<R: Copy, S>(
        &mut self,
        rounds: impl IntoIterator<Item = R>,
        vertices: &[Vertex<S>],
        edges: impl IntoIterator<Item = (usize, usize)>,
        update: impl FnMut(&mut Self, R, Vertex<S>, &[Vertex<S>]) -> Vertex<S>,
    ) -> Vec<Vertex<S>> {
        let edges = edges.into_iter().map(|(from, to)| (from, to, ()));
        self.rounds(rounds, vertices, edges, |_, _, [from, _], ()| from, update)
    }
}
