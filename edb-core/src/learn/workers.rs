//! Threads that share a pass over parameters or gradients.

use std::fmt::Debug;

use super::parameter::ParameterId;

/// Those who work at one thing together.
pub trait Workers<T>: Debug + Sync {
    /// Calls `work` with each number below `pieces`, in any order and on any of the threads, and with
    /// memory to work in, which holds anything.
    fn share(&self, pieces: usize, work: &(dyn Fn(usize, &mut Vec<T>) + Sync));

    /// Hears of rows of a parameter that have just moved, from the thread that has moved them: they
    /// are in its cache. What else has been derived from them may follow now.
    fn moved(&self, rows: &MovedRows<'_, T>) {
        let _ = rows;
    }
}

/// Rows of a parameter that have moved.
#[derive(Clone, Copy, Debug)]
pub struct MovedRows<'a, T> {
    /// The parameter.
    pub parameter: ParameterId,
    /// Its version before the step, and the one that it has when all rows have moved.
    pub before: u64,
    /// As `before`.
    pub after: u64,
    /// The values in a row.
    pub columns: usize,
    /// The first of the rows.
    pub first: usize,
    /// Their values.
    pub values: &'a [T],
}

/// The calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl<T> Workers<T> for Alone {
    fn share(&self, pieces: usize, work: &(dyn Fn(usize, &mut Vec<T>) + Sync)) {
        let mut memory = Vec::new();
        (0..pieces).for_each(|piece| work(piece, &mut memory));
    }
}
