//! The finite state machine whose states were found, not given (after ED-Batch, section 2.3).
//!
//! In ED-Batch, a state of the machine is the set of types with ready vertices, or these types sorted. Such states say
//! little of a lattice: all its types are ready most of the time. Here each type with ready vertices is in a state
//! of its own, by four measures of it: how long a path it holds up, how much work, whether all are ready that
//! its next batch could run, and how many of all are. Learning finds the bounds between the levels of a measure,
//! and how many points a level is worth (`learning/machine.rs`). The type whose state has the most points comes next.

use std::fmt;

use crate::graph::{Signature, TypeGraph};
use crate::policies::Coverage;
use crate::running::{MEASURES, Measured, MeasuredRun, Share};
use crate::schedule::Schedule;

/// How many levels a measure has.
pub(crate) const LEVELS: usize = 4;
/// How many states a type can be in: one for each combination of levels.
pub(crate) const STATES: usize = LEVELS.pow(MEASURES as u32);
/// How bounds are written: in thousandths.
pub(crate) const WHOLE: u64 = 1000;

/// A finite state machine: each type with ready vertices is in a state, and the type whose state has the most points
/// comes next; of equal types, the one with the lowest number.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    pub(crate) signature: Signature,
    pub(crate) measures: [MeasureLevels; MEASURES],
    /// By type, points that are added to those of its state.
    pub(crate) types: Vec<i32>,
    /// Which states occurred in learning, by type: a bit for each state.
    pub(crate) known: Vec<[u64; STATES / 64]>,
    pub(crate) coverage: Coverage,
    /// The points of each state: those of its levels.
    states: [i32; STATES],
}

/// The levels of a measure of a type with ready vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasureLevels {
    /// From which thousandths on each level but the lowest counts, ascending.
    pub from: [u16; LEVELS - 1],
    /// The points of each level.
    pub points: [i32; LEVELS],
}

impl MeasureLevels {
    pub(crate) fn level(&self, (part, whole): Share) -> usize {
        let part = part.saturating_mul(WHOLE);
        self.from.iter().filter(|&&from| part >= whole.saturating_mul(from.into())).count()
    }
}

/// The state of a type with ready vertices: a level of each measure. As text, it has a digit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MachineState(u8);

impl MachineState {
    fn of(measures: &[MeasureLevels; MEASURES], shares: [Share; MEASURES]) -> Self {
        let state = measures
            .iter()
            .zip(shares)
            .fold(0, |state, (levels, share)| state * LEVELS + levels.level(share));
        Self(state as u8)
    }

    /// All states.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..=u8::MAX).map(Self)
    }

    /// The level of each measure: path, work, progress, ready.
    pub fn levels(self) -> [u8; MEASURES] {
        let digit = |place: usize| self.0 / (LEVELS.pow(place as u32) as u8) % LEVELS as u8;
        std::array::from_fn(|measure| digit(MEASURES - 1 - measure))
    }
}

impl fmt::Display for MachineState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.levels().iter().try_for_each(|level| write!(f, "{level}"))
    }
}

impl Machine {
    /// The names of the measures of a type with ready vertices, in the order of [`Self::measures`]:
    ///
    /// - `path`: the longest path upwards that begins at one of them, compared with the longest that begins at any
    ///   ready vertex;
    /// - `work`: the sum of the longest paths that begin at them, compared with that of all ready vertices;
    /// - `progress`: of the type's vertices with the most vertices of the type above them, the share that is ready;
    /// - `ready`: of the type's vertices that have not run, the share that is ready.
    pub const MEASURES: [&'static str; MEASURES] = ["path", "work", "progress", "ready"];

    pub(crate) fn new(
        signature: Signature,
        measures: [MeasureLevels; MEASURES],
        types: Vec<i32>,
    ) -> Self {
        let states = std::array::from_fn(|state| {
            let levels = measures.iter().zip(MachineState(state as u8).levels());
            let points = levels.map(|(measure, level)| measure.points[usize::from(level)]);
            points.fold(0, i32::saturating_add)
        });
        let known = vec![[0; STATES / 64]; types.len()];
        Self { signature, measures, types, known, coverage: Coverage::default(), states }
    }

    /// The vertex types that it was learned for.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The levels of each of the [`Self::MEASURES`].
    pub fn measures(&self) -> &[MeasureLevels; MEASURES] {
        &self.measures
    }

    /// By type, points that are added to those of its state.
    pub fn type_points(&self) -> &[i32] {
        &self.types
    }

    /// How many states occurred in learning, of all types together.
    pub fn states(&self) -> usize {
        self.known.iter().flatten().map(|bits| bits.count_ones() as usize).sum()
    }

    /// What learning covered.
    pub fn coverage(&self) -> Coverage {
        self.coverage
    }

    /// The schedule of a graph.
    pub fn schedule(&self, graph: &TypeGraph) -> Schedule {
        Measured::new(graph).schedule(|run| self.choose(run))
    }

    /// The type that comes next.
    #[inline]
    pub(crate) fn choose(&self, run: &MeasuredRun<'_, '_>) -> u16 {
        let mut best = (0, None);
        for vertex_type in run.ready_types() {
            let state = MachineState::of(&self.measures, run.shares(vertex_type));
            let own = self.types.get(usize::from(vertex_type)).copied().unwrap_or(0);
            let points = Some(self.states[usize::from(state.0)].saturating_add(own));
            if points > best.1 {
                best = (vertex_type, points);
            }
        }
        best.0
    }

    /// Whether a state of a type occurred in learning.
    pub(crate) fn knows(&self, vertex_type: u16, state: MachineState) -> bool {
        self.known[usize::from(vertex_type)][usize::from(state.0) / 64] >> (state.0 % 64) & 1 == 1
    }

    /// From now on, the states in which types are now are known.
    pub(crate) fn meet(&mut self, run: &MeasuredRun<'_, '_>) {
        for vertex_type in run.ready_types() {
            self.learn(vertex_type, MachineState::of(&self.measures, run.shares(vertex_type)));
        }
    }

    /// From now on, this state of a type is known.
    pub(crate) fn learn(&mut self, vertex_type: u16, MachineState(state): MachineState) {
        self.known[usize::from(vertex_type)][usize::from(state) / 64] |= 1 << (state % 64);
    }
}
