//! The text of a bundle: JSON, described in `book/src/bundles.md`.
//!
//! Later versions of edb read what this one writes: they add fields that have defaults, or count up [`VERSION`].

use std::collections::BTreeMap;
use std::sync::Arc;

use edb_ir::{FunctionId, IdVec, Plan};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::error::BundleProblem;
use crate::graph::GraphRecord;
use crate::model::added::{AddedFunction, AddedTangent, PortInfo, PortKey};
use crate::model::setup::{Setup, SharedOf, SharedParam};
use edb_kernels::element::Element;
use edb_kernels::fused::CompiledKernels;
use edb_learn::learn::{BUNDLE, BUNDLE_BEGIN};
use edb_vertex::port::FieldKind;

/// The version of the format. A reader refuses greater ones.
const VERSION: u32 = 1;

/// The greatest number of functions, each section counted.
const MAX_FUNCTIONS: usize = u16::MAX as usize;

/// A graph, and what a model answered for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Example {
    /// The graph.
    pub graph: GraphRecord,
    /// What the model answered: the loss, and what vertices pushed, as `edb run` prints it.
    pub answer: serde_json::Value,
}

#[derive(Serialize, Deserialize)]
struct Version {
    edb_bundle: u32,
}

/// The whole text. `F` is a function.
#[derive(Serialize, Deserialize)]
struct Record<F, P> {
    edb_bundle: u32,
    /// The version of edb that wrote it, for people.
    written_by: String,
    /// The type of all numbers: `f32` or `f64`.
    element: String,
    ports: Vec<PortRecord>,
    functions: Vec<F>,
    #[serde(default = "none")]
    policy: Option<P>,
    #[serde(default)]
    examples: Vec<Example>,
}

fn none<P>() -> Option<P> {
    None
}

/// A type of states, inputs or outputs. Functions name it by its place in the list: ports with the same fields need not be
/// the same.
#[derive(Serialize, Deserialize)]
struct PortRecord {
    name: String,
    fields: Vec<FieldRecord>,
}

#[derive(Serialize, Deserialize)]
struct FieldRecord {
    name: String,
    kind: FieldKind,
}

/// A function. `P` is a plan.
#[derive(Serialize, Deserialize)]
struct FunctionRecord<P> {
    /// Its name in the model.
    name: String,
    /// The size of each dimension of its plan.
    dims: BTreeMap<String, usize>,
    /// The parameters that it shares with a function before it: for each of its own names, that function and its name.
    #[serde(default)]
    shared: BTreeMap<String, [String; 2]>,
    /// Its states, by number in the plan.
    states: Vec<usize>,
    input: usize,
    output: usize,
    plan: P,
    #[serde(default = "none")]
    tangent: Option<P>,
}

/// The text of a bundle.
pub(super) fn written<T: Element>(
    sources: &[(AddedFunction, Setup)],
    policy: Option<&str>,
    examples: &[Example],
) -> Result<String, BundleProblem> {
    let mut ports = Ports::of_states(sources.iter().flat_map(|(source, _)| &source.states));
    let name = |(source, setup): &(AddedFunction, Setup)| {
        setup.name.clone().unwrap_or_else(|| source.plan.program.name.clone())
    };
    let names: IdVec<FunctionId, String> = sources.iter().map(name).collect();
    let mut functions = Vec::new();
    for ((source, setup), name) in sources.iter().zip(&names) {
        let shared = setup.shared.iter().map(|(own, SharedParam { of, param })| {
            let function = match of {
                SharedOf::Added { function, .. } => &names[*function],
                SharedOf::Named(name) => name,
            };
            (own.clone(), [function.clone(), param.clone()])
        });
        functions.push(FunctionRecord {
            name: name.clone(),
            dims: setup.dims.iter().cloned().collect(),
            shared: shared.collect(),
            states: source.states.iter().map(|state| ports.state(state)).collect(),
            input: ports.place(&source.input),
            output: ports.place(&source.output),
            plan: &*source.plan,
            tangent: source.tangent.as_ref().map(|tangent| &*tangent.plan),
        });
    }
    let policy = policy.map(|text| RawValue::from_string(text.trim().to_owned())).transpose()?;
    let record = Record {
        edb_bundle: VERSION,
        written_by: env!("CARGO_PKG_VERSION").to_owned(),
        element: element::<T>().to_owned(),
        ports: ports.records,
        functions,
        policy,
        examples: examples.to_vec(),
    };
    Ok(serde_json::to_string(&record)?)
}

/// The ports of functions, each once.
struct Ports<'a> {
    /// What identifies each.
    keys: Vec<&'a PortKey>,
    records: Vec<PortRecord>,
}

impl<'a> Ports<'a> {
    /// The states of functions. Functions that were built by hand mention only some fields of a state.
    fn of_states(states: impl Iterator<Item = &'a PortInfo>) -> Self {
        let mut ports = Self { keys: Vec::new(), records: Vec::new() };
        for state in states {
            match ports.keys.iter().position(|key| **key == state.key) {
                None => _ = ports.add(state),
                Some(place) => {
                    let known = &mut ports.records[place].fields;
                    for (name, kind) in &state.fields {
                        if !known.iter().any(|field| field.name == *name) {
                            known.push(FieldRecord { name: name.clone(), kind: *kind });
                        }
                    }
                }
            }
        }
        ports
    }

