//! What the scheduler is told of a minibatch: its vertices by type, and what a batch costs.

use std::ops::Range;

use edb_ir::Phase;

use super::dependencies::Flags;
use edb_kernels::element::Element;
use edb_model::graph::Minibatch;
use edb_model::model::BoundModel;
use edb_schedule::TypeGraph;

/// About how many nanoseconds a batch takes on a CPU beyond its rows (calls of functions), and
/// (`WEIGHT`) for each weight that it reads.
const BATCH: f64 = 1500.0;
/// See [`BATCH`].
const WEIGHT: f64 = 1.0 / 15.0;
/// The nanoseconds in which a policy simulates a vertex.
const VISIT: f64 = 30.0;

/// About what a batch of a model [costs](edb_schedule::LearnOptions::batch_cost) on a CPU: as many
/// weights as a type has in the mean. Measured times would give another policy each time, and other
/// bits.
pub(crate) fn batch_cost(model: &BoundModel) -> f64 {
    let functions = model.functions.iter();
    let of_each = functions.map(|function| function.routine.work(Phase::Recurrent).vertex);
    let (types, weights) = of_each
        .filter(|weights| *weights > 0)
        .fold((0_usize, 0_usize), |(types, all), weights| (types + 1, all + weights));
    (BATCH + weights as f64 / types.max(1) as f64 * WEIGHT) / VISIT
}

/// The graph of all vertices of a minibatch that need a schedule, and which vertices these are.
pub(crate) fn whole_type_graph<T: Element>(
    model: &BoundModel,
    batch: &Minibatch<T>,
    scheduled: &Flags,
) -> (TypeGraph, Vec<u32>) {
    type_graph(model, batch, 0..batch.functions().len() as u32, scheduled)
}

/// Some vertices of a minibatch, as far as their functions are `scheduled`.
pub(crate) fn vertices_of<T: Element>(
    batch: &Minibatch<T>,
    vertices: Range<u32>,
    scheduled: &Flags,
) -> impl Iterator<Item = u32> {
    vertices.filter(|vertex| scheduled[batch.functions()[*vertex as usize].index()])
}

/// The graph of those of some vertices of a minibatch that need a schedule, and which vertices
/// these are.
pub(crate) fn type_graph<T: Element>(
    model: &BoundModel,
    batch: &Minibatch<T>,
    of: Range<u32>,
    scheduled: &Flags,
) -> (TypeGraph, Vec<u32>) {
    let vertices: Vec<u32> = vertices_of(batch, of.clone(), scheduled).collect();
    let mut numbers = vec![u32::MAX; of.len()];
    for (number, vertex) in vertices.iter().enumerate() {
        numbers[(*vertex - of.start) as usize] = number as u32;
    }
    let mut offsets = Vec::with_capacity(vertices.len() + 1);
    let mut dependencies = Vec::with_capacity(batch.all_children().len());
    offsets.push(0);
    for &vertex in &vertices {
        let children = batch.dependencies(vertex).filter(|child| of.contains(child));
        let children = children.map(|child| numbers[(child - of.start) as usize]);
        dependencies.extend(children.filter(|number| *number != u32::MAX));
        offsets.push(dependencies.len() as u32);
    }
    let types = vertices.iter().map(|vertex| batch.functions()[*vertex as usize].0).collect();
    let count = model.functions.len() as u16;
    let graph = TypeGraph::new(count, types, offsets, dependencies)
        .expect("the minibatch was checked: its graphs are acyclic");
    (graph, vertices)
}
