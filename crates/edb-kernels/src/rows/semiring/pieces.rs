//! Runs of numbers, and the pieces of them that are computed together.

use std::ops::Range;

use crate::numbers::Element;

/// So many elements of a sum are computed together.
pub(super) const WIDTH: usize = 32;

/// `W` of the elements of a run, computed together.
#[derive(Clone, Copy)]
pub(super) struct Piece<const W: usize> {
    /// The first of the elements that are read.
    pub(super) start: usize,
    /// Which of them are meant. The last piece of a run begins within the one before, so that all are whole; a run
    /// that is shorter than a piece is one that is not.
    pub(super) lanes: [usize; 2],
}

impl<const W: usize> Piece<W> {
    /// The piece with the elements from `first` on, in a run of `length`.
    #[inline(always)]
    pub(super) fn at(first: usize, length: usize) -> Self {
        if first + W <= length {
            Self { start: first, lanes: [0, W] }
        } else if length >= W {
            Self { start: length - W, lanes: [first + W - length, W] }
        } else {
            Self { start: 0, lanes: [0, length] }
        }
    }

    #[inline(always)]
    pub(super) fn has(self, lane: usize) -> bool {
        (lane >= self.lanes[0]) & (lane < self.lanes[1])
    }

    /// Its elements of a run that begins at `x`. If the run is shorter than the piece, nobody reads those after its end.
    #[inline(always)]
    pub(super) fn of<T: Element>(self, x: &[T]) -> [T; W] {
        match x[self.start..].first_chunk() {
            Some(block) => *block,
            None => {
                let (mut block, x) = ([T::zero(); W], &x[self.range()]);
                block[..x.len()].copy_from_slice(x);
                block
            }
        }
    }

    /// The elements that it reads and writes.
    #[inline(always)]
    pub(super) fn range(self) -> Range<usize> {
        self.start..self.start + self.lanes[1]
    }
}

/// Goes through a run of elements that do not depend on each other, in pieces of the widths that waste least.
macro_rules! in_pieces {
    ($length:expr, $first:ident, |$width:ident| $work:expr) => {
        in_pieces!([32, 16, 8], $length, $first, |$width| $work)
    };
    ([$($wide:literal),+], $length:expr, $first:ident, |$width:ident| $work:expr) => {
        let length = $length;
        let mut $first = 0;
        while $first < length {
            in_pieces!(@widths length, $first, $width, $work; $($wide),+; 4);
        }
    };
    (@widths $length:ident, $first:ident, $width:ident, $work:expr; $($w:literal),+; $least:literal) => {
        let left = $length - $first;
        if false {
        } $(else if left > $w / 2 && $length >= $w {
            const $width: usize = $w;
            $work
            $first += $w;
        })+ else {
            const $width: usize = $least;
            $work
            $first += $least;
        }
    };
}

/// The sum of a block: one half is added to the other until one element is left.
#[inline(always)]
pub(super) fn sum_of<T: Element>(block: [T; WIDTH]) -> T {
    let (mut sums, mut width) = (block, WIDTH / 2);
    while width > 0 {
        for x in 0..width {
            sums[x] += sums[x + width];
        }
        width /= 2;
    }
    sums[0]
}

pub(super) use in_pieces;
