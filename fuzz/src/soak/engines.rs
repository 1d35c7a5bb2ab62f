//! Engines that share a model, each in its own thread, with minibatches of ever new shapes, and
//! beside each engine a pair of trainers.

use edb::prelude::*;
use rand::{Rng, RngExt};

use super::{Counts, Fingerprint, Watch, failed};
use edb_backend_suite::zoo::{Zoo, rng};

/// The number of engines that share the model.
pub(super) const COUNT: u64 = 4;

/// The most graphs in a minibatch, and the most cells in a graph.
const MOST_GRAPHS: usize = 24;
const LARGEST_GRAPH: usize = 40;

/// What all engines read, and none changes.
pub(super) struct Shared {
    zoo: Zoo,
    model: Model,
    foreign: Model,
    seed: u64,
}

impl Shared {
    pub(super) fn new(seed: u64) -> Self {
        let (zoo, model) = Zoo::model(16, seed);
        let (_, foreign) = Zoo::model(16, seed);
        Self { zoo, model, foreign, seed }
    }
}

/// Runs minibatches until the time is over.
pub(super) fn run(shared: &Shared, number: u64, watch: &Watch) -> Result<Counts, String> {
    let mut rng = rng(shared.seed ^ (number + 1) << 32);
    let mut counts = Counts::new();
    let policy = Policy::ALL[number as usize % Policy::ALL.len()].clone();
    // Engines differ in policy and in threads, one or two; no bit of a result depends on either.
    let engine = Engine::with_threads(1 + number as usize % 2).map_err(|e| failed("engine")(&e))?;
    let mut engine = engine.policy(policy).seed(shared.seed);
    let mut alone = Engine::new().policy(Policy::Depth).seed(shared.seed);
    let mut trainers = Trainers::new(shared.seed ^ number)?;
    // The largest minibatch comes first, so that no later one needs more memory.
    let mut graphs = graphs(shared, &mut rng, MOST_GRAPHS, LARGEST_GRAPH);
    while watch.goes_on() {
        let step = rng.random_range(0..1000);
        let batch = shared.model.minibatch(&graphs).map_err(|e| failed("a minibatch")(&e))?;
        let place = rng.random_range(0..graphs.len());
        let single = shared.model.minibatch([&graphs[place]]).map_err(|e| failed("a graph")(&e))?;
        let size = graphs[place].len();
        let together = infer(&mut engine, &shared.model, &batch, place, size)?;
        if together != infer(&mut alone, &shared.model, &single, 0, size)? {
            return Err(format!(
                "inference of a graph alone and in company differs, engine {number}"
            ));
        }
        let together = forth_and_back(&mut engine, &shared.model, &batch, step, place, size)?;
        if together != forth_and_back(&mut alone, &shared.model, &single, step, 0, size)? {
            return Err(format!(
                "training of a graph alone and in company differs, engine {number}"
            ));
        }
        trainers.step(&mut rng)?;
        refusals(shared, &mut engine, &graphs, &batch)?;
        for (what, count) in [
            ("minibatches", 2),
            ("vertices", 2 * graphs.iter().map(|graph| graph.len() as u64).sum::<u64>()),
            ("training steps", 2),
            ("requests refused", 2),
        ] {
            *counts.entry(what).or_default() += count;
        }
        let (count, size) =
            (rng.random_range(1..=MOST_GRAPHS), rng.random_range(1..=LARGEST_GRAPH));
        graphs = self::graphs(shared, &mut rng, count, size);
    }
    Ok(counts)
}

fn graphs(shared: &Shared, rng: &mut impl Rng, count: usize, size: usize) -> Vec<Graph> {
    let seed = rng.random();
    let mut rng = edb_backend_suite::zoo::rng(seed);
    let graph = |sample: usize| {
        let mut graph = shared.zoo.graph(&shared.model, size, &mut rng);
        // Dropout depends on the number of the sample, not on the graph's place in the minibatch.
        graph.set_sample(seed ^ sample as u64);
        graph
    };
    (0..count).map(graph).collect()
}

