//! User-defined policies.

use std::fmt;

use crate::graph::TypeGraph;
use crate::schedule::Schedule;

/// A user-defined policy. [`Policy::custom`](super::Policy::custom) turns it into a [`Policy`](super::Policy),
/// which an engine takes like any other.
///
/// Its schedules are checked against the graph before they run, also in release builds.
///
/// ```
/// # mod edb { pub use edb_schedule as schedule; }
/// use edb::schedule::{CustomPolicy, Policy, Schedule, Scheduler, Signature, TypeGraph};
///
/// /// One vertex after the other, children first.
/// #[derive(Debug)]
/// struct OneByOne;
///
/// impl CustomPolicy for OneByOne {
///     fn name(&self) -> &str {
///         "one-by-one"
///     }
///
///     fn schedule(&self, graph: &TypeGraph) -> Schedule {
///         let mut schedule = Schedule::new();
///         // Children have smaller numbers in this graph.
///         for vertex in 0..graph.len() as u32 {
///             schedule.push(graph.vertex_type(vertex), &[vertex]);
///         }
///         schedule
///     }
/// }
///
/// let graph = TypeGraph::new(2, vec![0, 0, 1], vec![0, 0, 0, 2], vec![0, 1])?;
/// let mut scheduler = Scheduler::new(Policy::custom(OneByOne));
/// assert_eq!(scheduler.schedule(&Signature::unnamed(2), &graph)?.len(), 3);
/// # Ok::<(), edb::schedule::ScheduleError>(())
/// ```
pub trait CustomPolicy: fmt::Debug + Send + Sync {
    /// Its name, for reports and errors.
    fn name(&self) -> &str;

    /// The schedule of a graph: of a minibatch, or of a part of one, where several threads run parts side by side,
    /// each of which calls this. The values of vertices do not depend on the schedule, but gradients of
    /// parameters are summed in its order. So always return the same schedule for the same graph: otherwise two
    /// runs with the same seed differ in time, and in the last bits of what they learn.
    fn schedule(&self, graph: &TypeGraph) -> Schedule;
}
