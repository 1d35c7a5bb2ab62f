//! A policy that looks ahead: a narrow beam search over a graph with equal vertices merged.

use std::fmt;

use crate::beam::{Beam, Ranking};
use crate::error::{ScheduleError, check_setting};
use crate::graph::{TypeGraph, reduce};
use crate::running::Frontier;
use crate::schedule::Schedule;

/// The settings of a [look-ahead](super::Policy::LookAhead).
///
/// Equal parts of a minibatch's examples are merged and searched once. With a `width` of 4, the search takes
/// about as long as a few policies that do not look ahead; its time grows in proportion to `width`.
///
/// Engines and files accept only the ranges below. With other values the schedule is valid, too, but the
/// ranking is of little use.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookAhead {
    /// The width of the beam, from 1 to 4096: how many states are kept after each batch. A state is a set of
    /// vertices that have run.
    pub width: usize,
    /// States are ranked by the lower bound on the remaining batches plus `factor` times the sum of
    /// `h^power` over the vertices that have not run, with `h` the length of the longest path above
    /// a vertex. From -8 to 64.
    pub power: i32,
    /// The finite factor of that sum; both the bound and the sum are relative to their initial
    /// values.
    pub factor: f64,
    /// Whether to search from the end: a schedule read backwards is a schedule of the graph with its edges
    /// reversed.
    pub backwards: bool,
}

impl LookAhead {
    /// Checks that all settings are in range.
    pub(super) fn check_range(&self) -> Result<(), ScheduleError> {
        let Self { width, power, factor, .. } = *self;
        let in_range = (1..=4096).contains(&width);
        check_setting("width of a look-ahead", width, "from 1 to 4096", in_range)?;
        let in_range = (-8..=64).contains(&power);
        check_setting("power of a look-ahead", power, "from -8 to 64", in_range)?;
        check_setting("factor of a look-ahead", factor, "a finite number", factor.is_finite())
    }

    /// The schedule of a graph.
    pub fn schedule(&self, graph: &TypeGraph) -> Schedule {
        let Self { width, power, factor, backwards } = *self;
        let ranking = Ranking { width, power, factor };
        let mut searched = reduce::merge(graph);
        if backwards {
            searched = searched.reversed();
        }
        let prices = vec![1; usize::from(graph.type_count())];
        let found = Beam::new(&searched, &prices).search(ranking, u64::MAX, &mut { u64::MAX });
        let mut word = found.word.unwrap_or_default();
        if backwards {
            word.reverse();
        }
        replay(graph, &word)
    }
}

impl fmt::Display for LookAhead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, power, factor, backwards } = self;
        let way = if *backwards { " backwards" } else { "" };
        write!(f, "look-ahead of {width}{way} (power {power}, factor {factor})")
    }
}

/// The schedule whose batches have these types, one after the other; each batch runs all ready vertices of its
/// type.
pub(crate) fn replay(graph: &TypeGraph, word: &[u16]) -> Schedule {
    let mut frontier = Frontier::new(graph);
    let mut batches = Vec::with_capacity(word.len());
    for &vertex_type in word {
        // A backward search may have split batches differently, so nothing may be left for this batch.
        if frontier.ready_count(vertex_type) > 0 {
            batches.push((vertex_type, frontier.execute(vertex_type, |_| ()).len() as u32));
        }
    }
    debug_assert_eq!(frontier.left(), 0, "the word runs the graph");
    frontier.into_schedule(&batches)
}
