//! edb: dynamic neural networks, written as what happens at one vertex.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub use edb_core::engine::{Device, Engine, EngineError, NotFinite, Run, Seeds, StepReport};
pub use edb_core::function::{Plan, PlanOptions, Vertex, VertexFunction};
pub use edb_core::graph::{
    Graph, GraphError, InputRecord, Minibatch, MinibatchError, VertexRecord,
};
pub use edb_core::learn::{
    AdaDelta, AdaGrad, Adam, Gradient, Gradients, Group, Initializer, LearnError, Lion, NAdam,
    Optimizer, Parameters, Plateau, RAdam, RateSchedule, RmsProp, Sgd, Watch,
};
pub use edb_core::model::{Blueprint, Function, Model, ModelBuilder, ModelError, Setup};
pub use edb_core::port::{Input, Output, Port, PortField, State};
pub use edb_core::schedule::{LearnOptions, Learner, Policy, Schedule, TypeGraph};
pub use edb_core::tensor::{Dim, Index, Indices, Tensor};
pub use edb_core::trainer::{
    CheckpointError, Checkpoints, Notes, Reduction, Step, TrainError, Trainer,
};
pub use edb_core::{
    dims, eager, element, engine, feed, function, graph, learn, log, machine, metrics, model, port,
    schedule, testing,
};
pub use edb_macros::{Input, Output, State, vertex_function, vertex_helper};

#[cfg(feature = "cuda")]
pub use edb_cuda::{CudaError, OnCuda};

pub use edb_core::element::Element;
pub use edb_core::graph::GraphProblem;
pub use edb_core::model::ModelProblem;
pub use ndarray;

/// Everything that a model needs: `use edb::prelude::*`.
pub mod prelude {
    pub use edb_core::dims;
    pub use edb_core::eager::forms::{
        bce_with_logits, cosine_similarity, cross_entropy_smoothed, hinge, huber, kl_div, mae, mse,
        nll,
    };
    pub use edb_core::eager::ops::{
        bag_size, concat, cross_entropy, gather, gather_all, gather_or, loss, one_hot, pull, push,
        scalar, scatter, stack, zeros,
    };
    pub use edb_core::engine::{Device, Engine, Run};
    pub use edb_core::function::{Vertex, VertexFunction};
    pub use edb_core::graph::{Graph, Minibatch};
    pub use edb_core::learn::{Adam, Group, Initializer, Optimizer, RateSchedule, Sgd};
    pub use edb_core::model::{Function, Model, ModelBuilder};
    pub use edb_core::schedule::Policy;
    pub use edb_core::tensor::{Dim, Index, Indices, Tensor};
    pub use edb_core::trainer::Trainer;
    #[cfg(feature = "cuda")]
    pub use edb_cuda::OnCuda;
    pub use edb_macros::{Input, Output, State, vertex_function, vertex_helper};
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// What expansions of the macros use.
#[doc(hidden)]
pub mod __private {
    pub use crate::__kernels as kernels;

    /// What kernels are made of.
    pub mod fused {
        pub use edb_core::element::Element;
        pub use edb_core::fused::*;
    }

    pub use edb_core::function::{Definition, EagerArguments, PlanCell};
    pub use edb_core::port::{Field, FieldKind, PortType, PortValue};
    pub use edb_macros::compile;
    pub use ndarray::ArrayViewD;
}

/// The compiled kernels of a function: none where the user's crate has debug assertions, unless the
/// feature `kernels` asks for them.
#[cfg(not(feature = "kernels"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __kernels {
    ($($tokens:tt)*) => {{
        #[cfg(debug_assertions)]
        const __EDB_KERNELS: $crate::__private::fused::CompiledKernels =
            $crate::__private::fused::CompiledKernels::NONE;
        #[cfg(not(debug_assertions))]
        const __EDB_KERNELS: $crate::__private::fused::CompiledKernels = { $($tokens)* };
        __EDB_KERNELS
    }};
}

/// The compiled kernels of a function.
#[cfg(feature = "kernels")]
#[doc(hidden)]
#[macro_export]
macro_rules! __kernels {
    ($($tokens:tt)*) => {{
        const __EDB_KERNELS: $crate::__private::fused::CompiledKernels = { $($tokens)* };
        __EDB_KERNELS
    }};
}
