//! Learns the finite state machine by tabular N-step Q-learning (ED-Batch, section 2.3).

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::progress::Progress;
use crate::graph::{Signature, TypeGraph, lower_bound};
use crate::policies::{Coverage, Encoding, Fsm, States};
use crate::running::{Frontier, TypeFrontiers};

/// The hyperparameters of Q-learning. As in the paper (section 4), all networks use the same values.
#[derive(Clone, Debug, PartialEq)]
pub struct QOptions {
    /// The greatest number of trials; each runs one minibatch. The paper uses 1,000.
    pub trials: usize,
    /// The number of trials between two evaluations of the policy. Training ends if the policy reaches the
    /// lower bound. The paper uses 50.
    pub check_every: usize,
    /// The number of rewards in a return: N.
    pub steps: usize,
    /// α of equation 1: how much the ratio counts compared with the cost of a batch.
    pub alpha: f32,
    /// Whether the best value of the state N steps later is added to these rewards, as in
    /// Q-learning (Watkins and Dayan, 1992).
    ///
    /// The released code of ED-Batch starts its maximum at 0. All values are negative, so the maximum is always
    /// 0, and values are plain N-step returns. This is the default here, since it generalises better if the
    /// state says little about the distant future, as on lattices.
    pub bootstrap: bool,
    /// The share of random choices at the beginning of training; it falls linearly to a tenth of this value.
    pub exploration: f32,
    /// The least learning rate. Until it is reached, the rate is 1 divided by the number of visits, so values
    /// are means.
    pub rate: f32,
}

impl Default for QOptions {
    fn default() -> Self {
        Self {
            trials: 1000,
            check_every: 50,
            steps: 10,
            alpha: 0.5,
            bootstrap: false,
            exploration: 0.3,
            rate: 0.05,
        }
    }
}

/// The Q-table while it is learned.
#[derive(Default)]
struct Table {
    states: States,
    /// One value for each entry of each state's key.
    values: Vec<f32>,
    visits: Vec<u32>,
}

impl Table {
    /// The place in the key of the best choice of a state. With `tried`, only choices that have been tried
    /// count. Otherwise choices that were never tried come first, since their value 0 is greater than all
    /// others.
    fn best(&self, state: usize, choices: usize, tried: bool) -> Option<usize> {
        let start = self.states.start(state);
        let mut best = None;
        for place in 0..choices {
            if tried && self.visits[start + place] == 0 {
                continue;
            }
            let value = self.values[start + place];
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((place, value));
            }
        }
        best.map(|(place, _)| place)
    }

    fn update(&mut self, entry: usize, value: f32, rate: f32) {
        self.visits[entry] = self.visits[entry].saturating_add(1);
        let rate = (1.0 / self.visits[entry] as f32).max(rate);
        self.values[entry] += rate * (value - self.values[entry]);
    }
}

/// Learns a finite state machine for these types.
pub(crate) struct Learner<'a> {
    pub(crate) signature: &'a Signature,
    pub(crate) encoding: Encoding,
    pub(crate) options: &'a QOptions,
}

