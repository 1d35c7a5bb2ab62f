//! The gradient of one parameter: absent, dense, a few rows, or factors.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use smallvec::SmallVec;

use super::factors::Factors;
use super::squares::{AddSquares, add_squares};
use crate::parameters::Workers;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_kernels::isa::{Loop, dispatch};
use edb_kernels::sums::{LANES, total};

/// The gradient of one parameter.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Gradient<T> {
    /// No gradient arrived: the parameter was not used. It is not updated at all, whereas a dense
    /// gradient of zeros still moves a parameter that has momentum.
    #[default]
    Zero,
    /// A value for each value of the parameter, row-major.
    Dense(Vec<T>),
    /// The gradients of those rows that were used, as of an embedding; all others are zero.
    ///
    /// Row `r` of a parameter of shape `[m, n, ..]` is its slice at first index `r`.
    Rows {
        /// The number of values in a row: `n * ..`, and 1 for a vector.
        width: usize,
        /// Which rows: strictly ascending, and less than `m`.
        rows: Vec<u32>,
        /// Their gradients, one row after the other: `rows.len() * width` values.
        values: Vec<T>,
    },
    /// The gradient of a matrix, not multiplied out. A `Trainer` uses it for minibatches with few vertices, for
    /// which the matrix would be much larger than all other data.
    Factors(Factors<T>),
}

impl<T: Element> Gradient<T> {
    /// The contiguous pieces of the gradient: for each, the row-major index in the parameter of
    /// its first value, and its values.
    ///
    /// There is one piece if the gradient is dense, and one for each row otherwise; factors are multiplied out.
    /// Elementwise code reads all kinds of gradients in this way.
    pub fn pieces(&self) -> impl Iterator<Item = (usize, &[T])> {
        let (dense, rows, width, values) = match self {
            Self::Zero => (None, &[][..], 1, &[][..]),
            Self::Dense(values) => (Some((0, &values[..])), &[][..], 1, &[][..]),
            Self::Factors(factors) => (Some((0, factors.values())), &[][..], 1, &[][..]),
            Self::Rows { width, rows, values } => (None, &rows[..], *width, &values[..]),
        };
        // Rows of width 0 have no values, so the chunk size of 1 does not matter.
        let sparse = rows.iter().zip(values.chunks_exact(width.max(1)));
        dense.into_iter().chain(sparse.map(move |(&row, values)| (row as usize * width, values)))
    }

    /// The inner product with another gradient of the same parameter, in `f64`.
    pub(crate) fn dot(&self, other: &Self) -> f64 {
        let product = |a: &[T], b: &[T]| -> f64 {
            a.iter().zip(b).map(|(a, b)| a.as_f64() * b.as_f64()).sum()
        };
        // Pieces are in order; a dense gradient is one piece.
        let mut others = other.pieces().peekable();
        let mut sum = 0.0;
        for (start, piece) in self.pieces() {
            while let Some((first, other)) = others.peek() {
                let [begin, end] =
                    [start.max(*first), (start + piece.len()).min(first + other.len())];
                if begin < end {
                    sum += product(&piece[begin - start..end - start], &other[begin - first..]);
                }
                // The other piece may reach into the next piece of this gradient.
                if first + other.len() > start + piece.len() {
                    break;
                }
                others.next();
            }
        }
        sum
    }

    pub(crate) fn values_mut(&mut self) -> &mut [T] {
        if let Self::Factors(factors) = self {
            *self = Self::Dense(std::mem::take(factors).into_values());
        }
        match self {
            Self::Zero | Self::Factors(_) => &mut [],
            Self::Dense(values) | Self::Rows { values, .. } => values,
        }
    }

    /// The sum of two gradients that have been checked for the same parameter.
    pub(crate) fn plus(self, other: Self) -> Self {
        let height = |gradient: &Self| match gradient {
            Self::Factors(factors) => factors.size()[0],
            _ => 0,
        };
        let rows = 0..height(&self).max(height(&other));
        self.plus_in(other, rows)
    }

