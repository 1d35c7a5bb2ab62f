//! What a model has answered.

use edb::Run;
use edb::engine::EngineError;
use edb::engine::answer::{FunctionOutputs, Numbers, Values};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, ndarray};
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::PySlice;

use crate::errors::Result;
use crate::number::Number;

/// What was read of a run, before its memory is used again.
#[derive(Debug)]
pub(crate) struct Read<T> {
    outputs: Vec<FunctionOutputs<T>>,
    /// The loss of each graph.
    losses: Vec<f64>,
    loss: f64,
}

impl<T: Number> Read<T> {
    pub(crate) fn new(run: &Run<'_, T>) -> std::result::Result<Self, EngineError> {
        let graphs = run.minibatch().graph_count();
        let losses = (0..graphs)
            .map(|graph| run.graph(graph)?.loss())
            .collect::<std::result::Result<_, _>>()?;
        Ok(Self { outputs: run.outputs_by_name()?, losses, loss: run.loss()? })
    }
}

/// What a model has answered for graphs: outputs of their vertices, and losses.
#[pyclass(frozen, module = "edb")]
#[derive(Debug)]
pub(crate) struct Answers {
    functions: Vec<Pushed>,
    losses: Py<PyArray1<f64>>,
    /// The sum of all losses.
    #[pyo3(get)]
    pub(crate) loss: f64,
    graphs: usize,
}

/// What the vertices of a function have pushed.
#[derive(Debug)]
struct Pushed {
    function: String,
    lists: bool,
    /// For each output, its graph and its vertex, in order.
    by: Vec<[usize; 2]>,
    /// For each field its name, and an array with a row for each output.
    fields: Vec<(String, Py<PyAny>)>,
}

#[pymethods]
impl Answers {
    /// The loss of each graph.
    #[getter]
    fn losses(&self, py: Python<'_>) -> Py<PyArray1<f64>> {
        self.losses.clone_ref(py)
    }

    /// What a vertex of a graph (by its place in the minibatch) has pushed for a field, in the field's shape. If its
    /// function pushes a list, there is a row for each item.
    fn output(
        &self,
        py: Python<'_>,
        graph: usize,
        vertex: usize,
        field: &str,
    ) -> Result<Py<PyAny>> {
        for pushed in &self.functions {
            let first = pushed.by.partition_point(|by| *by < [graph, vertex]);
            let count = pushed.by[first..].iter().take_while(|by| **by == [graph, vertex]).count();
            if count == 0 {
                continue;
            }
            let rows = pushed.field(field)?.bind(py);
            let found = match pushed.lists {
                true => {
                    rows.get_item(PySlice::new(py, first as isize, (first + count) as isize, 1))?
                }
                false => rows.get_item(first)?,
            };
            return Ok(found.unbind());
        }
        Err(PyIndexError::new_err(format!(
            "vertex {vertex} of graph {graph} has pushed nothing; there are {} graphs",
            self.graphs
        ))
        .into())
    }

    /// What all vertices of a function have pushed for a field: an array with a row for each output, graph by graph, and in
    /// each graph in the order of its vertices. `vertices` says which row is whose.
    fn outputs(&self, py: Python<'_>, function: &str, field: &str) -> Result<Py<PyAny>> {
        Ok(self.of(function)?.field(field)?.clone_ref(py))
    }

    /// For each output of a function, its graph and its vertex: an array of shape `[outputs, 2]`.
    fn vertices<'py>(&self, py: Python<'py>, function: &str) -> Result<Bound<'py, PyArray2<i64>>> {
        let by = &self.of(function)?.by;
        let numbers = by.iter().flatten().map(|number| *number as i64).collect();
        let array = ndarray::Array2::from_shape_vec((by.len(), 2), numbers);
        Ok(array.expect("there are two numbers for each output").into_pyarray(py))
    }

    /// The functions that have pushed something, each with the names of its fields.
    #[getter]
    fn functions(&self) -> Vec<(String, Vec<String>)> {
        let names = |pushed: &Pushed| pushed.fields.iter().map(|(name, _)| name.clone()).collect();
        self.functions.iter().map(|pushed| (pushed.function.clone(), names(pushed))).collect()
    }

    /// The number of graphs.
    fn __len__(&self) -> usize {
        self.graphs
    }

    fn __repr__(&self) -> String {
        format!("<edb.Answers for {} graphs>", self.graphs)
    }
}

impl Answers {
    pub(crate) fn new<T: Number>(py: Python<'_>, read: Read<T>) -> Result<Self> {
        let Read { outputs, losses, loss } = read;
        let pushed = |outputs: FunctionOutputs<T>| {
            let FunctionOutputs { function, lists, pushed_by: by, fields, .. } = outputs;
            let array = |(name, numbers)| Ok((name, array(py, numbers)?));
            let fields = fields.into_iter().map(array).collect::<Result<_>>()?;
            Ok(Pushed { function, lists, by, fields })
        };
        let functions = outputs.into_iter().map(pushed).collect::<Result<_>>()?;
        let graphs = losses.len();
        Ok(Self { functions, losses: losses.into_pyarray(py).unbind(), loss, graphs })
    }

    fn of(&self, function: &str) -> Result<&Pushed> {
        let found = self.functions.iter().find(|pushed| pushed.function == function);
        found.ok_or_else(|| {
            let known: Vec<&str> = self.functions.iter().map(|of| of.function.as_str()).collect();
            let others = match known.is_empty() {
                true => "; nor has any other".to_owned(),
                false => format!(", but of {}", known.join(", ")),
            };
            PyKeyError::new_err(format!("no vertex of `{function}` has pushed anything{others}"))
                .into()
        })
    }

    /// For each output of a function, its graph, its vertex, and which item of the vertex's list it is.
    pub(crate) fn places(&self, function: &str) -> Result<impl Iterator<Item = [usize; 3]> + '_> {
        let by = &self.of(function)?.by;
        Ok((0..by.len()).map(|row| {
            let first = by.partition_point(|other| *other < by[row]);
            [by[row][0], by[row][1], row - first]
        }))
    }

    pub(crate) fn lists(&self, function: &str) -> Result<bool> {
        Ok(self.of(function)?.lists)
    }
}

impl Pushed {
    fn field(&self, name: &str) -> Result<&Py<PyAny>> {
        let found = self.fields.iter().find(|(field, _)| field == name);
        found.map(|(_, array)| array).ok_or_else(|| {
            let known: Vec<&str> = self.fields.iter().map(|(field, _)| field.as_str()).collect();
            let (function, known) = (&self.function, known.join(", "));
            PyKeyError::new_err(format!(
                "`{function}` does not push the field `{name}`; it pushes {known}"
            ))
            .into()
        })
    }
}

/// Numbers as an array, which has their memory.
fn array<T: Number>(py: Python<'_>, numbers: Numbers<T>) -> Result<Py<PyAny>> {
    fn shaped<N: numpy::Element>(
        py: Python<'_>,
        shape: &[usize],
        values: Vec<N>,
    ) -> Result<Py<PyAny>> {
        Ok(values.into_pyarray(py).reshape(shape)?.into_any().unbind())
    }
    let Numbers { shape, values } = numbers;
    match values {
        Values::Tensor(values) => shaped(py, &shape, values),
        Values::Index(indices) => shaped(py, &shape, indices),
    }
}
