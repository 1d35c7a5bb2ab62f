//! edb: dynamic neural networks, written as what happens at one vertex.
//!
//! Each example of a dynamic network brings its own graph: a parse tree, a chain, a lattice, a molecule.
//! With edb you write a *vertex function*, what happens at one vertex, as a plain Rust function. The
//! macro compiles it, with its gradient, while your crate is built. At run time the vertices of many
//! graphs run together, forward and backward.
//!
//! ```
//! use edb::prelude::*;
//!
//! #[derive(State)]
//! struct Truth { h: Tensor } // what a formula tells the operator above it
//!
//! #[derive(Input)]
//! struct Bit { value: Index } // what is read from outside the graph
//!
//! #[vertex_function]
//! fn bit(#[param(2, H)] table: Tensor) {
//!     let Bit { value } = pull();
//!     scatter(Truth { h: table.row(value) });
//! }
//!
//! #[vertex_function]
//! fn xor(#[param(H, 2 * H)] w: Tensor, #[param(H)] b: Tensor) {
//!     let [left, right]: [Truth; 2] = [gather(0), gather(1)];
//!     scatter(Truth { h: (w.dot(concat([left.h, right.h])) + b).tanh() });
//! }
//!
//! #[vertex_function]
//! fn answer(#[param(2, H)] w: Tensor) {
//!     let formula: Truth = gather(0);
//!     let Bit { value } = pull();
//!     loss(cross_entropy(w.dot(formula.h), value));
//! }
//!
//! #[derive(Functions)]
//! struct Formulas { bit: Function<bit>, xor: Function<xor>, answer: Function<answer> }
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let mut builder = ModelBuilder::new();
//!     let f: Formulas = builder.add_all(dims! { H: 8 });
//!     let model: Model = builder.build(1)?;
//!
//!     let mut g = model.graph(); // 1 xor 0
//!     let [one, zero] = [1, 0].map(|value| g.add(&f.bit, (), Bit { value: Index(value) }));
//!     let formula = g.add(&f.xor, [one, zero], ());
//!     g.add(&f.answer, [formula], Bit { value: Index(1) });
//!
//!     let batch = model.minibatch([&g])?;
//!     let mut trainer = Trainer::new(model, Adam::new(1e-2));
//!     let step = trainer.step(&batch)?;
//!     println!("loss {}\n{}", step.loss, step.report());
//!     Ok(())
//! }
//! ```
//!
//! # A tour
//!
//! | to | look at |
//! | --- | --- |
//! | write a vertex function | [`macro@vertex_function`], [`macro@State`], [`macro@Input`], [`macro@Output`]; all ops are methods of [`Tensor`] and functions of the [`prelude`] |
//! | make a model | [`ModelBuilder`], [`macro@Functions`], [`dims!`], [`Initializer`](learn::Initializer); [`Model::summary`] prints it |
//! | build graphs | [`Graph`], [`Vertex`]; from files, [`VertexRecord`](graph::VertexRecord) |
//! | run many together | [`Minibatch`], [`Engine`], [`Run`] |
//! | let graphs grow from what they compute | [`Engine::grow_each`], [`Trainer::grow_each`], [`GrowingGraph`](engine::GrowingGraph); round by round: [`Engine::grow`], [`Trainer::grow`] |
//! | train | [`Trainer`]; optimisers, schedules of the learning rate, parameter groups: [`learn`] |
//! | feed, measure, log, go on | [`feed`], [`metrics`], [`log`](mod@log), [`RunFolder`](trainer::RunFolder), [`Checkpoints`](trainer::Checkpoints) |
//! | answer requests from many threads | [`Batcher`](serve::Batcher) |
//! | train by many processes, with the same bits as one process | [`Trainer::distributed`], [`collective`], `mpi::World` |
//! | choose what runs together | [`Policy`](schedule::Policy), [`schedule`] |
//! | connect another network before or after the model | [`Seeds`](engine::Seeds), [`Run::input_gradient`] |
//! | test a cell | [`testing`], [`eager`] |
//! | see what happens | [`StepReport`](engine::StepReport), [`trace`], [`Plan`](model::Plan); pictures: the crate `edb-picture` |
//!
//! `use edb::prelude::*` imports what a model needs. The book, in `book/` of the repository, explains
//! everything.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub use edb_core::Device;
pub use edb_core::element::Element;
/// Runs forward, and backward, by hand:
///
/// ```
#[doc = include_str!("docs/formula.txt")]
/// # fn main() -> Outcome {
/// # let (f, model) = functions()?;
/// # let (g, _) = formula(&f, &model, 1, 0);
/// # let batch = model.minibatch([&g])?;
/// let mut engine = Engine::with_threads(2)?.seed(7);
/// let mut run = engine.forward(&model, &batch, 0)?;
/// println!("loss {}", run.loss()?);
/// let gradients = run.backward()?;
/// assert!(gradients.norm() > 0.0);
/// # Ok(())
/// # }
/// ```
pub use edb_core::engine::Engine;
/// Results are read by vertex:
///
/// ```
#[doc = include_str!("docs/formula.txt")]
/// # fn main() -> Outcome {
/// # let (f, model) = functions()?;
/// # let (g, verdict) = formula(&f, &model, 1, 0);
/// # let batch = model.minibatch([&g])?;
/// let mut engine = Engine::new();
/// let run = engine.infer(&model, &batch)?;
/// let logits = run.output(&f.answer, verdict)?.logits; // a view, `[2]`
/// assert_eq!(logits.shape(), [2]);
/// println!("{}", run.explain()); // why it took so many batches
/// # Ok(())
/// # }
/// ```
pub use edb_core::engine::Run;
pub use edb_core::function::{Vertex, VertexFunction};
/// A graph is built vertex by vertex, children first:
///
/// ```
#[doc = include_str!("docs/formula.txt")]
/// # fn main() -> Outcome {
/// # let (f, model) = functions()?;
/// let mut g = model.graph();
/// let one = g.add(&f.bit, (), Bit { value: Index(1) });
/// let zero = g.add(&f.bit, (), Bit { value: Index(0) });
/// let whole = g.add(&f.xor, [one, zero], ());
/// g.add(&f.answer, [whole], Bit { value: Index(1) });
/// assert_eq!(g.len(), 4);
/// # Ok(())
/// # }
/// ```
pub use edb_core::graph::Graph;
/// A minibatch holds graphs of any shapes, all of them checked:
///
/// ```
#[doc = include_str!("docs/formula.txt")]
/// # fn main() -> Outcome {
/// # let (f, model) = functions()?;
/// let graphs = [formula(&f, &model, 1, 0).0, formula(&f, &model, 1, 1).0];
/// let batch = model.minibatch(&graphs)?;
/// assert_eq!((batch.graph_count(), batch.vertex_count()), (2, 8));
///
/// let (wrong, _) = formula(&f, &model, 1, 7);
/// let error = model.minibatch([&wrong]).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "graph 0 of the minibatch, vertex 1: the input `value` of `bit` is 7, but what it indexes has \
///      2 entries"
/// );
/// # Ok(())
/// # }
/// ```
pub use edb_core::graph::Minibatch;
/// A [`ModelBuilder`] makes the model; the model makes graphs and minibatches, and keeps the parameters:
///
/// ```
#[doc = include_str!("docs/formula.txt")]
/// # fn main() -> Outcome {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("model.safetensors");
/// let (f, mut model) = functions()?;
/// println!("{}", model.summary());
/// model.save(&path)?;
/// model.load(&path)?;
/// let (g, _) = formula(&f, &model, 1, 0);
/// let batch = model.minibatch([&g])?;
/// assert!(Engine::new().infer(&model, &batch)?.loss()?.is_finite());
/// # Ok(())
/// # }
/// ```
pub use edb_core::model::Model;
/// The builder takes vertex functions, and sizes for their dimensions:
///
/// ```
#[doc = include_str!("docs/formula.txt")]
/// # fn main() -> Outcome {
/// let mut builder = ModelBuilder::new();
/// let bit = builder.add::<bit>(dims! { H: 8 }.init("table", Initializer::Orthogonal { gain: 1.0 }));
/// let xor = builder.add::<xor>(dims! { H: 8 });
/// let model: Model = builder.build(1)?; // in f32, from seed 1
///
/// let mut wrong = ModelBuilder::new();
/// wrong.add::<xor>(dims! { X: 8 });
/// let error = wrong.build(1).unwrap_err();
/// assert!(error.to_string().contains("`xor` needs the dimension H: add `H: size` to its dims!"));
/// # let _ = (bit, xor, model);
/// # Ok(())
/// # }
/// ```
pub use edb_core::model::ModelBuilder;
pub use edb_core::model::{Function, Functions};
pub use edb_core::port::{Input, Output, State};
/// By default a policy is learned. This chooses another policy, and saves and loads one:
///
/// ```
#[doc = include_str!("docs/formula.txt")]
/// # fn main() -> Outcome {
/// # let (f, model) = functions()?;
/// # let (g, _) = formula(&f, &model, 1, 0);
/// # let batch = model.minibatch([&g])?;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("policy.json");
/// let mut engine = Engine::new().policy(Policy::Depth);
/// assert_eq!(engine.infer(&model, &batch)?.batch_count(), 1);
/// Policy::Heuristic.save(&path, model.signature())?;
/// let policy = Policy::load(&path, model.signature())?;
/// # let _: Policy = policy;
/// # Ok(())
/// # }
/// ```
#[doc(inline)]
pub use edb_core::schedule;
pub use edb_core::tensor::{Dim, Index, Indices, Tensor};
pub use edb_core::{dims, machine, trace};
/// The fields of a struct are the vertex functions of a model, which are added together:
///
/// ```
/// use edb::prelude::*;
///
/// #[derive(State)]
/// struct Sum { h: Tensor }
///
/// #[derive(Input)]
/// struct Digit { id: Index }
///
/// #[vertex_function]
/// fn digit(#[param(10, H)] table: Tensor) {
///     let Digit { id } = pull();
///     scatter(Sum { h: table.row(id) });
/// }
///
/// #[vertex_function]
/// fn add(#[param(H, H)] w: Tensor) {
///     let [left, right]: [Sum; 2] = [gather(0), gather(1)];
///     scatter(Sum { h: w.dot(left.h + right.h).tanh() });
/// }
///
/// #[derive(Functions)]
/// struct Sums {
///     digit: Function<digit>,
///     add: Function<add>,
/// }
///
/// fn main() -> Result<(), edb::model::ModelError> {
///     let mut builder = ModelBuilder::new();
///     let start = Initializer::Uniform { bound: 0.1 };
///     let f: Sums = builder.add_all(dims! { H: 8 }.init("digit.table", start));
///     let model: Model = builder.build(1)?;
///     let mut g = model.graph();
///     let [two, three] = [2, 3].map(|id| g.add(&f.digit, (), Digit { id: Index(id) }));
///     g.add(&f.add, [two, three], ());
///     Ok(())
/// }
/// ```
pub use edb_macros::Functions;
/// The fields of a struct are the data that vertices read and write:
///
/// ```
/// use edb::prelude::*;
///
/// #[derive(State)]
/// struct Memory { h: Tensor, c: Tensor } // from child to parent
///
/// #[derive(Input)]
/// struct Word { id: Index, weight: Tensor } // from outside
///
/// #[derive(Output)]
/// struct Scores { logits: Tensor } // to the outside
/// # fn main() {}
/// ```
pub use edb_macros::State;
/// An LSTM cell as a vertex function:
///
/// ```
/// use edb::prelude::*;
///
/// #[derive(State)]
/// struct Memory { h: Tensor, c: Tensor }
///
/// #[derive(Input)]
/// struct Word { x: Tensor }
///
/// #[vertex_function]
/// fn read(#[dim(H)] h: Dim, #[param(4 * H, X + H)] w: Tensor, #[param(4 * H)] b: Tensor) {
///     let Word { x } = pull();
///     let before: Memory = gather_or(0, Memory { h: zeros(h), c: zeros(h) });
///     let [i, f, o, g] = (w.dot(concat([x, before.h])) + b).split();
///     let c = f.sigmoid() * before.c + i.sigmoid() * g.tanh();
///     scatter(Memory { h: o.sigmoid() * c.tanh(), c });
/// }
///
/// fn main() -> Result<(), edb::model::ModelError> {
///     let mut builder = ModelBuilder::new();
///     let read = builder.add::<read>(dims! { H: 6, X: 3 });
///     let model: Model = builder.build(1)?;
///     # let _ = (read, model);
///     Ok(())
/// }
/// ```
///
/// If the crate is not called `::edb`, tell each macro its path:
///
/// ```
/// mod my {
///     pub use edb; // or a dependency that was renamed: `pub use net as edb;`
/// }
/// use my::edb::prelude::*;
///
/// #[derive(State)]
/// #[edb(crate = my::edb)]
/// struct Memory { h: Tensor }
///
/// #[vertex_helper(crate = my::edb)]
/// fn halved(x: Tensor) -> Tensor {
///     x * 0.5
/// }
///
/// #[vertex_function(crate = my::edb)]
/// fn fade() {
///     let before: Memory = gather(0);
///     scatter(Memory { h: halved(before.h) });
/// }
/// # fn main() {}
/// ```
pub use edb_macros::vertex_function;
pub use edb_macros::{Input, Output, vertex_helper};
/// A trainer that learns four formulas by heart:
///
/// ```
#[doc = include_str!("docs/formula.txt")]
/// # fn main() -> Outcome {
/// # let (f, model) = functions()?;
/// let all = [(0, 0), (0, 1), (1, 0), (1, 1)];
/// let graphs: Vec<Graph> = all.iter().map(|&(a, b)| formula(&f, &model, a, b).0).collect();
/// let batch = model.minibatch(&graphs)?;
/// let mut trainer = Trainer::new(model, Adam::new(2e-2)).clip_norm(5.0);
/// let steps = trainer.overfit(&batch, 500, 0.05)?;
/// assert!(steps.last().is_some_and(|step| step.mean_loss() <= 0.05));
/// println!("{}", trainer.report()); // where the time of the last step went
/// # Ok(())
/// # }
/// ```
pub use edb_train::trainer::Trainer;
pub use edb_train::{feed, log, metrics};

