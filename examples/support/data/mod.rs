//! What the examples learn from: files of public data sets, and what is generated.

pub mod corpus;
pub mod expression;
pub mod lattice;
pub mod lists;
pub mod molecule;
pub mod parallel;
pub mod sentence;
pub mod sick;
pub mod topology;
pub mod tree;
pub mod treebank;
pub mod vectors;
