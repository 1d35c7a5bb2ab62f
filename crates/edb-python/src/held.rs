//! A model with what belongs to it, in either type of numbers, and what runs on it.

use std::sync::Arc;

use edb::Engine;
use edb::graph::GraphRecord;
use edb::learn::Gradients;
use edb::model::{Blueprint, Bundle, Example, Notes};
use numpy::IntoPyArray;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::engines::{Engines, Place};
use crate::errors::Result;
use crate::graph::{Graph, GraphOf, Minibatch, OfGraph};
use crate::number::unlocked;
use crate::pulled::{Array, Fields};

/// A model with what belongs to it.
#[derive(Debug)]
pub(crate) struct Held<T> {
    pub(crate) model: Arc<edb::Model<T>>,
    pub(crate) blueprint: Arc<Blueprint<T>>,
    pub(crate) fields: Arc<Fields>,
    pub(crate) engines: Arc<Engines<T>>,
    pub(crate) notes: Arc<Notes>,
    pub(crate) examples: Arc<Vec<Example>>,
}

/// Graphs of Python. They are not borrowed: a callback may add to them.
pub(crate) struct Graphs(Vec<Py<Graph>>);

impl<'a, 'py> FromPyObject<'a, 'py> for Graphs {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let wanted = |found: &Bound<'_, PyAny>| {
            let found = found.get_type();
            PyTypeError::new_err(format!("a list of edb.Graph is wanted, and there is {found}"))
        };
        let items = given.try_iter().map_err(|_| wanted(&given))?;
        let graph = |item: PyResult<Bound<'py, PyAny>>| {
            let item = item?;
            Ok(item.cast::<Graph>().map_err(|_| wanted(&item))?.clone().unbind())
        };
        items.map(graph).collect::<PyResult<_>>().map(Self)
    }
}

/// What runs: graphs, or a minibatch of them.
pub(crate) enum Batch {
    Minibatch(Py<Minibatch>),
    Graphs(Graphs),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Batch {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match given.cast::<Minibatch>() {
            Ok(batch) => Ok(Self::Minibatch(batch.to_owned().unbind())),
            Err(_) => given.extract().map(Self::Graphs),
        }
    }
}

impl<T: OfGraph> Held<T> {
    pub(crate) fn opened(bundle: Bundle<T>, place: Place) -> Self {
        let Bundle { model, notes, policy, examples, .. } = bundle;
        Self {
            blueprint: Arc::new(model.blueprint()),
            fields: Arc::new(Fields::new(&model.summary())),
            model: Arc::new(model),
            engines: Arc::new(Engines::new(place, policy)),
            notes: Arc::new(notes),
            examples: Arc::new(examples),
        }
    }

    /// The same with another model, whose answers for the examples are others.
    pub(crate) fn of(&self, model: Arc<edb::Model<T>>) -> Self {
        Self {
            model,
            blueprint: self.blueprint.clone(),
            fields: self.fields.clone(),
            engines: self.engines.clone(),
            notes: self.notes.clone(),
            examples: Arc::default(),
        }
    }

    pub(crate) fn with_parameters(&self, given: &Bound<'_, PyDict>) -> Result<Self> {
        let mut parameters = self.model.parameters().try_clone()?;
        // A copy, which nothing changes meanwhile.
        for (name, values) in given.copy()? {
            let name: String = name.extract()?;
            let Some(id) = parameters.find(&name) else {
                let known: Vec<&str> = parameters.iter().map(|(_, of)| of.name()).collect();
                return Err(PyKeyError::new_err(format!(
                    "there is no parameter `{name}`; there are {}",
                    known.join(", ")
                ))
                .into());
            };
            let array = Array::<T>::new(&values)?;
            let parameter = parameters.get_mut(id);
            if array.shape() != parameter.shape() {
                let (wanted, found) = (parameter.shape(), array.shape());
                return Err(PyValueError::new_err(format!(
                    "`{name}` has the shape {wanted:?}, and the array {found:?}"
                ))
                .into());
            }
            parameter.set_values(array.values())?;
        }
        Ok(self.of(Arc::new(self.model.with_parameters(parameters)?)))
    }

