//! Records when graphs that grow were handed out, and makes the recorded graph.

use crate::graph::TypeGraph;
use crate::schedule::Schedule;

/// When graphs that grew were handed out.
#[derive(Clone, Debug, Default)]
pub struct Rounds {
    rounds: Vec<Round>,
    /// The graphs of all rounds.
    graphs: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Round {
    /// How many vertices all graphs had together.
    vertices: u32,
    /// How many batches had run.
    batches: usize,
    /// Where the graphs of this round end in `graphs`.
    end: usize,
}

impl Rounds {
    /// Records that these graphs are handed out now, after `batches` batches, when all graphs have `vertices`
    /// vertices together.
    pub fn push(&mut self, vertices: u32, batches: usize, graphs: impl IntoIterator<Item = u32>) {
        self.graphs.extend(graphs);
        self.rounds.push(Round { vertices, batches, end: self.graphs.len() });
    }

    /// How often graphs were handed out.
    pub fn len(&self) -> usize {
        self.rounds.len()
    }

    /// Whether graphs were never handed out.
    pub fn is_empty(&self) -> bool {
        self.rounds.is_empty()
    }

    /// The recorded graph. It has the vertices of `graph` in the order in which they were added, and then a
    /// vertex of a further type for each time that a graph was handed out. `came` returns, for each vertex, its
    /// number among all vertices that were added (scheduled or not), and its graph.
    pub fn recorded(&self, graph: &TypeGraph, came: impl Fn(u32) -> (u32, u32)) -> TypeGraph {
        let vertices = graph.len() as u32;
        let of_graphs = self.graphs.iter().max().map_or(0, |last| *last as usize + 1);
        // For each graph, when it was last handed out, and the vertices that were added since then.
        let mut last: Vec<Option<u32>> = vec![None; of_graphs];
        let mut since: Vec<Vec<u32>> = vec![Vec::new(); of_graphs];
        let (mut offsets, mut children) = (vec![0], Vec::new());
        let (mut grow_offsets, mut grow_children) = (Vec::new(), Vec::new());
        let mut start = 0;
        let mut hand_out = |round: &Round, last: &mut [Option<u32>], since: &mut [Vec<u32>]| {
            for (place, graph) in (start..).zip(&self.graphs[start..round.end]) {
                let graph = *graph as usize;
                grow_children.append(&mut since[graph]);
                grow_children.extend(last[graph].replace(vertices + place as u32));
                grow_offsets.push(grow_children.len() as u32);
            }
            start = round.end;
        };
        let mut rounds = self.rounds.iter().peekable();
        for vertex in 0..vertices {
            let (number, of_graph) = came(vertex);
            while let Some(round) = rounds.next_if(|round| round.vertices <= number) {
                hand_out(round, &mut last, &mut since);
            }
            children.extend(graph.children(vertex));
            // A graph that was never handed out has no place in the lists.
            if let Some(since) = since.get_mut(of_graph as usize) {
                since.push(vertex);
                children.extend(last[of_graph as usize]);
            }
            offsets.push(children.len() as u32);
        }
        rounds.for_each(|round| hand_out(round, &mut last, &mut since));
        let before = children.len() as u32;
        offsets.extend(grow_offsets.iter().map(|offset| before + offset));
        children.append(&mut grow_children);
        let mut types = graph.types().to_vec();
        types.resize(vertices as usize + self.graphs.len(), graph.type_count());
        TypeGraph::new(graph.type_count() + 1, types, offsets, children)
            .expect("what a graph gets comes after what it had")
    }

    /// The schedule by which the [recorded](Self::recorded) graph grew, from that of the graph.
    pub fn schedule(&self, graph: &TypeGraph, schedule: &Schedule) -> Schedule {
        let mut grown = Schedule::new();
        let mut rounds = self.rounds.iter().peekable();
        let (mut start, vertices) = (0, graph.len());
        let mut hand_out = |round: &Round, grown: &mut Schedule| {
            let places = std::mem::replace(&mut start, round.end)..round.end;
            let numbers: Vec<u32> = places.map(|place| (vertices + place) as u32).collect();
            if !numbers.is_empty() {
                grown.push(graph.type_count(), &numbers);
            }
        };
        for (number, batch) in schedule.batches().iter().enumerate() {
            while let Some(round) = rounds.next_if(|round| round.batches <= number) {
                hand_out(round, &mut grown);
            }
            grown.push(batch.vertex_type, schedule.vertices(batch));
        }
        rounds.for_each(|round| hand_out(round, &mut grown));
        grown
    }
}
