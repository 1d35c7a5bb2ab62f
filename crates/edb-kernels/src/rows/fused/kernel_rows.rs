//! The rows that a kernel runs over.

use smallvec::SmallVec;

use crate::memory::{Operand, OperandMut, times};
use crate::numbers::Element;
use crate::processor::Isa;

/// Up to this many operands need no allocation.
const INLINE_OPERANDS: usize = 24;

/// The rows that a kernel runs over.
pub struct KernelRows<'a, T> {
    pub(super) count: usize,
    pub(super) length: usize,
    pub(super) isa: Isa,
    pub(super) outputs: SmallVec<[Option<OperandMut<'a, T>>; INLINE_OPERANDS]>,
    pub(super) inputs: SmallVec<[Operand<'a, T>; INLINE_OPERANDS]>,
    /// For each input of the kernel, the output that overwrites it, if any.
    pub(super) overwritten: &'a [Option<u16>],
    /// The outputs that the ends read; below, the function that computes the ends.
    pub(super) ends: SmallVec<[usize; 4]>,
    end: Option<&'a RowEnd<'a, T>>,
}

/// Computes an end of a row from the output that the end reads. The arguments are the number of the end, the
/// number of the row, and the row of the output.
pub(crate) type RowEnd<'a, T> = dyn Fn(usize, usize, &[T]) + 'a;

impl<'a, T: Element> KernelRows<'a, T> {
    /// `count` rows of `length` elements. Then add the operands, in the kernel's order.
    pub fn new(count: usize, length: usize) -> Self {
        let (outputs, inputs) = (SmallVec::new(), SmallVec::new());
        let (ends, isa) = (SmallVec::new(), Isa::best());
        Self { count, length, isa, outputs, inputs, overwritten: &[], ends, end: None }
    }

    /// Adds the next input that is not overwritten. It has rows of `length` elements, or scalars, which are
    /// broadcast.
    pub fn input(&mut self, operand: Operand<'a, T>) {
        debug_assert!(operand.width() == self.length || operand.width() == 1);
        self.inputs.push(operand);
    }

    /// Adds the next output, with one row for each row of the kernel; `None` if it is never read.
    /// An output that overwrites an input already holds that input's values. The rows may be interleaved with
    /// rows of other operands, but must not share elements with them.
    pub fn output(&mut self, operand: Option<OperandMut<'a, T>>) {
        debug_assert!(operand.as_ref().is_none_or(|operand| operand.width() == self.length));
        self.outputs.push(operand);
    }

    /// Sets which inputs are overwritten, as [`Kernel::overwritten`](edb_ir::Kernel::overwritten)
    /// returns it.
    pub fn overwritten(&mut self, overwritten: &'a [Option<u16>]) {
        self.overwritten = overwritten;
    }

    /// Sets the kernel's ends: the output that each reads, and the function that computes them all.
    pub fn ends(&mut self, outputs: impl Iterator<Item = usize>, end: &'a RowEnd<'a, T>) {
        self.ends.extend(outputs);
        self.end = (!self.ends.is_empty()).then_some(end);
    }

    /// Computes the ends of a row; `row_of` returns the row of an output.
    #[inline(always)]
    pub(super) fn finish<'r>(&self, row: usize, row_of: impl Fn(usize) -> &'r [T])
    where
        T: 'r,
    {
        let Some(end) = self.end else { return };
        for (number, &output) in self.ends.iter().enumerate() {
            end(number, row, row_of(output));
        }
    }

    /// Joins all rows into one, if they are contiguous in every operand.
    pub(super) fn join(&mut self) {
        let outputs = |output: &Option<OperandMut<'_, T>>| {
            output.as_ref().is_some_and(|out| out.is_adjacent() && out.width() == self.length)
        };
        let inputs = |input: &Operand<'_, T>| input.is_adjacent() && input.width() == self.length;
        let all = self.outputs.iter().all(outputs) && self.inputs.iter().all(inputs);
        if self.count > 1 && self.ends.is_empty() && all {
            let count = std::mem::replace(&mut self.count, 1);
            self.length = times(count, self.length);
            self.outputs.iter_mut().flatten().for_each(|output| output.join(count));
            self.inputs.iter_mut().for_each(|input| input.join(count));
        }
    }
}
