//! What a model consists of, as data and as tables.

use std::fmt;

use crate::model::Model;
use crate::model::blueprint::BoundModel;
use crate::model::bound::BoundFunction;
use crate::table::{Align, Table, bytes, grouped};
use edb_kernels::element::Element;
use edb_schedule::TypeSignature;
use edb_vertex::port::FieldKind;
use serde::Serialize;

/// What a model consists of: [`Model::summary`]. Prints as tables; serde writes it for programs, which read there what each
/// function takes and gives.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// The vertex functions, in the order in which they were added.
    pub functions: Vec<FunctionSummary>,
    /// The parameters, each once.
    pub parameters: Vec<ParameterSummary>,
    /// How many values all parameters have.
    pub values: usize,
    /// How many bytes they take.
    pub bytes: usize,
}

/// A vertex function of a model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FunctionSummary {
    /// Its name in the model, the states of its children, and the state that it scatters.
    pub signature: TypeSignature,
    /// The sizes of its dimensions.
    pub dims: Vec<(String, usize)>,
    /// What it pulls.
    pub input: Vec<FieldSummary>,
    /// Whether a vertex may be without its input, which is printed as `label?`.
    pub input_is_optional: bool,
    /// The fields of the state that it scatters.
    pub state: Vec<FieldSummary>,
    /// What it pushes.
    pub output: Vec<FieldSummary>,
    /// Whether it pushes a list of these.
    pub lists: bool,
    /// Whether it has a loss.
    pub has_loss: bool,
    /// Whether its vertices follow the schedule. The others run as one batch.
    pub is_scheduled: bool,
}

/// A field of a port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FieldSummary {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: FieldKind,
    /// The shape of a tensor; `None` for an index, or if the function does not use the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<Vec<usize>>,
    /// For a pulled index or bag, how many entries has what it indexes, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<usize>,
}

/// A parameter of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ParameterSummary {
    /// Its name: function and argument.
    pub name: String,
    /// Its shape.
    pub shape: Vec<usize>,
    /// How many values it has.
    pub values: usize,
    /// How many bytes these take.
    pub bytes: usize,
    /// The functions that read it; more than one if it is shared.
    pub functions: Vec<String>,
    /// Whether a loss reaches it in some graph; true if the model has no loss at all.
    pub reached: bool,
}

impl<T: Element> Model<T> {
    /// What the model consists of: functions, ports, parameters, shapes and sizes. Print it.
    pub fn summary(&self) -> Summary {
        let model = self.bound();
        let unreached = if model.has_losses() { self.unreached(false) } else { Vec::new() };
        let parameters = self.parameters.iter().map(|(id, parameter)| {
            let reads = |of: &BoundFunction| {
                let mut sections = model.functions.iter().filter(|by| by.as_added() == of.id);
                sections.any(|section| section.params.contains(&id))
            };
            let readers = model.functions.iter().filter(|of| of.is_added() && reads(of));
            let values = parameter.len();
            ParameterSummary {
                name: parameter.name().to_owned(),
                shape: parameter.shape().to_vec(),
                values,
                bytes: parameter.len() * size_of::<T>(),
                functions: readers.map(|function| function.name.clone()).collect(),
                reached: !unreached.contains(&id),
            }
        });
        let parameters: Vec<ParameterSummary> = parameters.collect();
        let values = parameters.iter().map(|parameter| parameter.values).sum();
        let functions = model.functions.iter().filter(|function| function.is_added());
        let functions = functions.map(|function| FunctionSummary::new(model, function)).collect();
        Summary { functions, parameters, values, bytes: values * size_of::<T>() }
    }
}

