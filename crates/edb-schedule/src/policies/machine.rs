//! The finite state machine whose states were found, not given (after ED-Batch, section 2.3).
//!
//! In ED-Batch, a state of the machine is the set of types with ready vertices, or these types sorted. Such states say
//! little of a lattice: all its types are ready most of the time. Here each type with ready vertices is in a state
//! of its own, by four measures of it: how long a path it holds up, how much work, whether all its vertices are ready
//! on which the most others of the type wait, and how many of all are. Learning finds the bounds between the levels of
//! a measure, and how many points a level is worth (`learning/machine.rs`). The type whose state has the most points
//! comes next.

use std::fmt;

use crate::graph::{Signature, TypeGraph};
use crate::policies::Coverage;
use crate::running::{MEASURES, Measured, Share};
use crate::schedule::{ByMachine, Schedule};

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
    states: [i64; STATES],
}

/// A batch that a machine chose.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// The types with ready vertices, the one of the batch first, and the others by their points.
    pub ready: Vec<ReadyType>,
}

/// A type with ready vertices when a machine chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadyType {
    /// The type.
    pub vertex_type: u16,
    /// Its state.
    pub state: MachineState,
    /// The points of the state and of the type together.
    pub points: i64,
    /// Whether the type was in this state in learning.
    pub is_known: bool,
}

/// How a machine did in some schedules: counts of batches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choices {
    pub(crate) schedules: u64,
    pub(crate) batches: u64,
    /// The lower bound on the number of batches.
    pub(crate) lower_bound: u64,
    /// The batches that were chosen among several types, and those of them whose type was in a state that did not
    /// occur in learning.
    pub(crate) choices: u64,
    pub(crate) unseen: u64,
}

impl Choices {
    pub(crate) fn add(&mut self, more: Self) {
        self.schedules += more.schedules;
        self.batches += more.batches;
        self.lower_bound += more.lower_bound;
        self.choices += more.choices;
        self.unseen += more.unseen;
    }

    /// What there is to say, if there is a schedule.
    pub(crate) fn report(self) -> Option<String> {
        let Self { schedules, batches, lower_bound, choices, unseen } = self;
        let plural = if schedules == 1 { "" } else { "s" };
        let ratio = batches as f64 / lower_bound.max(1) as f64;
        let share = 100.0 * unseen as f64 / choices.max(1) as f64;
        (schedules > 0).then(|| {
            format!(
                "{ratio:.3} of the lower bound in {schedules} schedule{plural}, where {unseen} of {choices} choices \
                 ({share:.1} %) were made in states that learning has not seen"
            )
        })
    }
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
    /// Whether no value is on this level: bounds coincide, or there is no such level.
    pub fn is_empty(&self, level: usize) -> bool {
        let from = match level.checked_sub(1) {
            Some(below) => self.from.get(below).copied().unwrap_or(u16::MAX),
            None => 0,
        };
        from > WHOLE as u16 || self.from.get(level).is_some_and(|next| *next <= from)
    }

    #[inline]
    pub(crate) fn level(&self, (part, whole): Share) -> usize {
        // A part is at most the whole, and a bound has 16 bits: below, no product overflows.
        let (part, whole) = if whole < 1 << 48 { (part, whole) } else { (part >> 16, whole >> 16) };
        self.from.iter().filter(|&&from| part * WHOLE >= whole * u64::from(from)).count()
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

    /// The state that is written so: four digits from 0 to 3.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let levels: [u8; MEASURES] = text.as_bytes().try_into().ok()?;
        let state = levels.iter().try_fold(0, |state, digit| {
            let level = digit.checked_sub(b'0').map(usize::from).filter(|level| *level < LEVELS)?;
            Some(state * LEVELS + level)
        });
        state.map(|state| Self(state as u8))
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
            points.map(i64::from).sum()
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
        self.counted(graph).0
    }

    /// The schedule of a graph, and how it was chosen.
    pub(crate) fn counted(&self, graph: &TypeGraph) -> (Schedule, Choices) {
        let measured = Measured::new(graph);
        let lower_bound = measured.lower_bound() as u64;
        let mut choices = Choices { schedules: 1, lower_bound, ..Choices::default() };
        let schedule = measured.schedule(|run| {
            let mut ready = run.ready_types();
            if let (Some(only), None) = (ready.next(), ready.next()) {
                return only;
            }
            let (next, state) = self.choose(run);
            choices.choices += 1;
            choices.unseen += u64::from(!self.knows(next, state));
            next
        });
        choices.batches = schedule.len() as u64;
        (schedule, choices)
    }