pub use ndarray;

/// Types around a model: its sizes, its summary, and its errors.
pub mod model {
    #[cfg(feature = "bundle")]
    pub use edb_core::bundle::{
        Bundle, BundleError, BundleProblem, BundleWriter, Example, bundle_element,
    };
    pub use edb_core::function::Plan;
    pub use edb_core::learn::Notes;
    pub use edb_core::model::{
        Blueprint, FieldSummary, FunctionField, FunctionFields, FunctionSummary, ModelError,
        ModelProblem, ParameterSummary, Setup, SharedParam, Summary, Tangent, VertexLosses,
    };
}

/// Types around input graphs: their vertices as records, and their errors.
pub mod graph {
    pub use edb_core::function::{Child, ChildRef, Children, Member};
    pub use edb_core::graph::{
        GraphError, GraphProblem, GraphRecord, InputRecord, MinibatchError, Pulled, VertexRecord,
    };
}

/// Learning: parameters, gradients, initial values, optimisers, and the settings of a step.
///
/// Sums have a fixed order and draws depend on seeds alone, so the number of threads changes no result.
/// An operation that returns an error has changed nothing.
///
/// ```
/// use edb::learn::{Adam, Gradient, Gradients, Initializer, Optimizer, Parameter, Parameters};
///
/// let mut parameters = Parameters::<f32>::new();
/// let values = Initializer::XavierUniform.fill(&[3, 2], 42, "cell.w")?;
/// let w = parameters.push(Parameter::new("cell.w", &[3, 2], values)?)?;
///
/// let mut gradients = Gradients::new(&parameters);
/// gradients.add(w, Gradient::Dense(vec![0.5; 6]))?;
/// gradients.clip_norm(1.0);
///
/// let mut optimizer = Adam::new(1e-3);
/// optimizer.update(&mut parameters, &gradients)?;
/// # Ok::<(), edb::learn::LearnError>(())
/// ```
pub mod learn {
    #[allow(deprecated)]
    pub use edb_core::learn::Watch;
    pub use edb_core::learn::{
        Accountant, AdaDelta, AdaGrad, Adam, Averages, Clock, Descent, Difference, EarlyStopping,
        Ema, Factors, Formula, Gradient, GradientStatistics, Gradients, Group, Initializer,
        LearnError, Lion, Method, Muon, NAdam, Optimizer, OptimizerState, Parameter, ParameterId,
        ParameterStep, ParameterUpdate, Parameters, Pass, Plateau, PrivateSteps, RAdam,
        RateSchedule, Remote, RemoteError, RmsProp, Rule, Scaling, Sgd, Start, StepOutcome,
        Storage, Terms, Transfer, Tuning, Updates, Values, WholeParameter, WordVectors, Workers,
    };
}

