//! The run time over programs that are written by hand or drawn: against the eager interpreter and
//! PyTorch.

pub mod ops;
pub mod pytorch;
pub mod pytorch_edges;
pub mod pytorch_ops;
pub mod random_programs;
pub mod records;
