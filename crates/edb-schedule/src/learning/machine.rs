//! Learns the states of a [`Machine`] and their points, by direct search for short schedules.
//!
//! A schedule that a search has found cannot be imitated from what a frontier shows, and what a choice costs depends on
//! all choices after it (`docs/decisions/found-states.md` has what was tried). So machines are compared by the batches
//! that they need: the cross-entropy method (Rubinstein, 1999) draws some, keeps the best, and draws the next around
//! these. At first each measure has a weight. The levels of a measure are then found: on the way of these weights, each
//! level occurs about equally often, where there are as many values. At last the points of the levels are searched,
//! from those that the weights give.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::progress::Progress;
use super::resample::Pool;
use crate::graph::{Signature, TypeGraph};
use crate::policies::{Coverage, LEVELS, Machine, MeasureLevels, WHOLE};
use crate::running::{MEASURES, Measured};

/// How many machines a generation draws.
const POPULATION: usize = 40;
/// How many of them the next generation is drawn around.
const ELITE: usize = 8;
/// How many generations search weights, and how many then search points.
const GENERATIONS: [usize; 2] = [25, 15];
/// The best of this many latest generations are compared in the end.
const LATEST_GENERATIONS: usize = 6;
/// On how many minibatches the machines of a generation are compared.
const MINIBATCHES: usize = 4;
/// How many minibatches are resampled to compare the best machines on.
const RESAMPLED: usize = 8;
/// The greatest points of a machine.
const MOST_POINTS: f32 = 1000.0;

/// Learns a machine for these types. `budget` is how many vertices may be simulated.
pub(super) fn learn(
    samples: &[&TypeGraph],
    signature: &Signature,
    seed: u64,
    budget: u64,
    progress: &mut dyn FnMut(&Progress),
) -> Machine {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let pool = Pool::new(samples);
    let graphs_each = pool.len().div_ceil(samples.len().max(1));
    let resampled: Vec<_> =
        (0..RESAMPLED).filter_map(|_| pool.draw(graphs_each, &mut rng)).collect();
    let judged = samples.iter().copied().chain(&resampled).map(Measured::new).collect();
    let vertices = samples.iter().map(|graph| graph.len()).sum::<usize>();
    let mean_len = vertices.div_ceil(samples.len().max(1)).max(1);
    let whole = (GENERATIONS.iter().sum::<usize>() * POPULATION * MINIBATCHES * mean_len) as u64;
    // A machine runs in less than half the time of the simulations that a budget counts.
    let budget = budget.saturating_mul(2);
    let share = u128::from(budget.min(whole));
    let generations = GENERATIONS.map(|of| (of as u128 * share / u128::from(whole)) as usize);
    let of = generations.iter().sum();
    let mut search = Search { samples, pool, graphs_each, judged, done: 0, of, rng, progress };
    let mut machine = search.machine(signature, generations);
    for measured in &search.judged {
        measured.count(&mut |run| {
            machine.meet(run);
            machine.choose(run).0
        });
    }
    let of_samples = || search.judged.iter().take(samples.len());
    machine.coverage = Coverage {
        minibatches: samples.len(),
        vertices,
        trials: search.done * POPULATION * MINIBATCHES,
        batches: of_samples()
            .map(|measured| measured.count(&mut |run| machine.choose(run).0))
            .sum(),
        lower_bound: of_samples().map(Measured::lower_bound).sum(),
        unseen: 0,
    };
    machine
}

/// The score of a type by a weight for each measure, followed by the points of each type.
fn by_weights(weights: &[f32], vertex_type: u16, run: &Measured<'_>) -> f32 {
    let (weights, types) = weights.split_at(MEASURES);
    let terms = run.shares(vertex_type).into_iter().zip(weights);
    let terms = terms.map(|((part, whole), weight)| part as f32 / whole as f32 * weight);
    types[usize::from(vertex_type)] + terms.sum::<f32>()
}

/// The score of a type by points for each level of each measure, followed by the points of each type.
fn by_points(
    bounds: &[MeasureLevels],
    points: &[f32],
    vertex_type: u16,
    run: &Measured<'_>,
) -> f32 {
    let (levels, types) = points.split_at(MEASURES * LEVELS);
    let terms = run.shares(vertex_type).into_iter().zip(bounds).zip(levels.chunks(LEVELS));
    let terms = terms.map(|((share, bounds), points)| points[bounds.level(share)]);
    types[usize::from(vertex_type)] + terms.sum::<f32>()
}

/// The score of a type in a run, by weights or points.
type Score<'s> = dyn Fn(&[f32], u16, &Measured<'_>) -> f32 + 's;

/// The type with the greatest score; of equal types, the lowest.
fn choose(score: &Score<'_>, point: &[f32], run: &Measured<'_>) -> u16 {
    let mut best: Option<(u16, f32)> = None;
    for vertex_type in run.ready_types() {
        let score = score(point, vertex_type, run);
        if best.is_none_or(|(_, most)| score > most) {
            best = Some((vertex_type, score));
        }
    }
    best.map_or(0, |(vertex_type, _)| vertex_type)
}

