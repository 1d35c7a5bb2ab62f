//! How threads share the update of a parameter, whatever the rule is: all of its values in chunks of rows,
//! or the rows that have a gradient.

use std::ops::Range;
use std::sync::Mutex;

use smallvec::SmallVec;

use crate::gradients::{Factors, Gradient};
use crate::parameters::{Followers, Moving, RowsToUpdate, Workers};
use edb_kernels::element::Element;

/// The most tensors of state that a rule keeps.
const MOST_SLOTS: usize = 3;

/// The state of some values, a slice of each tensor; those that the rule does not keep are empty.
pub(super) type Slots<'a, T> = [&'a mut [T]; MOST_SLOTS];

/// Applies a rule to contiguous values, with their gradient and state. The code that shares values between threads
/// calls it. So this code is compiled once for all rules.
pub(super) type Update<'a, T> = dyn Fn(&mut [T], &[T], Slots<'_, T>) + Sync + 'a;

/// About how many values a thread updates at a time: together with their gradient, they fit into a near cache.
const VALUES_PER_CHUNK: usize = 1 << 14;

/// Chunks are multiples of this many rows, so that lines of packed weights are not split.
const CHUNK_ROWS_MULTIPLE: usize = 16;

/// Threads share a parameter in at most this many pieces of consecutive chunks. Threads begin with the same
/// pieces in every step, so the values that they update and pack are in their own caches.
const MAX_PIECES: usize = 64;

/// The fewest values of a piece, so that the time to take a piece does not matter.
const MIN_PIECE_VALUES: usize = 1 << 11;

/// With fewer values than this, a second thread costs more time than it gains.
const MIN_SHARED_VALUES: usize = 1 << 13;
/// The same limit for gradients that are factors. They have few terms, so little has run before, and all of it is in
/// the cache of one thread.
const MIN_SHARED_VALUES_OF_FACTORS: usize = 1 << 16;

/// A gradient that covers all values.
#[derive(Debug)]
pub(super) enum Whole<'a, T> {
    /// All values, row-major.
    Dense(&'a [T]),
    /// Factors of a matrix, which are multiplied out where they are needed.
    Factors(&'a Factors<T>),
}

impl<'a, T: Element> Whole<'a, T> {
    /// The values of `range`, which covers whole rows of `columns` values. Factors are multiplied out into
    /// `memory`.
    fn get<'m>(&self, range: Range<usize>, columns: usize, memory: &'m mut Vec<T>) -> &'m [T]
    where
        'a: 'm,
    {
        match self {
            Self::Dense(values) => &values[range],
            Self::Factors(factors) => {
                if memory.len() < range.len() {
                    memory.resize(range.len(), T::zero());
                }
                let memory = &mut memory[..range.len()];
                factors.multiply(range.start / columns..range.end / columns, memory);
                memory
            }
        }
    }
}

/// Takes `count` values off a slice, after `skipped` ones; none if the slice is empty.
fn take<'a, T>(slice: &mut &'a mut [T], skipped: usize, count: usize) -> &'a mut [T] {
    let mut first = |count: usize| slice.split_off_mut(..count.min(slice.len()));
    first(skipped);
    first(count).unwrap_or_default()
}

/// Chunks of `count` values of the state, without end.
fn chunks<T>(mut state: Slots<'_, T>, count: usize) -> impl Iterator<Item = Slots<'_, T>> {
    std::iter::repeat_with(move || state.each_mut().map(|slot| take(slot, 0, count)))
}

/// Some rows of a row gradient, with values and state that begin with the first of them.
struct Sweep<'a, T> {
    rows: &'a [u32],
    gradient: &'a [T],
    values: &'a mut [T],
    state: Slots<'a, T>,
}

impl<T> Sweep<'_, T> {
    fn run(mut self, width: usize, update: &Update<'_, T>) {
        for (row, gradient) in self.rows.iter().zip(self.gradient.chunks(width)) {
            let start = (row - self.rows[0]) as usize * width;
            let range = start..start + width;
            let state = self.state.each_mut();
            let state = state.map(|slot| slot.get_mut(range.clone()).unwrap_or_default());
            update(&mut self.values[range], gradient, state);
        }
    }
}

