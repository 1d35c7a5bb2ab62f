//! What can be wrong with input graphs.

/// A vertex that breaks a rule.
#[derive(Clone, PartialEq, thiserror::Error)]
#[error("vertex {vertex}: {problem}")]
pub struct GraphError {
    /// The vertex, by its number in its graph.
    pub vertex: u32,
    /// What is wrong with it.
    pub problem: Box<GraphProblem>,
}

impl GraphError {
    pub(super) fn new(vertex: usize, problem: GraphProblem) -> Self {
        Self { vertex: vertex as u32, problem: Box::new(problem) }
    }
}

/// A minibatch that cannot be made.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MinibatchError {
    /// There are no graphs.
    #[error("a minibatch needs at least one graph")]
    NoGraphs,
    /// A graph has no vertices.
    #[error("graph {graph} of the minibatch has no vertices")]
    EmptyGraph {
        /// The graph, by its place in the minibatch.
        graph: usize,
    },
    /// A graph was made by another model.
    #[error(
        "graph {graph} of the minibatch was made by another model, and each model that is built or opened is one of its own: \
         take it along as data, by `record_of` and `graph_from_record`"
    )]
    ForeignGraph {
        /// The graph, by its place in the minibatch.
        graph: usize,
    },
    /// A vertex breaks a rule.
    #[error("graph {graph} of the minibatch, {error}")]
    Graph {
        /// The graph, by its place in the minibatch.
        graph: usize,
        /// The vertex and the rule.
        #[source]
        error: GraphError,
    },
    /// A minibatch is used with another model than its own.
    #[error("the minibatch is of another model")]
    ForeignMinibatch,
    /// Minibatches cannot be joined: they are of several models, or the graphs of some have
    /// [grown](super::Minibatch) and those of others have not.
    #[error(
        "minibatch {part} and the first one are of different models, or have not run equally far"
    )]
    Unlike {
        /// The place of the minibatch that differs from the first.
        part: usize,
    },
    /// There is no such graph.
    #[error("there is no graph {graph}: the minibatch has {graphs} graphs")]
    NoSuchGraph {
        /// The place that was asked for.
        graph: usize,
        /// How many graphs there are.
        graphs: usize,
    },
    /// A tensor is not input of a graph of the minibatch.
    #[error(
        "the tensor is not of this minibatch: it is what `tensor` of one of its graphs returned before the \
         minibatch was made"
    )]
    ForeignTensor,
    /// A tensor, or several together, would get another length.
    #[error("what is replaced has {expected} numbers; {found} are given")]
    TensorLength {
        /// The length.
        expected: usize,
        /// How many numbers are given.
        found: usize,
    },
    /// A number for a tensor is NaN or infinite.
    #[error(
        "number {element} of those given, counted from 0, is {value}: a tensor has finite numbers"
    )]
    NotFinite {
        /// Its place among the numbers that are given.
        element: usize,
        /// The value, which is infinite or NaN.
        value: f64,
    },
    /// There are more vertices, edges or input numbers than 32 bits can count.
    #[error("the minibatch has more than 2^32 {what}; make it smaller")]
    TooLarge {
        /// The things of which there are too many.
        what: &'static str,
    },
}

impl MinibatchError {
    /// The place of the wrong graph in the minibatch; `None` if the error is not about one graph. So a server
    /// can refuse one graph, and run the others.
    pub fn graph(&self) -> Option<usize> {
        match self {
            Self::EmptyGraph { graph }
            | Self::ForeignGraph { graph }
            | Self::Graph { graph, .. } => Some(*graph),
            Self::NoGraphs
            | Self::ForeignMinibatch
            | Self::Unlike { .. }
            | Self::NoSuchGraph { .. }
            | Self::ForeignTensor
            | Self::TensorLength { .. }
            | Self::NotFinite { .. }
            | Self::TooLarge { .. } => None,
        }
    }

    /// The error with places of graphs in a longer list, in which the first graph of the minibatch is at place
    /// `first`.
    #[must_use]
    pub fn of_graphs_from(self, first: usize) -> Self {
        match self {
            Self::EmptyGraph { graph } => Self::EmptyGraph { graph: first + graph },
            Self::ForeignGraph { graph } => Self::ForeignGraph { graph: first + graph },
            Self::Graph { graph, error } => Self::Graph { graph: first + graph, error },
            error => error,
        }
    }
}

