//! Training.

use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::thread::{self, ThreadId};

use edb::Engine;
use edb::trainer::Reduction;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::answers::{Answers, Read};
use crate::errors::{Fault, Result, TrainError};
use crate::graph::{Graph, OfGraph};
use crate::growing::{in_round, is_within, to_the_end};
use crate::held::{Batch, Graphs, Held, copies_of, graphs_of};
use crate::model::Model;
use crate::number::{Of, each, map, unlocked};
use crate::optimizers::{Group, Optimizer, Plateau, Schedule};

/// Trains a model, minibatch by minibatch. The model that it was given stays as it is; `Trainer.model` is the trained one.
#[pyclass(frozen, module = "edb")]
pub(crate) struct Trainer(pub(crate) Of<Training<f32>, Training<f64>>);

/// A trainer, and the model that it was given.
pub(crate) struct Training<T> {
    held: Held<T>,
    trainer: Mutex<edb::Trainer<T>>,
    /// The thread that uses it.
    held_by: Mutex<Option<ThreadId>>,
}

/// What a training step has done.
#[pyclass(frozen, get_all, module = "edb")]
#[derive(Debug)]
pub(crate) struct Step {
    /// The sum of the losses of all graphs.
    loss: f64,
    /// The loss that was minimised: by default, the mean of the graphs.
    mean_loss: f64,
    graphs: usize,
    /// The norm of the gradient before it was clipped, if it was needed.
    gradient_norm: Option<f64>,
    /// Whether the step was left out since numbers of 16 bits overflowed.
    skipped: bool,
}

impl From<edb::trainer::Step> for Step {
    fn from(step: edb::trainer::Step) -> Self {
        Self {
            loss: step.loss,
            mean_loss: step.mean_loss(),
            graphs: step.graphs,
            gradient_norm: step.gradient_norm,
            skipped: step.skipped,
        }
    }
}

#[pymethods]
impl Step {
    fn __repr__(&self) -> String {
        format!("<edb.Step over {} graphs: mean loss {}>", self.graphs, self.mean_loss)
    }
}

#[pymethods]
impl Trainer {
    /// `reduction` is what is minimised: "mean_of_graphs", "mean_of_vertices" or "sum". With `accept_changes`, a checkpoint
    /// is resumed although it was saved with other settings.
    #[new]
    #[pyo3(signature = (
        model, optimizer, *, schedule = None, plateau = None, groups = Vec::new(), clip_norm = None, clip_value = None,
        ema = None, reduction = "mean_of_graphs", memory_budget = None, allow_unreached = false,
        accept_changes = false
    ))]
    #[expect(clippy::too_many_arguments, reason = "in Python, they have names")]
    fn new(
        model: PyRef<'_, Model>,
        optimizer: PyRef<'_, Optimizer>,
        schedule: Option<Schedule>,
        plateau: Option<Plateau>,
        groups: Vec<Group>,
        clip_norm: Option<f64>,
        clip_value: Option<f64>,
        ema: Option<f64>,
        reduction: &str,
        memory_budget: Option<usize>,
        allow_unreached: bool,
        accept_changes: bool,
    ) -> Result<Self> {
        let reduction = match reduction {
            "mean_of_graphs" => Reduction::MeanOfGraphs,
            "mean_of_vertices" => Reduction::MeanOfVertices,
            "sum" => Reduction::Sum,
            other => {
                return Err(PyValueError::new_err(format!(
                    "there is no reduction `{other}`: say mean_of_graphs, mean_of_vertices or sum"
                ))
                .into());
            }
        };
        let with = Settings {
            schedule,
            plateau,
            groups,
            clip_norm,
            clip_value,
            ema,
            memory_budget,
            allow_unreached,
            accept_changes,
        };
        Ok(Self(match &model.0 {
            Of::F32(held) => {
                let trainer = (optimizer.f32)(held.model.as_ref().clone()).reduction(reduction);
                Of::F32(with.training(held, trainer)?)
            }
            Of::F64(held) => {
                let trainer = (optimizer.f64)(held.model.as_ref().clone()).reduction(reduction);
                Of::F64(with.training(held, trainer)?)
            }
        }))
    }

    /// Takes a training step along the gradient of the loss of these graphs.
    fn step(&self, py: Python<'_>, graphs: Batch) -> Result<Step> {
        each!(&self.0, training => {
            let step = match &graphs {
                Batch::Minibatch(_) => {
                    let batch = training.held.batch(py, &graphs)?;
                    training.with(py, |trainer| Ok(trainer.step(&batch)?))
                }
                Batch::Graphs(graphs) => {
                    let graphs = graphs_of(py, graphs)?;
                    let graphs = graphs.iter().map(|graph| &**graph);
                    training.with(py, |trainer| Ok(trainer.step_graphs(graphs)?))
                }
            };
            Ok(step?.into())
        })
    }

    /// Answers graphs with the parameters that have been reached, without dropout.
    fn infer(&self, py: Python<'_>, graphs: Batch) -> Result<Answers> {
        each!(&self.0, training => {
            let batch = training.held.batch(py, &graphs)?;
            let read = training.with(py, |trainer| Ok(Read::new(&trainer.infer(&batch)?)?))?;
            Answers::new(py, read)
        })
    }

    /// Takes a training step over graphs that grow, with dropout, as `Model.grow` lets them grow. Returns the graphs with
    /// all that they have got.
    fn grow_step(
        &self,
        py: Python<'_>,
        graphs: Graphs,
        grow: Py<PyAny>,
    ) -> Result<(Vec<Graph>, Step)> {
        each!(&self.0, training => {
            let graphs = copies_of(py, &graphs)?;
            let (graphs, step) = training.with(py, |trainer| {
                let mut growing = trainer.grow(graphs)?;
                while let Some(round) = growing.round()? {
                    in_round(&training.held.fields, round, &grow)?;
                }
                let step = growing.step()?;
                Ok((growing.into_graphs(), step))
            })?;
            Ok((training.held.graphs(graphs), step.into()))
        })
    }

    /// Lets graphs grow with the parameters that have been reached, without dropout, as `Model.grow`.
    fn grow(
        &self,
        py: Python<'_>,
        graphs: Graphs,
        grow: Py<PyAny>,
    ) -> Result<(Vec<Graph>, Answers)> {
        each!(&self.0, training => {
            let graphs = copies_of(py, &graphs)?;
            let (graphs, read) = training.with(py, |trainer| {
                to_the_end(&training.held.fields, trainer.grow_infer(graphs)?, &grow)
            })?;
            Ok((training.held.graphs(graphs), Answers::new(py, read)?))
        })
    }

    /// Tells the plateau a score, and returns the learning rate of the next step.
    fn observe(&self, py: Python<'_>, score: f64) -> Result<f64> {
        each!(&self.0, training => training.with(py, |trainer| Ok(trainer.observe(score)?)))
    }

    /// Swaps the parameters with their moving averages; again swaps them back. Returns whether there are averages.
    fn swap_averages(&self, py: Python<'_>) -> Result<bool> {
        each!(&self.0, training => training.with(py, |trainer| Ok(trainer.swap_averages()?)))
    }

    /// The model as it has been trained so far: a copy.
    #[getter]
    fn model(&self, py: Python<'_>) -> Result<Model> {
        Ok(Model(map!(&self.0, training => {
            training.held.of(training.with(py, |trainer| Ok(Arc::new(trainer.model().clone())))?)
        })))
    }

    /// The learning rate of the next step.
    #[getter]
    fn learning_rate(&self, py: Python<'_>) -> Result<f64> {
        each!(&self.0, training => training.with(py, |trainer| Ok(trainer.learning_rate())))
    }

    /// How many steps have been taken.
    #[getter]
    fn steps(&self, py: Python<'_>) -> Result<u64> {
        each!(&self.0, training => training.with(py, |trainer| Ok(trainer.steps())))
    }

    fn __repr__(&self, py: Python<'_>) -> Result<String> {
        Ok(format!("<edb.Trainer after {} steps>", self.steps(py)?))
    }
}

