//! The policies by name.

use std::fmt;
use std::str::FromStr;

use super::{Schedule, ScheduleError, TypeGraph, agenda, depth, sufficient};

/// How a graph is cut into batches.
///
/// A policy changes how long a step takes, never what it computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    #[default]
    Sufficient,
}

impl Policy {
    /// All policies.
    pub const ALL: &'static [Policy] = &[Policy::Depth, Policy::Agenda, Policy::Sufficient];

    /// The schedule of a graph under this policy.
    pub fn schedule(&self, graph: &TypeGraph) -> Schedule {
        let schedule = match self {
            Policy::Depth => depth::schedule(graph),
            Policy::Agenda => agenda::schedule(graph),
            Policy::Sufficient => sufficient::schedule(graph),
        };
        debug_assert_eq!(schedule.check(graph), Ok(()), "a fault of the policy {self}");
        schedule
    }

    fn name(&self) -> &'static str {
        match self {
            Policy::Depth => "depth",
            Policy::Agenda => "agenda",
            Policy::Sufficient => "sufficient",
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Policy {
    type Err = ScheduleError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let policy = Self::ALL.iter().find(|policy| policy.name() == name);
        policy.copied().ok_or_else(|| ScheduleError::UnknownPolicy { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for policy in Policy::ALL {
            assert_eq!(policy.to_string().parse(), Ok(*policy));
        }
        let unknown = ScheduleError::UnknownPolicy { name: "Depth".to_owned() };
        assert_eq!("Depth".parse::<Policy>(), Err(unknown));
        assert_eq!(Policy::default(), Policy::Sufficient);
    }
}