    /// What the machine saw before each batch of its schedule of a graph: all types with ready vertices each time, so
    /// for many types this is long.
    pub fn decisions(&self, graph: &TypeGraph) -> Vec<Decision> {
        let mut decisions = Vec::new();
        self.decide(graph, |ready| decisions.push(Decision { ready: ready.to_vec() }));
        decisions
    }

    /// Schedules a graph, and calls `see` with the types that were ready before each batch, as in [`Decision`].
    fn decide(&self, graph: &TypeGraph, mut see: impl FnMut(&[ReadyType])) {
        let mut ready: Vec<ReadyType> = Vec::new();
        Measured::new(graph).schedule(|run| {
            ready.clear();
            ready.extend(self.ready(run));
            // The sort is stable: of equal types, the one with the lowest number comes first.
            ready.sort_by_key(|of| std::cmp::Reverse(of.points));
            see(&ready);
            ready[0].vertex_type
        });
    }

    /// Why the batches of its schedule of a graph were chosen.
    pub(super) fn explain(&self, graph: &TypeGraph) -> ByMachine {
        let name = |of: &ReadyType| {
            let name = self.signature.name(of.vertex_type);
            let unseen = if of.is_known { "" } else { ", unseen in learning" };
            format!("`{name}` in state {} ({} points{unseen})", of.state, of.points)
        };
        let mut by_machine = ByMachine::default();
        self.decide(graph, |ready| {
            by_machine.reasons.push(match ready {
                [] => String::new(),
                [only] => format!("Only {} was ready.", name(only)),
                [first, next, ..] => {
                    by_machine.choices += 1;
                    by_machine.unseen += usize::from(!first.is_known);
                    format!("The machine chose {} before {}.", name(first), name(next))
                }
            });
        });
        by_machine
    }

    /// The type that comes next, and its state.
    #[inline]
    pub(crate) fn choose(&self, run: &Measured<'_>) -> (u16, MachineState) {
        let (mut best, mut most) = ((0, MachineState(0)), None);
        for vertex_type in run.ready_types() {
            let state = self.state(vertex_type, run);
            let points = Some(self.points(vertex_type, state));
            if points > most {
                (best, most) = ((vertex_type, state), points);
            }
        }
        best
    }

    /// The types with ready vertices, ascending.
    fn ready(&self, run: &Measured<'_>) -> impl Iterator<Item = ReadyType> {
        run.ready_types().map(|vertex_type| {
            let state = self.state(vertex_type, run);
            let is_known = self.knows(vertex_type, state);
            ReadyType { vertex_type, state, points: self.points(vertex_type, state), is_known }
        })
    }

    #[inline]
    fn state(&self, vertex_type: u16, run: &Measured<'_>) -> MachineState {
        MachineState::of(&self.measures, run.shares(vertex_type))
    }

    /// The points of a type in a state. A type that the machine does not have has those of the state alone.
    #[inline]
    fn points(&self, vertex_type: u16, state: MachineState) -> i64 {
        let own = self.types.get(usize::from(vertex_type)).copied().unwrap_or(0);
        self.states[usize::from(state.0)] + i64::from(own)
    }

    /// Whether a state of a type occurred in learning.
    pub(crate) fn knows(&self, vertex_type: u16, MachineState(state): MachineState) -> bool {
        let of_type = self.known.get(usize::from(vertex_type));
        of_type.is_some_and(|of| of[usize::from(state) / 64] >> (state % 64) & 1 == 1)
    }

    /// From now on, the states in which types are now are known.
    pub(crate) fn meet(&mut self, run: &Measured<'_>) {
        for vertex_type in run.ready_types() {
            self.learn(vertex_type, MachineState::of(&self.measures, run.shares(vertex_type)));
        }
    }

    /// From now on, this state of a type is known.
    pub(crate) fn learn(&mut self, vertex_type: u16, MachineState(state): MachineState) {
        self.known[usize::from(vertex_type)][usize::from(state) / 64] |= 1 << (state % 64);
    }
}