    /// The sum of two gradients, if only the rows `of` are needed. Dense gradients and row gradients then
    /// contain only these rows, numbered from the first of them. Factors are still those of the whole matrix,
    /// and are multiplied out for these rows only.
    ///
    /// The sum of factors stays factors as long as these [are cheaper](Factors::are_cheaper), whatever the
    /// rows. [`GradientKind::plus`](crate::gradients::GradientKind::plus) returns the kind of the sum.
    pub(crate) fn plus_in(self, other: Self, of: Range<usize>) -> Self {
        match (self, other) {
            (sum, Self::Zero) | (Self::Zero, sum) => sum,
            // Addition of floating-point numbers is commutative, so the other gradient can be added to the
            // dense one.
            (Self::Dense(mut sum), Self::Factors(factors))
            | (Self::Factors(factors), Self::Dense(mut sum)) => {
                add_to(&mut sum, &factors.rows(of));
                Self::Dense(sum)
            }
            (Self::Dense(mut sum), other) | (other, Self::Dense(mut sum)) => {
                for (start, piece) in other.pieces() {
                    add_to(&mut sum[start..start + piece.len()], piece);
                }
                Self::Dense(sum)
            }
            (Self::Factors(mut factors), Self::Factors(more)) => {
                match Factors::<T>::are_cheaper(factors.terms() + more.terms(), factors.size()) {
                    true => {
                        factors.append(&more);
                        Self::Factors(factors)
                    }
                    false => Self::Dense(factors.rows(of.clone())).plus_in(Self::Factors(more), of),
                }
            }
            (Self::Factors(factors), other) | (other, Self::Factors(factors)) => {
                Self::Dense(factors.rows(of.clone())).plus_in(other, of)
            }
            (
                Self::Rows { width, rows, values },
                Self::Rows { rows: more_rows, values: more_values, .. },
            ) => {
                let left = RowGradient { rows: &rows, values: &values };
                let right = RowGradient { rows: &more_rows, values: &more_values };
                let (rows, values) = merge(left, right, width);
                Self::Rows { width, rows, values }
            }
        }
    }
}

compiled_here! {
    impl Gradient {
        /// The sum of the squares. There is a partial sum for each stretch of the parameter, and the partial
        /// sums are added up in order. Rows that a sparse gradient lacks would add zero, so leaving them out
        /// does not change how the other rows are rounded.
        pub(crate) fn sum_of_squares(&self, workers: &mut Workers<'_, T>) -> f64 {
            if let Self::Factors(factors) = self
                && let Some(sum) = factors.sum_of_squares(workers)
            {
                return sum;
            }
            let Self::Dense(values) = self else {
                let mut sum = 0.0;
                dispatch(AddRows { gradient: self, sum: &mut sum });
                return sum;
            };
            // Most parameters have at most 64 stretches, and need no allocation.
            let mut sums: SmallVec<[AtomicU64; 64]> = SmallVec::new();
            sums.resize_with(values.len().div_ceil(VALUES_PER_STRETCH), AtomicU64::default);
            workers.share(sums.len(), &|number, _| {
                let stretch = &values[number * VALUES_PER_STRETCH..values.len().min((number + 1) * VALUES_PER_STRETCH)];
                let mut lanes = [0.0; LANES];
                dispatch(AddSquares { lanes: &mut lanes, values: stretch });
                sums[number].store(total(lanes).to_bits(), Ordering::Relaxed);
            });
            let sums = sums.iter().map(|sum| f64::from_bits(sum.load(Ordering::Relaxed)));
            sums.fold(0.0, |all, sum| all + sum)
        }
    }
}

/// Checks a row gradient with `values` values for a parameter of this shape. The error says what is wrong.
pub(super) fn check_rows(
    width: usize,
    rows: &[u32],
    values: usize,
    shape: &[usize],
) -> Result<(), String> {
    let Some(&height) = shape.first() else {
        return Err("a scalar has no rows".to_owned());
    };
    if width != row_width(shape) {
        return Err(format!("its rows are {width} wide, not {}", row_width(shape)));
    }
    if rows.len().checked_mul(width) != Some(values) {
        return Err(format!("{} rows of {width} have {values} values", rows.len()));
    }
    if let Some(pair) = rows.windows(2).find(|pair| pair[0] >= pair[1]) {
        return Err(format!("row {} follows row {}", pair[1], pair[0]));
    }
    match rows.last() {
        Some(&row) if row as usize >= height => {
            Err(format!("there is no row {row} among {height}"))
        }
        _ => Ok(()),
    }
}

/// The number of values in a row of a parameter. A scalar is one row of one value.
fn row_width(shape: &[usize]) -> usize {
    shape.iter().skip(1).product()
}

/// The number of values in a stretch; each stretch has its own partial sum of squares. It is a multiple of
/// [`LANES`].
const VALUES_PER_STRETCH: usize = 1 << 17;

/// The sum of the squares of a row gradient.
struct AddRows<'a, T> {
    gradient: &'a Gradient<T>,
    sum: &'a mut f64,
}

impl<T: Element> Loop for AddRows<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let (mut lanes, mut stretch) = ([0.0; LANES], 0);
        // A loop, not `sum`: a call that is not inlined is not compiled with this instruction set.
        for (mut start, mut piece) in self.gradient.pieces() {
            while !piece.is_empty() {
                if start / VALUES_PER_STRETCH > stretch {
                    *self.sum += total(lanes);
                    (lanes, stretch) = ([0.0; LANES], start / VALUES_PER_STRETCH);
                }
                let count = piece.len().min(VALUES_PER_STRETCH - start % VALUES_PER_STRETCH);
                add_squares::<T, FMA>(&mut lanes, start, &piece[..count]);
                (start, piece) = (start + count, &piece[count..]);
            }
        }
        *self.sum += total(lanes);
    }
}

