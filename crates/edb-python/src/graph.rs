//! Graphs by name, and minibatches of them.

use std::sync::Arc;

use edb::graph::Pulled;
use edb::model::Blueprint;
use edb::port::FieldKind;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyRange};
use smallvec::SmallVec;

use crate::errors::{Fault, Result};
use crate::number::{Number, Of, each, map, own};
use crate::pulled::{Array, Fields, Given, Output, Tensor, indices, push};

/// A graph, and the model for which it is.
#[derive(Debug)]
pub(crate) struct GraphOf<T> {
    pub(crate) blueprint: Arc<Blueprint<T>>,
    pub(crate) fields: Arc<Fields>,
    /// Shared while it runs.
    pub(crate) graph: Arc<edb::Graph<T>>,
}

/// A minibatch, shared while it runs.
#[derive(Debug)]
pub(crate) struct MinibatchOf<T>(pub(crate) Arc<edb::Minibatch<T>>);

/// A graph of either type; graphs that are running are shared.
pub(crate) type AnyGraph = Of<GraphOf<f32>, GraphOf<f64>>;
pub(crate) type AnyMinibatch = Of<MinibatchOf<f32>, MinibatchOf<f64>>;

/// The type of the numbers of graphs, which Python's classes do not say.
pub(crate) trait OfGraph: Number {
    fn graph(of: &AnyGraph) -> Result<&GraphOf<Self>>;
    fn minibatch(of: &AnyMinibatch) -> Result<&MinibatchOf<Self>>;
    fn any_graph(graph: GraphOf<Self>) -> AnyGraph;
}

macro_rules! of_graph {
    ($type:ty, $variant:ident) => {
        impl OfGraph for $type {
            fn graph(of: &AnyGraph) -> Result<&GraphOf<Self>> {
                match of {
                    Of::$variant(graph) => Ok(graph),
                    _ => Err(other_numbers("graph")),
                }
            }

            fn minibatch(of: &AnyMinibatch) -> Result<&MinibatchOf<Self>> {
                match of {
                    Of::$variant(batch) => Ok(batch),
                    _ => Err(other_numbers("minibatch")),
                }
            }

            fn any_graph(graph: GraphOf<Self>) -> AnyGraph {
                Of::$variant(graph)
            }
        }
    };
}

of_graph!(f32, F32);
of_graph!(f64, F64);

fn other_numbers(what: &str) -> Fault {
    PyTypeError::new_err(format!(
        "the {what} is of a model with other numbers (float32, float64): make it by the model that is to run it"
    ))
    .into()
}

/// The graph of one example: its vertices, added one by one or many at once. `Model.graph` makes it.
#[pyclass(module = "edb")]
#[derive(Debug)]
pub(crate) struct Graph(pub(crate) AnyGraph);

/// Graphs that run together, checked once. `Model.minibatch` makes it.
#[pyclass(module = "edb")]
#[derive(Debug)]
pub(crate) struct Minibatch(pub(crate) AnyMinibatch);

#[pymethods]
impl Graph {
    /// Adds a vertex of a function, with its children (numbers of vertices that the graph has, or `None` for an optional
    /// one that is absent) and what it pulls for each field. Returns its number.
    #[pyo3(signature = (function, children = None, /, **input))]
    fn add(
        own: &Bound<'_, Self>,
        function: &str,
        children: Option<&Bound<'_, PyAny>>,
        input: Option<&Bound<'_, PyDict>>,
    ) -> Result<usize> {
        // Children may come from a generator that adds to this graph.
        let children = children_of(children)?;
        each!(&mut own.try_borrow_mut()?.0, of => of.add(function, &children, input))
    }

    /// Adds a vertex for each row: `children` has the children of each, and each field a list or an array with what each
    /// pulls. Returns their numbers. If a vertex is refused, those before it stay.
    #[pyo3(signature = (function, children = None, /, **input))]
    fn add_all<'py>(
        own: &Bound<'py, Self>,
        function: &str,
        children: Option<&Bound<'py, PyAny>>,
        input: Option<&Bound<'py, PyDict>>,
    ) -> Result<Bound<'py, PyRange>> {
        let children = children.map(lists_of_children).transpose()?;
        let [first, end] =
            each!(&mut own.try_borrow_mut()?.0, of => of.add_all(function, children, input))?;
        Ok(PyRange::new(own.py(), first as isize, end as isize)?)
    }

    /// Numbers that several vertices of this graph may pull.
    fn tensor(&mut self, values: &Bound<'_, PyAny>) -> Result<Tensor> {
        each!(&mut self.0, of => {
            let array = Array::new(values)?;
            let (values, graph) = (array.values(), own(&mut of.graph));
            Ok(Tensor { handle: graph.tensor(values), length: values.len() })
        })
    }

    /// What a vertex of this graph pushes, to be pulled by another.
    fn output(&self, vertex: usize, field: String) -> Output {
        Output { vertex, field }
    }

    /// The graph as data: what JSON has on a line of `edb run`.
    fn record<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        let record = each!(&self.0, of => of.blueprint.record_of(&of.graph)?);
        Ok(pythonize::pythonize(py, &record).map_err(PyErr::from)?)
    }

    /// Gives the graph a number on which its draws depend, in place of its content.
    fn set_sample(&mut self, number: u64) {
        each!(&mut self.0, of => own(&mut of.graph).set_sample(number));
    }

    fn __len__(&self) -> usize {
        each!(&self.0, of => of.graph.len())
    }

    fn __copy__(&self) -> Self {
        Self(map!(&self.0, of => of.copied()))
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    fn __repr__(&self) -> String {
        let count = self.__len__();
        format!("<edb.Graph of {count} {}>", if count == 1 { "vertex" } else { "vertices" })
    }
}

