//! Threads that share a pass over parameters or gradients.

use std::fmt::Debug;

use super::parameter::ParameterId;

/// Shared work, called for each piece with the number of the piece, scratch memory with arbitrary contents, and
/// the followers of the rows that it updates.
pub type SharedWork<'w, T> = dyn Fn(usize, &mut Vec<T>, &dyn Followers<T>) + Sync + 'w;

/// The calling thread and its helpers, for a pass over parameters or gradients.
///
/// [`share`](Self::share) borrows the workers mutably, so a piece of shared work cannot share work itself; a
/// thread pool could not run this:
///
/// ```compile_fail
/// # use edb_learn::learn::Workers;
/// fn nested(workers: &mut Workers<'_, f32>) {
///     workers.share(4, &|_, _| workers.share(4, &|_, _| {}));
/// }
/// ```
#[derive(Debug)]
pub struct Workers<'a, T> {
    /// `None` for the calling thread alone.
    team: Option<&'a mut dyn Team<T>>,
    /// Whether the team is told of the end when these workers are dropped. It is not if they were only lent.
    gives_back: bool,
}

/// Threads that work together.
pub trait Team<T>: Debug {
    /// Does the work of [`Workers::share`].
    fn share(&mut self, pieces: usize, work: &SharedWork<'_, T>);

    /// Called when all work is done, also if it has panicked.
    fn end(&mut self) {}
}

impl<T> Drop for Workers<'_, T> {
    fn drop(&mut self) {
        if let (true, Some(team)) = (self.gives_back, &mut self.team) {
            team.end();
        }
    }
}

/// Data that is derived from parameters, such as packed weights, and is updated together with them.
pub trait Followers<T>: Sync {
    /// Called with rows that were just updated, on the thread that updated them: the rows are in
    /// its cache, so this is the time to update the derived data.
    fn moved(&self, rows: RowsToUpdate<'_, T>);
}

impl<'a, T> Workers<'a, T> {
    /// The calling thread alone.
    pub fn alone() -> Self {
        Self { team: None, gives_back: false }
    }

    /// Reborrows the workers.
    pub(crate) fn lend(&mut self) -> Workers<'_, T> {
        match &mut self.team {
            Some(team) => Workers { team: Some(&mut **team), gives_back: false },
            None => Workers::alone(),
        }
    }

    /// Calls `work` with each number below `pieces`, in any order and on any of the threads, and with scratch
    /// memory that has arbitrary contents.
    pub fn share(&mut self, pieces: usize, work: &(dyn Fn(usize, &mut Vec<T>) + Sync)) {
        self.share_moving(pieces, &|piece, memory, _| work(piece, memory));
    }

    /// As [`share`](Self::share), for work that updates parameters.
    pub(crate) fn share_moving(&mut self, pieces: usize, work: &SharedWork<'_, T>) {
        match &mut self.team {
            Some(team) => team.share(pieces, work),
            None => {
                let mut memory = Vec::new();
                (0..pieces).for_each(|piece| work(piece, &mut memory, &Nobody));
            }
        }
    }
}

/// Uses the threads of a team. The team is [told](Team::end) when these workers are dropped.
impl<'a, T, S: Team<T>> From<&'a mut S> for Workers<'a, T> {
    fn from(team: &'a mut S) -> Self {
        Self { team: Some(team), gives_back: true }
    }
}

/// No followers: no data is derived from the parameters.
#[derive(Debug)]
pub(crate) struct Nobody;

impl<T> Followers<T> for Nobody {
    fn moved(&self, _: RowsToUpdate<'_, T>) {}
}

/// A parameter that a step updates: all of its rows, borrowed exclusively.
#[derive(Debug)]
pub(crate) struct Moving<'a, T> {
    rows: RowsToUpdate<'a, T>,
}

/// Rows of a parameter that a step updates. They are split off one exclusive borrow, so no two threads have the
/// same rows; the safety of [`Followers`] relies on this.
#[derive(Debug)]
pub struct RowsToUpdate<'a, T> {
    /// The parameter.
    parameter: ParameterId,
    /// The version of the parameter before the step, and after all rows have been updated.
    versions: [u64; 2],
    /// The number of values in a row.
    columns: usize,
    /// The index of the first row.
    first: usize,
    values: &'a mut [T],
}

impl<'a, T> Moving<'a, T> {
    /// A parameter with rows of `columns` values, and its version before and after the step.
    pub(crate) fn new(
        parameter: ParameterId,
        versions: [u64; 2],
        columns: usize,
        values: &'a mut [T],
    ) -> Self {
        Self { rows: RowsToUpdate { parameter, versions, columns, first: 0, values } }
    }

    /// The number of values in a row; at least 1.
    pub(crate) fn columns(&self) -> usize {
        self.rows.columns.max(1)
    }

    /// All values.
    pub(crate) fn into_values(self) -> &'a mut [T] {
        self.rows.values
    }

    /// The number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.rows.values.len() / self.columns()
    }

    /// Splits the parameter into chunks of `rows` rows.
    pub(crate) fn chunks(self, rows: usize) -> impl Iterator<Item = RowsToUpdate<'a, T>> {
        self.rows.chunks(rows)
    }
}

impl<'a, T> RowsToUpdate<'a, T> {
    /// Splits the rows into chunks of `rows` rows.
    pub(crate) fn chunks(self, rows: usize) -> impl Iterator<Item = Self> {
        let Self { parameter, versions, columns, first, values } = self;
        let chunks = values.chunks_mut(rows * columns.max(1));
        (first..).step_by(rows).zip(chunks).map(move |(first, values)| Self {
            parameter,
            versions,
            columns,
            first,
            values,
        })
    }
}

impl<T> RowsToUpdate<'_, T> {
    /// The parameter to which the rows belong.
    pub fn parameter(&self) -> ParameterId {
        self.parameter
    }

    /// The version of the parameter before the step, and after it.
    pub fn versions(&self) -> [u64; 2] {
        self.versions
    }

    /// The number of values in a row; at least 1.
    pub fn columns(&self) -> usize {
        self.columns.max(1)
    }

    /// The index of the first row.
    pub fn first(&self) -> usize {
        self.first
    }

    /// The values of the rows, one row after the other.
    pub fn values(&self) -> &[T] {
        self.values
    }

    pub(crate) fn values_mut(&mut self) -> &mut [T] {
        self.values
    }
}
