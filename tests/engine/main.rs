//! The run time over hand-written and random programs, compared with the eager interpreter and with
//! PyTorch.

pub mod accuracy;
pub mod flows;
pub mod graph_gradients;
pub mod jacobians;
pub mod ops;
pub mod pytorch;
pub mod pytorch_edges;
pub mod pytorch_ops;
pub mod random_programs;
pub mod records;
pub mod tangents;
pub mod vertex_losses;
