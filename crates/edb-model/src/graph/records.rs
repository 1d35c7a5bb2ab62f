//! Graphs from records: untyped vertices as read from a file.

use std::collections::BTreeMap;

use edb_ir::FunctionId;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::error::{GraphError, GraphProblem};
use super::validate::{check_acyclic, check_vertex};
use super::{ABSENT, Graph, InputCell};
use crate::model::bound::BoundFunction;
use crate::model::{Blueprint, BoundModel};
use edb_kernels::element::Element;
use edb_vertex::port::PortValue;
use edb_vertex::tensor::{Index, Tensor};

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

/// What a vertex pulls for one field of its input, where functions and fields are found by name: for
/// [`Blueprint::add_named`].
#[derive(Clone, Copy, Debug)]
pub enum Pulled<'a, T> {
    /// An index.
    Index(u32),
    /// A bag of indices.
    Indices(&'a [u32]),
    /// A tensor, row by row.
    Values(&'a [T]),
    /// A tensor whose elements are rounded to the model's numbers.
    Numbers(&'a [f64]),
    /// A tensor that [`Graph::tensor`] of this graph has returned: several vertices may pull it.
    Tensor(Tensor),
    /// A field of another vertex's output.
    Output {
        /// The number of the vertex.
        vertex: usize,
        /// The field of its output.
        field: &'a str,
    },
}

impl InputRecord {
    fn pulled<T>(&self) -> Pulled<'_, T> {
        match self {
            Self::Index(index) => Pulled::Index(*index),
            Self::Indices(indices) => Pulled::Indices(indices),
            Self::Tensor(numbers) => Pulled::Numbers(numbers),
            Self::Output { vertex, field } => Pulled::Output { vertex: *vertex, field },
        }
    }
}

impl VertexRecord {
    fn named<T>(&self) -> NamedVertex<'_, T> {
        let input = self.input.iter().map(|(field, value)| (field.as_str(), value.pulled()));
        NamedVertex { function: &self.function, children: &self.children, input: input.collect() }
    }
}

/// A vertex whose function and fields are found by name.
struct NamedVertex<'a, T> {
    function: &'a str,
    children: &'a [Option<usize>],
    input: SmallVec<[(&'a str, Pulled<'a, T>); 4]>,
}

