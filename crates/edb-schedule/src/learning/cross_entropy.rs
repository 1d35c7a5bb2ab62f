//! Learns the index policy by the cross-entropy method (Rubinstein, 1999): draw weights, keep the best of them,
//! draw the next weights around these.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::progress::Progress;
use super::resample::Pool;
use crate::error::{ScheduleError, check_setting};
use crate::graph::{Signature, TypeGraph};
use crate::policies::{FEATURES, IndexPolicy};
use crate::running::Analysis;

/// The hyperparameters of the cross-entropy method.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexOptions {
    /// The greatest number of generations.
    pub generations: usize,
    /// How many weights are drawn in a generation, from 1 to 65536.
    pub population: usize,
    /// How many of the best weights the next generation is drawn around.
    pub elite: usize,
}

impl Default for IndexOptions {
    fn default() -> Self {
        Self { generations: 30, population: 48, elite: 8 }
    }
}

impl IndexOptions {
    /// Checks that all options are in range.
    pub(super) fn check_range(&self) -> Result<(), ScheduleError> {
        let in_range = (1..=65536).contains(&self.population);
        let setting = "population of an index policy";
        check_setting(setting, self.population, "from 1 to 65536", in_range)
    }
}

/// Learns index policies and returns them, the best first; the others did well, too. `budget` is how many
/// vertices may be simulated.
///
/// Each generation is evaluated on samples and on minibatches resampled from their graphs, so that
/// weights that overfit one minibatch do not survive.
pub(super) fn learn(
    samples: &[&TypeGraph],
    signature: &Signature,
    options: &IndexOptions,
    seed: u64,
    budget: u64,
    progress: &mut dyn FnMut(&Progress),
) -> Vec<IndexPolicy> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let pool = Pool::new(samples);
    let mean_len = samples.iter().map(|graph| graph.len()).sum::<usize>() / samples.len().max(1);
    let per_batch = pool.len().div_ceil(samples.len().max(1));
    let dimensions = FEATURES.len() + usize::from(signature.type_count());
    let make = |point: &[f32]| {
        let (weights, biases) = point.split_at(FEATURES.len());
        let mut index = IndexPolicy {
            signature: signature.clone(),
            weights: [0.0; FEATURES.len()],
            biases: biases.to_vec(),
        };
        index.weights.copy_from_slice(weights);
        index
    };

    // The first weights are near the heuristic.
    let mut mean = vec![0.0_f32; dimensions];
    mean[..3].copy_from_slice(&[1.0, 1.0, 2.0]);
    let mut spread = vec![1.0_f32; dimensions];
    let per_generation = (options.population * mean_len.max(1)) as u64;
    let all = per_generation.saturating_mul(options.generations.max(1) as u64);
    let minibatches = (budget / all).clamp(1, 4) as usize;
    let generations =
        options.generations.min((budget / (per_generation * minibatches as u64)) as usize);
    let mut rivals: Vec<Vec<f32>> = vec![mean.clone()];
    for generation in 0..generations {
        let draw = |rng: &mut ChaCha8Rng, place: usize| match (generation + place) % 2 {
            0 => samples.get((generation + place) / 2 % samples.len()).map(|&graph| graph.clone()),
            _ => pool.draw(per_batch, rng),
        };
        let graphs: Vec<_> = (0..minibatches).filter_map(|place| draw(&mut rng, place)).collect();
        let analyses: Vec<_> = graphs.iter().map(Analysis::new).collect();
        let bounds: Vec<_> = analyses.iter().map(Analysis::lower_bound).collect();
        let mut drawn: Vec<(f32, Vec<f32>)> = Vec::with_capacity(options.population);
        for number in 0..options.population {
            let point: Vec<f32> = match number {
                0 => mean.clone(),
                _ => mean.iter().zip(&spread).map(|(m, s)| m + s * normal(&mut rng)).collect(),
            };
            let index = make(&point);
            let ratio = |(analysis, &bound): (&Analysis<'_>, &usize)| {
                analysis.count(usize::MAX, |state| index.choose(state)) as f32 / bound.max(1) as f32
            };
            let cost = analyses.iter().zip(&bounds).map(ratio).sum::<f32>() / analyses.len() as f32;
            drawn.push((cost, point));
        }
        // The sort is stable: of equal policies, the one that was drawn first stands first.
        drawn.sort_by(|a, b| a.0.total_cmp(&b.0));
        let elite = &drawn[..options.elite.clamp(1, drawn.len())];
        // A decreasing floor on the spread keeps the search from converging too early.
        move_to(elite, &mut mean, &mut spread, 0.3 / (1.0 + generation as f32));
        // The last generations have the best policies, and the mean of a generation is often even better.
        if generation + 6 >= generations {
            rivals.push(mean.clone());
            rivals.extend(elite.iter().take(2).map(|(_, point)| point.clone()));
        }
        let leader = make(&elite[0].1);
        let run =
            |analysis: &Analysis<'_>| analysis.count(usize::MAX, |state| leader.choose(state));
        let batches = analyses.iter().map(run).sum();
        progress(&Progress {
            policy: "index".into(),
            done: generation + 1,
            of: generations,
            batches,
            lower_bound: bounds.iter().sum(),
        });
    }
    best_first(rivals.iter().map(|point| make(point)).collect(), samples)
}

/// Sets `mean` to the mean of the best points, and `spread` to their spread plus `floor`.
pub(super) fn move_to(elite: &[(f32, Vec<f32>)], mean: &mut [f32], spread: &mut [f32], floor: f32) {
    let count = elite.len() as f32;
    for (axis, (mean, spread)) in mean.iter_mut().zip(spread).enumerate() {
        *mean = elite.iter().map(|(_, point)| point[axis]).sum::<f32>() / count;
        let square = |(_, point): &(f32, Vec<f32>)| (point[axis] - *mean).powi(2);
        *spread = (elite.iter().map(square).sum::<f32>() / count).sqrt() + floor;
    }
}

/// Sorts policies by how well they do on samples.
fn best_first(indices: Vec<IndexPolicy>, samples: &[&TypeGraph]) -> Vec<IndexPolicy> {
    let analyses: Vec<_> = samples.iter().map(|graph| Analysis::new(graph)).collect();
    let total = |index: &IndexPolicy| {
        let count = |analysis: &Analysis<'_>| {
            analysis.count(usize::MAX, |state| index.choose(state)) as f64
                / analysis.lower_bound().max(1) as f64
        };
        analyses.iter().map(count).sum::<f64>()
    };
    let mut ranked: Vec<_> = indices.into_iter().map(|index| (total(&index), index)).collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    ranked.into_iter().map(|(_, index)| index).collect()
}

/// A draw from the standard normal distribution (Box and Muller, 1958).
pub(super) fn normal(rng: &mut ChaCha8Rng) -> f32 {
    let radius = (-2.0 * (1.0 - rng.random::<f32>()).ln()).sqrt();
    radius * (std::f32::consts::TAU * rng.random::<f32>()).cos()
}
