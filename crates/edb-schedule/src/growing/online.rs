//! Policies whose choice depends only on the ready vertices.

use std::sync::Arc;

use crate::graph::TypeGraph;
use crate::policies::{Fsm, Policy, TypeOrder};
use crate::running::{Frontier, ReadyTypes};

/// A policy whose choice depends only on how many vertices of each type are ready, and how many graphs rest.
#[derive(Clone, Debug)]
pub struct OnlinePolicy(Choice);

#[derive(Clone, Debug)]
enum Choice {
    Fsm(Arc<Fsm>),
    Order(Arc<TypeOrder>),
    Fullest { grow: u16 },
}

impl OnlinePolicy {
    /// The type with the most ready vertices comes next; graphs grow when no vertex is ready. `type_count` is
    /// the number of types of the model.
    pub fn fullest(type_count: u16) -> Self {
        Self(Choice::Fullest { grow: type_count })
    }

    /// The policy, if its choice depends only on the ready vertices: it is a finite state machine or an order of types,
    /// or learning for graphs that grow has chosen one of these.
    pub fn of(policy: &Policy) -> Option<Self> {
        match policy {
            Policy::Fsm(fsm) => Some(Self(Choice::Fsm(fsm.clone()))),
            Policy::Order(order) => Some(Self(Choice::Order(order.clone()))),
            Policy::Best(best) => best.members().first().and_then(Self::of),
            _ => None,
        }
    }

    /// The type that comes next, if anything is ready; `key` is a buffer for a state.
    pub(super) fn choose(&self, ready: &impl ReadyTypes, key: &mut Vec<u16>) -> Option<u16> {
        match &self.0 {
            Choice::Order(order) => order.choose(ready),
            Choice::Fsm(fsm) => choose(fsm, ready, key),
            Choice::Fullest { grow } => fullest_or_rest(ready, *grow),
        }
    }
}

/// The choice of a finite state machine, if anything is ready. In a state that it does not know, it is the
/// [`fullest`] type, or `grow` if only graphs are ready.
fn choose(fsm: &Fsm, ready: &impl ReadyTypes, key: &mut Vec<u16>) -> Option<u16> {
    let grow = fsm.signature().type_count() - 1;
    fsm.known_choice(ready, key).or_else(|| fullest_or_rest(ready, grow))
}

/// The type with the most ready vertices, or `grow` if only graphs are ready.
fn fullest_or_rest(ready: &impl ReadyTypes, grow: u16) -> Option<u16> {
    fullest(ready, grow).or_else(|| (ready.ready_count(grow) > 0).then_some(grow))
}

/// The batches of a recorded graph if it grows by the type with the most ready vertices.
pub(super) fn by_fullest(graph: &TypeGraph) -> Vec<(u16, u32)> {
    replay(graph, |frontier| fullest_or_rest(frontier, graph.type_count() - 1))
}

/// The batches of a recorded graph if it grows by a finite state machine.
pub(super) fn by_fsm(fsm: &Fsm, graph: &TypeGraph) -> Vec<(u16, u32)> {
    let mut key = Vec::new();
    replay(graph, |frontier| choose(fsm, frontier, &mut key))
}

/// The batches of a recorded graph if it grows by an order of types.
pub(super) fn by_order(order: &TypeOrder, graph: &TypeGraph) -> Vec<(u16, u32)> {
    replay(graph, |frontier| order.choose(frontier))
}

fn replay<'g>(
    graph: &'g TypeGraph,
    mut choose: impl FnMut(&Frontier<'g>) -> Option<u16>,
) -> Vec<(u16, u32)> {
    let mut frontier = Frontier::new(graph);
    let mut batches = Vec::new();
    while let Some(choice) = choose(&frontier) {
        batches.push((choice, frontier.execute(choice, |_| ()).len() as u32));
    }
    batches
}

/// The type with the most ready vertices, not counting graphs; of equal types, the one with the lowest number.
pub(super) fn fullest(ready: &impl ReadyTypes, grow: u16) -> Option<u16> {
    let types = ready.ready_types().filter(|vertex_type| *vertex_type != grow);
    types.max_by_key(|of| (ready.ready_count(*of), std::cmp::Reverse(*of)))
}

/// The batches of a recorded graph if it grows wave by wave: all vertices of the graphs run before any graph
/// grows.
pub(super) fn by_waves(graph: &TypeGraph) -> Vec<(u16, u32)> {
    let grow = graph.type_count() - 1;
    let rounds = rounds(graph);
    let mut waves: Vec<Vec<u32>> = Vec::new();
    for &vertex in graph.children_first() {
        let round = rounds[vertex as usize] as usize;
        waves.resize_with(waves.len().max(round + 1), Vec::new);
        waves[round].push(vertex);
    }
    let mut batches = Vec::new();
    let mut numbers = vec![u32::MAX; graph.len()];
    for (number, wave) in waves.iter().enumerate() {
        let vertices = || wave.iter().filter(|vertex| graph.vertex_type(**vertex) != grow);
        let (mut types, mut offsets, mut children) = (Vec::new(), vec![0], Vec::new());
        for &vertex in vertices() {
            numbers[vertex as usize] = types.len() as u32;
            types.push(graph.vertex_type(vertex));
            let here = |child: &&u32| {
                rounds[**child as usize] as usize == number && graph.vertex_type(**child) != grow
            };
            let of_wave = graph.children(vertex).iter().filter(here);
            children.extend(of_wave.map(|child| numbers[*child as usize]));
            offsets.push(children.len() as u32);
        }
        let here = TypeGraph::new(graph.type_count(), types, offsets, children)
            .expect("some vertices of a graph, in an order in which children come first");
        let policy = if number == 0 { Policy::Auto } else { Policy::Sufficient };
        let schedule = policy.schedule(&here);
        batches.extend(schedule.batches().iter().map(|b| (b.vertex_type, b.end - b.start)));
        match wave.len() - vertices().count() {
            0 => {}
            graphs => batches.push((grow, graphs as u32)),
        }
    }
    batches
}

/// For each vertex of a recorded graph, how often its graph had grown when the vertex was added.
fn rounds(graph: &TypeGraph) -> Vec<u32> {
    let grow = graph.type_count() - 1;
    let mut rounds = vec![0; graph.len()];
    for &vertex in graph.children_first() {
        let behind =
            |child: &u32| rounds[*child as usize] + u32::from(graph.vertex_type(*child) == grow);
        rounds[vertex as usize] = graph.children(vertex).iter().map(behind).max().unwrap_or(0);
    }
    rounds
}