/// These points, but a type that was never met is worth as much as the mean of the others, and a level that no value
/// reaches is worth nothing: what was searched says nothing of them.
fn neutral(mut points: Vec<f32>, bounds: &[MeasureLevels], is_met: &[bool]) -> Vec<f32> {
    let (levels, types) = points.split_at_mut(MEASURES * LEVELS);
    for (bounds, points) in bounds.iter().zip(levels.chunks_mut(LEVELS)) {
        for (level, points) in points.iter_mut().enumerate() {
            if bounds.is_empty(level) {
                *points = 0.0;
            }
        }
    }
    let met = || types.iter().zip(is_met).filter(|(_, is_met)| **is_met);
    let mean = met().map(|(points, _)| points).sum::<f32>() / met().count().max(1) as f32;
    for (points, _) in types.iter_mut().zip(is_met).filter(|(_, is_met)| !**is_met) {
        *points = mean;
    }
    points
}

/// The machine with these points as whole numbers, of which the greatest is [`MOST_POINTS`].
fn rounded(signature: &Signature, bounds: &[MeasureLevels], points: &[f32]) -> Machine {
    let most = points.iter().fold(0.0_f32, |most, points| most.max(points.abs()));
    let whole =
        |points: &f32| if most > 0.0 { (points / most * MOST_POINTS).round() as i32 } else { 0 };
    let (levels, types) = points.split_at(MEASURES * LEVELS);
    let measures = std::array::from_fn(|measure| {
        let of_levels = &levels[measure * LEVELS..];
        MeasureLevels {
            points: std::array::from_fn(|level| whole(&of_levels[level])),
            ..bounds[measure]
        }
    });
    Machine::new(signature.clone(), measures, types.iter().map(whole).collect())
}

/// The levels of a measure, and the mean of the measure on each.
struct FoundLevels {
    bounds: MeasureLevels,
    means: [f32; LEVELS],
}

impl FoundLevels {
    /// Levels of which each has about as many of these values, in thousandths; but values that are whole have a level
    /// of their own, if there are any.
    fn new(mut values: Vec<u16>) -> Self {
        values.sort_unstable();
        let at = |share: usize| {
            values.get(share * values.len() / LEVELS).copied().unwrap_or(WHOLE as u16)
        };
        let mut bounds = MeasureLevels {
            from: std::array::from_fn(|level| at(level + 1)),
            ..MeasureLevels::default()
        };
        if values.last() == Some(&(WHOLE as u16)) {
            bounds.from[LEVELS - 2] = WHOLE as u16;
        }
        let mut sums = [(0.0, 0.0); LEVELS];
        for &value in &values {
            let (count, sum) = &mut sums[bounds.level((value.into(), WHOLE))];
            (*count, *sum) = (*count + 1.0, *sum + f32::from(value) / WHOLE as f32);
        }
        Self { bounds, means: sums.map(|(count, sum)| if count > 0.0 { sum / count } else { 0.0 }) }
    }
}

/// The cross-entropy method on minibatches.
struct Search<'s, 'p> {
    samples: &'s [&'s TypeGraph],
    pool: Pool<'s>,
    /// How many graphs a minibatch has.
    graphs_each: usize,
    /// Samples and resampled minibatches, to compare the best points on.
    judged: Vec<Measured<'s>>,
    /// How many generations have been drawn, and how many there will be.
    done: usize,
    of: usize,
    rng: ChaCha8Rng,
    progress: &'p mut dyn FnMut(&Progress),
}

impl Search<'_, '_> {
    /// The machine that a search finds which takes this many generations for weights, and for points.
    fn machine(&mut self, signature: &Signature, generations: [usize; 2]) -> Machine {
        // At first all measures count alike, and so do all types.
        let types = usize::from(signature.type_count());
        let weights = [vec![1.0; MEASURES], vec![0.0; types]].concat();
        let spread = vec![1.0; weights.len()];
        let weights = self.run(generations[0], weights, spread, &by_weights);

        let (levels, is_met) = self.levels(&weights);
        let (measures, of_types) = weights.split_at(MEASURES);
        let of_levels = levels.iter().zip(measures);
        let of_levels =
            of_levels.flat_map(|(levels, weight)| levels.means.map(|mean| mean * weight));
        let points: Vec<f32> = of_levels.chain(of_types.iter().copied()).collect();
        let typical = measures.iter().map(|weight| weight.abs()).sum::<f32>() / MEASURES as f32;
        let spread = vec![0.3 * typical; points.len()];
        let bounds: Vec<MeasureLevels> = levels.iter().map(|levels| levels.bounds).collect();
        let points = self.run(generations[1], points, spread, &|points, vertex_type, run| {
            by_points(&bounds, points, vertex_type, run)
        });
        rounded(signature, &bounds, &neutral(points, &bounds, &is_met))
    }

