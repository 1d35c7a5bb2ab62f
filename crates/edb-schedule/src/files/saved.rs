//! Learned policies as files: JSON, small, and readable by people.
//!
//! A file contains the version of the format, the vertex types (name, children, state), and the policy. For a
//! finite state machine, it contains the encoding, what training covered, and for each state the types that
//! were ready with the value of each, beginning with the type that comes next. For a machine, it contains the bounds
//! and points of the levels of each measure, and for each type its points and the states that occurred. For an order of
//! types, it contains the types.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::file_error::{FORMAT_VERSION, PolicyFileError, PolicyFileProblem, read};
use crate::TARGET;
use crate::graph::Signature;
use crate::policies::{
    Best, Coverage, Encoding, Fsm, LookAhead, Machine, MachineState, MeasureLevels, Policy, States,
    TypeOrder,
};

/// How many members a `Best` policy in a file may have at most; learning chooses far fewer.
const MAX_MEMBERS: usize = 64;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    edb_policy: u32,
    types: Signature,
    policy: PolicyRecord,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PolicyRecord {
    Depth,
    Agenda,
    Sufficient,
    Heuristic,
    Default,
    Fsm(FsmRecord),
    Machine(MachineRecord),
    /// A linear score of each type, in files until 0.2. The heuristic runs in its place.
    #[serde(skip_serializing)]
    Index(IgnoredAny),
    /// The types, in order of preference.
    Order(Vec<u16>),
    #[serde(rename = "look-ahead")]
    LookAhead(LookAhead),
    Best {
        reason: String,
        members: Vec<PolicyRecord>,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FsmRecord {
    encoding: Encoding,
    coverage: Coverage,
    states: Vec<StateRecord>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StateRecord {
    /// The types that are ready, as encoded.
    ready: Vec<u16>,
    /// The type that comes next.
    next: u16,
    /// The value of each type of `ready`.
    values: Vec<f32>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MachineRecord {
    coverage: Coverage,
    /// By the name of a measure.
    measures: BTreeMap<String, MeasureLevels>,
    types: Vec<MachineTypeRecord>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MachineTypeRecord {
    points: i32,
    /// The states that occurred in learning: the level of each measure, in the order of `Machine::MEASURES`.
    states: Vec<String>,
}

/// Finds out what a policy with the types `own` schedules: graphs of a model with these `types`, or its graphs
/// that grow. Returns the types of these graphs.
fn of_model<'t>(own: &Signature, types: &'t Signature) -> Result<Cow<'t, Signature>, String> {
    let Some(difference) = own.difference(types) else { return Ok(Cow::Borrowed(types)) };
    let growing = types.growing();
    match own.difference(&growing) {
        None => Ok(Cow::Owned(growing)),
        Some(_) => Err(difference),
    }
}

impl Policy {
    /// Saves the policy for models with these vertex types: it schedules their graphs, or their graphs that
    /// grow. The file is written atomically.
    ///
    /// # Errors
    ///
    /// If it was learned for other types, a setting of it is out of range, or the file cannot be
    /// written; an existing file is then unchanged.
    pub fn save(&self, path: impl AsRef<Path>, types: &Signature) -> Result<(), PolicyFileError> {
        let path = path.as_ref();
        let text = self.to_json(types);
        let write = |text: String| edb_file::write_bytes(path, text.as_bytes());
        let written = text.and_then(|text| write(text).map_err(PolicyFileProblem::Write));
        written.map_err(|problem| problem.of(path))
    }

    /// Loads a policy for a model with these vertex types. It is for the model's graphs or for its graphs that
    /// grow, depending on what was saved.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, a setting in it is out of range, or the policy was learned for
    /// other types: the error says what differs.
    pub fn load(path: impl AsRef<Path>, types: &Signature) -> Result<Policy, PolicyFileError> {
        let path = path.as_ref();
        let policy = read(path).and_then(|text| Self::from_json(&text, types));
        policy.map_err(|problem| problem.of(path))
    }

    /// The policy as the text that [`Policy::save`] writes.
    ///
    /// # Errors
    ///
    /// If the policy was learned for other types, a setting of it is out of range, or it is
    /// user-defined.
    pub fn to_json(&self, types: &Signature) -> Result<String, PolicyFileProblem> {
        let types = match self.signature() {
            Some(own) => of_model(own, types).map_err(PolicyFileProblem::OtherTypes)?,
            None => Cow::Borrowed(types),
        };
        self.check_range()?;
        let policy = PolicyRecord::of(self)?;
        let record = Record { edb_policy: FORMAT_VERSION, types: types.into_owned(), policy };
        Ok(serde_json::to_string(&record)? + "\n")
    }

    /// Reads a policy from a text, as [`Policy::load`] reads it from a file.
    ///
    /// # Errors
    ///
    /// If the text is not a policy, or is a policy for other types.
    pub fn from_json(text: &str, types: &Signature) -> Result<Policy, PolicyFileProblem> {
        // The version is read first, since another version may look different in all else.
        #[derive(Deserialize)]
        struct Version {
            edb_policy: u32,
        }
        let found = serde_json::from_str::<Version>(text)?.edb_policy;
        if found != FORMAT_VERSION {
            return Err(PolicyFileProblem::Version { found });
        }
        let record: Record = serde_json::from_str(text)?;
        let types = &*of_model(&record.types, types).map_err(PolicyFileProblem::OtherTypes)?;
        let policy = record.policy.into_policy(types, true).map_err(PolicyFileProblem::Invalid)?;
        policy.check_range()?;
        Ok(policy)
    }
}

impl PolicyRecord {
    fn of(policy: &Policy) -> Result<Self, PolicyFileProblem> {
        Ok(match policy {
            Policy::Depth => PolicyRecord::Depth,
            Policy::Agenda => PolicyRecord::Agenda,
            Policy::Sufficient => PolicyRecord::Sufficient,
            Policy::Heuristic => PolicyRecord::Heuristic,
            Policy::Auto => PolicyRecord::Default,
            Policy::Fsm(fsm) => PolicyRecord::Fsm(FsmRecord::of(fsm)),
            Policy::Machine(machine) => PolicyRecord::Machine(MachineRecord::of(machine)),
            Policy::Order(order) => PolicyRecord::Order(order.order.clone()),
            Policy::LookAhead(look_ahead) => PolicyRecord::LookAhead(*look_ahead),
            Policy::Best(best) => PolicyRecord::Best {
                reason: best.reason.clone(),
                members: best.members.iter().map(PolicyRecord::of).collect::<Result<_, _>>()?,
            },
            Policy::Custom(policy) => {
                return Err(PolicyFileProblem::Custom(policy.name().to_owned()));
            }
        })
    }

    fn into_policy(self, types: &Signature, outer: bool) -> Result<Policy, String> {
        Ok(match self {
            PolicyRecord::Depth => Policy::Depth,
            PolicyRecord::Agenda => Policy::Agenda,
            PolicyRecord::Sufficient => Policy::Sufficient,
            PolicyRecord::Heuristic => Policy::Heuristic,
            PolicyRecord::Default => Policy::Auto,
            PolicyRecord::Fsm(fsm) => Policy::Fsm(Arc::new(fsm.into_fsm(types)?)),
            PolicyRecord::Machine(machine) => {
                Policy::Machine(Arc::new(machine.into_machine(types)?))
            }
            PolicyRecord::Index(_) => {
                tracing::warn!(
                    target: TARGET,
                    "a file holds an index policy, which edb no longer has: the heuristic runs in its place"
                );
                Policy::Heuristic
            }
            PolicyRecord::Order(order) => {
                let order = TypeOrder::new(types, order).map_err(|error| error.to_string())?;
                Policy::Order(Arc::new(order))
            }
            PolicyRecord::LookAhead(look_ahead) => Policy::LookAhead(look_ahead),
            PolicyRecord::Best { .. } if !outer => return Err("`best` within `best`".into()),
            PolicyRecord::Best { members, .. } if members.is_empty() => {
                return Err("`best` has no members".into());
            }
            PolicyRecord::Best { members, .. } if members.len() > MAX_MEMBERS => {
                let count = members.len();
                return Err(format!("`best` has {count} members; it may have {MAX_MEMBERS}"));
            }
            PolicyRecord::Best { reason, members } => {
                let members = members.into_iter().map(|member| member.into_policy(types, false));
                let members = members.collect::<Result<_, _>>()?;
                Policy::Best(Arc::new(Best { signature: types.clone(), members, reason }))
            }
        })
    }
}

impl FsmRecord {
    fn of(fsm: &Fsm) -> Self {
        let state = |number: usize| {
            let ready = fsm.states.key(number);
            let start = fsm.states.start(number);
            let values = &fsm.values[start..start + fsm.encoding.choices(ready)];
            StateRecord {
                ready: ready.to_vec(),
                next: fsm.choices[number],
                values: values.to_vec(),
            }
        };
        let mut states: Vec<_> = (0..fsm.states.len()).map(state).collect();
        states.sort_by(|a, b| a.ready.cmp(&b.ready));
        Self { encoding: fsm.encoding, coverage: fsm.coverage, states }
    }

    fn into_fsm(self, types: &Signature) -> Result<Fsm, String> {
        let mut states = States::default();
        let (mut choices, mut values) = (Vec::new(), Vec::new());
        for StateRecord { ready, next, values: of_state } in self.states {
            let choice_count = self.encoding.choices(&ready);
            let what = |problem: &str| format!("state {ready:?}: {problem}");
            if ready.iter().any(|&vertex_type| vertex_type >= types.type_count()) {
                return Err(what("there is no such type"));
            }
            // Otherwise the policy could choose a type without ready vertices.
            if !ready[..choice_count].contains(&next) {
                return Err(what(&format!("{next} comes next but is not ready")));
            }
            if of_state.len() != choice_count {
                return Err(what(&format!("{} values", of_state.len())));
            }
            if states.find(&ready).is_some() {
                return Err(what("stands there twice"));
            }
            states.insert(&ready);
            choices.push(next);
            values.extend(of_state);
            values.resize(states.start(choices.len() - 1) + ready.len(), 0.0);
        }
        Ok(Fsm {
            signature: types.clone(),
            encoding: self.encoding,
            states,
            choices,
            values,
            coverage: self.coverage,
        })
    }
}

impl MachineRecord {
    fn of(machine: &Machine) -> Self {
        let names = Machine::MEASURES.iter().map(|name| (*name).to_owned());
        let types = machine.type_points().iter().zip(0..).map(|(&points, vertex_type)| {
            let states = MachineState::all().filter(|state| machine.knows(vertex_type, *state));
            MachineTypeRecord { points, states: states.map(|state| state.to_string()).collect() }
        });
        Self {
            coverage: machine.coverage(),
            measures: names.zip(machine.measures().iter().copied()).collect(),
            types: types.collect(),
        }
    }

    fn into_machine(mut self, types: &Signature) -> Result<Machine, String> {
        let mut measures = [MeasureLevels::default(); Machine::MEASURES.len()];
        for (levels, name) in measures.iter_mut().zip(Machine::MEASURES) {
            *levels = self.measures.remove(name).ok_or_else(|| format!("no measure {name}"))?;
            if !levels.from.is_sorted() {
                return Err(format!("the bounds of {name} do not ascend: {:?}", levels.from));
            }
        }
        if let Some((name, _)) = self.measures.pop_first() {
            return Err(format!("there is no measure {name}"));
        }
        if self.types.len() != usize::from(types.type_count()) {
            return Err(format!("points of {} types", self.types.len()));
        }
        let points = self.types.iter().map(|of_type| of_type.points).collect();
        let mut machine = Machine::new(types.clone(), measures, points);
        machine.coverage = self.coverage;
        for (of_type, vertex_type) in self.types.iter().zip(0..) {
            for text in &of_type.states {
                let state = MachineState::parse(text);
                let state = state.ok_or_else(|| format!("there is no state {text:?}"))?;
                if machine.knows(vertex_type, state) {
                    return Err(format!("type {vertex_type} has the state {text:?} twice"));
                }
                machine.learn(vertex_type, state);
            }
        }
        Ok(machine)
    }
}
