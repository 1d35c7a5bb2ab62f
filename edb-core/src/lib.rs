//! The run time of edb.

pub mod eager;
pub mod element;
pub mod function;
pub mod learn;
pub mod port;
pub mod random;
pub mod schedule;
pub mod tensor;
