//! What can be wrong with a graph, a schedule or the name of a policy.

use std::fmt::{self, Display};

use thiserror::Error;

/// Why a graph cannot be scheduled, a schedule does not fit its graph, or a policy is unknown.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ScheduleError {
    /// More vertices than a `u32` can number.
    #[error("a graph holds fewer than 2^32 vertices; this one has {vertices}")]
    TooManyVertices {
        /// The number of vertices.
        vertices: usize,
    },

    /// A vertex of a type that does not exist.
    #[error("vertex {vertex} is of type {vertex_type}, but there are only {type_count} types")]
    UnknownType {
        /// The number of the vertex in the graph.
        vertex: u32,
        /// Its type.
        vertex_type: u16,
        /// The number of types.
        type_count: u16,
    },

    /// The offsets of the children do not fit the number of vertices.
    #[error("{vertices} vertices need {} offsets of children; there are {offsets}", vertices + 1)]
    OffsetCount {
        /// The number of vertices.
        vertices: usize,
        /// The number of offsets.
        offsets: usize,
    },

    /// The offsets do not begin at 0 or do not end with the children.
    #[error(
        "the offsets of {children} children must run from 0 to {children}, not {first} to {last}"
    )]
    OffsetEnds {
        /// The first offset.
        first: u32,
        /// The last offset.
        last: u32,
        /// The number of children in all.
        children: usize,
    },

    /// The offsets descend.
    #[error("the children of vertex {vertex} begin at {start} but end at {end}")]
    OffsetsDescend {
        /// The vertex whose range of children is inverted.
        vertex: u32,
        /// Where its children begin.
        start: u32,
        /// Where they end.
        end: u32,
    },

    /// A child that does not exist.
    #[error(
        "child {position} of vertex {vertex} is {child}, but there are only {vertices} vertices"
    )]
    UnknownChild {
        /// The vertex that reads the child.
        vertex: u32,
        /// Which of its children it is.
        position: usize,
        /// The number of the child.
        child: u32,
        /// The number of vertices.
        vertices: usize,
    },

    /// Vertices that wait for each other.
    #[error("vertices wait for each other, each for the next: {}", cycle_text(vertices))]
    Cycle {
        /// The vertices of one cycle: each reads the next, the last reads the first. The first
        /// is the one with the lowest number.
        vertices: Vec<u32>,
    },

    /// A batch names a vertex that the graph does not have.
    #[error("batch {batch} runs vertex {vertex}, but there are only {vertices} vertices")]
    UnknownVertex {
        /// The number of the vertex in the graph.
        vertex: u32,
        /// The batch that runs it.
        batch: usize,
        /// The number of vertices.
        vertices: usize,
    },

    /// A vertex runs twice.
    #[error("vertex {vertex} runs in batch {first} and again in batch {second}")]
    Repeated {
        /// The number of the vertex in the graph.
        vertex: u32,
        /// The first batch that runs it.
        first: usize,
        /// The second batch that runs it, which may be the same.
        second: usize,
    },

    /// A vertex does not run.
    #[error("vertex {vertex} is in no batch")]
    Missing {
        /// The number of the vertex in the graph.
        vertex: u32,
    },

    /// A vertex runs in a batch of another type.
    #[error(
        "vertex {vertex} is of type {vertex_type}, but batch {batch}, which runs it, is of type \
         {batch_type}"
    )]
    MixedTypes {
        /// The number of the vertex in the graph.
        vertex: u32,
        /// Its type.
        vertex_type: u16,
        /// The batch that runs it.
        batch: usize,
        /// The type of that batch.
        batch_type: u16,
    },

    /// A vertex runs before one of its children has run.
    #[error(
        "vertex {vertex} runs in batch {batch} but reads vertex {child}, which runs in batch \
         {child_batch}"
    )]
    TooEarly {
        /// The number of the vertex in the graph.
        vertex: u32,
        /// The batch that runs it.
        batch: usize,
        /// The child that it reads.
        child: u32,
        /// The batch that runs the child, not earlier than `batch`.
        child_batch: usize,
    },

    /// No minibatches to learn a policy on.
    #[error("a policy is learned on minibatches, and there are none")]
    NothingToLearnFrom,

    /// A minibatch with another number of types.
    #[error("a minibatch to learn on has {found} types where {expected} are expected")]
    OtherTypes {
        /// The number of types.
        expected: u16,
        /// The number of types of the minibatch.
        found: u16,
    },

    /// A policy for another number of types.
    #[error(
        "the policy {policy} is for {expected} types of vertices where there are {found}: make it for the types of \
         this model, its `signature()`, or if graphs grow by it for `signature().growing()`"
    )]
    PolicyTypes {
        /// The kind of policy.
        policy: String,
        /// The number of types that it is for.
        expected: u16,
        /// The number of types that there are.
        found: u16,
    },

    /// Costs for another number of types.
    #[error(
        "the costs are for {found} vertex types, and there are {expected}: measure them on the \
         model that they are for"
    )]
    OtherCosts {
        /// The number of types.
        expected: u16,
        /// The number of types of the costs.
        found: usize,
    },

    /// A cost that is out of range.
    #[error(
        "the costs have a launch_ns of {launch_ns} for vertex type {vertex_type}; it must be at most \
         {}",
        super::TypeCost::MOST_LAUNCH_NS
    )]
    CostRange {
        /// The vertex type.
        vertex_type: usize,
        /// The given cost of launching a batch of it.
        launch_ns: u64,
    },

    /// A user-defined policy gave an invalid schedule of the graph.
    #[error("the policy `{policy}` gave no schedule of the graph: {error}")]
    Custom {
        /// The policy.
        policy: String,
        /// What is wrong with the schedule.
        error: Box<ScheduleError>,
    },

    /// A setting of a policy, or of how one is learned, is out of range.
    #[error("the {setting} is {value}; it must be {range}")]
    Setting {
        /// The setting, as in `width of a look-ahead`.
        setting: &'static str,
        /// Its value.
        value: String,
        /// The allowed values, as in `from 1 to 4096`.
        range: &'static str,
    },

    /// An order of types that lacks a type or has one twice.
    #[error("{order:?} is no order of {type_count} types: each stands there once")]
    NoOrder {
        /// What was given.
        order: Vec<u16>,
        /// The number of types.
        type_count: u16,
    },

    /// No policy has this name.
    #[error("there is no policy {name:?}; there are {known}")]
    UnknownPolicy {
        /// The unknown name.
        name: String,
        /// The known names.
        known: String,
    },
}

