//! Private steps over graphs whose inputs are as small, as large or as wrong as numbers can be: each
//! moves parameters by no more than clipped gradients and noise can, or is an error that moves none.

use edb::engine::EngineError;
use edb::graph::{GraphProblem, MinibatchError};
use edb::prelude::*;
use edb::secret::Secret;
use edb::trainer::{Private, TrainError};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::{Counts, Fingerprint, Watch, failed};
use edb_backend_suite::zoo::{Zoo, rng};

/// After this many steps other settings are drawn.
const STEPS: u64 = 40;
const GRAPHS: usize = 1000;
const RATE: f64 = 0.1;

/// Inputs that a gradient may overflow or vanish by.
const EXTREMES: [f64; 12] =
    [0.0, -0.0, 1.4e-45, -1.1e-39, 1e-38, 1e-20, 1e10, -1e18, 1e30, -1e38, f64::INFINITY, f64::NAN];

/// Two trainers with equal settings, on one thread and on two.
struct Pair {
    trainers: [(Zoo, Trainer); 2],
    bounds: Bounds,
}

/// What bounds a step.
struct Bounds {
    clip: f64,
    noise: f64,
    minibatch: usize,
}

impl Bounds {
    /// How far a step of some graphs may move so many parameters: each graph by the clip, and each
    /// parameter by twelve deviations of the noise.
    fn most(&self, graphs: usize, parameters: usize) -> f64 {
        let noise = 12.0 * self.noise * self.clip * (parameters as f64).sqrt();
        RATE * (self.clip * graphs as f64 + noise) / self.minibatch as f64
    }
}

impl Pair {
    fn new(rng: &mut ChaCha8Rng) -> Result<Self, String> {
        let clip = 10_f64.powi(rng.random_range(-6..3));
        let noise = [0.0, 0.01, 1.0, 20.0][rng.random_range(0..4)];
        let minibatch = rng.random_range(1..9);
        let seed = rng.random();
        let one = |threads| {
            let secret = Secret::insecure(seed);
            let private = Private::new(GRAPHS, minibatch).map_err(|e| failed("a secret")(&e))?;
            let private = Private { clip, noise, secret, ..private };
            let (zoo, model) = Zoo::model(6, seed);
            let engine = Engine::with_threads(threads).map_err(|e| failed("threads")(&e))?;
            let trainer = Trainer::new(model, Sgd::new(RATE)).engine(engine.seed(seed));
            Ok::<_, String>((zoo, trainer.private(private)))
        };
        let bounds = Bounds { clip, noise, minibatch };
        Ok(Self { trainers: [one(1)?, one(2)?], bounds })
    }

    /// Takes a step with both; returns whether it was refused.
    fn step(&mut self, rng: &mut ChaCha8Rng) -> Result<bool, String> {
        let (seed, count) = (rng.random(), rng.random_range(0..6));
        // Each step has inputs out of the ordinary of one kind, many or few of them, or none.
        let extreme = EXTREMES[rng.random_range(0..EXTREMES.len())];
        let often = [0.0, 0.02, 0.5][rng.random_range(0..3)];
        let mut results = Vec::new();
        for (zoo, trainer) in &mut self.trainers {
            let mut rng = edb_backend_suite::zoo::rng(seed);
            let draw = |rng: &mut ChaCha8Rng| match rng.random_bool(often) {
                true => extreme,
                false => rng.random_range(-1.0..1.0),
            };
            let graph = |_| {
                let size = rng.random_range(1..8);
                zoo.graph_of(trainer.model(), size, &mut rng, draw)
            };
            let graphs: Vec<Graph> = (0..count).map(graph).collect();
            let (before, print) = (values(trainer), Fingerprint::of(trainer));
            let spent = trainer.epsilon().unwrap_or(f64::NAN);
            let refusal = match trainer.step_graphs(&graphs) {
                Ok(_) => None,
                Err(error) if is_of_graphs(&error) => Some(error.to_string()),
                Err(error) => return Err(failed("a private step")(&error)),
            };
            let (after, print_after) = (values(trainer), Fingerprint::of(trainer));
            let epsilon = trainer.epsilon().unwrap_or(f64::NAN);
            let what = format!("inputs of {extreme}, {count} graphs: {refusal:?}");
            if refusal.is_some() && print_after != print {
                return Err(format!("a refused private step moved parameters: {what}"));
            }
            // Parameters are rounded to `f32`.
            let most = self.bounds.most(count, after.len()) + 1e-6 * distance(&after, &[]);
            let moved = distance(&before, &after);
            if moved.is_nan() || moved > most {
                return Err(format!("a private step moved parameters by {moved}: {what}"));
            }
            if epsilon.is_nan() || epsilon < spent {
                return Err(format!("epsilon was {spent} and is {epsilon}: {what}"));
            }
            results.push((print_after, epsilon.to_bits(), refusal));
        }
        match results[0] == results[1] {
            true => Ok(results[0].2.is_some()),
            false => Err(format!("private steps on one thread and on two part: {results:?}")),
        }
    }
}

/// Whether an error names what is wrong with the graphs.
fn is_of_graphs(error: &TrainError) -> bool {
    match error {
        TrainError::Engine(error) => matches!(error, EngineError::NotClipped { .. }),
        TrainError::Minibatch(MinibatchError::Graph { error, .. }) => {
            matches!(*error.problem, GraphProblem::NotFinite { .. })
        }
        other => matches!(other, TrainError::Loss { .. } | TrainError::SumOfLosses { .. }),
    }
}

fn values(trainer: &Trainer) -> Vec<f64> {
    let of = |(_, parameter): (_, &edb::learn::Parameter<f32>)| {
        parameter.values().unwrap().iter().map(|x| f64::from(*x)).collect::<Vec<f64>>()
    };
    trainer.model().parameters().iter().flat_map(of).collect()
}

/// The distance of two vectors, the second of which may be shorter.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    let others = b.iter().chain(std::iter::repeat(&0.0));
    a.iter().zip(others).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// Takes private steps until the time is over.
pub(super) fn run(seed: u64, watch: &Watch) -> Result<Counts, String> {
    let mut rng = rng(seed ^ 5);
    let (mut steps, mut refused) = (0, 0);
    while watch.goes_on() {
        let mut pair = Pair::new(&mut rng)?;
        for _ in 0..STEPS {
            steps += 1;
            refused += u64::from(pair.step(&mut rng)?);
        }
    }
    Ok([("private steps", steps - refused), ("private steps refused", refused)].into())
}
