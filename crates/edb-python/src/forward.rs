//! A run whose gradients are taken: what connects a model with PyTorch and others.

use std::sync::{Arc, Mutex, PoisonError};

use edb::Run;
use edb::engine::Seeds;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use self_cell::{MutBorrow, self_cell};

use crate::answers::{Answers, Read};
use crate::engines::Engines;
use crate::errors::Result;
use crate::graph::OfGraph;
use crate::held::{Batch, Held, gradients_to_python};
use crate::number::{Number, Of, each, map, unlocked};
use crate::pulled::{Array, Tensor};

/// What a run borrows, and where its engine goes back.
struct Lent<T> {
    engine: MutBorrow<edb::Engine<T>>,
    model: Arc<edb::Model<T>>,
    batch: Arc<edb::Minibatch<T>>,
    engines: Arc<Engines<T>>,
}

type RunF32<'a> = Run<'a, f32>;
type RunF64<'a> = Run<'a, f64>;

self_cell!(
    struct CellF32 {
        owner: Lent<f32>,
        #[covariant]
        dependent: RunF32,
    }
);

self_cell!(
    struct CellF64 {
        owner: Lent<f64>,
        #[covariant]
        dependent: RunF64,
    }
);

/// A run that lives as long as its engine, which goes back when it is dropped.
trait Kept: OfGraph {
    type Cell: Send;