fn infer(
    engine: &mut Engine,
    model: &Model,
    batch: &Minibatch,
    graph: usize,
    size: usize,
) -> Result<Fingerprint, String> {
    let run = engine.infer(model, batch).map_err(|e| failed("inference")(&e))?;
    Ok(states(&run, graph, size))
}

fn forth_and_back(
    engine: &mut Engine,
    model: &Model,
    batch: &Minibatch,
    step: u64,
    graph: usize,
    size: usize,
) -> Result<Fingerprint, String> {
    let mut run = engine.forward(model, batch, step).map_err(|e| failed("forward")(&e))?;
    let gradients = run.backward().map_err(|e| failed("backward")(&e))?;
    let mut all = states(&run, graph, size);
    for vertex in 0..size {
        if let Ok(Some(gradient)) = run.input_gradient_at(graph, vertex, "x") {
            gradient.iter().for_each(|x| all.add(f64::from(*x)));
        }
    }
    drop(run);
    engine.recycle(gradients);
    Ok(all)
}

fn states(run: &Run<'_>, graph: usize, size: usize) -> Fingerprint {
    let mut all = Fingerprint::NONE;
    for vertex in 0..size {
        for field in ["h", "c"] {
            if let Ok(Some(state)) = run.state_at(graph, vertex, field) {
                state.iter().for_each(|x| all.add(f64::from(*x)));
            }
        }
    }
    all
}

/// Requests that must be refused by name: graphs and minibatches of another model.
fn refusals(
    shared: &Shared,
    engine: &mut Engine,
    graphs: &[Graph],
    batch: &Minibatch,
) -> Result<(), String> {
    match shared.foreign.minibatch(graphs) {
        Err(edb::graph::MinibatchError::ForeignGraph { graph: 0 }) => {}
        other => return Err(format!("graphs of another model: {:?}", other.map(|_| "taken"))),
    }
    match engine.infer(&shared.foreign, batch) {
        Err(edb::engine::EngineError::ForeignMinibatch) => Ok(()),
        Err(other) => Err(format!("a minibatch of another model: {other}")),
        Ok(_) => Err("a minibatch of another model was run".into()),
    }
}

/// Two trainers with equal seeds, on one thread and on two; after every step their bits are equal.
struct Trainers([(Zoo, Trainer); 2]);

impl Trainers {
    fn new(seed: u64) -> Result<Self, String> {
        let one = |threads| {
            let (zoo, model) = Zoo::model(12, seed);
            let engine = Engine::with_threads(threads).map_err(|e| failed("threads")(&e))?;
            let engine = engine.policy(Policy::Depth).seed(seed);
            Ok::<_, String>((
                zoo,
                Trainer::new(model, Adam::new(1e-3)).engine(engine).clip_norm(1.0),
            ))
        };
        Ok(Self([one(1)?, one(2)?]))
    }

    fn step(&mut self, rng: &mut impl Rng) -> Result<(), String> {
        let (seed, count) = (rng.random(), rng.random_range(1..6));
        let size = rng.random_range(1..24);
        for (zoo, trainer) in &mut self.0 {
            let mut rng = edb_backend_suite::zoo::rng(seed);
            let graph = |_| zoo.graph(trainer.model(), size, &mut rng);
            let graphs: Vec<Graph> = (0..count).map(graph).collect();
            let batch = trainer.model().minibatch(&graphs).map_err(|e| failed("a step")(&e))?;
            trainer.step(&batch).map_err(|e| failed("a step")(&e))?;
        }
        let [one, two] = self.0.each_ref().map(|(_, trainer)| Fingerprint::of(trainer));
        match one == two {
            true => Ok(()),
            false => {
                let step = self.0[0].1.steps();
                Err(format!("trainers on one thread and on two part at step {step}"))
            }
        }
    }
}
