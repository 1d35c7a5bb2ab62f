//! Policies, and their names.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::custom::CustomPolicy;
use super::fsm::Fsm;
use super::look_ahead::LookAhead;
use super::machine::Machine;
use super::order::TypeOrder;
use super::{agenda, depth, heuristic, sufficient};
use crate::error::{ScheduleError, named};
use crate::graph::{Signature, TypeGraph, lower_bound};
use crate::schedule::{Explanation, Proof, Schedule};

/// How a graph is cut into batches.
///
/// A policy changes how long a step takes, but never the values of vertices. Gradients of parameters are summed
/// in the order of the schedule, so their last bits depend on it.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Policy {
    /// Vertices of equal depth and type form a batch, depths ascending (TensorFlow Fold; Looks et
    /// al., 2017).
    Depth,
    /// The type whose vertices that have not run have the least average depth comes next (DyNet; Neubig et al.,
    /// 2017).
    Agenda,
    /// Of the vertices of each type that wait for no vertex of their own type, a share is ready; the type with
    /// the greatest share comes next. If the share is 1, no other choice is better (ED-Batch, lemma 2.1).
    Sufficient,
    /// Provably right types come first, then types that lower the bound on the remaining batches, then the type
    /// with the greatest mean of both measures. It needs no training.
    Heuristic,
    /// An engine under this policy learns a [machine](Self::Machine) on its first minibatches, and runs it, unless a
    /// policy that needs no learning takes less time in all ([`Best`]). If no type waits for itself through another
    /// one, there is nothing to learn: each type runs level by level, which needs no more batches than the lower bound.
    ///
    /// Without an engine there are no minibatches to learn on, and the shortest schedule of the four policies
    /// above is used.
    #[default]
    Auto,
    /// A finite state machine that was learned (ED-Batch, section 2.3).
    Fsm(Arc<Fsm>),
    /// A finite state machine whose states were found in learning: the state of each type says how many points it
    /// has, and the type with the most comes next.
    Machine(Arc<Machine>),
    /// The first type of an order that has ready vertices comes next.
    Order(Arc<TypeOrder>),
    /// Beam search over a graph with equal vertices merged; needs no training.
    LookAhead(LookAhead),
    /// The policy that was chosen for a model. Files of earlier versions may have several, of which the shortest
    /// schedule counts.
    Best(Arc<Best>),
    /// A user-defined policy.
    Custom(Arc<dyn CustomPolicy>),
}

/// The policy that was chosen for a model, and why. In files of earlier versions, there may be a few: then the shortest
/// of their schedules is used.
#[derive(Clone, Debug)]
pub struct Best {
    pub(crate) signature: Signature,
    pub(crate) members: Vec<Policy>,
    pub(crate) reason: String,
}

impl Policy {
    /// All policies that were not learned.
    pub const ALL: &'static [Policy] =
        &[Policy::Depth, Policy::Agenda, Policy::Sufficient, Policy::Heuristic, Policy::Auto];

    /// A user-defined policy.
    pub fn custom(policy: impl CustomPolicy + 'static) -> Policy {
        Policy::Custom(Arc::new(policy))
    }

