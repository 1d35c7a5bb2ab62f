//! Python's exceptions. Each has the text of edb's error.

use edb::graph::{GraphError as OfGraph, MinibatchError};
use edb::model::BundleError as OfBundle;
use edb::trainer::{CheckpointError as OfCheckpoint, TrainError as OfTraining};
use edb::{engine, learn};
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::pycell::{PyBorrowError, PyBorrowMutError};

create_exception!(edb, Error, PyException, "What edb refuses, or could not do.");
create_exception!(edb, BundleError, Error, "A file that cannot be opened or written.");
create_exception!(edb, GraphError, Error, "A graph that its model refuses.");
create_exception!(edb, EngineError, Error, "A run that is refused or has failed.");
create_exception!(edb, LearnError, Error, "Parameters, gradients or settings that are refused.");
create_exception!(edb, TrainError, Error, "A training step that is refused or has failed.");
create_exception!(edb, CheckpointError, Error, "A checkpoint that cannot be saved or resumed.");

/// An error of edb, or one of Python, on its way to Python.
#[derive(Debug)]
pub(crate) struct Fault(PyErr);

pub(crate) type Result<T> = std::result::Result<T, Fault>;

impl From<Fault> for PyErr {
    fn from(Fault(error): Fault) -> Self {
        error
    }
}

/// Something of Python is being changed while it is used: by a callback, or by another thread.
impl From<PyBorrowError> for Fault {
    fn from(_: PyBorrowError) -> Self {
        Self(GraphError::new_err(
            "the graph or minibatch is being changed: use it when that is done",
        ))
    }
}

impl From<PyBorrowMutError> for Fault {
    fn from(_: PyBorrowMutError) -> Self {
        Self(GraphError::new_err("the graph is in use: change it when that is done"))
    }
}

impl From<PyErr> for Fault {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

/// Which exception stands for which error.
macro_rules! faults {
    ($($error:ty => $exception:ident,)*) => { $(
        impl From<$error> for Fault {
            fn from(error: $error) -> Self {
                Self($exception::new_err(error.to_string()))
            }
        }
    )* };
}

faults! {
    OfBundle => BundleError,
    OfGraph => GraphError,
    MinibatchError => GraphError,
    learn::LearnError => LearnError,
    OfCheckpoint => CheckpointError,
}

impl From<OfTraining> for Fault {
    fn from(error: OfTraining) -> Self {
        let text = error.to_string();
        Self(match error {
            OfTraining::Minibatch(_) => GraphError::new_err(text),
            _ => TrainError::new_err(text),
        })
    }
}

impl From<engine::EngineError> for Fault {
    fn from(error: engine::EngineError) -> Self {
        let text = error.to_string();
        Self(match error {
            engine::EngineError::Minibatch(_) => GraphError::new_err(text),
            _ => EngineError::new_err(text),
        })
    }
}
