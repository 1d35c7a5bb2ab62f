//! Graphs from records: untyped vertices as read from a file.

use std::collections::BTreeMap;

use edb_ir::FunctionId;
use serde::{Deserialize, Serialize};

use super::error::{GraphError, GraphProblem};
use super::validate::{check_acyclic, check_vertex};
use super::{ABSENT, Graph, InputCell};
use crate::model::bound::BoundFunction;
use crate::model::{Blueprint, BoundModel};
use edb_kernels::element::Element;
use edb_vertex::tensor::Index;

/// A graph, as data. As JSON, it is a line of a file of graphs, as `edb run` reads them:
/// `{"vertices":[{"function":"word","input":{"id":{"index":7}}},{"function":"phrase","children":[0,0]}]}`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphRecord {
    /// Its vertices. Children may come later in the list than their parents.
    pub vertices: Vec<VertexRecord>,
    /// The number on which draws depend, if it was [set](Graph::set_sample).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<u64>,
}

/// One vertex, as data.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VertexRecord {
    /// The name of its vertex function in the model.
    pub function: String,
    /// Its children, by their places in the list of records; they may come later in the list. `None` stands for
    /// an optional child that is absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Option<usize>>,
    /// The fields of its input; empty if it has no input, or if its input is optional and absent.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub input: BTreeMap<String, InputRecord>,
}

/// A field of a vertex's input, as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputRecord {
    /// An index.
    Index(u32),
    /// A bag of indices.
    Indices(Vec<u32>),
    /// A tensor, row by row.
    Tensor(Vec<f64>),
    /// A field of another vertex's output.
    Output {
        /// The vertex, by its place in the list.
        vertex: usize,
        /// The field of its output.
        field: String,
    },
}

impl VertexRecord {
    /// A vertex of this function, without children and input: `VertexRecord::new("phrase").child(left).with("id", Index(7))`.
    pub fn new(function: impl Into<String>) -> Self {
        Self { function: function.into(), ..Self::default() }
    }

    /// With one more child, by its number.
    #[must_use]
    pub fn child(mut self, child: usize) -> Self {
        self.children.push(Some(child));
        self
    }

    /// With one more optional child that is absent.
    #[must_use]
    pub fn no_child(mut self) -> Self {
        self.children.push(None);
        self
    }

    /// With a field of its input: an [`Index`], the indices of a bag, the numbers of a tensor, or a field of another
    /// vertex's output.
    #[must_use]
    pub fn with(mut self, field: impl Into<String>, value: impl Into<InputRecord>) -> Self {
        self.input.insert(field.into(), value.into());
        self
    }
}

impl From<Index> for InputRecord {
    fn from(index: Index) -> Self {
        Self::Index(index.0)
    }
}

impl From<Vec<u32>> for InputRecord {
    fn from(indices: Vec<u32>) -> Self {
        Self::Indices(indices)
    }
}

impl From<Vec<f64>> for InputRecord {
    fn from(numbers: Vec<f64>) -> Self {
        Self::Tensor(numbers)
    }
}

impl<T: Element> Blueprint<T> {
    /// Adds a vertex that is given as data to a graph of this model. Its children, and the vertices that it pulls from,
    /// are numbers of vertices that the graph has. Returns the number of the vertex.
    ///
    /// # Errors
    /// The rule that the record breaks; then nothing is added.
    pub fn add_record(
        &self,
        graph: &mut Graph<T>,
        record: &VertexRecord,
    ) -> Result<usize, GraphError> {
        if graph.model != self.bound().id {
            return Err(GraphError::new(graph.len(), GraphProblem::ForeignModel));
        }
        add_record(graph, self.bound(), record)
    }

    /// A graph that is given as data.
    ///
    /// # Errors
    /// As [`graph_from_records`](Self::graph_from_records).
    pub fn graph_from_record(&self, record: &GraphRecord) -> Result<Graph<T>, GraphError> {
        let mut graph = self.graph_from_records(&record.vertices)?;
        graph.sample = record.sample;
        Ok(graph)
    }

