//! Describes a minibatch to the scheduler: its vertices by type, and what a batch costs.

use std::ops::Range;

use edb_ir::Phase;

use super::dependencies::Flags;
use edb_model::graph::FlatBatch;
use edb_model::model::BoundModel;
use edb_schedule::TypeGraph;

/// About how many nanoseconds a batch takes on a CPU for calls of functions, without the time of its rows.
const NS_PER_BATCH: f64 = 500.0;
/// About how many nanoseconds a batch takes on a CPU for each weight that it reads.
const NS_PER_WEIGHT: f64 = 1.0 / 100.0;
/// About how many nanoseconds a row takes on a CPU for each weight.
const NS_PER_MULTIPLY_ADD: f64 = 1.0 / 30.0;
/// About how many nanoseconds a policy needs to simulate a vertex.
const NS_PER_SIMULATED_VERTEX: f64 = 30.0;

/// About what a [batch](edb_schedule::LearnOptions::batch_cost) of a model costs on a CPU, and a
/// [vertex](edb_schedule::LearnOptions::vertex_cost), if it reads as many weights as a type has on average.
///
/// The costs are not measured: measured times would vary, so that each run would learn another policy, and parameter
/// gradients, which are summed in the order of the schedule, would have other bits. The constants are fitted to
/// lattices of 64, 128 and 256 hidden units, by the times of policies that need other numbers of batches (AMD Zen 4,
/// one thread and two).
pub(crate) fn run_cost(model: &BoundModel) -> [f64; 2] {
    let functions = model.functions.iter();
    let of_each = functions.map(|function| function.routine.work(Phase::Recurrent).vertex);
    let (types, weights) = of_each
        .filter(|weights| *weights > 0)
        .fold((0_usize, 0_usize), |(types, all), weights| (types + 1, all + weights));
    let weights = weights as f64 / types.max(1) as f64;
    let costs = [NS_PER_BATCH + weights * NS_PER_WEIGHT, weights * NS_PER_MULTIPLY_ADD];
    costs.map(|ns| ns / NS_PER_SIMULATED_VERTEX)
}

/// The graph of all vertices of a minibatch that need a schedule, and the list of these vertices.
pub(crate) fn whole_type_graph(
    model: &BoundModel,
    batch: &FlatBatch,
    scheduled: &Flags,
) -> (TypeGraph, Vec<u32>) {
    type_graph(model, batch, 0..batch.functions().len() as u32, scheduled)
}

/// The vertices in this range whose functions are `scheduled`.
pub(crate) fn vertices_of(
    batch: &FlatBatch,
    vertices: Range<u32>,
    scheduled: &Flags,
) -> impl Iterator<Item = u32> {
    vertices.filter(|vertex| scheduled[batch.functions()[*vertex as usize].index()])
}

/// The graph of those vertices in the range `of` that need a schedule, and the list of these vertices.
pub(crate) fn type_graph(
    model: &BoundModel,
    batch: &FlatBatch,
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