    fn add(&mut self, port: &'a PortInfo) -> usize {
        let field =
            |(name, kind): &(String, FieldKind)| FieldRecord { name: name.clone(), kind: *kind };
        let fields = port.fields.iter().map(field).collect();
        self.keys.push(&port.key);
        self.records.push(PortRecord { name: port.name.clone(), fields });
        self.records.len() - 1
    }

    /// The number of a state.
    fn state(&self, state: &PortInfo) -> usize {
        let found = self.keys.iter().position(|key| **key == state.key);
        found.expect("all states have been added")
    }

    /// The number of an input or an output: of the same type, with the same fields.
    fn place(&mut self, port: &'a PortInfo) -> usize {
        let same = |record: &PortRecord| {
            let fields = record.fields.iter().map(|field| (&field.name, field.kind));
            fields.eq(port.fields.iter().map(|(name, kind)| (name, *kind)))
        };
        let mut known = self.keys.iter().zip(&self.records);
        let found = known.position(|(key, record)| **key == port.key && same(record));
        found.unwrap_or_else(|| self.add(port))
    }
}

/// How a file calls a type of numbers.
fn element<T: Element>() -> &'static str {
    if T::DTYPE == f64::DTYPE { "f64" } else { "f32" }
}

/// The text of a bundle, read; its functions are read one by one.
pub(super) struct Read<'a> {
    pub(super) element: String,
    pub(super) functions:
        Box<dyn Iterator<Item = Result<(AddedFunction, Setup), BundleProblem>> + 'a>,
    pub(super) policy: Option<&'a RawValue>,
    pub(super) examples: Vec<Example>,
}

impl<'a> Read<'a> {
    /// Reads the text in the metadata of a file.
    pub(super) fn new(metadata: &'a BTreeMap<String, String>) -> Result<Self, BundleProblem> {
        let text = metadata.get(BUNDLE).filter(|text| text.starts_with(BUNDLE_BEGIN));
        let text = text.ok_or(BundleProblem::NoBundle)?;
        // The version is read first, since another version may look different in all else.
        let found = serde_json::from_str::<Version>(text)?.edb_bundle;
        if found == 0 || found > VERSION {
            return Err(BundleProblem::Version { found, known: VERSION });
        }
        let Record { element, ports, functions, policy, examples, .. } =
            serde_json::from_str::<Record<FunctionRecord<&RawValue>, &RawValue>>(text)?;
        let mut count = functions.len();
        let functions = functions.into_iter().map(move |record| {
            let name = record.name.clone();
            let (source, setup) = function(&ports, record)
                .map_err(|reason| BundleProblem::Function { function: name.clone(), reason })?;
            count = count.saturating_add(source.plan.sections.len());
            match count > MAX_FUNCTIONS {
                true => Err(BundleProblem::Function {
                    function: name,
                    reason: format!("there are more than {MAX_FUNCTIONS} functions and sections"),
                }),
                false => Ok((source, setup)),
            }
        });
        Ok(Self { element, functions: Box::new(functions), policy, examples })
    }

    /// The same, if its numbers are of this type.
    pub(super) fn of_element<T: Element>(self) -> Result<Self, BundleProblem> {
        match self.element == element::<T>() {
            true => Ok(self),
            false => Err(BundleProblem::Element { found: self.element, wanted: element::<T>() }),
        }
    }
}

/// A function as it is added to a model, or what is wrong with it.
fn function(
    ports: &[PortRecord],
    record: FunctionRecord<&RawValue>,
) -> Result<(AddedFunction, Setup), String> {
    let FunctionRecord { name, dims, shared, states, input, output, plan, tangent } = record;
    let port = |place: usize| -> Result<PortInfo, String> {
        let known = ports.len();
        let port = ports.get(place).ok_or(format!("it names port {place} of {known}"))?;
        let field = |field: &FieldRecord| (field.name.clone(), field.kind);
        // Ports of one name may be of several types.
        let key = PortKey::Name(format!("{place} {}", port.name));
        Ok(PortInfo {
            key,
            name: port.name.clone(),
            fields: port.fields.iter().map(field).collect(),
        })
    };
    let read = |text: &RawValue, what: &str| {
        serde_json::from_str::<Plan>(text.get()).map_err(|error| format!("its {what}: {error}"))
    };
    let states = states.into_iter().map(port).collect::<Result<_, _>>()?;
    let mut source = AddedFunction::new(read(plan, "plan")?, states, port(input)?, port(output)?);
    source.tangent = match tangent {
        None => None,
        Some(text) => Some(AddedTangent {
            plan: Arc::new(read(text, "tangent")?),
            kernels: CompiledKernels::NONE,
            section_kernels: Vec::new(),
        }),
    };
    let mut setup = Setup::new().named(name);
    setup.dims = dims.into_iter().collect();
    let with =
        |[function, param]: [String; 2]| SharedParam { of: SharedOf::Named(function), param };
    setup.shared = shared.into_iter().map(|(own, of)| (own, with(of))).collect();
    Ok((source, setup))
}
