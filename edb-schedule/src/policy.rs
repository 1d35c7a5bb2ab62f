//! The policies by name.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::best::{Best, shortest};
use super::fsm::Fsm;
use super::index::IndexPolicy;
use super::look_ahead::LookAhead;
use super::state::Analysis;
use super::{Schedule, ScheduleError, TypeGraph, agenda, depth, heuristic, sufficient};

/// How a graph is cut into batches.
///
/// A policy changes how long a step takes, never what it computes.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Policy {
    /// Vertices of equal depth and type form a batch, depths ascending (TensorFlow Fold; Looks et
    /// al., 2017).
    Depth,
    /// The type whose vertices yet to run have the least average depth comes next (DyNet; Neubig
    /// et al., 2017).
    Agenda,
    /// The type with the greatest share of ready vertices among those that wait for none of their
    /// own type comes next: where that share is 1, no other choice is better (ED-Batch, lemma
    /// 2.1).
    Sufficient,
    /// What is provably right comes first, then what lowers the bound on what remains, then the
    /// mean of both measures; needs no training.
    Heuristic,
    /// Learns: an engine that runs minibatches under this policy learns on the first of them, and
    /// then runs whichever policy needs the fewest batches ([`Best`]). Where no type waits for
    /// itself through another there is nothing to learn: each type runs level by level, which
    /// needs as few batches as the lower bound.
    ///
    /// Without an engine there is nothing to learn from, and the schedule is the shortest of those
    /// of the four above.
    #[default]
    Auto,
    /// A finite state machine that was learned (ED-Batch, section 2.3).
    Fsm(Arc<Fsm>),
    /// A linear score of each type that was learned.
    Index(Arc<IndexPolicy>),
    /// A beam over a graph in which equal vertices are one; needs no training.
    LookAhead(LookAhead),
    /// The best of all policies for a model, as it was learned.
    Best(Arc<Best>),
}

impl Policy {
    /// All policies that were not learned.
    pub const ALL: &'static [Policy] =
        &[Policy::Depth, Policy::Agenda, Policy::Sufficient, Policy::Heuristic, Policy::Auto];

    /// The schedule of a graph under this policy.
    pub fn schedule(&self, graph: &TypeGraph) -> Schedule {
        let schedule = match self {
            Policy::Depth => depth::schedule(graph),
            Policy::Agenda => agenda::schedule(graph),
            Policy::Sufficient => sufficient::schedule(graph),
            Policy::Heuristic => heuristic::schedule(graph),
            Policy::Auto => shortest(
                &[Policy::Heuristic, Policy::Sufficient, Policy::Agenda, Policy::Depth],
                graph,
            ),
            Policy::Fsm(fsm) => fsm.schedule(graph),
            Policy::Index(index) => index.schedule(graph),
            Policy::LookAhead(look_ahead) => look_ahead.schedule(graph),
            Policy::Best(best) => best.schedule(graph),
        };
        debug_assert_eq!(schedule.check(graph), Ok(()), "a fault of the policy {self}");
        schedule
    }

    /// The same, of a graph that has been looked at.
    pub(super) fn schedule_of(&self, analysis: &Analysis<'_>) -> Schedule {
        match self {
            Policy::Heuristic => heuristic::schedule_of(analysis),
            Policy::Index(index) => analysis.run(|state| index.choose(state)),
            policy => policy.schedule(analysis.graph()),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Policy::Depth => "depth",
            Policy::Agenda => "agenda",
            Policy::Sufficient => "sufficient",
            Policy::Heuristic => "heuristic",
            Policy::Auto => "default",
            Policy::Fsm(_) => "fsm",
            Policy::Index(_) => "index",
            Policy::LookAhead(_) => "look-ahead",
            Policy::Best(_) => "best",
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Policy::Fsm(fsm) => f.pad(&format!("fsm-{}", fsm.encoding())),
            policy => f.pad(policy.name()),
        }
    }
}

impl FromStr for Policy {
    type Err = ScheduleError;

    /// The policy of that name, one that was not learned: learned ones are [loaded](Policy::load).
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let policy = Self::ALL.iter().find(|policy| policy.name() == name);
        policy.cloned().ok_or_else(|| ScheduleError::UnknownPolicy { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for policy in Policy::ALL {
            let read: Policy = policy.to_string().parse().unwrap();
            assert_eq!(read.name(), policy.name());
        }
        let unknown = ScheduleError::UnknownPolicy { name: "Depth".to_owned() };
        assert_eq!("Depth".parse::<Policy>().unwrap_err(), unknown);
        assert!(matches!(Policy::default(), Policy::Auto));
    }
}
