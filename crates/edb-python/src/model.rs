//! A model, opened from its file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use edb::graph::GraphRecord;
use edb::model::{Bundle, Notes, bundle_element};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::answers::{Answers, Read as ReadRun};
use crate::engines::Place;
use crate::errors::{GraphError, Result};
use crate::forward::Forward;
use crate::graph::{Graph, GraphOf, Minibatch, MinibatchOf};
use crate::growing::to_the_end;
use crate::held::{
    Batch, Graphs, Held, copies_of, gradients_to_python, graphs_of, notes_from_python,
    notes_to_python,
};
use crate::number::{Of, each, map, unlocked};

/// The longest line of a file of graphs, which is read as a whole.
const MAX_LINE_BYTES: u64 = 256 << 20;

/// A model whose vertex functions are found by name. `open` opens one.
#[pyclass(frozen, module = "edb")]
#[derive(Debug)]
pub(crate) struct Model(pub(crate) Of<Held<f32>, Held<f64>>);

/// Opens a model that was saved as a bundle. It runs on `device` ("cpu", "cuda", "cuda:1"), on so many threads (all, unless
/// given); `seed` is that of its random draws.
#[pyfunction]
#[pyo3(signature = (path, *, device = "cpu", threads = None, seed = 0))]
pub(crate) fn open(
    py: Python<'_>,
    path: PathBuf,
    device: &str,
    threads: Option<NonZeroUsize>,
    seed: u64,
) -> Result<Model> {
    let place = Place::new(device, threads, seed)?;
    unlocked(py, || match bundle_element(&path)?.as_str() {
        "f64" => Ok(Model(Of::F64(Held::opened(Bundle::open(&path)?, place)))),
        // If they are of a type that this version does not know, the error says so.
        _ => Ok(Model(Of::F32(Held::opened(Bundle::open(&path)?, place)))),
    })
}

