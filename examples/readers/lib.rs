//! Readers of what the examples learn from: files of public data sets, and small sets that are drawn where
//! there are none.

pub mod corpus;
pub mod lattice;
pub mod lines;
pub mod molecule;
pub mod parallel;
pub mod sentence;
pub mod sick;
pub mod source;
pub mod topology;
pub mod tree;
pub mod treebank;
pub mod vectors;