/// What is wrong with a vertex.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphProblem {
    /// The graph belongs to another model.
    #[error("the graph was made by another model")]
    ForeignModel,
    /// Its function belongs to another model.
    #[error("the function `{function}` is of another model than the graph")]
    ForeignFunction {
        /// The function.
        function: String,
    },
    /// A child was made by another graph, and this graph is not a later clone of that one.
    #[error(
        "child {place} is a vertex of another graph, or of a round that was refused: children are what \
         `add` of this graph returned, or of the graph that it is a clone of before it was cloned"
    )]
    ForeignChild {
        /// The place among the children.
        place: usize,
    },
    /// An input was made by another graph, or is no input at all.
    #[error(
        "the input `{field}` is not of this graph, or of a round that was refused: make it with this \
         graph's `tensor`, `indices` or `output` (a clone also has what the original had made when it \
         was cloned)"
    )]
    ForeignTensor {
        /// The field of the input.
        field: String,
    },
    /// An input is an item of a list.
    #[error(
        "the input `{field}` is an item of a list: a vertex pulls what others push once, behind their \
         loops"
    )]
    Item {
        /// The field of the input.
        field: String,
    },
    /// An output was requested that the vertex does not push.
    #[error("`output` was asked for vertex {of} of `{function}`, which is not one of this graph")]
    ForeignOutput {
        /// The function.
        function: String,
        /// The number of the vertex in the graph.
        of: u32,
    },
    /// A record names a function that the model does not have.
    #[error("there is no vertex function `{function}`; the model has {known}")]
    UnknownFunction {
        /// The name in the record.
        function: String,
        /// The functions of the model.
        known: String,
    },
    /// Its children are not those that its function takes.
    #[error("{0}")]
    Children(String),
    /// Its input is not what its function pulls.
    #[error("{0}")]
    Input(String),
    /// An index is out of range.
    #[error(
        "the input `{field}` of `{function}` is {index}, but what it indexes has {bound} entries"
    )]
    IndexRange {
        /// The function.
        function: String,
        /// The field.
        field: String,
        /// The index.
        index: u32,
        /// The number of entries.
        bound: usize,
    },
    /// An input is an index that a vertex of the graph computes.
    #[error(
        "the input `{field}` of `{function}` is {}, which stands for an index that is not known before the graph has \
         run, such as one that another vertex pushes; for a label that is missing (-1 in other libraries), let \
         `{function}` pull an `Option`, and add the vertex with `None`",
        u32::MAX
    )]
    UnknownIndex {
        /// The function.
        function: String,
        /// The field.
        field: String,
    },
    /// An input is NaN or infinite.
    #[error("the input `{field}` of `{function}` is {value} at element {element}")]
    NotFinite {
        /// The function.
        function: String,
        /// The field.
        field: String,
        /// The element.
        element: usize,
        /// The value, which is infinite or NaN.
        value: f64,
    },
    /// An edge of [`Graph::rounds`](super::Graph::rounds) leads from or to a node that does not exist.
    #[error(
        "edge {edge} of the rounds before this vertex leads from or to node {node}, but there are {nodes} nodes, \
         numbered from 0"
    )]
    NoSuchNode {
        /// The place of the edge among those given.
        edge: usize,
        /// The node.
        node: usize,
        /// How many there are.
        nodes: usize,
    },
    /// The input tensors of a graph have more numbers than 32 bits can count.
    #[error("the graph has more than 2^32 numbers of input")]
    TooMuchData,
    /// The graph is not acyclic.
    #[error("the graph has a cycle: {}", arrows(.vertices))]
    Cycle {
        /// The vertices of one cycle: each reads the next, and the last reads the first.
        vertices: Vec<u32>,
    },
}

impl GraphProblem {
    /// Of a child that the graph, which has `count` vertices, does not have.
    pub(super) fn no_child(place: usize, child: usize, count: usize) -> Self {
        Self::Children(format!(
            "child {place} is vertex {child}, but the graph has {count} vertices"
        ))
    }

    /// Of a field that is fed by a vertex that does not push such a field; `what` says why.
    pub(super) fn feed(function: &str, field: &str, vertex: usize, what: &str) -> Self {
        Self::Input(format!(
            "the input `{field}` of `{function}` is fed by vertex {vertex}, which {what}"
        ))
    }
}

edb_kernels::debug_is_display!(GraphError, MinibatchError, GraphProblem);

fn arrows(vertices: &[u32]) -> String {
    const MAX_SHOWN_VERTICES: usize = 20;
    let mut text: Vec<String> =
        vertices.iter().take(MAX_SHOWN_VERTICES).map(u32::to_string).collect();
    if vertices.len() > MAX_SHOWN_VERTICES {
        text.push(format!("... ({} vertices in all)", vertices.len()));
    }
    text.extend(vertices.first().map(u32::to_string));
    text.join(" reads ")
}