/// `main` and `unwrap` print this, so it must be readable. It does the same as `debug_is_display!`, a macro of
/// edb that this crate cannot use.
impl fmt::Debug for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Fails unless `valid`; `range` describes the allowed values.
pub(super) fn check_setting(
    setting: &'static str,
    value: impl Display,
    range: &'static str,
    valid: bool,
) -> Result<(), ScheduleError> {
    if valid {
        return Ok(());
    }
    Err(ScheduleError::Setting { setting, value: value.to_string(), range })
}

/// The one of `all` that has this name.
pub(super) fn named<T: Clone + Display>(name: &str, all: &[T]) -> Result<T, ScheduleError> {
    all.iter().find(|one| one.to_string() == name).cloned().ok_or_else(|| {
        let known = all.iter().map(T::to_string).collect::<Vec<_>>().join(", ");
        ScheduleError::UnknownPolicy { name: name.to_owned(), known }
    })
}

/// The vertices of a cycle as text: `3, 5, 8, 3`. Only the beginning of a long cycle is shown, so that the
/// message stays readable.
fn cycle_text(vertices: &[u32]) -> String {
    const MAX_SHOWN_VERTICES: usize = 16;
    let mut numbers: Vec<_> =
        vertices.iter().take(MAX_SHOWN_VERTICES).map(u32::to_string).collect();
    if vertices.len() > MAX_SHOWN_VERTICES {
        numbers.push(format!("... ({} vertices in all)", vertices.len()));
    }
    numbers.extend(vertices.first().map(u32::to_string));
    numbers.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_read_well() {
        let text = |vertices: Vec<u32>| ScheduleError::Cycle { vertices }.to_string();
        assert_eq!(text(vec![7]), "vertices wait for each other, each for the next: 7, 7");
        assert_eq!(text(vec![3, 9]), "vertices wait for each other, each for the next: 3, 9, 3");
        assert!(text((0..100).collect()).ends_with("14, 15, ... (100 vertices in all), 0"));
    }
}
