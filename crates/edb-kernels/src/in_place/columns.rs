//! Products with a matrix that lies column by column. The matrix is read square by square: each square is
//! transposed in registers, and multiplied with all rows before the next one is read.

use std::ops::Range;

use super::stored::StoredBlock;
use super::{Chains, MOST_ROWS};
use crate::numbers::Element;
use crate::processor::{MOST_LANES, Square};

/// The most rows whose sums are in registers at the same time.
const ROWS_AT_ONCE: usize = 4;

impl<T> Chains<'_, T> {
    /// The beginnings of columns from `first` on, at the term `term`, and the term up to which all of them are
    /// contiguous. The entries after the last column are copies of the first one.
    fn begin(&self, first: usize, count: usize, term: usize) -> ([*const T; MOST_LANES], usize) {
        let mut begin = [std::ptr::null(); MOST_LANES];
        let mut end = self.terms.end;
        for StoredBlock { data, stride, place, size } in self.blocks {
            let [columns, terms] = [0, 1].map(|axis| place[axis]..place[axis] + size[axis]);
            if !terms.contains(&term) {
                continue;
            }
            let own = columns.start.max(first)..columns.end.min(first + count);
            for column in own.clone() {
                let start = (column - columns.start) * stride + term - terms.start;
                begin[column - first] = data[start..][..terms.end - term].as_ptr();
            }
            if !own.is_empty() {
                end = end.min(terms.end);
            }
        }
        assert!(!begin[..count].contains(&std::ptr::null()), "blocks cover the matrix");
        let copy = begin[0];
        begin[count..].fill(copy);
        (begin, end)
    }
}

/// The sums of some columns, with a register for each row.
type RowSums<V> = [V; MOST_ROWS];

impl<T: Element> Chains<'_, T> {
    /// Computes the sums of a matrix that lies column by column.
    ///
    /// # Safety
    /// The machine must have the registers `V`.
    #[inline(always)]
    pub(super) unsafe fn by_columns<V: Square<T>, const FMA: bool>(&self) {
        let mut first = self.columns.start;
        while first < self.columns.end {
            let count = V::LANES.min(self.columns.end - first);
            // SAFETY: these columns belong to the product; the caller guarantees the registers.
            unsafe { self.columns::<V, FMA>(first, count) };
            first += count;
        }
    }

    /// Computes the sums of `count` columns from `first` on. They must fit into one register.
    ///
    /// # Safety
    /// The product must have these columns, and the machine the registers `V`.
    #[inline(always)]
    unsafe fn columns<V: Square<T>, const FMA: bool>(&self, first: usize, count: usize) {
        // SAFETY: columns are readable up to the end that `begin` returns; the rest is guaranteed by
        // the caller.
        unsafe {
            let mut sums = [V::zero(); MOST_ROWS];
            let mut term = self.terms.start;
            while term < self.terms.end {
                let (begin, end) = self.begin(first, count, term);
                let from = term;
                while term + V::LANES <= end {
                    let mut square = [V::zero(); MOST_LANES];
                    for lane in 0..V::LANES {
                        square[lane] = V::load(begin[lane].add(term - from));
                    }
                    V::transpose(&mut square);
                    self.add::<V, FMA>(&square, V::LANES, term, &mut sums);
                    term += V::LANES;
                }
                if term < end {
                    let square = rest::<T, V>(&begin, term - from..end - from);
                    self.add::<V, FMA>(&square, end - term, term, &mut sums);
                    term = end;
                }
            }
            self.put(first, count, &sums);
        }
    }

    /// Adds `terms` terms, from `term` on, to the sums of all rows. Several rows are computed at the same time.
    ///
    /// # Safety
    /// There must be these terms, and the machine must have the registers `V`.
    #[inline(always)]
    unsafe fn add<V: Square<T>, const FMA: bool>(
        &self,
        square: &[V; MOST_LANES],
        terms: usize,
        term: usize,
        sums: &mut RowSums<V>,
    ) {
        let rows = self.left.len();
        let parts = rows.div_ceil(ROWS_AT_ONCE);
        let mut row = 0;
        for part in 0..parts {
            let of_part = (rows - row) / (parts - part);
            // SAFETY: guaranteed by the caller.
            unsafe {
                match of_part {
                    1 => self.add_rows::<V, FMA, 1>(square, terms, term, row, sums),
                    2 => self.add_rows::<V, FMA, 2>(square, terms, term, row, sums),
                    3 => self.add_rows::<V, FMA, 3>(square, terms, term, row, sums),
                    _ => self.add_rows::<V, FMA, ROWS_AT_ONCE>(square, terms, term, row, sums),
                }
            }
            row += of_part;
        }
    }

    /// Adds terms, as [`add`](Self::add) does, to the sums of `ROWS` rows from `first` on.
    ///
    /// # Safety
    /// As for [`add`](Self::add); there must be these rows.
    #[inline(always)]
    unsafe fn add_rows<V: Square<T>, const FMA: bool, const ROWS: usize>(
        &self,
        square: &[V; MOST_LANES],
        terms: usize,
        term: usize,
        first: usize,
        sums: &mut RowSums<V>,
    ) {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let mut left = [std::ptr::null(); ROWS];
            let mut own = [V::zero(); ROWS];
            for row in 0..ROWS {
                left[row] = self.left[first + row].add(term);
                own[row] = sums[first + row];
            }
            for number in 0..terms {
                for row in 0..ROWS {
                    own[row] = own[row].plus_product::<FMA>(*left[row].add(number), square[number]);
                }
            }
            sums[first..first + ROWS].copy_from_slice(&own);
        }
    }

    /// Writes the sums of `count` columns from `first` on.
    ///
    /// # Safety
    /// As for [`columns`](Self::columns).
    #[inline(always)]
    unsafe fn put<V: Square<T>>(&self, first: usize, count: usize, sums: &RowSums<V>) {
        let Chains { columns, out, add, .. } = self;
        for row in 0..out.len() {
            let mut line = [T::zero(); MOST_LANES];
            // SAFETY: guaranteed by the caller.
            unsafe {
                let to = out[row].add(first - columns.start);
                if count == V::LANES {
                    let sum = if *add { V::load(to).plus(sums[row]) } else { sums[row] };
                    sum.store(to);
                    continue;
                }
                sums[row].store(line.as_mut_ptr());
                for column in 0..count {
                    let to = to.add(column);
                    *to = if *add { *to + line[column] } else { line[column] };
                }
            }
        }
    }
}

/// The terms of columns that begin at `begin`, as a transposed square. There are fewer terms than a register
/// has elements; the rest of the square is zero.
///
/// # Safety
/// There must be these terms, and the machine must have the registers `V`.
#[inline(always)]
unsafe fn rest<T: Element, V: Square<T>>(
    begin: &[*const T; MOST_LANES],
    terms: Range<usize>,
) -> [V; MOST_LANES] {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let mut line = [T::zero(); MOST_LANES];
        let mut square = [V::zero(); MOST_LANES];
        for lane in 0..V::LANES {
            for term in terms.clone() {
                line[term - terms.start] = *begin[lane].add(term);
            }
            square[lane] = V::load(line.as_ptr());
        }
        V::transpose(&mut square);
        square
    }
}
