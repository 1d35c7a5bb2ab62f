//! Input graphs: vertices of vertex functions, built one by one or read from records, and
//! minibatches of them.

mod arrivals;
mod building;
mod copies;
mod error;
mod flat;
pub mod inside;
mod levels;
mod lineage;
mod minibatch;
mod part;
mod paths;
mod records;
mod rounds;
mod sections;
mod validate;

pub use arrivals::{Arrivals, GrowingPlaces, InRound};
pub use edb_vertex::cell::{ABSENT, InputCell};
pub use error::{GraphError, GraphProblem, MinibatchError};
pub use flat::FlatBatch;
pub use levels::Levels;
pub use minibatch::Minibatch;
pub use paths::Paths;
pub use records::{GraphRecord, InputRecord, Pulled, VertexRecord};

use lineage::{Extent, Lineage, ends_by};

use edb_ir::FunctionId;

use crate::model::{Blueprint, Function};
use edb_kernels::element::Element;
use edb_kernels::random::ContentHash;
use edb_vertex::function::{ChildRef, Children, Vertex, VertexFunction, place_of, vertex_at};
use edb_vertex::port::{Field, FieldKind, Given, Port, PortValue};
use edb_vertex::tensor::{Bag, Handle, Index, Indices, Tensor};

/// A vertex: its function, and where its children and its input fields end. They begin where those of the
/// vertex before it end.
///
/// These are in one list because graphs are many and small, and each list of a graph is an allocation.
#[derive(Clone, Copy, Debug)]
struct VertexEntry {
    children: u32,
    inputs: u32,
    function: FunctionId,
}

/// The graph of one example.
///
/// [`Blueprint::graph`] makes it, and so does a [`Model`](crate::model::Model), since a model can do everything
/// that its blueprint can do. Building never fails: a vertex that breaks a rule (a child from another graph) is
/// reported when the graph enters a [`Minibatch`], and so are problems that only the whole graph shows.
/// Vertices lie in flat lists, so that adding one does not allocate. A cycle is impossible, since children are
/// added before their parents.
///
/// A clone is another graph that begins with the same vertices and input. Handles that the original
/// gave out before (a [`Vertex`], a tensor, a bag of indices) are also valid in the clone; later
/// additions to either of the two are not in the other, and their handles are refused there.
#[derive(Debug)]
pub struct Graph<T = f32> {
    lineage: Lineage,
    pub(crate) model: u64,
    pub(crate) sample: Option<u64>,
    entries: Vec<VertexEntry>,
    /// The children of all vertices; [`ABSENT`] where there is none.
    pub(crate) children: Vec<u32>,
    /// The input fields of all vertices.
    pub(crate) inputs: Vec<InputCell>,
    pub(crate) data: Vec<T>,
    /// The indices of all bags.
    pub(crate) indices: Vec<u32>,
    /// The first vertex that was added wrongly.
    pub(crate) problem: Option<GraphError>,
}

impl<T> Graph<T> {
    /// What is wrong with the first vertex that was added wrongly; `None` if nothing is wrong so far.
    pub fn problem(&self) -> Option<&GraphError> {
        self.problem.as_ref()
    }

    /// The lengths of its lists.
    fn size(&self) -> Extent {
        Extent {
            vertices: self.entries.len() as u32,
            data: self.data.len() as u32,
            indices: self.indices.len() as u32,
        }
    }

    /// Takes back everything that was added after these lengths, and the problem that was found in it. Handles
    /// that were given out for it are refused from now on.
    fn take_back(&mut self, to: Extent) {
        self.truncate(to);
        self.lineage.take_back(to);
        self.problem = None;
    }

    /// Removes everything that was added after these lengths; no handle has been given out for it.
    fn truncate(&mut self, to: Extent) {
        self.entries.truncate(to.vertices as usize);
        let (children, inputs) = self.entries.last().map_or((0, 0), |e| (e.children, e.inputs));
        self.children.truncate(children as usize);
        self.inputs.truncate(inputs as usize);
        self.data.truncate(to.data as usize);
        self.indices.truncate(to.indices as usize);
    }
}

