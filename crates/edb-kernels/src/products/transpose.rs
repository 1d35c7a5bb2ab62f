//! Transposes square blocks of matrices ("corners"), to pack weights.

use crate::compiled_here;
use crate::numbers::Element;
use crate::processor::{Isa, MOST_LANES, Square, VectorLoop, run_on};

/// The number of rows, and of columns, of a corner: a cache line of `f32`.
pub(crate) const CORNER: usize = 16;

/// Writes rows of equal length as columns: for each `k`, element `k` of all rows goes to the [`CORNER`]
/// elements from `to + k * stride` on.
///
/// # Safety
/// These elements must be writable, and no other code may use them while this runs.
pub(crate) unsafe fn transpose<T: Element>(lines: [&[T]; CORNER], to: *mut T, stride: usize) {
    let length = lines[0].len();
    assert!(lines.iter().all(|line| line.len() == length), "rows of one length");
    write(RowsToColumns { lines, to, stride });
}

/// Rows, and where they become columns, as for [`transpose`].
struct RowsToColumns<'a, T> {
    lines: [&'a [T]; CORNER],
    to: *mut T,
    stride: usize,
}

compiled_here! {
    fn write(rows: RowsToColumns<'_, T>) {
        run_on(Isa::best(), rows);
    }
}

impl<T: Element> VectorLoop<T> for RowsToColumns<'_, T> {
    #[inline(always)]
    unsafe fn run<V: Square<T>, const FMA: bool>(self) {
        let RowsToColumns { lines, to, stride } = self;
        let length = lines[0].len();
        let mut done = 0;
        while done + V::LANES <= length {
            let mut first = 0;
            while first < CORNER {
                // SAFETY: the caller guarantees the registers, and the caller of `transpose` guarantees the
                // destination; each line has a register's elements from `done` on.
                unsafe {
                    let mut square = [V::zero(); MOST_LANES];
                    for row in 0..V::LANES {
                        square[row] = V::load(lines[first + row].as_ptr().add(done));
                    }
                    V::transpose(&mut square);
                    for column in 0..V::LANES {
                        square[column].store(to.add((done + column) * stride + first));
                    }
                }
                first += V::LANES;
            }
            done += V::LANES;
        }
        for k in done..length {
            for number in 0..CORNER {
                // SAFETY: guaranteed by the caller of `transpose`.
                unsafe { *to.add(k * stride + number) = lines[number][k] };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Element>() {
        for length in [0, 1, 15, 16, 17, 31, 32, 50] {
            for stride in [16, 17, 64] {
                let number = |row: usize, k: usize| T::from_f64((row * 100 + k) as f64);
                let rows: Vec<Vec<T>> =
                    (0..CORNER).map(|row| (0..length).map(|k| number(row, k)).collect()).collect();
                let mut to = vec![T::from_f64(-1.0); length * stride + CORNER];
                let lines = std::array::from_fn(|row| &rows[row][..]);
                // SAFETY: the vector has these elements, and no other code uses them.
                unsafe { transpose(lines, to.as_mut_ptr(), stride) };
                for (element, &x) in to.iter().enumerate() {
                    let (k, row) = (element / stride, element % stride);
                    let expected = match k < length && row < CORNER {
                        true => number(row, k),
                        false => T::from_f64(-1.0),
                    };
                    assert_eq!(x, expected, "length {length}, stride {stride}, place {element}");
                }
            }
        }
    }

    #[test]
    fn rows_become_columns() {
        check::<f32>();
        check::<f64>();
    }
}
