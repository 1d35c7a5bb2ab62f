//! The costs of batches in time, and the choice of a schedule by cost.
//!
//! Each vertex runs once under any schedule, so schedules differ in the cost of launching their
//! batches: by type, where launches of some types cost more than those of others; and by step,
//! where a back end runs batches of several types at once.

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
    /// What it costs to hand out graphs that [grow](super::Signature::growing), and each of them:
    /// on a device, to wait for what was computed and to copy it. Files from before have none: 0.
    #[serde(default)]
    pub grow: TypeCost,
}

/// What a batch of one type costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeCost {
    /// The cost of launching it, in nanoseconds: at most [`TypeCost::MOST_LAUNCH_NS`].
    pub launch_ns: u64,
    /// The cost of each of its rows, in picoseconds.
    pub row_ps: u64,
}

impl TypeCost {
    /// The most that a launch may cost, some four seconds: the sum of the launches of all vertices
    /// of the largest graph does not overflow.
    pub const MOST_LAUNCH_NS: u64 = u32::MAX as u64;
}

impl Costs {
    /// Costs of one unit for each batch, under which the best schedule is the one with the fewest
    /// batches.
    pub fn per_batch(type_count: u16) -> Self {
        let unit = TypeCost { launch_ns: 1, row_ps: 0 };
        Self { types: vec![unit; usize::from(type_count)], together: false, grow: unit }
    }

    /// The costs of graphs that grow: those of the types, and behind them that of handing out.
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
            Ok(edb_file::write_bytes(path, text.as_bytes())?)
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
    /// The schedule of a graph that takes the least time at these costs, among those of this
    /// policy, of its members if it has any, and of the policies in [`Policy::ALL`]. Of equals,
    /// that of this policy.
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
