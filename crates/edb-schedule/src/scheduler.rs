//! The scheduler of an engine, which learns a policy while minibatches arrive.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::TARGET;
use crate::costs::Costs;
use crate::error::ScheduleError;
use crate::graph::{Signature, TypeGraph};
use crate::growing::{self, OnlinePolicy, Unlearned};
use crate::learning::LearnOptions;
use crate::policies::{Best, Choices, Policy};
use crate::schedule::Schedule;

/// How many minibatches are seen before learning begins.
const SAMPLES_TO_LEARN_ON: usize = 4;

/// Schedules minibatch after minibatch under a policy. Under [`Policy::Auto`], it learns on the first four
/// minibatches of each model, and then runs the policy that it chose.
///
/// What it learns depends only on these minibatches, on the seed and on the costs of a [batch](Self::batch_cost) and
/// a [vertex](Self::vertex_cost). Before it has learned, a minibatch gets the shortest schedule of the policies that
/// need no training.
#[derive(Debug, Default)]
pub struct Scheduler {
    policy: Policy,
    /// If given, graphs grow by this policy.
    growth: Option<Policy>,
    options: LearnOptions,
    /// If given, the time at these costs is minimised instead of the number of batches.
    costs: Option<Costs>,
    /// What is known for each model; a model is identified by its vertex types.
    known: BTreeMap<Signature, Known>,
    /// How the machine does that was asked for, if one was.
    since: Since,
    /// Whether nothing is learned on the minibatches that arrive.
    learning_paused: bool,
}

#[derive(Debug)]
enum Known {
    Samples(Vec<TypeGraph>),
    /// What was learned, and how it does since then.
    Best(Arc<Best>, Since),
}

/// How a machine does in the schedules that it makes: of minibatches, of parts of them, of waves. These may be made on
/// several threads at once; the order of sums does not matter.
type Since = Mutex<Choices>;

impl Scheduler {
    /// A scheduler under this policy.
    pub fn new(policy: Policy) -> Self {
        Self { policy, ..Self::default() }
    }