impl Learner<'_> {
    /// Learns on these samples. `budget` is how many vertices may be simulated; `evaluate` returns the number
    /// of batches that a machine needs for a sample, and how many of them it chose in states that it does not
    /// know.
    pub(crate) fn learn(
        &self,
        samples: &[&TypeGraph],
        seed: u64,
        mut budget: u64,
        evaluate: impl Fn(&Fsm, &TypeGraph) -> (usize, usize),
        progress: &mut dyn FnMut(&Progress),
    ) -> Fsm {
        let &Self { signature, encoding, options } = self;
        let before = |graph| (Frontier::new(graph), TypeFrontiers::new(graph).0);
        let before_runs: Vec<_> = samples.iter().map(|&graph| before(graph)).collect();
        let lower_bound = samples.iter().map(|graph| lower_bound(graph)).sum();
        let vertices: usize = samples.iter().map(|graph| graph.len()).sum();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut table = Table::default();
        let mut best: Option<Fsm> = None;
        let trials = if samples.is_empty() { 0 } else { options.trials };
        let mut trial = 0;
        loop {
            if trial % options.check_every.max(1) == 0 && trial > 0 || trial >= trials {
                let mut fsm = finish(&table, signature, encoding);
                let (mut batches, mut unseen) = (0, 0);
                for graph in samples {
                    let (needed, unknown) = evaluate(&fsm, graph);
                    batches += needed;
                    unseen += unknown;
                }
                let minibatches = samples.len();
                fsm.coverage =
                    Coverage { minibatches, vertices, trials: trial, batches, lower_bound, unseen };
                progress(&Progress {
                    policy: format!("fsm-{encoding}"),
                    done: trial,
                    of: trials,
                    batches,
                    lower_bound,
                });
                if best.as_ref().is_none_or(|best| batches < best.coverage.batches) {
                    best = Some(fsm);
                }
                budget = budget.saturating_sub(vertices as u64);
                if batches == lower_bound || trial >= trials || budget == 0 {
                    break;
                }
            }
            let run = &before_runs[trial % before_runs.len()];
            let left = 1.0 - 0.9 * trial as f32 / trials as f32;
            run_trial(
                run.clone(),
                &mut table,
                encoding,
                options,
                options.exploration * left,
                &mut rng,
            );
            budget = budget.saturating_sub(run.0.graph().len() as u64);
            trial += 1;
        }
        best.unwrap_or_else(|| finish(&table, signature, encoding))
    }
}

fn run_trial(
    (mut frontier, mut types): (Frontier<'_>, TypeFrontiers<'_>),
    table: &mut Table,
    encoding: Encoding,
    options: &QOptions,
    exploration: f32,
    rng: &mut ChaCha8Rng,
) {
    let mut key = Vec::new();
    // For each choice, its entry in the table, its reward, and the state in which it was made.
    let mut steps: Vec<(usize, f32, usize)> = Vec::new();
    while frontier.left() > 0 {
        encoding.encode(&frontier, &mut key);
        let state = table.states.insert(&key);
        let entries = table.states.start(state) + key.len();
        if entries > table.values.len() {
            table.values.resize(entries, 0.0);
            table.visits.resize(entries, 0);
        }
        let choices = encoding.choices(&key);
        let place = if rng.random::<f32>() < exploration {
            rng.random_range(0..choices)
        } else {
            table.best(state, choices, false).unwrap_or(0)
        };
        let choice = key[place];
        // Equation 1.
        let ratio = frontier.ready_count(choice) as f32 / types.count(choice) as f32;
        steps.push((table.states.start(state) + place, options.alpha * ratio - 1.0, state));
        types.execute(&mut frontier, choice);
    }
    // The N-step return of each choice.
    let mut sum = 0.0;
    for step in (0..steps.len()).rev() {
        sum += steps[step].1;
        let behind = step.saturating_add(options.steps);
        if let Some(past) = steps.get(behind) {
            sum -= past.1;
        }
        let (entry, _, _) = steps[step];
        let ahead = steps.get(behind).filter(|_| options.bootstrap);
        let ahead = ahead.map_or(0.0, |&(_, _, state)| {
            let choices = encoding.choices(table.states.key(state));
            let best = table.best(state, choices, true);
            best.map_or(0.0, |place| table.values[table.states.start(state) + place])
        });
        table.update(entry, sum + ahead, options.rate);
    }
}

/// Makes the finite state machine of a table: in each state, it makes the best of the choices that were tried.
fn finish(table: &Table, signature: &Signature, encoding: Encoding) -> Fsm {
    let best = |state: usize| {
        let key = table.states.key(state);
        table.best(state, encoding.choices(key), true).map_or(0, |place| key[place])
    };
    Fsm {
        signature: signature.clone(),
        encoding,
        choices: (0..table.states.len()).map(best).collect(),
        states: table.states.clone(),
        values: table.values.clone(),
        coverage: Coverage::default(),
    }
}
