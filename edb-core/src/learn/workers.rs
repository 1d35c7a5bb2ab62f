//! Threads that share a pass over parameters or gradients.

use std::fmt::Debug;

/// Those who work at one thing together.
pub trait Workers: Debug + Sync {
    /// Calls `work` with each number below `pieces`, in any order and on any of the threads.
    fn share(&self, pieces: usize, work: &(dyn Fn(usize) + Sync));
}

/// The calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Workers for Alone {
    fn share(&self, pieces: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..pieces).for_each(work);
    }
}
