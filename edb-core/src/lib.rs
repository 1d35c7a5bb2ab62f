//! The run time of edb.

#![warn(missing_docs)]

mod cpu;
pub mod eager;
pub mod element;
pub mod engine;
pub mod function;
pub mod graph;
pub mod learn;
pub mod model;
pub mod port;
pub mod random;
pub mod schedule;
pub mod tensor;
pub mod testing;
pub mod trainer;
