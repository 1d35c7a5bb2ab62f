//! A policy that looks ahead: a narrow beam over a graph in which equal vertices are one.

use std::fmt;

use super::beam::{Beam, Ranking};
use super::error::check_setting;
use super::frontier::Frontier;
use super::reduce;
use super::{Schedule, ScheduleError, TypeGraph};

/// How far a [look-ahead](super::Policy::LookAhead) looks.
///
/// Of a minibatch, only what its examples do not have in common is searched. That takes about as
/// long as a few policies that do not look ahead if `width` is 4, and grows in proportion.
///
/// Engines and files take the ranges below. Any other values give a schedule as well, but what they
/// rank by says little.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookAhead {
    /// How many sets of vertices that can have run are kept after each batch, from 1 to 4096.
    pub width: usize,
    /// What counts against the lower bound on what remains when they are ranked: the sum of
    /// `h^power` over what has not run, with `h` the length of the longest path above a vertex, and a
    /// power from -8 to 64,
    pub power: i32,
    /// times this finite factor, both as shares of what they are at the beginning.
    pub factor: f64,
    /// Whether to begin with what runs last: a schedule that is read backwards is one of the graph
    /// with its edges turned around.
    pub backwards: bool,
}

impl LookAhead {
    /// From either end, where nothing better is known.
    pub(super) const BOTH_WAYS: [Self; 2] = [
        Self { width: 8, power: 1, factor: 1e-9, backwards: false },
        Self { width: 8, power: 2, factor: 3.0, backwards: true },
    ];

    /// Whether all is in range.
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
        self.schedule_merged(graph, &reduce::merge(graph)).0
    }

    /// The same where equal vertices have been merged, and how much work it was, in vertices run.
    pub(super) fn schedule_merged(&self, graph: &TypeGraph, merged: &TypeGraph) -> (Schedule, u64) {
        let Self { width, power, factor, backwards } = *self;
        let ranking = Ranking { width, power, factor };
        let turned;
        let searched = match backwards {
            false => merged,
            true => {
                turned = merged.reversed();
                &turned
            }
        };
        let mut budget = u64::MAX;
        let prices = vec![1; usize::from(graph.type_count())];
        let found = Beam::new(searched, &prices).search(ranking, u64::MAX, &mut budget);
        let mut word = found.word.unwrap_or_default();
        if backwards {
            word.reverse();
        }
        (replay(graph, &word), u64::MAX - budget)
    }
}

impl fmt::Display for LookAhead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, power, factor, backwards } = self;
        let way = if *backwards { " backwards" } else { "" };
        write!(f, "look-ahead of {width}{way} (power {power}, factor {factor})")
    }
}

/// The schedule whose batches are of these types, each all that is ready.
pub(super) fn replay(graph: &TypeGraph, word: &[u16]) -> Schedule {
    let mut frontier = Frontier::new(graph);
    let mut batches = Vec::with_capacity(word.len());
    for &vertex_type in word {
        // Backwards, a batch may have been split otherwise, so that nothing is left for this one.
        if frontier.ready_count(vertex_type) > 0 {
            batches.push((vertex_type, frontier.execute(vertex_type, |_| ()).len() as u32));
        }
    }
    debug_assert_eq!(frontier.left(), 0, "the word runs the graph");
    frontier.into_schedule(&batches)
}