fn add_to<T: Element>(sum: &mut [T], values: &[T]) {
    for (sum, &value) in sum.iter_mut().zip(values) {
        *sum += value;
    }
}

/// Some rows of a gradient, in ascending order, and their values.
struct RowGradient<'a, T> {
    rows: &'a [u32],
    values: &'a [T],
}

/// Merges two row gradients of one width; a row that both have is the sum of the two.
fn merge<T: Element>(
    RowGradient { rows: rows_a, values: values_a }: RowGradient<'_, T>,
    RowGradient { rows: rows_b, values: values_b }: RowGradient<'_, T>,
    width: usize,
) -> (Vec<u32>, Vec<T>) {
    let mut rows = Vec::with_capacity(rows_a.len() + rows_b.len());
    let mut values = Vec::with_capacity(values_a.len() + values_b.len());
    let (mut a, mut b) = (0, 0);
    while a < rows_a.len() || b < rows_b.len() {
        let (next_a, next_b) = (rows_a.get(a), rows_b.get(b));
        // `None` sorts before every row, so first check which side is exhausted.
        let take_a = next_b.is_none() || next_a.is_some_and(|row| Some(row) <= next_b);
        let take_b = next_a.is_none() || next_b.is_some_and(|row| Some(row) <= next_a);
        let start = values.len();
        if take_a {
            rows.push(rows_a[a]);
            values.extend_from_slice(&values_a[a * width..(a + 1) * width]);
            a += 1;
        }
        if take_b {
            let row = &values_b[b * width..(b + 1) * width];
            if take_a {
                add_to(&mut values[start..], row);
            } else {
                rows.push(rows_b[b]);
                values.extend_from_slice(row);
            }
            b += 1;
        }
    }
    (rows, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::{Nobody, SharedWork, Team};

    /// Two threads, each of which takes every other piece.
    #[derive(Debug)]
    struct Threads;

    impl<T> Team<T> for Threads {
        fn share(&mut self, pieces: usize, work: &SharedWork<'_, T>) {
            let run = |first: usize| {
                let mut memory = Vec::new();
                (first..pieces).step_by(2).for_each(|piece| work(piece, &mut memory, &Nobody));
            };
            std::thread::scope(|scope| {
                let other = scope.spawn(|| run(1));
                run(0);
                // ThreadSanitizer sees that a thread was joined, but not that a scope has ended.
                other.join().unwrap();
            });
        }
    }

    fn rows(width: usize, rows: &[u32], values: &[f64]) -> Gradient<f64> {
        Gradient::Rows { width, rows: rows.to_vec(), values: values.to_vec() }
    }

    /// The parameter determines the stretches, so rows and threads make no difference.
    #[test]
    fn norms_do_not_notice_threads_or_rows() {
        const WIDTH: usize = 1001;
        const ROWS: usize = 400;
        let values: Vec<f64> =
            (0..WIDTH * ROWS).map(|at| ((at * 37 % 1009) as f64).sin()).collect();
        let dense: Gradient<f64> = Gradient::Dense(values.clone());
        let sum = dense.sum_of_squares(&mut Workers::alone());
        approx::assert_relative_eq!(sum, values.iter().map(|x| x * x).sum(), max_relative = 1e-12);
        assert_eq!(dense.sum_of_squares(&mut Workers::from(&mut Threads)), sum);
        let all: Vec<u32> = (0..ROWS as u32).collect();
        assert_eq!(rows(WIDTH, &all, &values).sum_of_squares(&mut Workers::alone()), sum);
        // Leaving rows out gives the same result as zeros in their place.
        let kept: Vec<u32> = all.iter().copied().filter(|row| row % 3 != 1).collect();
        let of = |row: &u32| &values[*row as usize * WIDTH..][..WIDTH];
        let sparse: Vec<f64> = kept.iter().flat_map(of).copied().collect();
        let mut zeroed = values.clone();
        for row in all.iter().filter(|row| **row % 3 == 1) {
            zeroed[*row as usize * WIDTH..][..WIDTH].fill(0.0);
        }
        let dense: Gradient<f64> = Gradient::Dense(zeroed);
        let sparse = rows(WIDTH, &kept, &sparse);
        assert_eq!(
            sparse.sum_of_squares(&mut Workers::alone()),
            dense.sum_of_squares(&mut Workers::from(&mut Threads))
        );
    }
}