/// Messages between processes that train together: [`Trainer::distributed`] takes a
/// [`Collective`](collective::Collective), which carries them.
pub mod collective {
    pub use edb_core::collective::{Alone, Collective, CollectiveError, Local, PATIENCE};
}

/// The noise of private training is drawn from a secret, since nobody may foresee it: [`Trainer::private`]
/// takes a [`Secret`](secret::Secret).
pub mod secret {
    pub use edb_core::secret::{Secret, SecretError};
}

/// Vertex functions called as plain Rust functions: they run op by op, in `f64`.
///
/// Tensors are dual numbers, so a run also computes the exact derivative along one direction. The result of
/// [`run_vertex`](eager::run_vertex) is the reference for the compiled plan.
pub mod eager {
    pub use edb_core::eager::{
        Decision, Dual, EagerResult, EagerState, EagerVertex, Followed, forms, ops, run_vertex,
        scope,
    };

    /// Reference implementations of all ops, written independently of the kernels.
    pub mod reference {
        pub use edb_core::eager::reference::{Array, Attributes, evaluate};
    }
}

/// Tools for tests of vertex functions. They compare compiled runs with eager runs, and gradients and products
/// with Hessians with finite differences.
///
/// An eager run ([`eager`](testing::eager)) shares as little as possible with the compiled run that it checks:
/// it calls the function op by op, in `f64`. Where a vertex decides, the eager run follows the decision of the
/// compiled run, and checks it up to rounding. [`compiled_equals_eager`](testing::compiled_equals_eager)
/// compares every policy, on one thread and on two, forward and backward.
pub mod testing {
    pub use edb_core::testing::{
        Check, EagerRun, Mismatch, TestBuilder, compiled_equals_eager, eager, grown_equals_eager,
    };
    #[cfg(feature = "f64")]
    pub use edb_core::testing::{gradient_check, hessian_check};
}