    /// A graph from records: vertex functions by name, children by number, as read from a file.
    ///
    /// # Errors
    /// The first record that does not fit: an unknown function, a child that does not exist or has
    /// another state, an unknown field, a cycle (with its vertices named).
    pub fn graph_from_records(&self, records: &[VertexRecord]) -> Result<Graph<T>, GraphError> {
        from_records(self.bound(), self.graph(), records)
    }
}

impl<T: Element> Blueprint<T> {
    /// A graph as data, of which [`graph_from_record`](Self::graph_from_record) makes the same graph.
    ///
    /// # Errors
    /// When the graph is of another model, or what is wrong with the first vertex that breaks a rule.
    pub fn record_of(&self, graph: &Graph<T>) -> Result<GraphRecord, GraphError> {
        Ok(GraphRecord { vertices: records_of(self.bound(), graph)?, sample: graph.sample })
    }
}

fn records_of<T: Element>(
    model: &BoundModel,
    graph: &Graph<T>,
) -> Result<Vec<VertexRecord>, GraphError> {
    if graph.model != model.id {
        return Err(GraphError::new(0, GraphProblem::ForeignModel));
    }
    if let Some(problem) = &graph.problem {
        return Err(problem.clone());
    }
    let record = |vertex: usize| {
        check_vertex(model, graph, vertex).map_err(|problem| GraphError::new(vertex, problem))?;
        let function = &model.functions[graph.entries[vertex].function];
        let children = graph.children(vertex).iter();
        let input = function.input.iter().zip(graph.inputs(vertex)).map(|(field, cell)| {
            let range = |start: u32, length: u32| start as usize..(start + length) as usize;
            let record = match *cell {
                InputCell::Index(index) => InputRecord::Index(index),
                InputCell::Indices { start, length } => {
                    InputRecord::Indices(graph.indices[range(start, length)].to_vec())
                }
                InputCell::Data { start, length } => {
                    let values = graph.data[range(start, length)].iter();
                    InputRecord::Tensor(values.map(|value| value.as_f64()).collect())
                }
                InputCell::Pushed { vertex: by, field } => {
                    let by_function = graph.entries[by as usize].function;
                    let field = &model.result_of(by_function).output[usize::from(field)].name;
                    InputRecord::Output { vertex: by as usize, field: field.clone() }
                }
            };
            (field.name.clone(), record)
        });
        Ok(VertexRecord {
            function: function.name.clone(),
            children: children.map(|&of| (of != ABSENT).then_some(of as usize)).collect(),
            input: input.collect(),
        })
    };
    (0..graph.len()).map(record).collect()
}

/// Adds all records to an empty graph. Every rule is checked, since records can break any.
fn from_records<T: Element>(
    model: &BoundModel,
    mut graph: Graph<T>,
    records: &[VertexRecord],
) -> Result<Graph<T>, GraphError> {
    for (vertex, record) in records.iter().enumerate() {
        let function_of = |_: &Graph<T>, vertex: usize| find(model, &records.get(vertex)?.function);
        let added = add(model, &mut graph, record, records.len(), function_of);
        added.map_err(|problem| GraphError::new(vertex, problem))?;
    }
    for vertex in 0..graph.len() {
        check_vertex(model, &graph, vertex).map_err(|problem| GraphError::new(vertex, problem))?;
    }
    check_acyclic(&graph)?;
    Ok(graph)
}

