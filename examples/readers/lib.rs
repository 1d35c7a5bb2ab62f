//! Readers of the examples' data: files of public data sets, and small generated sets if there are
//! no files.

pub mod alignment;
pub mod corpus;
pub mod dependencies;
pub mod derivation;
pub mod lattice;
pub mod lines;
pub mod molecule;
pub mod newick;
pub mod parallel;
pub mod sentence;
pub mod sick;
pub mod source;
pub mod sudoku;
pub mod topology;
pub mod tree;
pub mod treebank;
pub mod vectors;