/// The fields of structs that derive [`State`], [`Input`] or [`Output`], at run time.
pub mod port {
    pub use edb_core::port::{
        Field, FieldKind, FieldView, Given, Port, PortField, PortType, PortValue,
    };
}

/// Types around a run: gradients that come from outside, results of many vertices, reports, errors.
pub mod engine {
    pub use edb_core::device::{Backends, Ceilings};
    pub use edb_core::engine::{
        EngineError, GradientNotFinite, GraphGradients, GraphResults, GrowingGraph, Growth,
        JacobianOf, LossScale, NoiseScale, NotFinite, Precision, Round, Seeds, Stacked, StepReport,
        TangentRun, UnknownPrecision,
    };

    /// What a run has answered for a graph, as data that serde writes: [`Run::answer`](crate::Run::answer).
    pub mod answer {
        #[cfg(feature = "bundle")]
        pub use edb_core::engine::Replayed;
        pub use edb_core::engine::{
            Answer, Fields, FunctionOutputs, Numbers, Pushed, Values, VertexAnswer,
        };
    }
}

/// Types around training: the result of a step, checkpoints, errors.
pub mod trainer {
    pub use edb_train::run_folder::{RunError, RunFolder};
    pub use edb_train::trainer::{
        Checkpoint, CheckpointError, Checkpoints, GrowingStep, LargeParameter, Private, Reduction,
        Resumed, Saved, SettingChange, Skipped, Step, TrainError,
    };
    // The path that it had before models had notes, too.
    #[doc(hidden)]
    pub use edb_train::trainer::Notes;
}

