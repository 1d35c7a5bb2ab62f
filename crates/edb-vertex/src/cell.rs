//! References of a vertex to its children and input, as stored in flat lists.

pub use edb_kernels::operand::ABSENT;

/// The contents of a field of a vertex's input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InputCell {
    /// An index: a row of a table, or a class.
    Index(u32),
    /// Some of the graph's indices.
    Indices {
        /// The first.
        start: u32,
        /// How many.
        length: u32,
    },
    /// Elements of the graph's data.
    Data {
        /// The first.
        start: u32,
        /// How many.
        length: u32,
    },
    /// What another vertex pushes.
    Pushed {
        /// The vertex, by its number in the minibatch.
        vertex: u32,
        /// The field, by its place in the output struct.
        field: u16,
    },
}
