//! The rows that a kernel runs over.

use smallvec::SmallVec;

use crate::cpu::level::Level;
use crate::cpu::operand::{Operand, OperandMut};
use crate::element::Element;

/// So many operands need no allocation.
const INLINE: usize = 24;

/// The rows that a kernel runs over.
pub struct KernelRows<'a, T> {
    pub(super) count: usize,
    pub(super) length: usize,
    pub(super) level: Level,
    pub(super) outputs: SmallVec<[Option<OperandMut<'a, T>>; INLINE]>,
    pub(super) inputs: SmallVec<[Operand<'a, T>; INLINE]>,
    /// For each input of the kernel, the output that overwrites it.
    pub(super) overwritten: &'a [Option<u16>],
    /// The outputs that ends read, and what does it.
    pub(super) ends: SmallVec<[usize; 4]>,
    end: Option<&'a RowEnd<'a, T>>,
}

/// Computes an end (by its number) of a row (by its number) from the row of the output it reads.
pub(crate) type RowEnd<'a, T> = dyn Fn(usize, usize, &[T]) + 'a;

impl<'a, T: Element> KernelRows<'a, T> {
    /// `count` rows of `length` elements. Operands follow, in the order of the kernel's.
    pub(crate) fn new(count: usize, length: usize) -> Self {
        let (outputs, inputs) = (SmallVec::new(), SmallVec::new());
        let (ends, level) = (SmallVec::new(), Level::best());
        Self { count, length, level, outputs, inputs, overwritten: &[], ends, end: None }
    }

    /// What the kernel reads next, but for what it overwrites: rows of `length` elements, or
    /// scalars, which are spread.
    pub(crate) fn input(&mut self, operand: Operand<'a, T>) {
        debug_assert!(operand.width == self.length || operand.width == 1);
        self.inputs.push(operand);
    }

    /// What it writes next, one row for each; `None` if nobody reads it. An input that it overwrites
    /// is there already. The rows may lie among
    /// those of other operands, but share no element with them.
    pub(crate) fn output(&mut self, operand: Option<OperandMut<'a, T>>) {
        debug_assert!(operand.as_ref().is_none_or(|operand| operand.width() == self.length));
        self.outputs.push(operand);
    }

    /// Which inputs are overwritten, as [`Kernel::overwritten`](edb_ir::Kernel::overwritten) says.
    pub(crate) fn overwritten(&mut self, overwritten: &'a [Option<u16>]) {
        self.overwritten = overwritten;
    }

    /// The kernel's ends: the output that each reads, and what computes them all.
    pub(crate) fn ends(&mut self, outputs: impl Iterator<Item = usize>, end: &'a RowEnd<'a, T>) {
        self.ends.extend(outputs);
        self.end = (!self.ends.is_empty()).then_some(end);
    }

    /// Computes the ends of a row, for outputs that `row_of` finds.
    #[inline(always)]
    pub(super) fn finish<'r>(&self, row: usize, row_of: impl Fn(usize) -> &'r [T])
    where
        T: 'r,
    {
        let Some(end) = self.end else { return };
        for (at, &output) in self.ends.iter().enumerate() {
            end(at, row, row_of(output));
        }
    }

    /// Rows that follow one another in every operand are one row.
    pub(super) fn join(&mut self) {
        let outputs = |output: &Option<OperandMut<'_, T>>| {
            output.as_ref().is_some_and(|out| out.is_adjacent() && out.width() == self.length)
        };
        let inputs = |input: &Operand<'_, T>| input.is_adjacent() && input.width == self.length;
        let all = self.outputs.iter().all(outputs) && self.inputs.iter().all(inputs);
        if self.count > 1 && self.ends.is_empty() && all {
            let count = std::mem::replace(&mut self.count, 1);
            self.length *= count;
            self.outputs.iter_mut().flatten().for_each(|output| output.join(count));
            self.inputs.iter_mut().for_each(|input| input.join(count));
        }
    }
}