    /// The schedule of a graph under this policy. The schedule of a user-defined policy is not checked.
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
            Policy::Machine(machine) => machine.schedule(graph),
            Policy::Order(order) => order.schedule(graph),
            Policy::LookAhead(look_ahead) => look_ahead.schedule(graph),
            Policy::Best(best) => best.schedule(graph),
            Policy::Custom(policy) => return policy.schedule(graph),
        };
        debug_assert_eq!(schedule.check(graph), Ok(()), "a fault of the policy {self}");
        schedule
    }

    /// The schedule of a graph, checked if the policy is user-defined.
    ///
    /// # Errors
    ///
    /// What is wrong with the schedule of a user-defined policy.
    pub(crate) fn checked_schedule(&self, graph: &TypeGraph) -> Result<Schedule, ScheduleError> {
        let schedule = self.schedule(graph);
        if let Policy::Custom(policy) = self {
            schedule.check(graph).map_err(|error| ScheduleError::Custom {
                policy: policy.name().to_owned(),
                error: Box::new(error),
            })?;
            // A proof that a user-defined policy claims cannot be trusted.
            return Ok(schedule.unproved());
        }
        Ok(schedule)
    }

    /// Explains a schedule of `graph`, as [`Schedule::explain`] does. If this policy runs a machine, and the schedule
    /// is the machine's, then the explanation also says in which state each batch was chosen.
    ///
    /// # Errors
    ///
    /// If this is not a schedule of the graph.
    pub fn explain(
        &self,
        schedule: &Schedule,
        graph: &TypeGraph,
        types: &Signature,
    ) -> Result<Explanation, ScheduleError> {
        let mut explanation = schedule.explain(graph, types)?;
        let runs = |made: &Schedule| {
            (made.order(), made.batches()) == (schedule.order(), schedule.batches())
        };
        let machine = self.machine().filter(|machine| runs(&machine.schedule(graph)));
        explanation.by_machine = machine.map(|machine| machine.explain(graph));
        Ok(explanation)
    }

    /// The machine that runs under this policy, if one does.
    pub fn machine(&self) -> Option<&Machine> {
        match self {
            Policy::Machine(machine) => Some(machine),
            Policy::Best(best) => match best.members() {
                [member] => member.machine(),
                _ => None,
            },
            _ => None,
        }
    }

    /// The vertex types that the policy was learned for; `None` if it was not learned.
    pub fn signature(&self) -> Option<&Signature> {
        match self {
            Policy::Fsm(fsm) => Some(fsm.signature()),
            Policy::Machine(machine) => Some(machine.signature()),
            Policy::Order(order) => Some(order.signature()),
            Policy::Best(best) => Some(best.signature()),
            _ => None,
        }
    }

    /// Checks that the settings of the policy are in range, and that it fits graphs with this many types. A
    /// policy that was not learned fits any number of types.
    pub(crate) fn fits(&self, type_count: u16) -> Result<(), ScheduleError> {
        self.check_range()?;
        match self.signature().map(Signature::type_count) {
            Some(expected) if expected != type_count => {
                let policy = self.kind();
                Err(ScheduleError::PolicyTypes { policy, expected, found: type_count })
            }
            _ => Ok(()),
        }
    }

    /// Checks that the settings that users can make by hand are in range.
    pub(crate) fn check_range(&self) -> Result<(), ScheduleError> {
        match self {
            Policy::LookAhead(look_ahead) => look_ahead.check_range(),
            // Members have no members, as `from_json` and learning ensure.
            Policy::Best(best) => best.members.iter().try_for_each(|member| match member {
                Policy::LookAhead(look_ahead) => look_ahead.check_range(),
                _ => Ok(()),
            }),
            _ => Ok(()),
        }
    }

    /// The kind of the policy: `depth`, `fsm-sort`, `best`. For a user-defined policy, this is its name.
    pub fn kind(&self) -> String {
        match self {
            Policy::Fsm(fsm) => format!("fsm-{}", fsm.encoding()),
            Policy::Custom(policy) => policy.name().to_owned(),
            policy => policy.name().to_owned(),
        }
    }

    /// The contents of a learned policy, as text to print after its types.
    fn made_of(&self) -> String {
        match self {
            Policy::Fsm(fsm) => format!(", {} states", fsm.states()),
            Policy::Machine(machine) => format!(", {} states", machine.states()),
            Policy::Order(order) => {
                let names = order.order().iter().map(|of| order.signature().name(*of));
                format!(": first {}", names.collect::<Vec<_>>().join(", then "))
            }
            Policy::Best(best) => {
                let member = |member: &Policy| match member {
                    Policy::Fsm(fsm) => {
                        format!("fsm-{} of {} states", fsm.encoding(), fsm.states())
                    }
                    Policy::LookAhead(look_ahead) => look_ahead.to_string(),
                    member => member.kind(),
                };
                let members: Vec<String> = best.members.iter().map(member).collect();
                format!(": {}", members.join(" or "))
            }
            _ => String::new(),
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
            Policy::Machine(_) => "machine",
            Policy::Order(_) => "order",
            Policy::LookAhead(_) => "look-ahead",
            Policy::Best(_) => "best",
            Policy::Custom(_) => "custom",
        }
    }
}

