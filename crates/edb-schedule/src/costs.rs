//! How much time batches cost, and the choice of a schedule by cost.
//!
//! Each vertex runs once under any schedule, so schedules differ only in the cost of launching their batches.
//! This cost depends on types, if launches of some types cost more than those of others, and on steps, if a
//! back end runs batches of several types at once.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::ScheduleError;
use crate::files::{PolicyFileError, PolicyFileProblem, read};
use crate::graph::TypeGraph;
use crate::policies::Policy;
use crate::schedule::Schedule;

/// What batches cost: measured once (`Engine::measure_costs`), or written by hand.
///
/// Costs are data: the same costs give the same schedule. Only measuring them is not reproducible.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Costs {
    /// What each type costs.
    pub types: Vec<TypeCost>,
    /// Whether batches of different types that do not depend on each other are launched together,
    /// so that a [step](Schedule::steps) costs as much as its most expensive launch.
    #[serde(default)]
    pub together: bool,
    /// The cost of handing out graphs that [grow](super::Signature::growing): once for all of them, and once
    /// for each graph. On a device, this is the time to wait for the results and to copy them. Older files do
    /// not contain it; then it is 0.
    #[serde(default)]
    pub grow: TypeCost,
}

/// What a batch of one type costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeCost {
    /// The cost of launching a batch, in nanoseconds: at most [`TypeCost::MOST_LAUNCH_NS`].
    pub launch_ns: u64,
    /// The cost of each of its rows, in picoseconds.
    pub row_ps: u64,
}

impl TypeCost {
    /// The greatest allowed cost of a launch, about four seconds: even if each vertex of the largest graph
    /// needs a launch, the sum does not overflow.
    pub const MOST_LAUNCH_NS: u64 = u32::MAX as u64;
}

impl Costs {
    /// The costs at which each batch costs one unit; the cheapest schedule is then the one with the fewest
    /// batches.
    pub fn per_batch(type_count: u16) -> Self {
        let unit = TypeCost { launch_ns: 1, row_ps: 0 };
        Self { types: vec![unit; usize::from(type_count)], together: false, grow: unit }
    }

    /// The costs for graphs that grow: after the costs of the types comes the cost of handing out graphs.
    pub(super) fn growing(&self) -> Self {
        let types = self.types.iter().copied().chain([self.grow]).collect();
        Self { types, ..self.clone() }
    }

    /// Saves the costs as JSON. The file is written atomically.
    ///
    /// # Errors
    ///
    /// If a cost is out of range, or the file cannot be written; an existing file is then
    /// unchanged.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), PolicyFileError> {
        let path = path.as_ref();
        let write = || {
            self.check_range()?;
            let text = serde_json::to_string(self)? + "\n";
            edb_file::write_bytes(path, text.as_bytes()).map_err(PolicyFileProblem::Write)
        };
        write().map_err(|problem: PolicyFileProblem| problem.of(path))
    }

    /// Loads costs that were saved, for a model with this many vertex types.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is of another number of types, or a cost in it is out of range.
    pub fn load(path: impl AsRef<Path>, type_count: u16) -> Result<Self, PolicyFileError> {
        let path = path.as_ref();
        let costs = || {
            let costs: Self = serde_json::from_str(&read(path)?)?;
            costs.fit(type_count)?;
            Ok(costs)
        };
        costs().map_err(|problem: PolicyFileProblem| problem.of(path))
    }

    /// Whether there is a cost for each of `expected` types, and all are in range.
    pub(super) fn fit(&self, expected: u16) -> Result<(), ScheduleError> {
        match self.types.len() {
            found if found == usize::from(expected) => self.check_range(),
            found => Err(ScheduleError::OtherCosts { expected, found }),
        }
    }

    fn check_range(&self) -> Result<(), ScheduleError> {
        let is_beyond = |cost: &TypeCost| cost.launch_ns > TypeCost::MOST_LAUNCH_NS;
        match self.types.iter().chain([&self.grow]).enumerate().find(|(_, cost)| is_beyond(cost)) {
            Some((vertex_type, cost)) => {
                Err(ScheduleError::CostRange { vertex_type, launch_ns: cost.launch_ns })
            }
            None => Ok(()),
        }
    }
}

impl Schedule {
    /// How long the schedule of `graph` takes at these costs, in nanoseconds.
    ///
    /// # Errors
    ///
    /// If this is not a schedule of the graph, or the costs are for another number of types or out
    /// of range.
    pub fn estimated_ns(&self, graph: &TypeGraph, costs: &Costs) -> Result<u64, ScheduleError> {
        costs.fit(graph.type_count())?;
        let of = |number: &usize| {
            let batch = &self.batches()[*number];
            (costs.types[usize::from(batch.vertex_type)], batch.range().len() as u64)
        };
        let add = |sum: u64, cost: u64| sum.saturating_add(cost);
        let (mut launches, mut rows_ps) = (0, 0);
        for step in self.steps(graph)? {
            let of_step = step.iter().map(|number| of(number).0.launch_ns);
            let of_step = if costs.together { of_step.max() } else { of_step.reduce(add) };
            launches = add(launches, of_step.unwrap_or(0));
            let rows = step.iter().map(of).map(|(cost, rows)| cost.row_ps.saturating_mul(rows));
            rows_ps = rows.fold(rows_ps, add);
        }
        Ok(add(launches, rows_ps / 1000))
    }
}

impl Policy {
    /// The schedule of a graph that takes the least time at these costs, among the schedules of this policy, of
    /// its members if it has any, and of the policies in [`Policy::ALL`]. If several take the least time, the
    /// schedule of this policy is preferred.
    ///
    /// # Errors
    ///
    /// If the policy or the costs are for another number of types, or out of range.
    pub fn cheapest(&self, graph: &TypeGraph, costs: &Costs) -> Result<Schedule, ScheduleError> {
        self.fits(graph.type_count())?;
        let mut best = self.checked_schedule(graph)?;
        let mut least = best.estimated_ns(graph, costs)?;
        let members = if let Policy::Best(best) = self { best.members() } else { &[] };
        for policy in members.iter().chain(Policy::ALL) {
            let schedule = policy.schedule(graph);
            let time = schedule.estimated_ns(graph, costs)?;
            if time < least {
                (best, least) = (schedule, time);
            }
        }
        Ok(best)
    }
}