    /// Runs something on an engine that nothing else runs on.
    pub(crate) fn with_engine<R>(
        &self,
        run: impl FnOnce(&mut Engine<T>, &edb::Model<T>) -> Result<R>,
    ) -> Result<R> {
        let mut engine = self.engines.take()?;
        let result = run(&mut engine, &self.model);
        self.engines.give_back(engine);
        result
    }

    /// The minibatch, or one of the graphs.
    pub(crate) fn batch(&self, py: Python<'_>, of: &Batch) -> Result<Arc<edb::Minibatch<T>>> {
        match of {
            Batch::Minibatch(batch) => Ok(T::minibatch(&batch.bind(py).try_borrow()?.0)?.0.clone()),
            Batch::Graphs(graphs) => {
                let graphs = graphs_of(py, graphs)?;
                unlocked(py, || self.batch_of(&graphs))
            }
        }
    }

    pub(crate) fn batch_of(&self, graphs: &[Arc<edb::Graph<T>>]) -> Result<Arc<edb::Minibatch<T>>> {
        Ok(Arc::new(self.model.minibatch(graphs.iter().map(|graph| &**graph))?))
    }

    pub(crate) fn graph_of(&self, record: &GraphRecord) -> Result<GraphOf<T>> {
        Ok(self.with(self.blueprint.graph_from_record(record)?))
    }

    pub(crate) fn graphs(&self, graphs: Vec<edb::Graph<T>>) -> Vec<Graph> {
        graphs.into_iter().map(|graph| Graph(T::any_graph(self.with(graph)))).collect()
    }

    pub(crate) fn with(&self, graph: edb::Graph<T>) -> GraphOf<T> {
        GraphOf {
            blueprint: self.blueprint.clone(),
            fields: self.fields.clone(),
            graph: Arc::new(graph),
        }
    }
}

/// Graphs of Python, shared with what runs.
pub(crate) fn graphs_of<T: OfGraph>(
    py: Python<'_>,
    Graphs(graphs): &Graphs,
) -> Result<Vec<Arc<edb::Graph<T>>>> {
    let shared = |graph: &Py<Graph>| Ok(T::graph(&graph.bind(py).try_borrow()?.0)?.graph.clone());
    graphs.iter().map(shared).collect()
}

/// Copies of graphs of Python, which grow.
pub(crate) fn copies_of<T: OfGraph>(py: Python<'_>, graphs: &Graphs) -> Result<Vec<edb::Graph<T>>> {
    Ok(graphs_of(py, graphs)?.iter().map(|graph| edb::Graph::clone(graph)).collect())
}

/// Gradients by the names of their parameters, each in the shape of its own.
pub(crate) fn gradients_to_python<'py, T: OfGraph>(
    py: Python<'py>,
    model: &edb::Model<T>,
    gradients: &Gradients<T>,
) -> Result<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    for (id, parameter) in model.parameters().iter() {
        found.set_item(parameter.name(), gradients.to_dense(id).into_pyarray(py))?;
    }
    Ok(found)
}

/// Notes as Python's values.
pub(crate) fn notes_to_python<'py>(py: Python<'py>, notes: &Notes) -> Result<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    for name in notes.names() {
        let value: serde_json::Value = notes.get(name)?;
        found.set_item(name, pythonize::pythonize(py, &value).map_err(PyErr::from)?)?;
    }
    Ok(found)
}

/// Python's values as notes: those that JSON has.
pub(crate) fn notes_from_python(notes: &Bound<'_, PyDict>) -> Result<Notes> {
    let py = notes.py();
    let strict = PyDict::new(py);
    strict.set_item("allow_nan", false)?;
    let dumps = py.import("json")?.getattr("dumps")?;
    let mut written = Notes::new();
    for (name, value) in notes.copy()? {
        let name: String = name.extract()?;
        let wrong = |error: String| PyValueError::new_err(format!("the note `{name}`: {error}"));
        // Python's own writer refuses what refers to itself, and what JSON lacks.
        let text = dumps.call((value,), Some(&strict)).map_err(|error| wrong(error.to_string()))?;
        let value: serde_json::Value =
            serde_json::from_str(text.extract()?).map_err(|error| wrong(error.to_string()))?;
        written = written.with(&name, &value);
    }
    Ok(written)
}
