//! Products of stacks: with parameters, which are packed once for as long as they do not change,
//! with matrices that are values themselves, and summed over all rows of a minibatch.

use std::ops::Range;

use edb_ir::batching::Kind;

use super::memory::Shared;
use super::operand::Operand;
use super::packed::{Columns, Panels, Part, Target, put};
use crate::element::Element;
use crate::learn::Parameters;
use crate::model::routine::{BoundStack, ValueBlock, Weights};

/// The packed parameters of a back end, by their number among the model's [`Weights`].
#[derive(Debug, Default)]
pub(super) struct Packed<T> {
    packed: Vec<Option<Versions<T>>>,
}

#[derive(Debug)]
struct Versions<T> {
    /// What was packed, and the versions of its parameters at that time, block by block.
    weights: Weights,
    versions: Vec<u64>,
    panels: Panels<T>,
}

impl<T: Element> Packed<T> {
    /// Packs stacked parameters, unless that has been done since their values last changed.
    pub(super) fn pack(&mut self, at: usize, weights: &Weights, parameters: &Parameters<T>) {
        if self.packed.len() <= at {
            self.packed.resize_with(at + 1, || None);
        }
        let packed = &mut self.packed[at];
        let versions = || weights.blocks.iter().map(|block| parameters.get(block.param).version());
        if let Some(packed) = packed
            && packed.weights == *weights
            && packed.versions.iter().copied().eq(versions())
        {
            return;
        }
        let mut panels = packed.take().map(|packed| packed.panels).unwrap_or_default();
        let [rows, columns] = weights.size;
        // As the right-hand side of X Wᵀ or Y W.
        match weights.transposed {
            true => panels.reset(rows, columns),
            false => panels.reset(columns, rows),
        }
        for block in &weights.blocks {
            let parameter = parameters.get(block.param);
            let columns = parameter.shape()[1];
            let (start, size) = (block.start, block.size);
            let part = Part { matrix: parameter.values(), columns, start, size };
            let [row, column] = block.at;
            match weights.transposed {
                true => panels.pack(part, (row, column), false),
                false => panels.pack(part, (column, row), true),
            }
        }
        *packed =
            Some(Versions { weights: weights.clone(), versions: versions().collect(), panels });
    }

    /// The panels of what was packed.
    pub(super) fn panels(&self, at: usize) -> &Panels<T> {
        let packed = self.packed.get(at).and_then(Option::as_ref);
        &packed.expect("weights are packed before a phase runs").panels
    }
}

/// `out[r] += Σ W[r] x[r]` for every row, or `Σ W[r]ᵀ x[r]`, block by block: matrices that are
/// values, of step, vertex or edge.
pub(super) fn contract<T: Element>(
    rows: usize,
    out: &mut Operand<'_, T>,
    args: &Operand<'_, T>,
    stack: &BoundStack,
    blocks: &[ValueBlock],
    matrices: &[Operand<'_, T>],
) {
    for row in 0..rows {
        let (out, x) = (out.row_mut(row), args.row(row));
        if !stack.accumulate {
            out.fill(T::zero());
        }
        for (block, matrix) in blocks.iter().zip(matrices) {
            let out = &mut out[block.out.0..][..block.out.1];
            let x = &x[block.args.0..][..block.args.1];
            let matrix = matrix.row(row);
            let line = |row: usize, count: usize| {
                let start = (block.start[0] + row) * block.columns + block.start[1];
                &matrix[start..start + count]
            };
            if stack.kind == Kind::DotTransposed {
                for (row, &x) in x.iter().enumerate() {
                    let line = line(row, out.len());
                    out.iter_mut().zip(line).for_each(|(out, &w)| *out += w * x);
                }
            } else {
                for (row, out) in out.iter_mut().enumerate() {
                    *out += dot(line(row, x.len()), x);
                }
            }
        }
    }
}

/// A sum in sixteen parts, so that it vectorises; in one order, whatever the level.
fn dot<T: Element>(a: &[T], b: &[T]) -> T {
    const PARTS: usize = 16;
    let mut sums = [T::zero(); PARTS];
    let (a, b) = (a.chunks(PARTS), b.chunks(PARTS));
    for (a, b) in a.zip(b) {
        sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (&a, &b))| *sum += a * b);
    }
    sums.iter().fold(T::zero(), |sum, &part| sum + part)
}

/// Rows are summed in pieces of this many, which stay in cache.
const PIECE: usize = 256;

/// The rows of a sum over rows, where the blocks of its matrix are.
struct Blocks<'a, T> {
    memory: Shared<'a, T>,
    /// For each block of these rows: its first and last column among those of the product, where
    /// its first element is, and how far its rows are apart.
    columns: Vec<(Range<usize>, usize, usize)>,
}

impl<T: Element> Target<T> for Blocks<'_, T> {
    #[inline(always)]
    fn put(&mut self, row: usize, first: usize, sums: &[T], add: bool) {
        for (columns, start, stride) in &self.columns {
            let from = columns.start.max(first);
            let to = columns.end.min(first + sums.len());
            if from >= to {
                continue;
            }
            let start = start + row * stride + from - columns.start;
            // SAFETY: blocks are disjoint, and so are the stripes of rows that threads have.
            let out = unsafe { self.memory.write(start..start + to - from) };
            put(out, &sums[from - first..to - first], add);
        }
    }
}

/// Rows `part` of `Σ_r y[r] x[r]ᵀ` over `rows` rows, where `y` is the stack's `out` and `x` are its
/// arguments, into the blocks of a matrix; `place` says where the elements of a matrix begin.
pub(super) fn outer_sum<T: Element>(
    memory: Shared<'_, T>,
    rows: usize,
    part: Range<usize>,
    (y, x): (&Operand<'_, T>, &Operand<'_, T>),
    blocks: &[ValueBlock],
    place: impl Fn(&ValueBlock) -> usize,
) {
    let mut panels = Panels::default();
    for begin in (0..rows.max(1)).step_by(PIECE) {
        let piece = begin..rows.min(begin + PIECE);
        // There may be no rows: a minibatch whose vertices have no children.
        panels.pack_rows(piece.clone(), x);
        let mut at = 0;
        while at < blocks.len() {
            let (lane, count) = blocks[at].out;
            let of_lane = blocks[at..].iter().take_while(|block| block.out.0 == lane);
            let of_lane: Vec<&ValueBlock> = of_lane.collect();
            at += of_lane.len();
            let own = part.start.max(lane)..part.end.min(lane + count);
            if own.is_empty() {
                continue;
            }
            let target = |block: &&ValueBlock| {
                let row = block.start[0] + own.start - lane;
                let start = place(block) + row * block.columns + block.start[1];
                (block.args.0..block.args.0 + block.args.1, start, block.columns)
            };
            let mut columns: Vec<(Range<usize>, usize, usize)> = Vec::new();
            for (range, start, stride) in of_lane.iter().map(target) {
                match columns.last_mut() {
                    // Blocks of one matrix that are neighbours in it are one.
                    Some((before, first, of))
                        if before.end == range.start
                            && *of == stride
                            && *first + before.len() == start =>
                    {
                        before.end = range.end;
                    }
                    _ => columns.push((range, start, stride)),
                }
            }
            let mut target = Blocks { memory, columns };
            let data = y.columns(piece.clone(), own.start);
            let source = Columns { data, stride: y.stride };
            panels.multiply_columns(own.len(), &mut target, &source, begin > 0);
        }
    }
}
