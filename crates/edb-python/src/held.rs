//! A model with what belongs to it, in either type of numbers, and what runs on it.

use std::sync::Arc;

use edb::Engine;
use edb::graph::GraphRecord;
use edb::learn::Gradients;
use edb::model::{Blueprint, Bundle, Example, Notes};
use numpy::IntoPyArray;
use pyo3::exceptions::{PyKeyError, PyValueError};
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

/// What runs: graphs, or a minibatch of them.
#[derive(FromPyObject)]
pub(crate) enum Batch<'py> {
    Minibatch(PyRef<'py, Minibatch>),
    Graphs(Vec<PyRef<'py, Graph>>),
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
    pub(crate) fn of(&self, model: edb::Model<T>) -> Self {
        Self {
            model: Arc::new(model),
            blueprint: self.blueprint.clone(),
            fields: self.fields.clone(),
            engines: self.engines.clone(),
            notes: self.notes.clone(),
            examples: Arc::default(),
        }
    }

    pub(crate) fn with_parameters(&self, given: &Bound<'_, PyDict>) -> Result<Self> {
        let mut parameters = self.model.parameters().try_clone()?;
        for (name, values) in given {
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
        Ok(self.of(self.model.with_parameters(parameters)?))
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
    pub(crate) fn batch(&self, py: Python<'_>, of: &Batch<'_>) -> Result<Arc<edb::Minibatch<T>>> {
        match of {
            Batch::Minibatch(batch) => Ok(T::minibatch(&batch.0)?.0.clone()),
            Batch::Graphs(graphs) => {
                let graphs = graphs_of(graphs)?;
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
    graphs: &[PyRef<'_, Graph>],
) -> Result<Vec<Arc<edb::Graph<T>>>> {
    graphs.iter().map(|graph| Ok(T::graph(&graph.0)?.graph.clone())).collect()
}

/// Copies of graphs of Python, which grow.
pub(crate) fn copies_of<T: OfGraph>(graphs: &[PyRef<'_, Graph>]) -> Result<Vec<edb::Graph<T>>> {
    graphs.iter().map(|graph| Ok(edb::Graph::clone(&T::graph(&graph.0)?.graph))).collect()
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

/// Python's values as notes.
pub(crate) fn notes_from_python(notes: &Bound<'_, PyDict>) -> Result<Notes> {
    let mut written = Notes::new();
    for (name, value) in notes {
        let name: String = name.extract()?;
        let value: serde_json::Value = pythonize::depythonize(&value)
            .map_err(|error| PyValueError::new_err(format!("the note `{name}`: {error}")))?;
        written = written.with(&name, &value);
    }
    Ok(written)
}