#[pymethods]
impl Model {
    /// What the model consists of: functions with what they take and give, and parameters.
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        let summary = each!(&self.0, held => held.model.summary());
        Ok(pythonize::pythonize(py, &summary).map_err(PyErr::from)?)
    }

    /// The notes of the program that saved it.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>> {
        each!(&self.0, held => notes_to_python(py, &held.notes))
    }

    /// The graphs that were saved with it, each with its answer.
    #[getter]
    fn examples<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for example in each!(&self.0, held => &*held.examples) {
            list.append(pythonize::pythonize(py, example).map_err(PyErr::from)?)?;
        }
        Ok(list)
    }

    /// Runs the examples again. Returns, for each, the greatest difference of a number from the one in the file,
    /// relative where it is above 1: 0 if all bits are the same.
    fn check(&self, py: Python<'_>) -> Result<Vec<f64>> {
        unlocked(py, || {
            each!(&self.0, held => held.with_engine(|engine, model| {
                let replayed = engine.replay(model, &held.examples)?;
                Ok(replayed.iter().map(|example| example.difference).collect())
            }))
        })
    }

    /// An empty graph.
    fn graph(&self) -> Graph {
        Graph(map!(&self.0, held => GraphOf::new(held.blueprint.clone(), held.fields.clone())))
    }

    /// A graph that is given as data, as JSON has it on a line of `edb run`.
    fn graph_from_record(&self, record: &Bound<'_, PyAny>) -> Result<Graph> {
        let record: GraphRecord = pythonize::depythonize(record)
            .map_err(|error| GraphError::new_err(error.to_string()))?;
        Ok(Graph(map!(&self.0, held => held.graph_of(&record)?)))
    }

    /// The graphs of a file with a line of JSON for each.
    fn read_graphs(&self, py: Python<'_>, path: PathBuf) -> Result<Vec<Graph>> {
        unlocked(py, || {
            let named = |error: io::Error| {
                let text = format!("{}: {error}", path.display());
                PyErr::from(io::Error::new(error.kind(), text))
            };
            let file = File::open(&path).map_err(named)?;
            let mut lines = BufReader::new(file);
            let (mut graphs, mut number) = (Vec::new(), 0);
            loop {
                let mut line = Vec::new();
                let read = (&mut lines).take(MAX_LINE_BYTES).read_until(b'\n', &mut line);
                if read.map_err(named)? == 0 {
                    return Ok(graphs);
                }
                number += 1;
                let wrong = |error: String| {
                    GraphError::new_err(format!("{}, line {number}: {error}", path.display()))
                };
                let line = String::from_utf8(line).map_err(|_| wrong("it is no UTF-8".into()))?;
                let text = line.trim_start_matches('\u{feff}').trim();
                if text.is_empty() {
                    continue;
                }
                let record: GraphRecord =
                    serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
                let graph = map!(&self.0, held => {
                    let graph = held.blueprint.graph_from_record(&record);
                    held.with(graph.map_err(|error| wrong(error.to_string()))?)
                });
                graphs.push(Graph(graph));
            }
        })
    }

    /// Graphs as one minibatch, which may run many times.
    fn minibatch(&self, py: Python<'_>, graphs: Graphs) -> Result<Minibatch> {
        Ok(Minibatch(map!(&self.0, held => {
            let graphs = graphs_of(py, &graphs)?;
            MinibatchOf(unlocked(py, || held.batch_of(&graphs))?)
        })))
    }

    /// Answers graphs, without dropout.
    fn infer(&self, py: Python<'_>, graphs: Batch) -> Result<Answers> {
        each!(&self.0, held => {
            let batch = held.batch(py, &graphs)?;
            let read = unlocked(py, || held.with_engine(|engine, model| {
                Ok(ReadRun::new(&engine.infer(model, &batch)?)?)
            }))?;
            Answers::new(py, read)
        })
    }

    /// Runs graphs forward as training step `step` does, with dropout, and keeps what their gradients need.
    #[pyo3(signature = (graphs, step = 0))]
    fn forward(&self, py: Python<'_>, graphs: Batch, step: u64) -> Result<Forward> {
        Forward::new(py, &self.0, &graphs, step)
    }

    /// The sum of all losses, and its gradient for each parameter.
    #[pyo3(signature = (graphs, step = 0))]
    fn loss_and_gradients<'py>(
        &self,
        py: Python<'py>,
        graphs: Batch,
        step: u64,
    ) -> Result<(f64, Bound<'py, PyDict>)> {
        each!(&self.0, held => {
            let batch = held.batch(py, &graphs)?;
            let (loss, gradients) = unlocked(py, || held.with_engine(|engine, model| {
                let mut run = engine.forward(model, &batch, step)?;
                Ok((run.loss()?, run.backward()?))
            }))?;
            Ok((loss, gradients_to_python(py, &held.model, &gradients)?))
        })
    }

    /// Lets graphs grow: `grow(graph)` is called for each graph whenever all its vertices have run, and adds vertices, or
    /// none; then the graph is done. Returns the graphs with all that they have got, and the answers.
    fn grow(
        &self,
        py: Python<'_>,
        graphs: Graphs,
        grow: Py<PyAny>,
    ) -> Result<(Vec<Graph>, Answers)> {
        each!(&self.0, held => {
            let graphs = copies_of(py, &graphs)?;
            let (graphs, read) = unlocked(py, || held.with_engine(|engine, model| {
                to_the_end(&held.fields, engine.grow(model, graphs)?, &grow)
            }))?;
            Ok((held.graphs(graphs), Answers::new(py, read)?))
        })
    }

    /// The parameters, by name.
    fn parameters<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        each!(&self.0, held => {
            for (_, parameter) in held.model.parameters().iter() {
                let array = parameter.view()?.to_owned().into_pyarray(py);
                found.set_item(parameter.name(), array)?;
            }
        });
        Ok(found)
    }

    /// This model with other values for some parameters. Graphs and minibatches of this model are also its own.
    fn with_parameters(&self, parameters: &Bound<'_, PyDict>) -> Result<Model> {
        Ok(Model(map!(&self.0, held => held.with_parameters(parameters)?)))
    }

    /// Saves the model as a bundle, with notes (its own, unless others are given), and with `examples`, graphs whose answers
    /// the file then has. Examples of the file that was opened are not kept: answers may be others now.
    #[pyo3(signature = (path, *, notes = None, examples = None))]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        notes: Option<&Bound<'_, PyDict>>,
        examples: Option<Graphs>,
    ) -> Result<()> {
        each!(&self.0, held => {
            let notes = match notes {
                Some(notes) => notes_from_python(notes)?,
                None => Notes::clone(&held.notes),
            };
            let graphs = match &examples {
                Some(graphs) => copies_of(py, graphs)?,
                None => Vec::new(),
            };
            unlocked(py, || {
                let examples = match graphs.is_empty() {
                    true => Vec::new(),
                    false => held.with_engine(|engine, model| Ok(engine.examples(model, &graphs)?))?,
                };
                let bundle = held.model.bundle().notes(notes).examples(examples);
                let policy = held.engines.policy();
                match policy {
                    Some(policy) => bundle.policy(policy).save(&path)?,
                    None => bundle.save(&path)?,
                }
                Ok(())
            })
        })
    }

    /// `float32` or `float64`: the type of its numbers.
    #[getter]
    fn dtype(&self) -> &'static str {
        match &self.0 {
            Of::F32(_) => "float32",
            Of::F64(_) => "float64",
        }
    }

    fn __str__(&self) -> String {
        each!(&self.0, held => held.model.summary().to_string())
    }

    fn __repr__(&self) -> String {
        let names = each!(&self.0, held => {
            let functions = held.model.summary().functions;
            functions.into_iter().map(|function| function.signature.name).collect::<Vec<_>>()
        });
        format!("<edb.Model of {}, {}>", names.join(", "), self.dtype())
    }
}