/// Writes the [kind](Policy::kind). For a learned policy, it also writes the types that it is for and its
/// contents, as in `best for word, phrase: fsm-sort of 12 states`.
impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.signature()) {
            (Policy::LookAhead(look_ahead), _) => f.pad(&look_ahead.to_string()),
            (policy, None) => f.pad(&policy.kind()),
            (policy, Some(types)) => {
                f.pad(&format!("{} for {}{}", policy.kind(), TypeNames(types), policy.made_of()))
            }
        }
    }
}

/// The names of types as text; only the first names are shown.
struct TypeNames<'a>(&'a Signature);

impl fmt::Display for TypeNames<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_SHOWN_NAMES: usize = 8;
        let types = self.0.types();
        let names: Vec<&str> =
            types.iter().take(MAX_SHOWN_NAMES).map(|of| of.name.as_str()).collect();
        f.write_str(&names.join(", "))?;
        match types.len().saturating_sub(MAX_SHOWN_NAMES) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

impl FromStr for Policy {
    type Err = ScheduleError;

    /// The policy of that name, if it needs no learning. Learned policies are [loaded](Policy::load).
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        named(name, Self::ALL)
    }
}

impl Best {
    /// The vertex types that it was chosen for.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The policies that run, most often one.
    pub fn members(&self) -> &[Policy] {
        &self.members
    }

    /// Why it was chosen: how many batches it and the others needed for the minibatches.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The schedule of a graph: the shortest schedule of the members; of equal ones, the first.
    pub fn schedule(&self, graph: &TypeGraph) -> Schedule {
        shortest(&self.members, graph)
    }
}

/// The shortest schedule of these policies; of equal ones, the first. Stops at a schedule that reaches the
/// lower bound.
fn shortest(policies: &[Policy], graph: &TypeGraph) -> Schedule {
    if let [policy] = policies {
        return policy.schedule(graph);
    }
    let bound = lower_bound(graph);
    let mut best: Option<Schedule> = None;
    for policy in policies {
        let schedule = policy.schedule(graph);
        if best.as_ref().is_none_or(|best| schedule.len() < best.len()) {
            best = Some(schedule);
        }
        if let Some(best) = best.take_if(|best| best.len() == bound) {
            return if best.is_proved() { best } else { best.proved(Proof::Bound) };
        }
    }
    best.unwrap_or_default()
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
        let unknown = "Depth".parse::<Policy>().unwrap_err().to_string();
        let text = "there is no policy \"Depth\"; there are depth, agenda, sufficient, heuristic, \
                    default";
        assert_eq!(unknown, text);
        assert!(matches!(Policy::default(), Policy::Auto));
    }

    /// A new user reported this fault: all learned policies were called `best`.
    #[test]
    fn a_learned_policy_says_what_it_is() {
        let types = Signature::new(["word", "phrase", "judge"]);
        let order = TypeOrder::new(&types, vec![2, 0, 1]).unwrap();
        let order = Policy::Order(Arc::new(order));
        assert_eq!(
            order.to_string(),
            "order for word, phrase, judge: first judge, then word, then phrase"
        );
        let signature = Signature::unnamed(12);
        let look_ahead = LookAhead { width: 8, power: 1, factor: 3.0, backwards: true };
        let members = vec![Policy::Heuristic, Policy::LookAhead(look_ahead)];
        let best = Best { signature, members, reason: String::new() };
        let best = Policy::Best(Arc::new(best));
        assert_eq!(
            best.to_string(),
            format!("best for 0, 1, 2, 3, 4, 5, 6, 7 and 4 more: heuristic or {}", look_ahead)
        );
        assert_eq!((best.kind(), order.kind()), ("best".to_owned(), "order".to_owned()));
        // It fills a column of a table, too.
        assert_eq!(format!("{:9}|", Policy::Depth), "depth    |");
    }
}