impl<T: Clone> Clone for Graph<T> {
    fn clone(&self) -> Self {
        Self {
            lineage: self.lineage.of_clone(self.size()),
            model: self.model,
            sample: self.sample,
            entries: self.entries.clone(),
            children: self.children.clone(),
            inputs: self.inputs.clone(),
            data: self.data.clone(),
            indices: self.indices.clone(),
            problem: self.problem.clone(),
        }
    }
}

impl<T: Element> Blueprint<T> {
    /// An empty graph for the model's vertex functions.
    pub fn graph(&self) -> Graph<T> {
        Graph::new(self.bound().id)
    }
}

impl<T: Element> Graph<T> {
    fn new(model: u64) -> Self {
        Self {
            lineage: Lineage::new(),
            model,
            sample: None,
            entries: Vec::new(),
            children: Vec::new(),
            inputs: Vec::new(),
            data: Vec::new(),
            indices: Vec::new(),
            problem: None,
        }
    }

    /// An empty graph of the same model, as `Model::graph` makes one.
    pub fn hollow(&self) -> Self {
        Self::new(self.model)
    }

    /// Reserves memory for this many more vertices, with about a child and two input fields each: a
    /// graph whose size is known is built faster.
    pub fn reserve(&mut self, vertices: usize) {
        self.entries.reserve(vertices);
        self.children.reserve(vertices);
        self.inputs.reserve(vertices.saturating_mul(2));
    }

    /// Adds a vertex of `function` with these children and this input.
    ///
    /// The number and the state types of the children and the type of the input are checked by
    /// rustc. `()` stands for no children or no input, also if the input is optional and absent.
    pub fn add<F: VertexFunction>(
        &mut self,
        function: &Function<F>,
        children: F::Children<'_>,
        input: impl Given<F::Input>,
    ) -> Vertex<F::State> {
        let input = input.give();
        let mut added = Added::to(self, function.model, F::NAME);
        children.list(&mut |child| added.child(child));
        input.write(&mut |value| added.input(value));
        let (number, graph) = added.end(function.id, F::Input::FIELDS);
        vertex_at(number, graph)
    }

    /// Closes the vertex whose children and inputs were added last.
    pub(crate) fn finish_vertex(&mut self, function: FunctionId) {
        let (children, inputs) = (self.children.len() as u32, self.inputs.len() as u32);
        self.entries.push(VertexEntry { children, inputs, function });
    }

    fn report(&mut self, vertex: u32, problem: GraphProblem) {
        self.problem.get_or_insert_with(|| GraphError::new(vertex as usize, problem));
    }

    /// A row of input, for a tensor field of an input struct: `Pixel { x: g.tensor(&row) }`.
    ///
    /// A matrix is given row by row; there must be as many values as the field's shape has elements.
    pub fn tensor(&mut self, values: &[T]) -> Tensor {
        let (start, length) = self.push_data(values.iter().copied()).unwrap_or_else(|problem| {
            self.report(self.len() as u32, problem);
            NO_INPUT_RANGE
        });
        Tensor(Handle::Data { graph: self.lineage.id_for_handle(), start, length })
    }

    /// A bag of indices, for a field of an input struct that is [`Indices`]:
    /// `Words { ids: g.indices([4_u32, 17]) }`. It may be empty.
    pub fn indices(&mut self, indices: impl IntoIterator<Item = impl Into<Index>>) -> Indices {
        let added = self.push_indices(indices.into_iter().map(|index| index.into().0));
        let (start, length) = added.unwrap_or_else(|problem| {
            self.report(self.len() as u32, problem);
            NO_INPUT_RANGE
        });
        Indices(Bag::Data { graph: self.lineage.id_for_handle(), start, length })
    }

    /// Adds input data. Returns where it begins, and how long it is.
    pub(crate) fn push_data(
        &mut self,
        values: impl Iterator<Item = T>,
    ) -> Result<(u32, u32), GraphProblem> {
        extend(&mut self.data, values)
    }

    /// Adds the indices of a bag. Returns where they begin, and how many they are.
    pub(crate) fn push_indices(
        &mut self,
        indices: impl Iterator<Item = u32>,
    ) -> Result<(u32, u32), GraphProblem> {
        extend(&mut self.indices, indices)
    }