    /// Searches around a mean, with a spread in each direction. Returns the points that need the fewest batches.
    ///
    /// Each generation is compared on samples and on minibatches resampled from their graphs, so that points that
    /// overfit one minibatch do not survive.
    fn run(
        &mut self,
        generations: usize,
        mut mean: Vec<f32>,
        mut spread: Vec<f32>,
        score: &Score<'_>,
    ) -> Vec<f32> {
        // The mean number of batches, divided by the lower bound.
        let ratio = |point: &[f32], measured: &[Measured<'_>]| {
            let of = |measured: &Measured<'_>| {
                let batches = measured.count(&mut |run| choose(score, point, run));
                batches as f32 / measured.lower_bound().max(1) as f32
            };
            measured.iter().map(of).sum::<f32>() / measured.len().max(1) as f32
        };
        // A decreasing floor on the spread keeps the search from converging too early.
        let floor = 0.3 * spread.iter().fold(0.0_f32, |most, spread| most.max(*spread));
        let mut rivals = vec![mean.clone()];
        for generation in 0..generations {
            let graphs = self.minibatches(generation);
            let measured: Vec<_> = graphs.iter().map(Measured::new).collect();
            let mut drawn: Vec<(f32, Vec<f32>)> = Vec::with_capacity(POPULATION);
            for number in 0..POPULATION {
                let point: Vec<f32> = match number {
                    0 => mean.clone(),
                    _ => mean
                        .iter()
                        .zip(&spread)
                        .map(|(m, s)| m + s * normal(&mut self.rng))
                        .collect(),
                };
                drawn.push((ratio(&point, &measured), point));
            }
            // The sort is stable: of equal points, those that were drawn first stand first.
            drawn.sort_by(|a, b| a.0.total_cmp(&b.0));
            move_to(&drawn[..ELITE], &mut mean, &mut spread, floor / (1.0 + generation as f32));
            if generation + LATEST_GENERATIONS >= generations {
                rivals.push(mean.clone());
                rivals.extend(drawn.iter().take(2).map(|(_, point)| point.clone()));
            }
            self.done += 1;
            let lower_bound: usize = measured.iter().map(Measured::lower_bound).sum();
            let best = |measured: &Measured<'_>| {
                measured.count(&mut |run| choose(score, &drawn[0].1, run))
            };
            let batches = measured.iter().map(best).sum();
            let (policy, done, of) = ("machine".into(), self.done, self.of);
            (self.progress)(&Progress { policy, done, of, batches, lower_bound });
        }
        let ratios = rivals.into_iter().map(|rival| (ratio(&rival, &self.judged), rival));
        // Of equal ones, `min_by` takes the first.
        let least = ratios.min_by(|a, b| a.0.total_cmp(&b.0));
        least.map(|(_, rival)| rival).unwrap_or_default()
    }

    /// Samples in turn, and as many minibatches that are resampled from their graphs.
    fn minibatches(&mut self, generation: usize) -> Vec<TypeGraph> {
        let place = |place: usize| match place % 2 {
            0 => self
                .samples
                .get((generation + place / 2) % self.samples.len())
                .map(|&graph| graph.clone()),
            _ => self.pool.draw(self.graphs_each, &mut self.rng),
        };
        (0..MINIBATCHES).filter_map(place).collect()
    }

    /// The levels of each measure on the way of these weights, and which types were ready when there was a choice.
    fn levels(&self, weights: &[f32]) -> ([FoundLevels; MEASURES], Vec<bool>) {
        let mut values: [Vec<u16>; MEASURES] = Default::default();
        let mut is_met = vec![false; weights.len() - MEASURES];
        for measured in self.judged.iter().take(self.samples.len()) {
            measured.count(&mut |run| {
                // Where only one type is ready, there is nothing to choose.
                if run.ready_types().nth(1).is_some() {
                    for vertex_type in run.ready_types() {
                        is_met[usize::from(vertex_type)] = true;
                        let shares = run.shares(vertex_type);
                        for (values, (part, whole)) in values.iter_mut().zip(shares) {
                            values.push((part * WHOLE / whole) as u16);
                        }
                    }
                }
                choose(&by_weights, weights, run)
            });
        }
        (values.map(FoundLevels::new), is_met)
    }
}

/// Sets `mean` to the mean of the best points, and `spread` to their spread plus `floor`.
fn move_to(elite: &[(f32, Vec<f32>)], mean: &mut [f32], spread: &mut [f32], floor: f32) {
    let count = elite.len() as f32;
    for (axis, (mean, spread)) in mean.iter_mut().zip(spread).enumerate() {
        *mean = elite.iter().map(|(_, point)| point[axis]).sum::<f32>() / count;
        let square = |(_, point): &(f32, Vec<f32>)| (point[axis] - *mean).powi(2);
        *spread = (elite.iter().map(square).sum::<f32>() / count).sqrt() + floor;
    }
}

/// A draw from the standard normal distribution (Box and Muller, 1958).
fn normal(rng: &mut ChaCha8Rng) -> f32 {
    let radius = (-2.0 * (1.0 - rng.random::<f32>()).ln()).sqrt();
    radius * (std::f32::consts::TAU * rng.random::<f32>()).cos()
}
