//! What can go wrong when a minibatch runs, or when its results are read.

use std::collections::TryReserveError;

use crate::engine::precision::Precision;
use edb_kernels::memory::MemoryError;

use edb_learn::collective::CollectiveError;
use edb_learn::learn::LearnError;
use edb_model::graph::MinibatchError;
use edb_schedule::ScheduleError;

/// Why a minibatch did not run, or a result is not available.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The minibatch was made by another model.
    #[error("the minibatch was made by another model: make it with this model's `minibatch`")]
    ForeignMinibatch,
    /// Graphs do not form a minibatch. If graphs grow, something that was added to one of them breaks a
    /// rule. What this graph got in this round is removed, and it does not grow any more. The other graphs
    /// grow on, and nothing that was computed is lost.
    #[error(transparent)]
    Minibatch(#[from] MinibatchError),
    /// The caller asks for something that depends on what the vertices of the minibatch decide.
    #[error(
        "vertices of function `{function}` decide how they go on, so that this is known when they have run: \
         ask for it with what the minibatch has become, `run.minibatch()`"
    )]
    Undecided {
        /// A function whose vertices decide how they go on.
        function: String,
    },
    /// The minibatch has a schedule, but what its vertices run is only known after they have run.
    #[error(
        "the minibatch has a schedule, but vertices of function `{function}` decide how they go on, so that no \
         schedule can have all that they will run: run a minibatch without one, and set it for what that has \
         become, `run.minibatch()`"
    )]
    NoScheduleYet {
        /// A function whose vertices decide how they go on.
        function: String,
    },
    /// A vertex has run as many sections as the engine allows, and goes on.
    #[error(
        "vertex {vertex} of graph {graph}, of function `{function}`, has run {steps} sections and goes \
         on: does its loop end? `Engine::most_steps` allows for more"
    )]
    EndlessVertex {
        /// The graph, by its place in the minibatch.
        graph: usize,
        /// The number of the vertex in its graph.
        vertex: usize,
        /// Its function.
        function: String,
        /// How many sections it has run.
        steps: u32,
    },
    /// A graph has grown for as many rounds as the engine allows, and goes on. What it got in its last round is
    /// removed. The other graphs grow on.
    #[error(
        "graph {graph} still grows after {rounds} rounds: end it, or allow more with \
         `Engine::most_steps`"
    )]
    Endless {
        /// The graph, by its place in the minibatch.
        graph: usize,
        /// How many rounds it has grown for.
        rounds: u32,
    },
    /// Graphs that grow are continued with another engine or model, or the engine has run something else
    /// since they began.
    #[error(
        "the graphs have begun to grow with another engine or model, or the engine has run something else \
         since"
    )]
    ForeignGrowth,
    /// The graphs, which grow each by itself, have already grown to their end.
    #[error("these graphs have grown to their end before: begin anew with graphs to grow")]
    Grown,
    /// Graphs cannot grow on, since an error has ended their run.
    #[error("an error has ended this run before: begin another one with `Engine::grow`")]
    Ended,
    /// The caller asks for the numbers of a tensor that no vertex of the graph has pushed.
    #[error(
        "the tensor is not what a vertex of this graph has pushed: take it from what `decided` of this \
         graph returns"
    )]
    ForeignOutput,
    /// The caller asks for a tensor before it is computed.
    #[error(
        "what `{function}` pushes is computed when all graphs have stopped growing, since it pushes \
         no index: read it from the run that `finish` returns"
    )]
    Later {
        /// The function.
        function: String,
    },
    /// The policy cannot schedule minibatches of this model.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// There is not enough memory for the minibatch.
    #[error("the minibatch needs {bytes} bytes; make it smaller ({reason})")]
    Memory {
        /// How many bytes it needs.
        bytes: usize,
        /// The allocator's error.
        reason: TryReserveError,
    },
    /// The device could not be used, or has failed.
    #[error(transparent)]
    Device(Box<dyn std::error::Error + Send + Sync>),
    /// The devices of several ranks could not add up their gradients.
    #[error(transparent)]
    Collective(#[from] CollectiveError),
    /// An engine was to run on 0 threads.
    #[error(
        "an engine on 0 threads has none to run on: `threads` is 1 for the calling thread alone, and \
         `std::thread::available_parallelism()` for all cores"
    )]
    NoThreads,
    /// The processor does not compute in this precision.
    #[error("the processor does not compute in {0}: choose `Precision::Full` or `Precision::Bf16`")]
    Precision(Precision),
    /// An `Engine<f64>` where edb was compiled without its feature `f64`.
    #[error(
        "edb was compiled for f32 only: add the feature `f64` to edb-nn in Cargo.toml, or use an `Engine<f32>`"
    )]
    NotCompiled,
    /// A model of `f64` runs in full precision only.
    #[error("a model of `f64` runs in `Precision::Full` only")]
    PrecisionOfModel,
    /// An environment variable asks for an instruction set that does not exist.
    #[error("{0}, or not be set")]
    Instructions(String),
    /// The threads could not be started.
    #[error("the threads could not be started: {0}")]
    Threads(String),
    /// The caller asks for a tensor, but the field is an index.
    #[error("`{field}` is an index, not a tensor: it has no numbers, and no gradient")]
    IsIndex {
        /// The field.
        field: String,
    },
    /// The caller asks for an index, but the field is a tensor.
    #[error("`{field}` is a tensor, not an index")]
    IsTensor {
        /// The field.
        field: String,
    },
    /// The run was forward only.
    #[error("nothing was kept for a backward pass: run forward with `Engine::forward`")]
    NoTape,
    /// The run has gone backward already.
    #[error(
        "a run goes backward once, since gradients overwrite what was kept for them: run forward \
         again"
    )]
    Spent,
    /// The device scales losses, so it computes neither the gradients of single graphs nor Jacobians.
    #[error(
        "a device that scales losses computes neither the gradients of each graph nor Jacobians: use \
         `Precision::Full`"
    )]
    NoGraphSums,
    /// The gradient of a graph cannot be clipped.
    #[error(
        "the gradient of graph {graph} cannot be clipped, since its norm is not finite: is one of its \
         losses out of range?"
    )]
    NotClipped {
        /// The graph, by its place in the minibatch.
        graph: usize,
    },
    /// There is no such graph in the minibatch.
    #[error("there is no graph {graph}; graphs in the minibatch: {graphs}")]
    UnknownGraph {
        /// The place that was given.
        graph: usize,
        /// How many graphs there are.
        graphs: usize,
    },
    /// A direction is not one of the model's parameters.
    #[error("the direction is not one of this model's parameters: make it with `Gradients::new`")]
    Direction,
    /// A tangent, or losses of vertices, are used with another model than the one that they were made of.
    #[error(
        "it was made of another model: make it with this model's `tangent`, or `vertex_losses`"
    )]
    ForeignDerived,
    /// A tensor is not of the minibatch.
    #[error(
        "the tensor is not of this minibatch: it is of a graph that is not in it, or was made after the minibatch"
    )]
    ForeignTensor,
    /// The gradient of an input was requested before the backward pass.
    #[error("the gradients of inputs exist after `backward`")]
    NotYet,
    /// A vertex is not in the minibatch.
    #[error(
        "vertex {vertex} is not in the minibatch: it is of a graph that is not in it, or was added \
         after the minibatch was made, or after the graph in it was cloned from the vertex's graph, \
         or in a round that was refused"
    )]
    UnknownVertex {
        /// The vertex, by its number in its graph.
        vertex: usize,
    },
    /// A vertex was requested by a graph or a number that the minibatch does not have.
    #[error(
        "there is no vertex {vertex} in graph {graph}: {}",
        if graph < graphs { format!("it has {vertices} vertices") } else { format!("graphs in the minibatch: {graphs}") }
    )]
    VertexRange {
        /// The graph, by its place in the minibatch.
        graph: usize,
        /// The vertex, by its number in its graph.
        vertex: usize,
        /// How many graphs the minibatch has.
        graphs: usize,
        /// How many vertices the graph has; 0 if there is no such graph.
        vertices: usize,
    },
    /// A vertex is of another function than the one it was requested with.
    #[error("vertex {vertex} is of `{found}`, not of `{expected}`")]
    Function {
        /// The vertex, by its number in its graph.
        vertex: usize,
        /// The function that it was requested with.
        expected: String,
        /// Its function.
        found: String,
    },
    /// A vertex was requested with a function of another model.
    #[error(
        "the function `{function}` is of another model than the minibatch: use what the builder of \
         the minibatch's model returned for it"
    )]
    ForeignFunction {
        /// The function.
        function: String,
    },
    /// A function does not push the field that was requested.
    #[error("`{function}` pushes no field `{field}`; it pushes {known}")]
    UnknownOutput {
        /// The function.
        function: String,
        /// The field.
        field: String,
        /// The fields that it pushes.
        known: String,
    },
    /// A function does not pull the field that was requested.
    #[error("`{function}` pulls no field `{field}`; it pulls {known}")]
    UnknownInput {
        /// The function.
        function: String,
        /// The field.
        field: String,
        /// The fields that it pulls.
        known: String,
    },
    /// A vertex has no input, so it has no field of it.
    #[error(
        "vertex {vertex} of graph {graph} (`{function}`) is without its input, so it has no `{field}`"
    )]
    NoInput {
        /// The graph, by its place in the minibatch.
        graph: usize,
        /// The vertex, by its number in the graph.
        vertex: usize,
        /// The function.
        function: String,
        /// The field.
        field: String,
    },
    /// The caller asks for a Jacobian between vertices of different graphs.
    #[error(
        "one vertex is of graph {graph}, the other of graph {other}: nothing depends on another graph"
    )]
    OtherGraph {
        /// The graph of the vertex that pushes.
        graph: usize,
        /// The graph of the vertex that pulls.
        other: usize,
    },
    /// The caller asks for one output, but the function pushes a list.
    #[error(
        "`{function}` pushes in a loop, so a list: read all of its items with `outputs_of`, and give \
         the gradient of one with `push_nth`"
    )]
    PushesList {
        /// The function.
        function: String,
    },
    /// The caller asks for an item of a list, but the vertex has pushed fewer items.
    #[error("vertex {vertex} of `{function}` has pushed {found} items; there is no item {item}")]
    UnknownItem {
        /// The function.
        function: String,
        /// The vertex's number in its graph.
        vertex: usize,
        /// The item that was asked for, counted from 0.
        item: usize,
        /// How many items there are.
        found: usize,
    },
    /// The gradient that was given for an output has the wrong length.
    #[error(
        "the gradient of `{field}` of `{function}` has {found} numbers; the field has {expected}"
    )]
    SeedLength {
        /// The function.
        function: String,
        /// The field.
        field: String,
        /// How many elements the field has.
        expected: usize,
        /// How many elements were given.
        found: usize,
    },
    /// A gradient could not be added up, or does not fit.
    #[error(transparent)]
    Learn(#[from] LearnError),
}

edb_kernels::debug_is_display!(EngineError);

impl EngineError {
    /// Changes the places of graphs in this error. The graphs that ran were a part of all graphs, and the first of
    /// them has the place `first` among all. The error then names graphs by their places among all.
    #[must_use]
    pub fn of_graphs_from(self, first: usize) -> Self {
        match self {
            Self::Endless { graph, rounds } => Self::Endless { graph: first + graph, rounds },
            Self::EndlessVertex { graph, vertex, function, steps } => {
                Self::EndlessVertex { graph: first + graph, vertex, function, steps }
            }
            Self::NotClipped { graph } => Self::NotClipped { graph: first + graph },
            Self::Minibatch(error) => Self::Minibatch(error.of_graphs_from(first)),
            error => error,
        }
    }
}

impl From<MemoryError> for EngineError {
    fn from(MemoryError { bytes, reason }: MemoryError) -> Self {
        Self::Memory { bytes, reason }
    }
}
