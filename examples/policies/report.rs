//! The results of each policy on a graph, as a row of a table and as JSON.

use std::time::Instant;

use edb::schedule::{
    Costs, Encoding, LearnOptions, Learner, Policy, Proof, QOptions, Schedule, ScheduleError,
    SearchOptions, TypeGraph, lower_bound, search,
};
use serde::Serialize;

/// What a minibatch is of.
#[derive(Clone, Serialize)]
pub struct Of {
    /// The kind of graph, or the folder of the file.
    pub topology: String,
    /// The number among those of its size, or the file in its folder.
    pub minibatch: String,
    #[serde(rename = "batch")]
    pub examples: usize,
}

/// One policy on one minibatch.
#[derive(Serialize)]
pub struct Row {
    #[serde(flatten)]
    pub of: Of,
    /// The seed by which policies have learned.
    pub seed: u64,
    pub policy: String,
    pub batches: usize,
    pub lower_bound: usize,
    /// Whether the number of batches equals the lower bound.
    pub certified: bool,
    /// The proof that no schedule has fewer batches: `bound` or `exhaustion`.
    pub proof: Option<&'static str>,
    /// The number of launches if independent batches of different types run together.
    pub steps: usize,
    /// The estimated run time at the given costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated_ns: Option<u64>,
    pub ns_per_vertex: f64,
    pub training_s: f64,
    /// How many minibatches a finite state machine ran before it had learned, and the states that it
    /// then knows; 0 for other policies.
    pub trials: usize,
    pub states: usize,
    /// How many batches a machine chose among several types, and how many of these in a state that learning has not
    /// seen; 0 for other policies.
    pub choices: usize,
    pub unseen: usize,
}

impl Row {
    pub const HEADING: [&str; 12] = [
        "graph",
        "minibatch",
        "examples",
        "policy",
        "batches",
        "bound",
        "ratio",
        "proof",
        "steps",
        "estimated",
        "ns/vertex",
        "training",
    ];

    /// The cells of a table.
    pub fn cells(&self) -> Vec<String> {
        let training = match (self.training_s > 0.0, self.states) {
            (false, _) => String::new(),
            (true, 0) => format!("{:.2} s", self.training_s),
            (true, states) => {
                format!("{:.2} s, {} trials, {states} states", self.training_s, self.trials)
            }
        };
        vec![
            self.of.topology.clone(),
            self.of.minibatch.clone(),
            self.of.examples.to_string(),
            self.policy.clone(),
            self.batches.to_string(),
            self.lower_bound.to_string(),
            format!("{:.3}", self.batches as f64 / self.lower_bound.max(1) as f64),
            self.proof.unwrap_or_default().into(),
            self.steps.to_string(),
            self.estimated_ns.map_or_else(String::new, |ns| format!("{:.1} µs", ns as f64 / 1e3)),
            format!("{:.1}", self.ns_per_vertex),
            training,
        ]
    }
}

/// The proof that no schedule has fewer batches. If every choice of a policy was provably optimal
/// (ED-Batch, lemma 2.1), the bound is reached.
fn proof(schedule: &mut Schedule, graph: &TypeGraph) -> Option<&'static str> {
    schedule.certify(graph);
    schedule.proof().map(|proof| match proof {
        Proof::Exhaustion => "exhaustion",
        _ => "bound",
    })
}

/// A policy with its reported name and its learning time.
pub struct Contender {
    name: String,
    policy: Policy,
    training_s: f64,
}

/// How policies are learned and timed.
#[derive(Clone, Debug)]
pub struct Settings {
    pub seed: u64,
    pub repeats: usize,
    pub search: SearchOptions,
    pub q: QOptions,
}

/// All policies. Those that learn do so on these minibatches, and are left out if there are none.
pub fn contenders(
    samples: &[TypeGraph],
    settings: &Settings,
) -> Result<Vec<Contender>, ScheduleError> {
    let plain = |policy: &Policy| Contender {
        name: policy.to_string(),
        policy: policy.clone(),
        training_s: 0.0,
    };
    if samples.is_empty() {
        return Ok(Policy::ALL.iter().map(plain).collect());
    }
    let learn = |name: String, learner| {
        let (seed, q) = (settings.seed, settings.q.clone());
        let options = LearnOptions { learner, seed, q, ..LearnOptions::default() };
        let start = Instant::now();
        let policy = Policy::learn(samples, &options)?;
        Ok(Contender { name, policy, training_s: start.elapsed().as_secs_f64() })
    };
    let mut all: Vec<_> =
        [Policy::Depth, Policy::Agenda, Policy::Sufficient].iter().map(plain).collect();
    for &encoding in Encoding::ALL {
        all.push(learn(format!("fsm-{encoding}"), Learner::Fsm(encoding))?);
    }
    all.push(plain(&Policy::Heuristic));
    all.push(learn("machine".into(), Learner::Machine)?);
    all.push(learn("default".into(), Learner::Best)?);
    Ok(all)
}