#[pymethods]
impl Minibatch {
    /// Replaces the numbers of tensors, which `Graph.tensor` has returned, by these, one tensor behind the other: the next
    /// run reads them.
    fn set_tensors(
        &mut self,
        tensors: Vec<PyRef<'_, Tensor>>,
        values: &Bound<'_, PyAny>,
    ) -> Result<()> {
        let handles: Vec<edb::Tensor> = tensors.iter().map(|tensor| tensor.handle).collect();
        each!(&mut self.0, MinibatchOf(batch) => {
            Ok(own(batch).set_tensors(&handles, Array::new(values)?.values())?)
        })
    }

    /// How many vertices it has.
    #[getter]
    fn vertices(&self) -> usize {
        each!(&self.0, MinibatchOf(batch) => batch.vertex_count())
    }

    /// The number of graphs.
    fn __len__(&self) -> usize {
        each!(&self.0, MinibatchOf(batch) => batch.graph_count())
    }

    fn __repr__(&self) -> String {
        format!("<edb.Minibatch of {} graphs, {} vertices>", self.__len__(), self.vertices())
    }
}

impl<T: Number> GraphOf<T> {
    pub(crate) fn new(blueprint: Arc<Blueprint<T>>, fields: Arc<Fields>) -> Self {
        let graph = Arc::new(blueprint.graph());
        Self { blueprint, fields, graph }
    }

    fn copied(&self) -> Self {
        let Self { blueprint, fields, graph } = self;
        let graph = Arc::new(edb::Graph::clone(graph));
        Self { blueprint: blueprint.clone(), fields: fields.clone(), graph }
    }

    fn add(
        &mut self,
        function: &str,
        children: &[Option<usize>],
        input: Option<&Bound<'_, PyDict>>,
    ) -> Result<usize> {
        let Self { blueprint, fields, graph } = self;
        let graph = own(graph);
        with_input(fields, function, input, |input| {
            Ok(blueprint.add_named(graph, function, children, input)?)
        })
    }

