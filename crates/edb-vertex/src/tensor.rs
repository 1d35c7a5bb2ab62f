//! The types that vertex functions and port structs use.

/// The size of a named dimension, as `#[dim(H)] h: Dim` brings it into a vertex function.
pub type Dim = usize;

/// A tensor.
///
/// Inside a vertex function that runs eagerly it is an `f64` tensor, and its methods compute at
/// once, one op at a time. Outside, in a port struct that a graph is built with, it stands for a
/// row of input (`Graph::tensor`) or for what another vertex pushes
/// (`Graph::output`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tensor(#[doc(hidden)] pub Handle);

/// What a [`Tensor`] stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Handle {
    /// A value of the thread's eager context.
    Eager(u32),
    /// Elements of a graph's input.
    Data {
        /// The id of the graph.
        graph: u64,
        /// The first of the elements.
        start: u32,
        /// How many there are.
        length: u32,
    },
    /// A tensor field of the output of a vertex of the graph.
    Pushed {
        /// The id of the graph.
        graph: u64,
        /// The number of the vertex in its graph.
        vertex: u32,
        /// Which field of the output.
        field: u16,
    },
    /// A tensor field of an item of a list.
    Item {
        /// The id of the graphs that grew.
        growth: u64,
        /// The section that pushed the item there.
        section: u32,
        /// Which field of the output.
        field: u16,
    },
}

/// A bag of any number of indices from the input: the rows of a table that are read together, or
/// the features of an object. An index may occur several times.
///
/// Made by `Graph::indices` or, to run a vertex function eagerly,
/// by [`Indices::from_values`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Indices(#[doc(hidden)] pub Bag);

/// What an [`Indices`] stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bag {
    /// A bag of the thread's eager context.
    Eager(u32),
    /// Indices of a graph's input.
    Data {
        /// The id of the graph.
        graph: u64,
        /// The first of the indices.
        start: u32,
        /// How many there are.
        length: u32,
    },
}

/// An index: a row of a table, or a class. It comes from the input, or is computed by
/// [`argmax`](Tensor::argmax) or [`sample`](Tensor::sample).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Index(pub u32);

impl Index {
    /// An index that is not known before its graph runs. No table has such a row, and no set of classes
    /// such a class.
    pub const UNKNOWN: Index = Index(u32::MAX);
}

impl From<u32> for Index {
    fn from(index: u32) -> Self {
        Index(index)
    }
}

impl From<u16> for Index {
    fn from(index: u16) -> Self {
        Index(index.into())
    }
}

impl From<u8> for Index {
    fn from(index: u8) -> Self {
        Index(index.into())
    }
}