    /// The output of `vertex`, to be pulled by another vertex of this graph:
    /// `Features { x: g.output(&reader, v).x }`. Gradients flow back through it. An index that a vertex pushes
    /// is not known yet, so no vertex can pull it.
    pub fn output<F: VertexFunction>(
        &mut self,
        function: &Function<F>,
        vertex: Vertex<F::State>,
    ) -> F::Output {
        let of = place_of(&vertex);
        let mut pushed = self.pushed(of, (function.model, function.id), F::NAME, F::Output::FIELDS);
        F::Output::read(&mut || pushed.next().expect("there is a value for each field"))
    }

    /// Handles for the fields that a vertex of this graph pushes. Reports a vertex of another graph or of
    /// another function.
    fn pushed(
        &mut self,
        (graph, mut vertex): (u64, u32),
        (model, function): (u64, FunctionId),
        name: &str,
        fields: &'static [Field],
    ) -> impl Iterator<Item = PortValue> + use<T> {
        let is_here = model == self.model
            && self.lineage.has_vertex(graph, vertex)
            && self.function(vertex) == Some(function);
        if !is_here {
            let next = self.len() as u32;
            let function = name.into();
            self.report(next, GraphProblem::ForeignOutput { function, of: vertex });
            // No graph has a vertex with this number, so other graphs refuse the returned handle, too.
            vertex = ABSENT;
        }
        let graph = self.lineage.id_for_handle();
        (0..).zip(fields).map(move |(number, field)| match field.kind {
            FieldKind::Tensor => {
                PortValue::Tensor(Tensor(Handle::Pushed { graph, vertex, field: number }))
            }
            FieldKind::Index | FieldKind::Indices => PortValue::Index(Index::UNKNOWN),
        })
    }

    /// Gives the sample a stable id, on which the draws of dropout depend. Without one, the id is a
    /// hash of the graph's content: it never depends on the other graphs of a minibatch.
    pub fn set_sample(&mut self, id: u64) {
        self.sample = Some(id);
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has no vertex.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The function of a vertex, if there is such a vertex.
    #[inline]
    fn function(&self, vertex: u32) -> Option<FunctionId> {
        self.entries.get(vertex as usize).map(|entry| entry.function)
    }

    /// The children of a vertex as stored: numbers, or [`ABSENT`].
    pub(crate) fn children(&self, vertex: usize) -> &[u32] {
        let start = vertex.checked_sub(1).map_or(0, |before| self.entries[before].children);
        &self.children[start as usize..self.entries[vertex].children as usize]
    }

    /// The input cells of a vertex.
    pub(crate) fn inputs(&self, vertex: usize) -> &[InputCell] {
        let start = vertex.checked_sub(1).map_or(0, |before| self.entries[before].inputs);
        &self.inputs[start as usize..self.entries[vertex].inputs as usize]
    }

    /// The number on which draws in this graph depend, together with the seed, the step and the vertex: the
    /// sample id that was set, or else a hash of vertices, children and input.
    pub fn sample_id(&self) -> u64 {
        if let Some(sample) = self.sample {
            return sample;
        }
        let mut hash = ContentHash::default();
        self.entries.iter().for_each(|entry| hash.add(entry.function.0.into()));
        hash.add(0);
        self.entries.iter().for_each(|entry| hash.add(entry.children.into()));
        self.children.iter().for_each(|&child| hash.add(child.into()));
        for cell in &self.inputs {
            match *cell {
                InputCell::Index(index) => hash.add(index.into()),
                InputCell::Indices { start, length } => {
                    hash.add(length.into());
                    let indices = &self.indices[start as usize..(start + length) as usize];
                    hash.add_list(indices, u64::from);
                }
                InputCell::Data { start, length } => {
                    let values = &self.data[start as usize..(start + length) as usize];
                    hash.add_list(values, |value| value.as_f64().to_bits());
                }
                InputCell::Pushed { vertex, field } => {
                    hash.add(u64::from(vertex) << 32 | u64::from(field));
                }
            }
        }
        hash.finish()
    }
}

/// Adds to a list of a graph's input. Returns where the addition begins, and how long it is.
fn extend<V>(
    list: &mut Vec<V>,
    values: impl Iterator<Item = V>,
) -> Result<(u32, u32), GraphProblem> {
    let start = list.len();
    list.extend(values);
    match u32::try_from(list.len()) {
        Ok(end) => Ok((start as u32, end - start as u32)),
        Err(_) => {
            list.truncate(start);
            Err(GraphProblem::TooMuchData)
        }
    }
}

/// The beginning and the length that stand for input that could not be added. They are valid in no graph.
const NO_INPUT_RANGE: (u32, u32) = (u32::MAX, 1);

/// A vertex that is being added. [`Graph::add`] is compiled for each function, but this type is compiled once.
struct Added<'g, T> {
    graph: &'g mut Graph<T>,
    number: u32,
    first_child: usize,
    first_input: usize,
    /// The first child that is of another graph; below, the first input value that is.
    foreign_child: Option<usize>,
    foreign_input: Option<(usize, PortValue)>,
}

