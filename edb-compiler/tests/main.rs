//! The compiler over cells that are written by hand and problems that are drawn, against brute
//! force.

mod batching;
mod batching_random;
mod cells;
mod layout;
mod loss_scale;
mod pq_tree;
mod routine;
