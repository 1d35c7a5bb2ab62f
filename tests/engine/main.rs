//! The run time over hand-written and random programs, compared with the eager interpreter and with
//! PyTorch.

pub mod accuracy;
pub mod checks;
pub mod flows;
pub mod foreign;
pub mod graph_gradients;
pub mod jacobians;
pub mod learning;
pub mod on_engines;
pub mod ops;
pub mod parts;
pub mod pytorch;
pub mod pytorch_edges;
pub mod pytorch_ops;
pub mod random_programs;
pub mod records;
pub mod tangents;
pub mod vertex_losses;
