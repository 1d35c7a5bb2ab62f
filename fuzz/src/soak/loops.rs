//! Measures what batches cost of functions that loop for very different numbers of rounds: what runs
//! before and after, and by the costs, has the same bits.

use edb::prelude::*;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::{Counts, Fingerprint, Watch, failed};
use edb_backend_suite::zoo::rng;

/// The most graphs, the most vertices of a graph and the most rounds of a vertex.
const MOST: (u32, u32, u32) = (40, 8, 60);

#[derive(State)]
struct Memory {
    h: Tensor,
}

#[derive(Input)]
struct Work {
    id: Index,
    rounds: Tensor,
}

/// Goes over its memory as often as it is told to.
#[vertex_function]
fn ponder(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor, #[dim(H)] size: Dim) {
    let Work { id, rounds } = pull();
    let before = gather_or(0, Memory { h: zeros(size) });
    let mut h = before.h + table.row(id);
    let mut count = scalar(0.0);
    while count < rounds {
        h = w.dot(h).tanh();
        count += 1.0;
    }
    scatter(Memory { h });
    loss(h.square().sum());
}

/// Chains of vertices that loop.
fn graph(ponder: &Function<ponder>, model: &Model, rng: &mut ChaCha8Rng) -> Graph {
    let mut g = model.graph();
    let mut last = None;
    for _ in 0..rng.random_range(1..=MOST.1) {
        // Most loops are short, so that few vertices go on at last.
        let most = if rng.random_bool(0.1) { MOST.2 } else { 3 };
        let rounds = g.tensor(&[rng.random_range(0..=most) as f32]);
        let id = Index(rng.random_range(0..5));
        last = Some(g.add(ponder, [last], Work { id, rounds }));
    }
    g
}

/// The bits of all memories, and those of the gradients, which are summed in the order of the
/// schedule.
fn bits(
    engine: &mut Engine,
    model: &Model,
    batch: &Minibatch,
    graphs: &[Graph],
) -> Result<[Fingerprint; 2], String> {
    let [mut memories, mut sums] = [Fingerprint::NONE; 2];
    let mut add = |run: &Run<'_>| {
        for (place, graph) in graphs.iter().enumerate() {
            for vertex in 0..graph.len() {
                let h = run.state_at(place, vertex, "h").map_err(|e| failed("a memory")(&e))?;
                h.ok_or("a memory was forgotten")?.iter().for_each(|x| memories.add((*x).into()));
            }
        }
        Ok::<_, String>(())
    };
    add(&engine.infer(model, batch).map_err(|e| failed("inference of loops")(&e))?)?;
    let mut run = engine.forward(model, batch, 1).map_err(|e| failed("loops forward")(&e))?;
    add(&run)?;
    let gradients = run.backward().map_err(|e| failed("loops backward")(&e))?;
    for (id, _) in model.parameters().iter() {
        gradients.to_dense(id).iter().for_each(|x| sums.add(f64::from(*x)));
    }
    Ok([memories, sums])
}

/// Measures costs until the time is over.
pub(super) fn run(seed: u64, watch: &Watch) -> Result<Counts, String> {
    let mut rng = rng(seed ^ 4);
    let mut measured = 0;
    while watch.goes_on() {
        let mut builder = ModelBuilder::new();
        let ponder = builder.add::<ponder>(dims! { V: 5, H: rng.random_range(1..20_usize) });
        let model: Model = builder.build(seed ^ measured).map_err(|e| failed("a model")(&e))?;
        let count = rng.random_range(1..=MOST.0);
        let graphs: Vec<Graph> = (0..count).map(|_| graph(&ponder, &model, &mut rng)).collect();
        let batch = model.minibatch(&graphs).map_err(|e| failed("loops")(&e))?;
        let threads = 1 + measured as usize % 2;
        let engine = Engine::with_threads(threads).map_err(|e| failed("threads")(&e))?;
        let policy = &Policy::ALL[measured as usize % Policy::ALL.len()];
        let mut engine = engine.policy(policy.clone());
        let expected = bits(&mut engine, &model, &batch, &graphs)?;
        let costs = engine.measure_costs(&model, &batch).map_err(|e| failed("costs")(&e))?;
        if costs.types.len() != usize::from(model.signature().type_count()) {
            return Err(format!("costs of loops leave types out: {costs:?}"));
        }
        let after = bits(&mut engine, &model, &batch, &graphs)?;
        // One that learns may have found other schedules.
        let compared = if matches!(policy, Policy::Auto) { 1 } else { 2 };
        if after[..compared] != expected[..compared] {
            return Err(format!("loops differ once costs are measured, in model {measured}"));
        }
        let by_costs = bits(&mut engine.costs(costs), &model, &batch, &graphs)?;
        if by_costs[0] != expected[0] {
            return Err(format!("loops differ by costs, in model {measured}"));
        }
        measured += 1;
    }
    Ok([("costs measured", measured)].into())
}
