//! The compiler over hand-written cells and over random problems, compared with brute force.

mod batching;
mod batching_random;
mod cells;
mod layout;
mod loss_scale;
mod pq_tree;
mod routine;
