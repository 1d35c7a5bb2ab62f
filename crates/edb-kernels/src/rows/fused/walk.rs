//! Runs compiled kernels row by row, with the best instruction set of the machine.

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::slice::{from_raw_parts, from_raw_parts_mut};

use smallvec::SmallVec;

use super::RowKernel;
use super::kernel_rows::KernelRows;
use crate::memory::{RowLookup, scratch, times};
use crate::numbers::Element;
use crate::processor::{Loop, at_compiled};

/// Runs a kernel over rows; its instances are [`KernelFn`](super::KernelFn)s.
pub fn compiled<K, T, const OUTPUTS: usize, const INPUTS: usize>(rows: &mut KernelRows<'_, T>)
where
    K: RowKernel<OUTPUTS, INPUTS>,
    T: Element,
{
    at_compiled(rows.isa, Walk::<K, T, OUTPUTS, INPUTS> { rows, kernel: PhantomData });
}

struct Walk<'a, 'b, K, T, const OUTPUTS: usize, const INPUTS: usize> {
    rows: &'a mut KernelRows<'b, T>,
    kernel: PhantomData<K>,
}

/// Where the rows of operands are: pointers to the current rows, and the distances to the next rows.
///
/// There are two arrays, so that a few vector additions advance all pointers.
struct Cursors<T, const N: usize> {
    pointers: [*mut T; N],
    steps: [usize; N],
}

impl<T, const N: usize> Cursors<T, N> {
    #[inline(always)]
    fn new() -> Self {
        Self { pointers: [std::ptr::null_mut(); N], steps: [0; N] }
    }

    #[inline(always)]
    fn step(&mut self) {
        for operand in 0..N {
            // After the last row there may be no memory; the pointer is not dereferenced there.
            self.pointers[operand] = self.pointers[operand].wrapping_add(self.steps[operand]);
        }
    }
}

impl<K, T, const OUTPUTS: usize, const INPUTS: usize> Loop for Walk<'_, '_, K, T, OUTPUTS, INPUTS>
where
    K: RowKernel<OUTPUTS, INPUTS>,
    T: Element,
{
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let mut outputs = Cursors::<T, OUTPUTS>::new();
        let mut inputs = Cursors::<T, INPUTS>::new();
        let Start { owned, scratch } = start(
            self.rows,
            &K::SCALARS,
            (&mut outputs.pointers, &mut outputs.steps),
            (&mut inputs.pointers, &mut inputs.steps),
        );
        let KernelRows { count, length, .. } = *self.rows;
        let (operands, owned) = (self.rows.inputs.as_slice(), owned.as_slice());
        for row in 0..count {
            for i in 0..owned.len() {
                inputs.pointers[owned[i]] = operands[owned[i]].pointer(row).cast_mut();
            }
            let mut out = [const { MaybeUninit::<&mut [T]>::uninit() }; OUTPUTS];
            for operand in 0..OUTPUTS {
                // SAFETY: `start` has checked that row `row` of each operand is within its memory. The creators
                // of the operands guarantee that nobody else reads or writes the elements that are written, and
                // that operands do not share elements.
                out[operand]
                    .write(unsafe { from_raw_parts_mut(outputs.pointers[operand], length) });
            }
            // SAFETY: the loop has initialised all elements of the array.
            let out = unsafe { out.as_ptr().cast::<[&mut [T]; OUTPUTS]>().read() };
            let mut x: [&[T]; INPUTS] = [&[]; INPUTS];
            for operand in 0..INPUTS {
                let length = if K::SCALARS[operand] { 1 } else { length };
                // SAFETY: as above; the elements are not written while they are read.
                x[operand] = unsafe { from_raw_parts(inputs.pointers[operand], length) };
            }
            K::row::<T, FMA>(out, x);
            self.rows.finish(row, |output| {
                // SAFETY: as above; the kernel has finished this row, so it is not written any
                // more.
                unsafe { from_raw_parts(outputs.pointers[output], length) }
            });
            outputs.step();
            inputs.step();
        }
        scratch::keep(scratch);
    }
}

/// What a walk needs in addition to its cursors.
struct Start<T> {
    /// The inputs whose rows are looked up: the rows of the vertices that edges enter, or of children.
    owned: SmallVec<[usize; 8]>,
    /// Memory for a row of each output that is never read.
    scratch: Vec<T>,
}

/// Points the cursors to the first rows.
///
/// # Panics
/// When the operands do not match the kernel, or are not within their memory; the `unsafe` code of the walk
/// relies on this check.
fn start<T: Element>(
    rows: &mut KernelRows<'_, T>,
    scalars: &[bool],
    outputs: (&mut [*mut T], &mut [usize]),
    inputs: (&mut [*mut T], &mut [usize]),
) -> Start<T> {
    // Rows are not joined if there are scalars: a scalar belongs to one row, even of one element.
    if !scalars.contains(&true) {
        rows.join();
    }
    let KernelRows { count, length, outputs: out, inputs: x, .. } = rows;
    assert!(out.len() == outputs.0.len() && x.len() == inputs.0.len(), "the kernel's operands");
    let unwanted = out.iter().filter(|operand| operand.is_none()).count();
    let mut scratch = scratch::take();
    let spare = times(unwanted, *length);
    if scratch.len() < spare {
        scratch.resize(spare, T::zero());
    }
    let mut owned = SmallVec::new();
    if *count == 0 {
        return Start { owned, scratch };
    }
    let mut spare = scratch.as_mut_ptr();
    for ((operand, pointer), step) in out.iter().zip(outputs.0).zip(outputs.1) {
        match operand {
            Some(operand) => {
                assert!(operand.width() == *length, "an output is as long as the kernel");
                // Checks that the last row is within the memory. Then all rows before it are, too, since no
                // place has wrapped around.
                operand.pointer(*count - 1);
                (*pointer, *step) = (operand.pointer(0), operand.step());
            }
            None => {
                // Each row overwrites the row before.
                (*pointer, *step) = (spare, 0);
                spare = spare.wrapping_add(*length);
            }
        }
    }
    for (number, operand) in x.iter().enumerate() {
        let width = if scalars[number] { 1 } else { *length };
        assert!(operand.width() == width, "an input is as long as the kernel, or a scalar");
        let (first, step) = (operand.pointer(0), operand.step());
        if step > 0 {
            // As above.
            operand.pointer(*count - 1);
        }
        (inputs.0[number], inputs.1[number]) = (first.cast_mut(), step);
        if matches!(operand.rows(), RowLookup::Owner { .. } | RowLookup::Gather(_)) {
            owned.push(number);
        }
    }
    Start { owned, scratch }
}
