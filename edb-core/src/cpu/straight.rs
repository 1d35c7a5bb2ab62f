//! Products of few rows with weights as they lie.
//!
//! To pack a matrix means to read and write all of it. Where the minibatch has few rows to multiply
//! with it, and the matrix is too large for the nearer caches, `Y W` reads the rows of `W` where they
//! are instead. (`X Wᵀ` would have to add up along its vectors, in another order than
//! [panels](super::packed) do.)
//!
//! Every element of a result is one sum in the order of the rows of `W`, as in a product with panels:
//! the bits are the same either way.

use std::marker::PhantomData;
use std::ops::Range;

use super::level::{Kernel, Level, portable};
#[cfg(target_arch = "x86_64")]
use super::level::{avx2, avx512};
use super::operand::Operand;
use super::vector::{Registers, Vector, fetch};
use crate::element::Element;
use crate::learn::Parameters;
use crate::model::routine::Weights;

/// The most rows of a minibatch that are not worth packing a matrix for.
const MOST_ROWS: usize = 64;

/// The rows whose sums are made together.
const ROWS: usize = 6;

/// The lines that a sum takes up in one go, as many as leave registers for `y`.
const LINES: usize = 4;

/// The columns of a piece that one thread has: lines that are read from memory in one go.
const PIECE: usize = 256;

/// The bytes of a matrix from which on packing it costs more than reading it as it lies.
const LEAST_BYTES: usize = 512 << 10;

/// Whether to multiply `rows` rows of a minibatch with these weights as they lie.
pub(super) fn serves<T>(weights: &Weights, rows: usize) -> bool {
    let bytes = weights.size[0] * weights.size[1] * size_of::<T>();
    weights.transposed && rows <= MOST_ROWS && bytes >= LEAST_BYTES
}

/// The pieces that threads may share a product of so many columns in, and the columns of one.
pub(super) fn pieces(columns: usize) -> (usize, usize) {
    (columns.div_ceil(PIECE), PIECE)
}

/// `out = Y W` for `rows` rows; `out` has the columns `columns` of the stacked matrix.
pub(super) fn multiply<T: Element>(
    (weights, parameters): (&Weights, &Parameters<T>),
    columns: Range<usize>,
    rows: usize,
    out: &mut Operand<'_, T>,
    y: &Operand<'_, T>,
) {
    multiply_at(Level::best(), (weights, parameters), columns, rows, out, y);
}

fn multiply_at<T: Element>(
    level: Level,
    (weights, parameters): (&Weights, &Parameters<T>),
    columns: Range<usize>,
    rows: usize,
    out: &mut Operand<'_, T>,
    y: &Operand<'_, T>,
) {
    (0..rows).for_each(|row| out.row_mut(row).fill(T::zero()));
    // The blocks of a column from the first row to the last: the order of its sums.
    for block in &weights.blocks {
        let own = block.at[1].max(columns.start)..(block.at[1] + block.size[1]).min(columns.end);
        if own.is_empty() {
            continue;
        }
        let parameter = parameters.get(block.param);
        let stride = parameter.shape()[1];
        let first = block.start[0] * stride + block.start[1] + own.start - block.at[1];
        let lines = Lines { data: &parameter.values()[first..], stride, count: block.size[0] };
        let to = own.start - columns.start..own.end - columns.start;
        for row in (0..rows).step_by(ROWS) {
            let (first, columns) = (block.at[0], to.clone());
            macro_rules! kernel {
                ($registers:ident) => {
                    Sum::<T, <T as Registers>::$registers> {
                        lines,
                        row,
                        rows,
                        first,
                        columns,
                        y,
                        out,
                        registers: PhantomData,
                    }
                };
            }
            match level {
                Level::Portable => portable(kernel!(Portable)),
                // SAFETY: levels come from `Level::all`, which lists what this machine has.
                #[cfg(target_arch = "x86_64")]
                Level::Avx2 => unsafe { avx2(kernel!(Avx2)) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                Level::Avx512 => unsafe { avx512(kernel!(Avx512)) },
            }
        }
    }
}

/// Rows of a matrix: `count` of them, `stride` apart.
#[derive(Clone, Copy)]
struct Lines<'a, T> {
    data: &'a [T],
    stride: usize,
    count: usize,
}

/// Adds to some rows of a result what a block of weights contributes.
struct Sum<'a, 'y, 'o, T, V> {
    lines: Lines<'a, T>,
    /// The first of the rows, and how many there are in all.
    row: usize,
    rows: usize,
    /// The first element of `y` that meets the lines.
    first: usize,
    columns: Range<usize>,
    y: &'a Operand<'y, T>,
    out: &'a mut Operand<'o, T>,
    /// The registers, which the level that this runs at has.
    registers: PhantomData<V>,
}

impl<T: Element, V: Vector<T>> Kernel for Sum<'_, '_, '_, T, V> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        match self.rows - self.row {
            1 => self.sum::<FMA, 1>(),
            2 => self.sum::<FMA, 2>(),
            3 => self.sum::<FMA, 3>(),
            4 => self.sum::<FMA, 4>(),
            5 => self.sum::<FMA, 5>(),
            _ => self.sum::<FMA, ROWS>(),
        }
    }
}