/// Settings of a trainer.
struct Settings {
    schedule: Option<Schedule>,
    plateau: Option<Plateau>,
    groups: Vec<Group>,
    clip_norm: Option<f64>,
    clip_value: Option<f64>,
    ema: Option<f64>,
    memory_budget: Option<usize>,
    allow_unreached: bool,
    accept_changes: bool,
}

impl Settings {
    fn training<T: OfGraph>(
        self,
        held: &Held<T>,
        mut trainer: edb::Trainer<T>,
    ) -> Result<Training<T>> {
        let engine: Engine<T> = held.engines.another()?;
        trainer = trainer.engine(engine).groups(self.groups.into_iter().map(|Group(group)| group));
        if let Some(Schedule(schedule)) = self.schedule {
            trainer = trainer.schedule(schedule);
        }
        if let Some(Plateau(plateau)) = self.plateau {
            trainer = trainer.plateau(plateau);
        }
        if let Some(most) = self.clip_norm {
            trainer = trainer.clip_norm(most);
        }
        if let Some(most) = self.clip_value {
            trainer = trainer.clip_value(most);
        }
        if let Some(decay) = self.ema {
            trainer = trainer.ema(decay)?;
        }
        if let Some(bytes) = self.memory_budget {
            trainer = trainer.memory_budget(bytes);
        }
        if self.allow_unreached {
            trainer = trainer.allow_unreached();
        }
        if self.accept_changes {
            trainer = trainer.accept_changes();
        }
        let held = held.of(held.model.clone());
        Ok(Training { held, trainer: Mutex::new(trainer), held_by: Mutex::new(None) })
    }
}

impl<T: OfGraph> Training<T> {
    /// Does something with the trainer, when other threads of Python are done with it. It waits without Python's lock, for
    /// which these may wait.
    pub(crate) fn with<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut edb::Trainer<T>) -> Result<R> + Send,
    ) -> Result<R> {
        let own = thread::current().id();
        if *self.held_by.lock().unwrap_or_else(PoisonError::into_inner) == Some(own) {
            return Err(in_use("by the step whose callback this is"));
        }
        unlocked(py, || {
            let mut trainer = match self.trainer.try_lock() {
                Ok(trainer) => trainer,
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                // The other thread may wait for what the graphs of this callback run on.
                Err(TryLockError::WouldBlock) if is_within() => {
                    return Err(in_use("by another thread, for which a callback cannot wait"));
                }
                Err(TryLockError::WouldBlock) => {
                    self.trainer.lock().unwrap_or_else(PoisonError::into_inner)
                }
            };
            let _by = HeldBy::this_thread(&self.held_by);
            work(&mut trainer)
        })
    }
}

/// Notes that this thread uses a trainer, until the end of its use, however that comes.
struct HeldBy<'a>(&'a Mutex<Option<ThreadId>>);

impl<'a> HeldBy<'a> {
    fn this_thread(by: &'a Mutex<Option<ThreadId>>) -> Self {
        *by.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread::current().id());
        Self(by)
    }
}

impl Drop for HeldBy<'_> {
    fn drop(&mut self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

fn in_use(by: &str) -> Fault {
    TrainError::new_err(format!("the trainer is in use {by}")).into()
}
