//! Fused kernels: pointwise ops in one pass over rows.
//!
//! A kernel has two forms with the same bits, since both are made of the functions of `ops`:
//!
//! | form | module | where it comes from |
//! | --- | --- | --- |
//! | compiled | `walk` | Rust that the macro wrote, compiled with the user's crate for every level |
//! | interpreted | `interpret` | the plan: models of programs, debug builds of the user's crate |

mod interpret;
mod ops;
mod trial;
mod walk;

use edb_ir::Kernel;
use smallvec::SmallVec;

use super::level::{Level, has_compiled};
use super::operand::{Operand, Rows};
use crate::element::Element;

pub use ops::*;
pub use trial::Trial;
pub use walk::compiled;

/// So many operands need no allocation.
const INLINE: usize = 24;

/// The rows that a kernel runs over.
pub struct KernelRows<'a, T> {
    count: usize,
    length: usize,
    level: Level,
    outputs: SmallVec<[Option<Operand<'a, T>>; INLINE]>,
    inputs: SmallVec<[Operand<'a, T>; INLINE]>,
    /// For each input of the kernel, the output that overwrites it.
    overwritten: &'a [Option<u16>],
    /// The outputs that ends read, and what does it.
    ends: SmallVec<[usize; 4]>,
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
    pub(crate) fn output(&mut self, operand: Option<Operand<'a, T>>) {
        debug_assert!(operand.is_none_or(|operand| operand.width == self.length));
        self.outputs.push(operand);
    }

    /// Which inputs are overwritten, as [`Kernel::overwritten`] says.
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
    fn finish<'r>(&self, row: usize, row_of: impl Fn(usize) -> &'r [T])
    where
        T: 'r,
    {
        let Some(end) = self.end else { return };
        for (at, &output) in self.ends.iter().enumerate() {
            end(at, row, row_of(output));
        }
    }

    /// Rows that follow one another in every operand are one row.
    fn join(&mut self) {
        let adjacent = |operand: &Operand<'_, T>| {
            matches!(operand.rows, Rows::Each)
                && operand.width == self.length
                && operand.stride == self.length
        };
        let outputs = self.outputs.iter().all(|operand| operand.as_ref().is_some_and(adjacent));
        if self.count > 1 && self.ends.is_empty() && outputs && self.inputs.iter().all(adjacent) {
            self.length *= self.count;
            self.count = 1;
            let operands = self.outputs.iter_mut().flatten().chain(&mut self.inputs);
            operands.for_each(|operand| operand.width = self.length);
        }
    }
}

/// A kernel of a vertex function, as the macro writes it.
pub trait RowKernel<const OUTPUTS: usize, const INPUTS: usize> {
    /// Which inputs are scalars, spread over a row.
    const SCALARS: [bool; INPUTS];

    /// Computes one row of each output. All rows have one length, but scalars, which have 1.
    fn row<T: Element, const FMA: bool>(outputs: [&mut [T]; OUTPUTS], inputs: [&[T]; INPUTS]);
}

/// A compiled kernel.
pub type KernelFn<T> = fn(&mut KernelRows<'_, T>);

/// The compiled kernels of a function, in the order of its routine: no entry for kernels that run
/// once a step, none at all where the user's crate is not optimised.
#[derive(Clone, Copy, Debug)]
pub struct CompiledKernels {
    /// In single precision.
    pub f32: &'static [Option<KernelFn<f32>>],
    /// In double precision.
    pub f64: &'static [Option<KernelFn<f64>>],
}

impl CompiledKernels {
    /// All kernels are interpreted.
    pub const NONE: Self = Self { f32: &[], f64: &[] };

    /// Kernel `at` of a function, if it was compiled.
    pub fn get<T: Element>(&self, at: usize) -> Option<KernelFn<T>> {
        T::compiled(self).get(at).copied().flatten()
    }
}

/// Runs a kernel, in its compiled form if there is one.
pub(crate) fn run<T: Element>(
    kernel: &Kernel,
    compiled: Option<KernelFn<T>>,
    mut rows: KernelRows<'_, T>,
) {
    match compiled {
        Some(compiled) if has_compiled(rows.level) => compiled(&mut rows),
        _ => interpret::interpret(kernel, &mut rows),
    }
}
