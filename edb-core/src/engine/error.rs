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
    /// Graphs do not form a minibatch: of those that grow, something that was added to one of them
    /// breaks a rule. What it got in this round is removed, and it does not grow on; the other
    /// graphs do, and nothing that was computed is lost.
    #[error(transparent)]
    Minibatch(#[from] MinibatchError),
    /// Something is asked for of a minibatch that depends on what its vertices decide.
    #[error(
        "vertices of function `{function}` decide how they go on, so that this is known when they have run: \
         ask for it with what the minibatch has become, `run.minibatch()`"
    )]
    Undecided {
        /// Such a function.
        function: String,
    },
    /// A vertex goes on and on.
    #[error(
        "vertex {vertex} of graph {graph}, of function `{function}`, has run {steps} sections and goes \
         on: does its loop end? `Engine::most_steps` allows for more"
    )]
    EndlessVertex {
        /// The place of the graph.
        graph: usize,
        /// The number of the vertex in its graph.
        vertex: usize,
        /// Its function.
        function: String,
        /// How many sections it has run.
        steps: u32,
    },
    /// A graph does not stop growing. What it got in its last round is removed; the other graphs
    /// grow on.
    #[error(
        "graph {graph} still grows after {rounds} rounds: end it, or allow more with \
         `Engine::most_steps`"
    )]
    Endless {
        /// The graph, by its place.
        graph: usize,
        /// Its rounds.
        rounds: u32,
    },
    /// Graphs go on with another engine or model than they have begun with.
    #[error(
        "the graphs have begun to grow with another engine or model, or the engine has run something else \
         since"
    )]
    ForeignGrowth,
    /// Graphs grow no more, since an error has ended their run.
    #[error("an error has ended this run before: begin another one with `Engine::grow`")]
    Ended,
    /// The numbers of a tensor are asked for that no vertex of the graph has pushed.
    #[error(
        "the tensor is not what a vertex of this graph has pushed: take it from what `decided` of this \
         graph returns"
    )]
    ForeignOutput,
    /// A tensor is asked for before it is computed.
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
    /// Devices of several ranks could not sum what they have.
    #[error(transparent)]
    Collective(#[from] CollectiveError),
    /// The processor does not compute in this precision.
    #[error("the processor does not compute in {0}: choose `Precision::Full` or `Precision::Bf16`")]
    Precision(Precision),
    /// A model of `f64` runs in full precision only.
    #[error("a model of `f64` runs in `Precision::Full` only")]
    PrecisionOfModel,
    /// The environment asks for an instruction set that is none.
    #[error("{0}, or not be set")]
    Instructions(String),
    /// The threads could not be started.
    #[error("the threads could not be started: {0}")]
    Threads(String),
    /// A field is an index, where a tensor is asked for.
    #[error("`{field}` is an index, not a tensor: it has no numbers, and no gradient")]
    IsIndex {
        /// The field.
        field: String,
    },
    /// A field is a tensor, where an index is asked for.
    #[error("`{field}` is a tensor, not an index")]
    IsTensor {
        /// The field.
        field: String,
    },
    /// The run was forward only.
    #[error("nothing was kept for a backward pass: run forward with `Engine::forward`")]
    NoTape,
    /// The backward pass of the run has been made already.
    #[error(
        "a run goes backward once, since gradients overwrite what was kept for them: run forward \
         again"
    )]
    Spent,
    /// The device scales losses, which are those of all graphs.
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
        /// How many there are.
        graphs: usize,
    },
    /// A direction is not one of the model's parameters.
    #[error("the direction is not one of this model's parameters: make it with `Gradients::new`")]
    Direction,
    /// A tangent, or losses of vertices, are used with another model than that which they were made
    /// of.
    #[error(
        "it was made of another model: make it with this model's `tangent`, or `vertex_losses`"
    )]
    ForeignDerived,
    /// A gradient of a pull was requested before the backward pass.
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
    /// A vertex was requested by a place that the minibatch does not have.
    #[error(
        "there is no vertex {vertex} in graph {graph}: {}",
        if graph < graphs { format!("it has {vertices} vertices") } else { format!("graphs in the minibatch: {graphs}") }
    )]
    VertexRange {
        /// The graph, by its place in the minibatch.
        graph: usize,
        /// The vertex, by its number in its graph.
        vertex: usize,
        /// The graphs of the minibatch.
        graphs: usize,
        /// The vertices of the graph; 0 if there is no such graph.
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
    /// A function does not push such a field.
    #[error("`{function}` pushes no field `{field}`; it pushes {known}")]
    UnknownOutput {
        /// The function.
        function: String,
        /// The field.
        field: String,
        /// The fields that it pushes.
        known: String,
    },
    /// A function does not pull such a field.
    #[error("`{function}` pulls no field `{field}`; it pulls {known}")]
    UnknownInput {
        /// The function.
        function: String,
        /// The field.
        field: String,
        /// The fields that it pulls.
        known: String,
    },
    /// A vertex is without its input.
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
    /// A Jacobian is asked for between vertices of different graphs.
    #[error(
        "one vertex is of graph {graph}, the other of graph {other}: nothing depends on another graph"
    )]
    OtherGraph {
        /// The graph of the vertex that pushes.
        graph: usize,
        /// The graph of the vertex that pulls.
        other: usize,
    },
    /// One output is asked for of a function that pushes a list.
    #[error(
        "`{function}` pushes in a loop, so a list: read all of its items with `outputs_of`, and give \
         the gradient of one with `push_nth`"
    )]
    PushesList {
        /// The function.
        function: String,
    },
    /// A vertex has not pushed so many items.
    #[error("vertex {vertex} of `{function}` has pushed {found} items; there is no item {item}")]
    UnknownItem {
        /// The function.
        function: String,
        /// The vertex's number in its graph.
        vertex: usize,
        /// The item that was asked for, the first being 0.
        item: usize,
        /// How many there are.
        found: usize,
    },
    /// The gradient of an output has another length.
    #[error(
        "the gradient of `{field}` of `{function}` has {found} numbers; the field has {expected}"
    )]
    SeedLength {
        /// The function.
        function: String,
        /// The field.
        field: String,
        /// The elements of the field.
        expected: usize,
        /// The elements that were given.
        found: usize,
    },
    /// A gradient could not be added up, or does not fit.
    #[error(transparent)]
    Learn(#[from] LearnError),
}

edb_kernels::debug_is_display!(EngineError);

impl EngineError {
    /// The same error, if the graphs that ran are only some of all, of which the first has this place: it then
    /// names graphs by their places among all.
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