    fn add_all(
        &mut self,
        function: &str,
        children: Option<Lists<Option<usize>>>,
        input: Option<&Bound<'_, PyDict>>,
    ) -> Result<[usize; 2]> {
        let columns = Columns::new(&self.fields, function, children, input)?;
        let Self { blueprint, graph, .. } = self;
        let graph = own(graph);
        let first = graph.len();
        graph.reserve(columns.count);
        let mut pulled: SmallVec<[(&str, Pulled<'_, T>); 4]> = SmallVec::new();
        for row in 0..columns.count {
            pulled.clear();
            pulled.extend(columns.input.iter().map(|(name, column)| (&**name, column.pulled(row))));
            blueprint.add_named(graph, function, columns.children.row(row), &pulled)?;
        }
        Ok([first, graph.len()])
    }
}

/// Reads the input of a vertex, and adds it.
pub(crate) fn with_input<T: Number>(
    fields: &Fields,
    function: &str,
    input: Option<&Bound<'_, PyDict>>,
    add: impl FnOnce(&[(&str, Pulled<'_, T>)]) -> Result<usize>,
) -> Result<usize> {
    let mut given = SmallVec::<[(String, Given<'_, T>); 2]>::new();
    for (name, value) in input.into_iter().flatten() {
        let name: String = name.extract()?;
        let value = Given::new(&fields.find(function, &name), &value)?;
        given.push((name, value));
    }
    let pulled: SmallVec<[_; 2]> =
        given.iter().map(|(name, value)| (name.as_str(), value.pulled())).collect();
    add(&pulled)
}

/// The children of a vertex.
pub(crate) fn children_of(children: Option<&Bound<'_, PyAny>>) -> Result<Vec<Option<usize>>> {
    let mut numbers = Vec::new();
    if let Some(children) = children {
        push_children(children, &mut numbers)?;
    }
    Ok(numbers)
}

/// The children of many vertices.
fn lists_of_children(all: &Bound<'_, PyAny>) -> Result<Lists<Option<usize>>> {
    let mut lists = Lists { values: Vec::new(), ends: Vec::new() };
    for of_one in all.try_iter()? {
        push_children(&of_one?, &mut lists.values)?;
        push(&mut lists.ends, lists.values.len())?;
    }
    Ok(lists)
}

/// Numbers of vertices, and `None`, from anything that Python can go through.
fn push_children(children: &Bound<'_, PyAny>, numbers: &mut Vec<Option<usize>>) -> Result<()> {
    let wrong = |_| {
        PyTypeError::new_err(format!(
            "children are a list of numbers of vertices, as in [3], and not {children}"
        ))
    };
    for child in children.try_iter().map_err(wrong)? {
        let child = child?;
        let number = child.extract::<Option<usize>>();
        let wrong = |error| {
            PyTypeError::new_err(format!("the child {child} is no number of a vertex: {error}"))
        };
        push(numbers, number.map_err(wrong)?)?;
    }
    Ok(())
}

/// What many vertices pull, and their children.
struct Columns<'py, T: Number> {
    count: usize,
    children: Lists<Option<usize>>,
    input: Vec<(String, Column<'py, T>)>,
}

/// Lists, one behind the other.
struct Lists<V> {
    values: Vec<V>,
    /// Where each ends. Without any, all lists are empty.
    ends: Vec<usize>,
}

impl<V> Lists<V> {
    fn row(&self, row: usize) -> &[V] {
        let Some(&end) = self.ends.get(row) else { return &[] };
        &self.values[row.checked_sub(1).map_or(0, |before| self.ends[before])..end]
    }
}

/// What each vertex pulls for one field.
enum Column<'py, T: Number> {
    Index(Vec<u32>),
    Indices(Lists<u32>),
    /// An array with a row for each vertex.
    Rows(Array<'py, T>, usize),
    Any(Vec<Given<'py, T>>),
}

impl<'py, T: Number> Columns<'py, T> {
    fn new(
        fields: &Fields,
        function: &str,
        children: Option<Lists<Option<usize>>>,
        input: Option<&Bound<'py, PyDict>>,
    ) -> Result<Self> {
        let mut count = None;
        let mut agree = |what: &str, found: usize| match count.replace(found) {
            Some(before) if before != found => Err(PyValueError::new_err(format!(
                "{what} has {found} rows, and what is before it {before}"
            ))),
            _ => Ok(()),
        };
        if let Some(children) = &children {
            agree("`children`", children.ends.len())?;
        }
        let children = children.unwrap_or(Lists { values: Vec::new(), ends: Vec::new() });
        let mut columns = Vec::new();
        for (name, values) in input.into_iter().flatten() {
            let name: String = name.extract()?;
            let column = Column::new(&fields.find(function, &name), &values)?;
            agree(&format!("`{name}`"), column.rows())?;
            columns.push((name, column));
        }
        let Some(count) = count else {
            return Err(PyTypeError::new_err(format!(
                "nothing says how many vertices of `{function}` there are: give their children, or what they pull"
            ))
            .into());
        };
        Ok(Self { count, children, input: columns })
    }
}

impl<'py, T: Number> Column<'py, T> {
    fn new(field: &crate::pulled::Field, values: &Bound<'py, PyAny>) -> Result<Self> {
        Ok(match field.kind() {
            FieldKind::Index => Self::Index(indices(values)?),
            FieldKind::Indices => {
                let mut lists = Lists { values: Vec::new(), ends: Vec::new() };
                for of_one in values.try_iter()? {
                    lists.values.extend(indices(&of_one?)?);
                    lists.ends.push(lists.values.len());
                }
                Self::Indices(lists)
            }
            // Lists may have outputs of vertices in them.
            FieldKind::Tensor if values.is_instance_of::<PyList>() => {
                let given = |value: PyResult<Bound<'py, PyAny>>| Given::new(field, &value?);
                Self::Any(values.try_iter()?.map(given).collect::<Result<_>>()?)
            }
            FieldKind::Tensor => {
                let array = Array::new(values)?;
                let Some((&rows, of_one)) = array.shape().split_first() else {
                    let text = "it has no rows: give an array with a row for each vertex";
                    return Err(PyValueError::new_err(text).into());
                };
                field.check_shape(of_one)?;
                Self::Rows(array, rows)
            }
        })
    }

    fn rows(&self) -> usize {
        match self {
            Self::Index(indices) => indices.len(),
            Self::Indices(lists) => lists.ends.len(),
            Self::Rows(_, rows) => *rows,
            Self::Any(values) => values.len(),
        }
    }

    fn pulled(&self, row: usize) -> Pulled<'_, T> {
        match self {
            Self::Index(indices) => Pulled::Index(indices[row]),
            Self::Indices(lists) => Pulled::Indices(lists.row(row)),
            Self::Rows(array, rows) => {
                let width = array.values().len() / rows;
                Pulled::Values(&array.values()[row * width..][..width])
            }
            Self::Any(values) => values[row].pulled(),
        }
    }
}