/// Adds a vertex and returns its number. Its children, and the vertices from which it pulls, must have been
/// added before. If the vertex breaks a rule, nothing is added.
///
/// # Errors
/// The rule that it breaks.
pub fn add_record<T: Element>(
    graph: &mut Graph<T>,
    model: &BoundModel,
    record: &VertexRecord,
) -> Result<usize, GraphError> {
    let number = graph.len();
    let before = graph.size();
    let function_of = |graph: &Graph<T>, vertex: usize| graph.function(u32::try_from(vertex).ok()?);
    let added = add(model, graph, record, number, function_of);
    let checked = added.and_then(|()| check_vertex(model, graph, number));
    checked.map(|()| number).map_err(|problem| {
        graph.truncate(before);
        GraphError::new(number, problem)
    })
}

fn find(model: &BoundModel, name: &str) -> Option<FunctionId> {
    // Later sections cannot be named: vertices are added as their function.
    let mut functions = model.functions.iter_enumerated().filter(|(_, of)| of.is_added());
    let found = functions.find(|(_, function)| function.name == name);
    found.map(|(id, _)| id)
}

/// Adds a record to a graph of `count` vertices; the function of each vertex is known.
fn add<T: Element>(
    model: &BoundModel,
    graph: &mut Graph<T>,
    record: &VertexRecord,
    count: usize,
    function_of: impl Fn(&Graph<T>, usize) -> Option<FunctionId>,
) -> Result<(), GraphProblem> {
    let Some(id) = find(model, &record.function) else {
        let functions = model.functions.iter().filter(|function| function.is_added());
        let names = functions.map(|function| function.name.as_str());
        return Err(GraphProblem::UnknownFunction {
            function: record.function.clone(),
            known: names.collect::<Vec<_>>().join(", "),
        });
    };
    let function = &model.functions[id];
    let name = &function.name;
    for (place, child) in record.children.iter().enumerate() {
        match *child {
            None => graph.children.push(ABSENT),
            Some(child) if child < count => graph.children.push(child as u32),
            Some(child) => return Err(GraphProblem::no_child(place, child, count)),
        }
    }
    if let Some(field) = record.input.keys().find(|f| !function.input.iter().any(|i| i.name == **f))
    {
        let known: Vec<&str> = function.input.iter().map(|field| field.name.as_str()).collect();
        let known = if known.is_empty() { "nothing".into() } else { known.join(", ") };
        return Err(GraphProblem::Input(format!(
            "`{name}` does not pull `{field}`; it pulls {known}"
        )));
    }
    let lacks_input = record.input.is_empty() && function.plan.program.may_lack_input;
    for field in function.input.iter().filter(|_| !lacks_input) {
        let cell = match record.input.get(&field.name) {
            None => {
                return Err(GraphProblem::Input(format!(
                    "`{name}` pulls the field `{}`, which the record lacks",
                    field.name
                )));
            }
            Some(InputRecord::Index(index)) => InputCell::Index(*index),
            Some(InputRecord::Indices(indices)) => {
                let (start, length) = graph.push_indices(indices.iter().copied())?;
                InputCell::Indices { start, length }
            }
            Some(InputRecord::Tensor(values)) => {
                let values = values.iter().map(|&value| T::from_f64(value));
                let (start, length) = graph.push_data(values)?;
                InputCell::Data { start, length }
            }
            Some(InputRecord::Output { vertex, field: pushed }) => {
                let by = function_of(graph, *vertex).map(|by| model.result_of(by));
                let of_one = by.filter(|by| !by.lists());
                let place = of_one.and_then(|by| by.output.iter().position(|f| f.name == *pushed));
                let Some(place) = place else {
                    let name_of = |by: &BoundFunction| &model.as_added(by.id).name;
                    let what = match by {
                        Some(by) if by.lists() => format!("is `{}` and pushes a list", name_of(by)),
                        Some(by) => format!("is `{}` and does not push `{pushed}`", name_of(by)),
                        None => "does not exist".into(),
                    };
                    return Err(GraphProblem::feed(name, &field.name, *vertex, &what));
                };
                InputCell::Pushed { vertex: *vertex as u32, field: place as u16 }
            }
        };
        graph.inputs.push(cell);
    }
    graph.finish_vertex(id);
    Ok(())
}