    fn cell(
        lent: Lent<Self>,
        step: u64,
    ) -> std::result::Result<Self::Cell, edb::engine::EngineError>;
    fn with<R>(cell: &mut Self::Cell, read: impl FnOnce(&mut Run<'_, Self>) -> R) -> R;
    fn lent(cell: Self::Cell) -> Lent<Self>;
}

macro_rules! kept {
    ($type:ty, $cell:ident) => {
        impl Kept for $type {
            type Cell = $cell;

            fn cell(
                lent: Lent<Self>,
                step: u64,
            ) -> std::result::Result<$cell, edb::engine::EngineError> {
                $cell::try_new_or_recover(lent, |lent| {
                    lent.engine.borrow_mut().forward(&lent.model, &lent.batch, step)
                })
                .map_err(|(lent, error)| {
                    lent.end();
                    error
                })
            }

            fn with<R>(cell: &mut $cell, read: impl FnOnce(&mut Run<'_, Self>) -> R) -> R {
                cell.with_dependent_mut(|_, run| read(run))
            }

            fn lent(cell: $cell) -> Lent<Self> {
                cell.into_owner()
            }
        }
    };
}

kept!(f32, CellF32);
kept!(f64, CellF64);

impl<T: Number> Lent<T> {
    fn end(self) {
        self.engines.give_back(self.engine.into_inner());
    }
}

/// The run of a minibatch, forward, with what its gradients need. `Model.forward` makes it.
#[pyclass(frozen, module = "edb")]
pub(crate) struct Forward {
    run: Of<Mutex<OneRun<f32>>, Mutex<OneRun<f64>>>,
    /// What the vertices have pushed, and the losses.
    #[pyo3(get)]
    answers: Py<Answers>,
}

/// A run, and the model that ran.
struct OneRun<T: Kept> {
    model: Arc<edb::Model<T>>,
    cell: Option<T::Cell>,
}

impl<T: Kept> OneRun<T> {
    fn new(held: &Held<T>, batch: Arc<edb::Minibatch<T>>, step: u64) -> Result<Self> {
        let model = held.model.clone();
        let lent = Lent {
            engine: MutBorrow::new(held.engines.take()?),
            model: model.clone(),
            batch,
            engines: held.engines.clone(),
        };
        Ok(Self { model, cell: Some(T::cell(lent, step)?) })
    }

    fn with<R>(&mut self, read: impl FnOnce(&mut Run<'_, T>) -> R) -> R {
        let cell = self.cell.as_mut().expect("it is taken when the run is dropped");
        T::with(cell, read)
    }
}

impl<T: Kept> Drop for OneRun<T> {
    fn drop(&mut self) {
        if let Some(cell) = self.cell.take() {
            T::lent(cell).end();
        }
    }
}

#[pymethods]
impl Forward {
    /// The sum of all losses.
    #[getter]
    fn loss(&self) -> f64 {
        self.answers.get().loss
    }

    /// Runs backward, once. `seeds` are gradients of outputs, by function and field: arrays like those of
    /// `answers.outputs`. Returns the gradient of the losses and of ⟨seeds, outputs⟩ for each parameter.
    #[pyo3(signature = (seeds = None))]
    fn backward<'py>(
        &self,
        py: Python<'py>,
        seeds: Option<&Bound<'py, PyDict>>,
    ) -> Result<Bound<'py, PyDict>> {
        each!(&self.run, run => {
            let seeds = self.seeds(seeds)?;
            let (model, gradients) = unlocked(py, || {
                let mut run = run.lock().unwrap_or_else(PoisonError::into_inner);
                let gradients = run.with(|run| run.backward_with(&seeds));
                (run.model.clone(), gradients)
            });
            gradients_to_python(py, &model, &gradients?)
        })
    }

    /// After `backward`, the gradients of tensors, which `Graph.tensor` has returned: one array, with those of one tensor
    /// behind those of the other.
    fn tensor_gradients(
        &self,
        py: Python<'_>,
        tensors: Vec<PyRef<'_, Tensor>>,
    ) -> Result<Py<PyAny>> {
        let handles: Vec<edb::Tensor> = tensors.iter().map(|tensor| tensor.handle).collect();
        each!(&self.run, run => {
            let gradients = unlocked(py, || {
                let mut run = run.lock().unwrap_or_else(PoisonError::into_inner);
                run.with(|run| run.tensor_gradients(&handles))
            })?;
            Ok(numpy::IntoPyArray::into_pyarray(gradients, py).into_any().unbind())
        })
    }

    fn __repr__(&self) -> String {
        format!("<edb.Forward with the loss {}>", self.loss())
    }
}

impl Forward {
    pub(crate) fn new(
        py: Python<'_>,
        held: &Of<Held<f32>, Held<f64>>,
        graphs: &Batch,
        step: u64,
    ) -> Result<Self> {
        let read;
        let run = map!(held, held => {
            let batch = held.batch(py, graphs)?;
            let (run, found) = unlocked(py, || {
                let mut run = OneRun::new(held, batch, step)?;
                let read = run.with(|run| Read::new(run))?;
                Ok::<_, crate::errors::Fault>((run, read))
            })?;
            read = Answers::new(py, found)?;
            Mutex::new(run)
        });
        Ok(Self { run, answers: Py::new(py, read)? })
    }

    /// Gradients of outputs, by function and field.
    fn seeds<T: Number>(&self, given: Option<&Bound<'_, PyDict>>) -> Result<Seeds<T>> {
        let answers = self.answers.get();
        let mut seeds = Seeds::new();
        // A copy, which nothing changes meanwhile.
        let given = given.map(|given| given.copy()).transpose()?;
        for (key, values) in given.iter().flatten() {
            let (function, field): (String, String) = key.extract()?;
            let array = Array::<T>::new(&values)?;
            let places: Vec<[usize; 3]> = answers.places(&function)?.collect();
            if array.shape().first() != Some(&places.len()) {
                return Err(PyValueError::new_err(format!(
                    "the seeds of `{function}` have the shape {:?}: {} outputs need as many rows",
                    array.shape(),
                    places.len()
                ))
                .into());
            }
            let lists = answers.lists(&function)?;
            if array.values().is_empty() {
                return Err(
                    PyValueError::new_err(format!("the seeds of `{function}` are empty")).into()
                );
            }
            let width = array.values().len() / places.len();
            for ([graph, vertex, item], row) in places.iter().zip(array.values().chunks(width)) {
                match lists {
                    true => seeds.push_nth_at(*graph, *vertex, *item, &field, row),
                    false => seeds.push_at(*graph, *vertex, &field, row),
                }
            }
        }
        Ok(seeds)
    }
}