impl<T: Element, V: Vector<T>> Sum<'_, '_, '_, T, V> {
    /// `R` rows, some lines of the matrix at a time.
    #[inline(always)]
    fn sum<const FMA: bool, const R: usize>(self) {
        let Lines { data, stride, count } = self.lines;
        let width = self.columns.len();
        let mut operands = [*self.out; R];
        let mut y: [&[T]; R] = [&[]; R];
        let mut out: [&mut [T]; R] = std::array::from_fn(|_| Default::default());
        for (r, operand) in operands.iter_mut().enumerate() {
            y[r] = &self.y.row(self.row + r)[self.first..][..count];
            out[r] = &mut operand.row_mut(self.row + r)[self.columns.clone()];
        }
        let whole = count - count % LINES;
        for k in (0..whole).step_by(LINES) {
            let mut lines: [&[T]; LINES] = [&[]; LINES];
            let mut of_y = [[T::zero(); LINES]; R];
            for i in 0..LINES {
                lines[i] = &data[(k + i) * stride..][..width];
                for r in 0..R {
                    of_y[r][i] = y[r][k + i];
                }
            }
            add_lines::<T, V, FMA, R, LINES>(&mut out, of_y, lines, LINES * stride);
        }
        for k in whole..count {
            let mut of_y = [[T::zero(); 1]; R];
            for r in 0..R {
                of_y[r][0] = y[r][k];
            }
            add_lines::<T, V, FMA, R, 1>(&mut out, of_y, [&data[k * stride..][..width]], stride);
        }
    }
}

/// `out[r] += Σ y[r][k] lines[k]`, term by term; all are of one length. The lines that come next are
/// `ahead` elements behind these.
#[inline(always)]
fn add_lines<T: Element, V: Vector<T>, const FMA: bool, const R: usize, const K: usize>(
    out: &mut [&mut [T]; R],
    y: [[T; K]; R],
    lines: [&[T]; K],
    ahead: usize,
) {
    let length = lines[0].len();
    let whole = length - length % V::LANES;
    for line in lines {
        assert!(line.len() == length, "lines of one length");
    }
    for out in out.iter() {
        assert!(out.len() == length, "a sum for each element of a line");
    }
    for at in (0..whole).step_by(V::LANES) {
        // SAFETY: a register's elements from `at` on are in each line and each sum, whose lengths were
        // looked at; `multiply_at` has chosen the registers of the level that this runs at.
        unsafe {
            let mut w = [V::zero(); K];
            for k in 0..K {
                let from = lines[k].as_ptr().add(at);
                w[k] = V::load(from);
                // Lines are too short for the machine to see where they go on.
                fetch(from.wrapping_add(ahead));
            }
            for r in 0..R {
                let to = out[r].as_mut_ptr().add(at);
                let mut sum = V::load(to);
                for k in 0..K {
                    sum = sum.plus_product::<FMA>(y[r][k], w[k]);
                }
                sum.store(to);
            }
        }
    }
    for at in whole..length {
        for r in 0..R {
            let mut sum = out[r][at];
            for k in 0..K {
                sum = y[r][k].fma::<FMA>(lines[k][at], sum);
            }
            out[r][at] = sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::memory::Shared;
    use super::super::operand::Rows;
    use super::super::packed::{Panels, Part};
    use super::*;
    use crate::learn::{Parameter, ParameterId};
    use crate::model::routine::WeightBlock;
    use crate::random::VertexKey;

    fn numbers(count: usize, seed: u64) -> Vec<f32> {
        let key = VertexKey::new(seed, 0, 0, 0, 0).site(0, 0);
        (0..count).map(|at| key.uniform(at) as f32 - 0.5).collect()
    }

    fn operand(data: &mut [f32], width: usize) -> Operand<'_, f32> {
        // SAFETY: each is written by one product, or read by some.
        unsafe { Operand::new(Shared::new(data), 0, (width, width), Rows::Each) }
    }

    /// Two matrices one above the other, the second in two blocks side by side.
    fn stacked(upper: usize, lower: usize, width: usize, cut: usize) -> (Weights, Parameters<f32>) {
        let mut parameters = Parameters::new();
        let mut add = |name: &str, rows: usize, seed: u64| -> ParameterId {
            let values = numbers(rows * (width + 2), seed);
            parameters.push(Parameter::new(name, &[rows, width + 2], values).unwrap()).unwrap()
        };
        let [first, second] = [add("a", upper, 1), add("b", lower + 1, 2)];
        let block = |param, start, size, at| WeightBlock { param, start, size, at };
        let blocks = vec![
            block(first, [0, 1], [upper, width], [0, 0]),
            block(second, [1, 2], [lower, cut], [upper, 0]),
            block(second, [1, 0], [lower, width - cut], [upper, cut]),
        ];
        (Weights { blocks, size: [upper + lower, width], transposed: true }, parameters)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

        /// Whether a matrix is packed depends on the minibatch, so no bit may depend on that.
        #[test]
        fn the_bits_are_those_of_panels(
            rows in 1usize..20, upper in 1usize..30, lower in 1usize..30, width in 2usize..150,
            cut in 0usize..150, part in 0usize..150,
        ) {
            let (cut, part) = (cut % width, part % width);
            let (weights, parameters) = stacked(upper, lower, width, cut);
            let inner = upper + lower;
            let mut y = numbers(rows * inner, 3);
            for level in Level::all() {
                let mut panels = Panels::default();
                panels.reset_for(level, inner, width);
                for block in &weights.blocks {
                    let parameter = parameters.get(block.param);
                    let (matrix, columns) = (parameter.values(), parameter.shape()[1]);
                    let part = Part { matrix, columns, start: block.start, size: block.size };
                    panels.pack(part, (block.at[0], block.at[1]), false, None);
                }
                let [mut packed, mut straight] = [(); 2].map(|()| vec![1.0; rows * width]);
                panels.multiply_for(level, rows, &mut operand(&mut packed, width), &operand(&mut y, inner));
                for columns in [0..part, part..width] {
                    let mut out = operand(&mut straight, width).narrowed(columns.clone());
                    let weights = (&weights, &parameters);
                    multiply_at(level, weights, columns, rows, &mut out, &operand(&mut y, inner));
                }
                prop_assert_eq!(packed, straight);
            }
        }
    }
}