impl FunctionSummary {
    fn new(model: &BoundModel, function: &BoundFunction) -> Self {
        // If a function goes on with sections, the last section scatters and pushes.
        let last = model.result_of(function.id);
        let program = &last.plan.program;
        let computed = |of: &BoundFunction, name: &str, id| {
            let is_index = of.plan.program.value(id).shape.is_index();
            let shape = (!is_index).then(|| of.value(id).sizes.to_vec());
            let kind = if is_index { FieldKind::Index } else { FieldKind::Tensor };
            FieldSummary { name: name.to_owned(), kind, shape, entries: None }
        };
        let input = function.input.iter().map(|field| {
            let shape = field.sizes.as_ref().filter(|_| field.kind == FieldKind::Tensor);
            FieldSummary {
                name: field.name.clone(),
                kind: field.kind,
                shape: shape.map(|sizes| sizes.to_vec()),
                entries: field.bound,
            }
        });
        let scattered = program.scattered.map(|state| &program.states[usize::from(state)].fields);
        let state = scattered.into_iter().flatten().zip(&program.scatter);
        let pushing = model.pushing(function.id);
        let signature = |of: &BoundFunction| model.signature.types()[of.id.index()].clone();
        Self {
            signature: TypeSignature { state: signature(last).state, ..signature(function) },
            dims: program.dims.iter().cloned().zip(function.dims.iter().copied()).collect(),
            input: input.collect(),
            input_is_optional: function.plan.program.may_lack_input,
            state: state.map(|(field, id)| computed(last, &field.name, *id)).collect(),
            output: (pushing.output.iter())
                .map(|field| computed(pushing, &field.name, field.value))
                .collect(),
            lists: last.lists(),
            has_loss: model.has_loss(function.id),
            is_scheduled: (model.functions.iter())
                .filter(|of| of.as_added() == function.id)
                .any(|of| of.is_recurrent() || !of.targets().is_empty()),
        }
    }
}

/// `h [8], id`, or a dash; `h? [8], id?` if they may be absent.
fn fields(fields: &[FieldSummary], optional: bool) -> String {
    let mark = if optional { "?" } else { "" };
    let field = |field: &FieldSummary| match &field.shape {
        Some(shape) => format!("{}{mark} {shape:?}", field.name),
        None => format!("{}{mark}", field.name),
    };
    or_dash(fields.iter().map(field).collect())
}

fn or_dash(parts: Vec<String>) -> String {
    if parts.is_empty() { "-".into() } else { parts.join(", ") }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heading = ["function", "children", "pulls", "scatters", "pushes", "loss", "runs"];
        let mut table = Table::new(&heading.map(|name| (name, Align::Left)));
        for function in &self.functions {
            let FunctionSummary { signature, input, state, output, .. } = function;
            let rest = signature.rest.iter().map(|rest| format!("{rest}..."));
            let scattered = match &signature.state {
                Some(name) => format!("{name} {{ {} }}", fields(state, false)),
                None => "-".into(),
            };
            table.row([
                signature.name.clone(),
                or_dash(signature.children.iter().cloned().chain(rest).collect()),
                fields(input, function.input_is_optional),
                scattered,
                match function.lists {
                    true => format!("[{}]", fields(output, false)),
                    false => fields(output, false),
                },
                if function.has_loss { "yes".into() } else { "-".into() },
                if function.is_scheduled { "in batches".into() } else { "at once".into() },
            ]);
        }
        writeln!(f, "{table}")?;
        let right = |name| (name, Align::Right);
        let left = |name| (name, Align::Left);
        let heading = [
            left("parameter"),
            left("shape"),
            right("values"),
            right("bytes"),
            left("also read by"),
        ];
        let mut table = Table::new(&heading);
        for ParameterSummary { name, shape, values, bytes: size, functions, .. } in &self.parameters
        {
            let others = functions.iter().skip(1).cloned().collect();
            table.row([
                name.clone(),
                format!("{shape:?}"),
                grouped(*values as u64),
                bytes(*size as u64),
                or_dash(others),
            ]);
        }
        let count = self.parameters.len();
        let all = format!("{count} parameters");
        let (values, size) = (grouped(self.values as u64), bytes(self.bytes as u64));
        table.row([all, String::new(), values, size, String::new()]);
        write!(f, "{table}")?;
        let unreached = self.parameters.iter().filter(|parameter| !parameter.reached);
        let unreached: Vec<&str> = unreached.map(|parameter| &parameter.name[..]).collect();
        match unreached.is_empty() {
            true => Ok(()),
            false => {
                write!(f, "\nno loss reaches {}: should they be shared?", unreached.join(", "))
            }
        }
    }
}
