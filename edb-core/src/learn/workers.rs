//! Threads that share a pass over parameters or gradients.

use std::fmt::Debug;

use super::parameter::ParameterId;

/// A piece of shared work: its number, memory to work in, which holds anything, and what follows the
/// rows of parameters that it moves.
pub(crate) type Piece<'w, T> = dyn Fn(usize, &mut Vec<T>, &dyn Followers<T>) + Sync + 'w;

/// The calling thread and those that help it with a pass over parameters or gradients.
///
/// To share takes the workers exclusively, so that a piece of shared work cannot share again, which
/// no pool of threads could serve:
///
/// ```compile_fail
/// # use edb_core::learn::Workers;
/// fn nested(workers: &mut Workers<'_, f32>) {
///     workers.share(4, &|_, _| workers.share(4, &|_, _| {}));
/// }
/// ```
#[derive(Debug)]
pub struct Workers<'a, T> {
    /// `None` for the calling thread alone.
    team: Option<&'a mut dyn Team<T>>,
}

/// Threads that work together.
pub(crate) trait Team<T>: Debug {
    /// As [`Workers::share`].
    fn share(&mut self, pieces: usize, work: &Piece<'_, T>);
}

/// What is derived from parameters and follows them as they move.
pub(crate) trait Followers<T>: Sync {
    /// Hears of rows that have just moved, from the thread that has moved them: they are in its
    /// cache, so what has been derived from them may follow now.
    fn moved(&self, rows: MovedRows<'_, T>);
}

impl<'a, T> Workers<'a, T> {
    /// The calling thread alone.
    pub fn alone() -> Self {
        Self { team: None }
    }

    pub(crate) fn of(team: &'a mut dyn Team<T>) -> Self {
        Self { team: Some(team) }
    }

    /// The same workers, for a while.
    pub(crate) fn lend(&mut self) -> Workers<'_, T> {
        match &mut self.team {
            Some(team) => Workers { team: Some(&mut **team) },
            None => Workers { team: None },
        }
    }

    /// Calls `work` with each number below `pieces`, in any order and on any of the threads, and with
    /// memory to work in, which holds anything.
    pub fn share(&mut self, pieces: usize, work: &(dyn Fn(usize, &mut Vec<T>) + Sync)) {
        self.share_moving(pieces, &|piece, memory, _| work(piece, memory));
    }

    /// The same for work that moves parameters.
    pub(crate) fn share_moving(&mut self, pieces: usize, work: &Piece<'_, T>) {
        match &mut self.team {
            Some(team) => team.share(pieces, work),
            None => {
                let mut memory = Vec::new();
                (0..pieces).for_each(|piece| work(piece, &mut memory, &Nobody));
            }
        }
    }
}

/// Nothing has been derived.
#[derive(Debug)]
pub(crate) struct Nobody;

impl<T> Followers<T> for Nobody {
    fn moved(&self, _: MovedRows<'_, T>) {}
}

/// A parameter that a step moves: all of its rows, which nobody else can read or write meanwhile.
#[doc(hidden)]
#[derive(Debug)]
pub struct Moving<'a, T> {
    rows: MovedRows<'a, T>,
}

/// Rows of a parameter that a step moves. They are split off a [`Moving`], so that no two threads can
/// have the same ones: what follows them rests on that.
#[derive(Debug)]
pub(crate) struct MovedRows<'a, T> {
    /// The parameter.
    parameter: ParameterId,
    /// Its version before the step, and the one that it has when all rows have moved.
    versions: [u64; 2],
    /// The values in a row.
    columns: usize,
    /// The first of the rows.
    first: usize,
    values: &'a mut [T],
}

impl<'a, T> Moving<'a, T> {
    /// A parameter of rows of so many columns that goes from one version to the next.
    pub(crate) fn new(
        parameter: ParameterId,
        versions: [u64; 2],
        columns: usize,
        values: &'a mut [T],
    ) -> Self {
        Self { rows: MovedRows { parameter, versions, columns, first: 0, values } }
    }

    /// The values in a row; at least 1.
    pub(crate) fn columns(&self) -> usize {
        self.rows.columns.max(1)
    }

    /// All values.
    pub(crate) fn values(&mut self) -> &mut [T] {
        self.rows.values
    }

    /// The rows, so many at a time.
    pub(crate) fn chunks(self, rows: usize) -> impl Iterator<Item = MovedRows<'a, T>> {
        let MovedRows { parameter, versions, columns, values, .. } = self.rows;
        let chunks = values.chunks_mut(rows * columns.max(1));
        (0..).step_by(rows).zip(chunks).map(move |(first, values)| MovedRows {
            parameter,
            versions,
            columns,
            first,
            values,
        })
    }
}

impl<T> MovedRows<'_, T> {
    pub(crate) fn parameter(&self) -> ParameterId {
        self.parameter
    }

    /// The version of the parameter before the step, and after it.
    pub(crate) fn versions(&self) -> [u64; 2] {
        self.versions
    }

    /// The values in a row; at least 1.
    pub(crate) fn columns(&self) -> usize {
        self.columns.max(1)
    }

    /// The first of the rows.
    pub(crate) fn first(&self) -> usize {
        self.first
    }

    pub(crate) fn values(&self) -> &[T] {
        self.values
    }

    pub(crate) fn values_mut(&mut self) -> &mut [T] {
        self.values
    }
}