/// Updates the rows that a gradient has, which the workers share.
pub(super) fn sweep<T: Element>(
    update: &Update<'_, T>,
    mut values: &mut [T],
    gradient: &Gradient<T>,
    mut state: Slots<'_, T>,
    workers: &mut Workers<'_, T>,
) {
    let Gradient::Rows { width, rows, values: gradient } = gradient else { return };
    if gradient.is_empty() {
        return;
    }
    let width = *width;
    let is_small = gradient.len() < MIN_SHARED_VALUES;
    let least = MIN_PIECE_VALUES.div_ceil(width).max(rows.len().div_ceil(MAX_PIECES));
    let of_piece = if is_small { rows.len() } else { least };
    let mut next = 0;
    let pieces = rows.chunks(of_piece).zip(gradient.chunks(of_piece * width));
    let pieces = pieces.map(|(rows, gradient)| {
        let (first, end) = (rows[0] as usize, rows[rows.len() - 1] as usize + 1);
        let (skipped, count) = ((first - next) * width, (end - first) * width);
        next = end;
        let values = take(&mut values, skipped, count);
        let state = state.each_mut().map(|slot| take(slot, skipped, count));
        Sweep { rows, gradient, values, state }
    });
    if is_small {
        return pieces.for_each(|piece| piece.run(width, update));
    }
    let pieces: SmallVec<[_; MAX_PIECES]> = pieces.map(|piece| Mutex::new(Some(piece))).collect();
    workers.share(pieces.len(), &|number, _| {
        if let Some(piece) = taken(&pieces[number]) {
            piece.run(width, update);
        }
    });
}

/// Takes the piece; `None` if it is already taken.
fn taken<P>(piece: &Mutex<Option<P>>) -> Option<P> {
    piece.lock().unwrap_or_else(|poison| poison.into_inner()).take()
}

/// Updates all values, which the workers share in chunks of rows; the parameter's followers are called
/// with each chunk.
pub(super) fn share<T: Element>(
    update: &Update<'_, T>,
    moving: Moving<'_, T>,
    gradient: &Whole<'_, T>,
    state: Slots<'_, T>,
    workers: &mut Workers<'_, T>,
) {
    let columns = moving.columns();
    let of_chunk = (VALUES_PER_CHUNK / columns).max(1).next_multiple_of(CHUNK_ROWS_MULTIPLE);
    let update = |piece, memory: &mut Vec<T>, followers: &dyn Followers<T>| {
        let (rows, state): (RowsToUpdate<'_, T>, Slots<'_, T>) = piece;
        for (mut rows, state) in rows.chunks(of_chunk).zip(chunks(state, of_chunk * columns)) {
            let first = rows.first() * columns;
            let values = rows.values_mut();
            let gradient = gradient.get(first..first + values.len(), columns, memory);
            update(values, gradient, state);
            followers.moved(rows);
        }
    };
    let most = match gradient {
        Whole::Dense(_) => MIN_SHARED_VALUES,
        Whole::Factors(_) => MIN_SHARED_VALUES_OF_FACTORS,
    };
    let is_small = moving.rows() * columns < most;
    let least = MIN_PIECE_VALUES.div_ceil(columns).max(moving.rows().div_ceil(MAX_PIECES));
    let of_piece = if is_small { moving.rows() } else { least }
        .next_multiple_of(CHUNK_ROWS_MULTIPLE)
        .max(CHUNK_ROWS_MULTIPLE);
    let pieces = moving.chunks(of_piece).zip(chunks(state, of_piece * columns));
    let mut pieces = pieces.map(|piece| Mutex::new(Some(piece)));
    // Making lists of pieces would take a quarter of the time in which a small model is updated.
    if is_small {
        let Some(all) = pieces.next() else { return };
        workers.share_moving(1, &|_, memory, followers| {
            taken(&all).into_iter().for_each(|all| update(all, memory, followers));
        });
        return;
    }
    let pieces: SmallVec<[_; MAX_PIECES]> = pieces.collect();
    workers.share_moving(pieces.len(), &|number, memory, followers| {
        taken(&pieces[number]).into_iter().for_each(|piece| update(piece, memory, followers));
    });
}