impl<T: Element> Blueprint<T> {
    /// Adds a vertex of the function of this name to a graph of this model, with these children and, for each field of
    /// its input, what it pulls. Children, and vertices from which it pulls, are numbers of vertices that the graph has;
    /// `None` is an optional child that is absent. Returns the number of the vertex.
    ///
    /// # Errors
    /// The rule that the vertex breaks; then nothing is added.
    pub fn add_named(
        &self,
        graph: &mut Graph<T>,
        function: &str,
        children: &[Option<usize>],
        input: &[(&str, Pulled<'_, T>)],
    ) -> Result<usize, GraphError> {
        if graph.model != self.bound().id {
            return Err(GraphError::new(graph.len(), GraphProblem::ForeignModel));
        }
        add_named(graph, self.bound(), function, children, input)
    }

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
        let added = add(model, &mut graph, &record.named(), records.len(), function_of);
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
    add_checked(graph, model, &record.named())
}

/// As [`add_record`], for a vertex that is given by its parts.
///
/// # Errors
/// The rule that it breaks.
pub fn add_named<T: Element>(
    graph: &mut Graph<T>,
    model: &BoundModel,
    function: &str,
    children: &[Option<usize>],
    input: &[(&str, Pulled<'_, T>)],
) -> Result<usize, GraphError> {
    add_checked(graph, model, &NamedVertex { function, children, input: input.into() })
}

fn add_checked<T: Element>(
    graph: &mut Graph<T>,
    model: &BoundModel,
    vertex: &NamedVertex<'_, T>,
) -> Result<usize, GraphError> {
    let number = graph.len();
    let before = graph.size();
    let function_of = |graph: &Graph<T>, vertex: usize| graph.function(u32::try_from(vertex).ok()?);
    let added = add(model, graph, vertex, number, function_of);
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

/// Adds a vertex to a graph of `count` vertices; the function of each vertex is known.
fn add<T: Element>(
    model: &BoundModel,
    graph: &mut Graph<T>,
    vertex: &NamedVertex<'_, T>,
    count: usize,
    function_of: impl Fn(&Graph<T>, usize) -> Option<FunctionId>,
) -> Result<(), GraphProblem> {
    let Some(id) = find(model, vertex.function) else {
        let functions = model.functions.iter().filter(|function| function.is_added());
        let names = functions.map(|function| function.name.as_str());
        return Err(GraphProblem::UnknownFunction {
            function: vertex.function.to_owned(),
            known: names.collect::<Vec<_>>().join(", "),
        });
    };
    let function = &model.functions[id];
    let name = &function.name;
    for (place, child) in vertex.children.iter().enumerate() {
        match *child {
            None => graph.children.push(ABSENT),
            Some(child) if child < count => graph.children.push(child as u32),
            Some(child) => return Err(GraphProblem::no_child(place, child, count)),
        }
    }
    let mut fields = vertex.input.iter().map(|(field, _)| *field);
    if let Some(field) = fields.find(|field| !function.input.iter().any(|own| own.name == *field)) {
        let known: Vec<&str> = function.input.iter().map(|field| field.name.as_str()).collect();
        let known = if known.is_empty() { "nothing".into() } else { known.join(", ") };
        return Err(GraphProblem::Input(format!(
            "`{name}` does not pull `{field}`; it pulls {known}"
        )));
    }
    let lacks_input = vertex.input.is_empty() && function.plan.program.may_lack_input;
    for field in function.input.iter().filter(|_| !lacks_input) {
        let given = vertex.input.iter().find(|(name, _)| *name == field.name);
        let Some((_, pulled)) = given else {
            return Err(GraphProblem::Input(format!(
                "`{name}` pulls the field `{}`, which is not given",
                field.name
            )));
        };
        let cell = cell(model, graph, (name, &field.name), *pulled, &function_of)?;
        graph.inputs.push(cell);
    }
    graph.finish_vertex(id);
    Ok(())
}

/// What a field of a function pulls, as it is stored.
fn cell<T: Element>(
    model: &BoundModel,
    graph: &mut Graph<T>,
    (name, field): (&str, &str),
    pulled: Pulled<'_, T>,
    function_of: &impl Fn(&Graph<T>, usize) -> Option<FunctionId>,
) -> Result<InputCell, GraphProblem> {
    Ok(match pulled {
        Pulled::Index(index) => InputCell::Index(index),
        Pulled::Indices(indices) => {
            let (start, length) = graph.push_indices(indices.iter().copied())?;
            InputCell::Indices { start, length }
        }
        Pulled::Values(values) => {
            let (start, length) = graph.push_data(values.iter().copied())?;
            InputCell::Data { start, length }
        }
        Pulled::Numbers(numbers) => {
            let (start, length) = graph.push_data(numbers.iter().map(|&x| T::from_f64(x)))?;
            InputCell::Data { start, length }
        }
        Pulled::Tensor(tensor) => {
            let foreign = || GraphProblem::ForeignTensor { field: field.to_owned() };
            graph.cell(PortValue::Tensor(tensor)).ok_or_else(foreign)?
        }
        Pulled::Output { vertex, field: pushed } => {
            let by = function_of(graph, vertex).map(|by| model.result_of(by));
            let of_one = by.filter(|by| !by.lists());
            let place = of_one.and_then(|by| by.output.iter().position(|f| f.name == pushed));
            let Some(place) = place else {
                let name_of = |by: &BoundFunction| &model.as_added(by.id).name;
                let what = match by {
                    Some(by) if by.lists() => format!("is `{}` and pushes a list", name_of(by)),
                    Some(by) => format!("is `{}` and does not push `{pushed}`", name_of(by)),
                    None => "does not exist".into(),
                };
                return Err(GraphProblem::feed(name, field, vertex, &what));
            };
            InputCell::Pushed { vertex: vertex as u32, field: place as u16 }
        }
    })
}
