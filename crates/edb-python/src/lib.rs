//! Models of edb in Python: a bundle is opened, answers, learns and grows. Vertex functions stay in Rust.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `number.rs` | `f32` or `f64`: Python's classes have no type parameters |
//! | `errors.rs` | Python's exceptions, with edb's texts |
//! | `model.rs`, `held.rs`, `engines.rs` | `Model`, what it holds, and the engines that run it |
//! | `graph.rs`, `pulled.rs` | `Graph` and `Minibatch`, and what vertices pull, from Python's values |
//! | `answers.rs`, `forward.rs` | what a model answers, and the run whose gradients are taken |
//! | `optimizers.rs`, `trainer.rs`, `checkpoints.rs` | training |
//! | `growing.rs` | graphs that grow in a callback |
//!
//! Nothing that runs holds Python's lock: other threads of Python go on meanwhile.

mod answers;
mod checkpoints;
mod engines;
mod errors;
mod forward;
mod graph;
mod growing;
mod held;
mod model;
mod number;
mod optimizers;
mod pulled;
mod trainer;

use pyo3::prelude::*;

/// Models of edb that were saved as one file.
#[pymodule(name = "edb")]
mod module {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::answers::Answers;
    #[pymodule_export]
    use super::checkpoints::Checkpoints;
    #[pymodule_export]
    use super::errors::{
        BundleError, CheckpointError, EngineError, Error, GraphError, LearnError, TrainError,
    };
    #[pymodule_export]
    use super::forward::Forward;
    #[pymodule_export]
    use super::graph::{Graph, Minibatch};
    #[pymodule_export]
    use super::growing::GrowingGraph;
    #[pymodule_export]
    use super::model::{Model, open};
    #[pymodule_export]
    use super::optimizers::{
        AdaDelta, AdaGrad, Adam, Group, Lion, Muon, NAdam, Optimizer, Plateau, RAdam, RmsProp,
        Schedule, Sgd,
    };
    #[pymodule_export]
    use super::pulled::{Output, Tensor};
    #[pymodule_export]
    use super::trainer::{Step, Trainer};

    /// Loads numpy now: later, a signal could interrupt it.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.py().import("numpy").map(drop)
    }

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