/// Why the default policy chose its schedule.
pub fn reason(contenders: &[Contender]) -> Option<&str> {
    contenders.iter().find_map(|contender| match &contender.policy {
        Policy::Best(best) => Some(best.reason()),
        _ => None,
    })
}

/// The rows of all contenders on a graph, and of the search.
pub fn rows(
    of: &Of,
    graph: &TypeGraph,
    contenders: &[Contender],
    settings: &Settings,
    costs: Option<&Costs>,
) -> Result<Vec<Row>, ScheduleError> {
    let bound = lower_bound(graph);
    let row = |name: &str, mut schedule: Schedule, seconds: f64| Row {
        of: of.clone(),
        seed: settings.seed,
        policy: name.into(),
        batches: schedule.len(),
        lower_bound: bound,
        proof: proof(&mut schedule, graph),
        certified: schedule.len() == bound,
        steps: schedule.steps(graph).map_or(0, |steps| steps.len()),
        estimated_ns: costs.and_then(|costs| schedule.estimated_ns(graph, costs).ok()),
        ns_per_vertex: seconds * 1e9 / graph.len().max(1) as f64,
        training_s: 0.0,
        trials: 0,
        states: 0,
        choices: 0,
        unseen: 0,
    };
    // Each repeat runs all policies, so that a disturbance affects all of them alike.
    let mut times = vec![Vec::new(); contenders.len()];
    let mut schedules = vec![Schedule::new(); contenders.len()];
    for _ in 0..settings.repeats.max(1) {
        for (number, contender) in contenders.iter().enumerate() {
            // This run is not timed: it fills the caches for this policy.
            schedules[number] = contender.policy.schedule(graph);
            let start = Instant::now();
            std::hint::black_box(contender.policy.schedule(graph));
            times[number].push(start.elapsed().as_secs_f64());
        }
    }
    let mut rows = Vec::new();
    for ((contender, mut times), schedule) in contenders.iter().zip(times).zip(schedules) {
        times.sort_by(f64::total_cmp);
        let mut row = row(&contender.name, schedule, times[times.len() / 2]);
        row.training_s = contender.training_s;
        let covered = match &contender.policy {
            Policy::Fsm(fsm) => Some((fsm.coverage(), fsm.states())),
            Policy::Machine(machine) => Some((machine.coverage(), machine.states())),
            _ => None,
        };
        if let Some((coverage, states)) = covered {
            (row.trials, row.states) = (coverage.trials, states);
        }
        if let Some(machine) = contender.policy.machine() {
            let mut decisions = machine.decisions(graph);
            decisions.retain(|decision| decision.ready.len() > 1);
            row.choices = decisions.len();
            decisions.retain(|decision| !decision.ready[0].is_known);
            row.unseen = decisions.len();
        }
        rows.push(row);
    }
    let policies: Vec<_> = contenders.iter().map(|contender| contender.policy.clone()).collect();
    let start = Instant::now();
    let found = search(graph, &policies, &settings.search)?;
    rows.push(row("offline", found, start.elapsed().as_secs_f64()));
    // If costs are given, also minimise time rather than the number of batches: the last contender
    // is the default policy or, if nothing was learned, its fallback.
    if let (Some(costs), Some(default)) = (costs, contenders.last()) {
        let start = Instant::now();
        let found = default.policy.cheapest(graph, costs)?;
        rows.push(row("cheapest", found, start.elapsed().as_secs_f64()));
        let options = SearchOptions { costs: Some(costs.clone()), ..settings.search.clone() };
        let start = Instant::now();
        let found = search(graph, &policies, &options)?;
        rows.push(row("cheapest-offline", found, start.elapsed().as_secs_f64()));
    }
    Ok(rows)
}