    /// Returns the scheduler under another policy; what has been learned is forgotten.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        Self { policy, known: BTreeMap::new(), since: Since::default(), ..self }
    }

    /// The seed of what is learned.
    pub fn seed(&mut self, seed: u64) {
        self.options.seed = seed;
    }

    /// Sets the cost of a batch, as in [`LearnOptions::batch_cost`]. It is for the model whose minibatches come
    /// next.
    pub fn batch_cost(&mut self, cost: Option<f64>) {
        self.options.batch_cost = cost;
    }

    /// Sets the cost of a vertex, as in [`LearnOptions::vertex_cost`]. It is for the model whose minibatches come
    /// next.
    pub fn vertex_cost(&mut self, cost: f64) {
        self.options.vertex_cost = cost;
    }

    /// From now on, each minibatch gets the schedule of a known policy that takes the least time at these
    /// costs, instead of one with few batches.
    pub fn costs(&mut self, costs: Costs) {
        self.costs = Some(costs);
    }

    /// The costs, if any.
    pub fn known_costs(&self) -> Option<&Costs> {
        self.costs.as_ref()
    }

    /// The policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The policy that schedules minibatches of a model with these vertex types: what was learned, or what was asked
    /// for.
    pub fn policy_for(&self, types: &Signature) -> Policy {
        let learned = matches!(self.policy, Policy::Auto).then(|| self.learned(types));
        learned.flatten().unwrap_or_else(|| self.policy.clone())
    }

    /// Whether any schedule with the fewest batches may be used: no policy was asked for by name, and no other
    /// quantity is minimised.
    pub fn is_free(&self) -> bool {
        matches!(self.policy, Policy::Auto) && self.costs.is_none()
    }

    /// The schedule of a minibatch of a model with these vertex types.
    ///
    /// # Errors
    ///
    /// If the policy or the costs are for another number of types, or a setting of the policy or a cost is out
    /// of range.
    pub fn schedule(
        &mut self,
        types: &Signature,
        graph: &TypeGraph,
    ) -> Result<Schedule, ScheduleError> {
        // Of nothing, there is nothing to learn.
        if matches!(self.policy, Policy::Auto) && !graph.is_empty() {
            self.options.check(types, &[graph])?;
            let learn = |samples: &[&TypeGraph], options: &LearnOptions| {
                Ok(Best::learn(samples, types, options, &mut |_| ()))
            };
            if self.learn(types, || graph.clone(), learn)? {
                // Learning has seen this minibatch, so how the machine does on it says little.
                let policy = self.policy_for(types);
                return self.run(&policy, graph, &Since::default());
            }
        }
        self.schedule_by_known(types, graph)
    }

    /// The schedule of a minibatch by the policy that is known now; nothing is learned on this minibatch.
    ///
    /// # Errors
    ///
    /// As [`schedule`](Self::schedule).
    pub fn schedule_by_known(
        &self,
        types: &Signature,
        graph: &TypeGraph,
    ) -> Result<Schedule, ScheduleError> {
        match (&self.policy, self.known.get(types)) {
            (Policy::Auto, Some(Known::Best(best, since))) => {
                self.run(&Policy::Best(best.clone()), graph, since)
            }
            _ => self.run(&self.policy, graph, &self.since),
        }
    }

    /// Whether the policy for a model with these vertex types is known, so that nothing will be learned on its
    /// minibatches.
    pub fn knows(&self, types: &Signature) -> bool {
        !matches!(self.policy, Policy::Auto)
            || matches!(self.known.get(types), Some(Known::Best(..)))
    }

    /// Whether the policy is known by which graphs of a model with these vertex types grow.
    pub fn knows_growth(&self, types: &Signature) -> bool {
        self.growth.is_some() || self.knows(&types.growing())
    }

    /// Adds a sample for these types if nothing has been learned for them, and calls `learn` when there are
    /// four samples. Returns whether it has learned.
    fn learn(
        &mut self,
        types: &Signature,
        sample: impl FnOnce() -> TypeGraph,
        learn: impl FnOnce(&[&TypeGraph], &LearnOptions) -> Result<Best, ScheduleError>,
    ) -> Result<bool, ScheduleError> {
        let known = match self.known.get_mut(types) {
            Some(known) => known,
            None => self.known.entry(types.clone()).or_insert(Known::Samples(Vec::new())),
        };
        let samples = match known {
            Known::Best(..) => return Ok(false),
            Known::Samples(_) if self.learning_paused => return Ok(false),
            Known::Samples(samples) => samples,
        };
        samples.push(sample());
        if samples.len() < SAMPLES_TO_LEARN_ON {
            return Ok(false);
        }
        let samples: Vec<&TypeGraph> = samples.iter().collect();
        self.options.check(types, &samples)?;
        let _span = tracing::info_span!(target: TARGET, "learn").entered();
        let best = Arc::new(learn(&samples, &self.options)?);
        tracing::info!(target: TARGET, reason = best.reason(), "a policy was learned");
        *known = Known::Best(best, Since::default());
        Ok(true)
    }

    /// Sets whether policies are learned on the minibatches that arrive from now on, as they are by
    /// default. What has been learned is used either way.
    pub fn listen(&mut self, listens: bool) {
        self.learning_paused = !listens;
    }

    /// The policies that were asked for, for a model with these vertex types, as text. Two schedulers with
    /// equal texts, and equal seeds if they learn, make equal schedules; user-defined policies appear by name only.
    pub fn policies(&self, types: &Signature) -> String {
        let text = |policy: &Policy, types: &Signature| {
            let types = policy.signature().unwrap_or(types);
            policy.to_json(types).unwrap_or_else(|_| policy.to_string())
        };
        let growth = self.growth.as_ref().map(|growth| text(growth, &types.growing()));
        text(&self.policy, types) + &growth.unwrap_or_default()
    }

    /// Lets graphs grow by this policy, instead of a learned one. The policy must be for the types [of graphs
    /// that grow](Signature::growing).
    pub fn grow_by(&mut self, policy: Policy) {
        self.growth = Some(policy);
    }

    /// The policy by which graphs of a model with these vertex types grow, if its choice depends only on the ready
    /// vertices.
    /// Otherwise this is `None`: graphs grow wave by wave, and each wave is
    /// [scheduled](Self::schedule_later_wave).
    ///
    /// # Errors
    ///
    /// If graphs are to grow by a policy that is for another number of types.
    pub fn online(&self, types: &Signature) -> Result<Option<OnlinePolicy>, ScheduleError> {
        if let Some(policy) = &self.growth {
            policy.fits(types.type_count().saturating_add(1))?;
            return Ok(OnlinePolicy::of(policy));
        }
        let learned = match self.policy {
            Policy::Auto => self.learned(&types.growing()),
            _ => None,
        };
        Ok(learned.as_ref().and_then(OnlinePolicy::of))
    }

    /// Records how graphs of a model with these vertex types have grown: `recorded` returns the recorded graph,
    /// which has the types [with `grow`](Signature::growing). Under [`Policy::Auto`], the policy by which
    /// graphs grow is learned on the first four recorded graphs.
    ///
    /// # Errors
    ///
    /// If the costs are for another number of types, or out of range.
    pub fn record(
        &mut self,
        types: &Signature,
        unlearned: Unlearned,
        recorded: impl FnOnce() -> TypeGraph,
    ) -> Result<(), ScheduleError> {
        if matches!(self.policy, Policy::Auto) && self.growth.is_none() {
            let (growing, costs) = (types.growing(), self.costs.clone());
            let learn = |samples: &[&TypeGraph], options: &LearnOptions| {
                growing::learn(samples, (&growing, unlearned), costs.as_ref(), options)
            };
            self.learn(&growing, recorded, learn)?;
        }
        Ok(())
    }

    /// The schedule of a later wave: `graph` has the vertices that graphs got while they grew. These are too
    /// few to learn on, so under [`Policy::Auto`] the schedule is that of [`Policy::Sufficient`]. The vertices
    /// with which graphs begin are [scheduled](Self::schedule) like a minibatch.
    ///
    /// # Errors
    ///
    /// As [`schedule`](Self::schedule).
    pub fn schedule_later_wave(
        &self,
        types: &Signature,
        graph: &TypeGraph,
    ) -> Result<Schedule, ScheduleError> {
        match self.policy {
            Policy::Auto => Ok(Policy::Sufficient.schedule(graph)),
            _ => self.schedule_by_known(types, graph),
        }
    }

    /// The policy that has been learned for a model with these vertex types, to save it or to look at it.
    pub fn learned(&self, types: &Signature) -> Option<Policy> {
        match self.known.get(types)? {
            Known::Best(best, _) => Some(Policy::Best(best.clone())),
            Known::Samples(_) => None,
        }
    }

    /// The minibatches so far on which a policy for a model with these vertex types will be learned.
    pub fn samples(&self, types: &Signature) -> &[TypeGraph] {
        match self.known.get(types) {
            Some(Known::Samples(samples)) => samples,
            _ => &[],
        }
    }

    /// Restores what another scheduler had [learned](Self::learned) for a model with these vertex
    /// types, or its samples.
    pub fn restore(&mut self, types: &Signature, learned: Option<Policy>, samples: Vec<TypeGraph>) {
        let known = match learned {
            Some(Policy::Best(best)) => Known::Best(best, Since::default()),
            _ => Known::Samples(samples),
        };
        self.known.insert(types.clone(), known);
    }

    /// Which policy runs for a model with these vertex types, and why, as text.
    pub fn report(&self, types: &Signature) -> String {
        let mut report = self.report_of_known(types);
        if let Some(Known::Best(best, _)) = self.known.get(&types.growing()) {
            report += "; ";
            report += best.reason();
        }
        report
    }

    fn report_of_known(&self, types: &Signature) -> String {
        let (policy, since) = match (&self.policy, self.known.get(types)) {
            (Policy::Auto, Some(Known::Best(best, since))) => (best.reason().to_owned(), since),
            (Policy::Auto, known) => {
                let seen = match known {
                    Some(Known::Samples(samples)) => samples.len(),
                    _ => 0,
                };
                return format!(
                    "level by level where no type waits for itself through another, which provably \
                     needs the fewest batches; else the shortest of heuristic, sufficient, agenda \
                     and depth: {seen} of {SAMPLES_TO_LEARN_ON} such minibatches seen, after which a policy is \
                     learned"
                );
            }
            (policy, _) => (format!("{policy}: as was asked for"), &self.since),
        };
        match since.lock().unwrap_or_else(PoisonError::into_inner).report() {
            Some(since) => format!("{policy}; since then {since}"),
            None => policy,
        }
    }

    /// The schedule of the policy or, if there are costs, the cheapest schedule. `since` counts how a machine does.
    fn run(
        &self,
        policy: &Policy,
        graph: &TypeGraph,
        since: &Since,
    ) -> Result<Schedule, ScheduleError> {
        policy.fits(graph.type_count())?;
        if let Some(costs) = &self.costs {
            return policy.cheapest(graph, costs);
        }
        let Some(machine) = policy.machine() else { return policy.checked_schedule(graph) };
        let (schedule, choices) = machine.counted(graph);
        since.lock().unwrap_or_else(PoisonError::into_inner).add(choices);
        Ok(schedule)
    }
}