impl<'g, T: Element> Added<'g, T> {
    /// Begins a vertex. Reports a function of another model.
    fn to(graph: &'g mut Graph<T>, model: u64, function: &str) -> Self {
        let number = graph.len() as u32;
        if model != graph.model {
            graph.report(number, GraphProblem::ForeignFunction { function: function.into() });
        }
        let (first_child, first_input) = (graph.children.len(), graph.inputs.len());
        Self { graph, number, first_child, first_input, foreign_child: None, foreign_input: None }
    }

    #[inline]
    fn child(&mut self, child: ChildRef) {
        let place = self.graph.children.len() - self.first_child;
        self.graph.children.push(match child.get() {
            None => ABSENT,
            Some((graph, child)) => {
                if !self.graph.lineage.has_vertex(graph, child) {
                    self.foreign_child.get_or_insert(place);
                }
                child
            }
        });
    }

    #[inline]
    fn input(&mut self, value: PortValue) {
        let place = self.graph.inputs.len() - self.first_input;
        let cell = self.graph.cell(value);
        self.graph.inputs.push(cell.unwrap_or_else(|| {
            self.foreign_input.get_or_insert((place, value));
            InputCell::Data { start: 0, length: 0 }
        }));
    }

    /// Reports what was wrong, and returns the vertex's number and its graph's id.
    fn end(self, function: FunctionId, fields: &[Field]) -> (u32, u64) {
        let Self { graph, number, foreign_child, foreign_input, .. } = self;
        if let Some(place) = foreign_child {
            graph.report(number, GraphProblem::ForeignChild { place });
        }
        if let Some((field, value)) = foreign_input {
            let field = fields[field].name.to_string();
            let problem = match value {
                PortValue::Tensor(Tensor(Handle::Item { .. })) => GraphProblem::Item { field },
                _ => GraphProblem::ForeignTensor { field },
            };
            graph.report(number, problem);
        }
        graph.finish_vertex(function);
        (number, graph.lineage.id_for_handle())
    }
}

impl<T> Graph<T> {
    /// The input cell for a value; `None` if the value is of another graph, or is not in the input of this graph.
    #[inline]
    fn cell(&self, value: PortValue) -> Option<InputCell> {
        let lineage = &self.lineage;
        match value {
            PortValue::Index(Index(index)) => Some(InputCell::Index(index)),
            PortValue::Indices(Indices(Bag::Data { graph, start, length })) => {
                let is_here = lineage.has_indices(graph, start, length)
                    && ends_by(start, length, self.indices.len());
                is_here.then_some(InputCell::Indices { start, length })
            }
            PortValue::Tensor(Tensor(Handle::Data { graph, start, length })) => {
                let is_here = lineage.has_data(graph, start, length)
                    && ends_by(start, length, self.data.len());
                is_here.then_some(InputCell::Data { start, length })
            }
            PortValue::Tensor(Tensor(Handle::Pushed { graph, vertex, field })) => {
                let is_here = lineage.has_vertex(graph, vertex);
                is_here.then_some(InputCell::Pushed { vertex, field })
            }
            // Items of lists and values of an eager run are not in any graph's input.
            PortValue::Indices(Indices(Bag::Eager(_)))
            | PortValue::Tensor(Tensor(Handle::Eager(_) | Handle::Item { .. })) => None,
        }
    }
}