/// Training by many processes: [`World::open`](mpi::World::open) finds the ranks that `mpirun` or `srun`
/// has started, for [`Trainer::distributed`].
#[cfg(feature = "mpi")]
pub mod mpi {
    pub use edb_mpi::{MpiError, World};
}

/// Serving: requests from many threads, answered in minibatches by a [`Batcher`](serve::Batcher).
pub mod serve {
    #[allow(deprecated)]
    pub use edb_serve::Later;
    pub use edb_serve::{Batcher, BatcherBuilder, Counts, Pending, ServeError, Times};
}

/// NVIDIA GPUs: [`Device::cuda`](cuda::OnCuda::cuda).
#[cfg(feature = "cuda")]
pub mod cuda {
    pub use edb_cuda::{CudaError, CudaOptions, GpuError, Launches, OnCuda, UnknownLaunches};
}

/// Everything that a model needs: `use edb::prelude::*`.
pub mod prelude {
    pub use edb_core::Device;
    pub use edb_core::dims;
    pub use edb_core::eager::forms::{
        bce_with_logits, cosine_similarity, cross_entropy_smoothed, hinge, huber, kl_div, mae, mse,
        nll, row_cross_entropy,
    };
    pub use edb_core::eager::ops::{
        bag_size, concat, concat_rows, cross_entropy, eye, gather, gather_all, gather_or,
        indicator, loss, one_hot, ones, pull, push, scalar, scatter, stack, zeros,
    };
    pub use edb_core::engine::{Engine, Precision, Run};
    pub use edb_core::function::{Vertex, VertexFunction};
    pub use edb_core::graph::{Graph, Minibatch};
    pub use edb_core::learn::{Adam, Group, Initializer, Optimizer, RateSchedule, Sgd};
    pub use edb_core::model::{Function, Functions, Model, ModelBuilder};
    pub use edb_core::schedule::Policy;
    pub use edb_core::tensor::{Dim, Index, Indices, Tensor};
    #[cfg(feature = "cuda")]
    pub use edb_cuda::{CudaOptions, Launches, OnCuda};
    pub use edb_macros::{Functions, Input, Output, State, vertex_function, vertex_helper};
    pub use edb_train::trainer::{Reduction, Trainer};

    #[cfg(not(feature = "cuda"))]
    #[doc(hidden)]
    pub use crate::__private::without_cuda::OnCuda as _;
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The items that expanded macros use.
#[doc(hidden)]
pub mod __private {
    pub use crate::__kernels as kernels;

    /// The items that compiled kernels use.
    pub mod fused {
        pub use edb_core::element::Element;
        pub use edb_core::fused::*;
    }

    pub use edb_core::element::Element;
    pub use edb_core::function::{Compiled, Definition, EagerArguments, PlanCell, Source};
    pub use edb_core::port::{
        Field, FieldKind, FieldView, Given, Port, PortField, PortType, PortValue,
    };
    pub use edb_core::testing::check_function;
    pub use edb_macros::compile;

    pub mod tied;
    #[cfg(not(feature = "cuda"))]
    pub mod without_cuda;
}

/// The compiled kernels of a function. There are none if the user's crate has debug assertions, unless the
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
