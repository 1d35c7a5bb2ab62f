//! Memory whose growth can fail, the arena that several threads share, and rows in it.
//!
//! The input is the number of elements that a minibatch needs, which the back end knows. The result is
//! [`Memory`], and the rows ([`Operand`], [`OperandMut`]) that a kernel reads or writes. The back end makes
//! operands; all kernels use them.
//!
//! | file | what it holds |
//! | --- | --- |
//! | this file | memory that begins at a cache line; the arena |
//! | `operand` | rows in memory, and which of them belongs to each row of the result |
//! | `places` | places of elements that never wrap around |
//! | `room` | vectors that return an error if there is not enough memory |
//! | `scratch` | memory of a thread, for the time of one call |

pub mod operand;
mod places;
pub mod room;
pub mod scratch;

use std::collections::TryReserveError;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Range};

use derive_where::derive_where;
use num_traits::Zero;

pub(crate) use operand::{Operand, OperandMut, RowLookup};
pub(crate) use places::{behind, of_row, times};

/// There is not enough memory.
#[derive(Clone, thiserror::Error)]
#[error("{bytes} bytes cannot be had ({reason})")]
pub struct MemoryError {
    /// How many bytes were asked for.
    pub bytes: usize,
    /// The allocator's error.
    pub reason: TryReserveError,
}

debug_is_display!(MemoryError);

/// The number of elements of a [`Line`]: a cache line of `f32`, which is also the widest register.
const LINE_ELEMENTS: usize = 16;

/// [`LINE_ELEMENTS`] elements that begin at a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line<T>([T; LINE_ELEMENTS]);

/// Memory that begins at a cache line, so that no register is loaded from two lines. The allocator returns
/// memory that begins at any multiple of 16 bytes, at another one in each run; then every register of 64 bytes
/// would be loaded from two lines.
#[derive(Clone, Debug)]
#[derive_where(Default)]
pub struct Memory<T> {
    lines: Vec<Line<T>>,
}

impl<T: Copy + Zero> Memory<T> {
    /// Extends the memory with zeros to at least this many elements.
    pub fn extend(&mut self, elements: usize) -> Result<(), MemoryError> {
        let bytes = elements.saturating_mul(size_of::<T>());
        self.try_grow(elements).map_err(|reason| MemoryError { bytes, reason })
    }

    fn try_grow(&mut self, elements: usize) -> Result<(), TryReserveError> {
        let more = elements.div_ceil(LINE_ELEMENTS).saturating_sub(self.lines.len());
        self.lines.try_reserve(more)?;
        self.grow(elements);
        Ok(())
    }

    /// Like [`extend`](Self::extend), but assumes that there is enough memory.
    pub(crate) fn grow(&mut self, elements: usize) {
        let lines = elements.div_ceil(LINE_ELEMENTS).max(self.lines.len());
        self.lines.resize(lines, Line([T::zero(); LINE_ELEMENTS]));
    }

    /// Drops all elements, so that they need not be copied when the memory is extended.
    pub fn clear(&mut self) {
        self.lines.clear();
    }
}

impl<T> Deref for Memory<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        const { assert!(size_of::<Line<T>>() == LINE_ELEMENTS * size_of::<T>(), "no padding") };
        // SAFETY: each line is an array of elements, without padding.
        unsafe {
            std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.lines.len() * LINE_ELEMENTS)
        }
    }
}

impl<T> DerefMut for Memory<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        let length = self.lines.len() * LINE_ELEMENTS;
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), length) }
    }
}

/// [`Memory`] with an exact number of elements, as in a slice.
#[derive(Clone, Debug)]
pub struct Aligned<T> {
    memory: Memory<T>,
    count: usize,
}

impl<T: Copy + Zero> Aligned<T> {
    /// This many zeros, if there is memory for them.
    pub fn zeros(count: usize) -> Result<Self, TryReserveError> {
        let mut memory = Memory::default();
        memory.try_grow(count)?;
        Ok(Self { memory, count })
    }

    /// A copy of values, if there is memory for it.
    pub fn copy_of(values: &[T]) -> Result<Self, TryReserveError> {
        let mut copy = Self::zeros(values.len())?;
        copy.copy_from_slice(values);
        Ok(copy)
    }
}

impl<T: Copy + Zero> From<&[T]> for Aligned<T> {
    fn from(values: &[T]) -> Self {
        let mut memory = Memory::default();
        memory.grow(values.len());
        let mut copy = Self { memory, count: values.len() };
        copy.copy_from_slice(values);
        copy
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.memory[..self.count]
    }
}

impl<T> DerefMut for Aligned<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.memory[..self.count]
    }
}

/// A slice that blocks on several threads read and write; each block writes its own rows.
///
/// The borrow checker cannot see that blocks write disjoint rows: callers must keep to the
/// contracts of [`Shared::read`] and [`Shared::write`].
#[derive(Debug)]
#[derive_where(Clone, Copy)]
pub struct Shared<'a, T> {
    start: *mut T,
    length: usize,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: it is a `&mut [T]` that is split among threads, and `T` may be sent to them and shared with them.
unsafe impl<T: Send + Sync> Send for Shared<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for Shared<'_, T> {}

impl<'a, T> Shared<'a, T> {
    /// Memory that is borrowed exclusively.
    pub fn new(slice: &'a mut [T]) -> Self {
        Self { start: slice.as_mut_ptr(), length: slice.len(), slice: PhantomData }
    }

    /// Memory that is only read: writing to it is never sound.
    pub fn of(slice: &'a [T]) -> Self {
        Self { start: slice.as_ptr().cast_mut(), length: slice.len(), slice: PhantomData }
    }

    /// Whether both are the same memory.
    pub(crate) fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self.start, other.start)
    }

    /// Elements, to be read.
    ///
    /// # Safety
    /// While the result lives, nobody may write any of these elements.
    #[inline(always)]
    pub unsafe fn read(&self, range: Range<usize>) -> &'a [T] {
        assert!(range.start <= range.end && range.end <= self.length, "outside of the arena");
        // SAFETY: the range is within the slice, which lives for 'a; the caller guarantees that nobody writes.
        unsafe { std::slice::from_raw_parts(self.start.add(range.start), range.len()) }
    }

    /// Elements, to be written.
    ///
    /// # Safety
    /// While the result lives, nobody else may read or write any of these elements.
    #[inline(always)]
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn write(&self, range: Range<usize>) -> &'a mut [T] {
        assert!(range.start <= range.end && range.end <= self.length, "outside of the arena");
        // SAFETY: the range is within the slice, which lives for 'a; the caller guarantees that nobody else
        // uses it.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(range.start), range.len()) }
    }

    /// A pointer to the first of some elements. Access through it is subject to the contracts of
    /// [`Shared::read`] and [`Shared::write`].
    #[inline(always)]
    pub(crate) fn pointer(&self, range: Range<usize>) -> *mut T {
        assert!(range.start <= range.end && range.end <= self.length, "outside of the arena");
        // SAFETY: the range is within the slice.
        unsafe { self.start.add(range.start) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn aligned_values_begin_with_a_cache_line() {
        for count in [0, 1, 15, 16, 17, 100_000] {
            let values: Vec<f64> = (0..count).map(f64::from).collect();
            let aligned = Aligned::from(&values[..]);
            assert_eq!(&aligned[..], values);
            assert_eq!(aligned.as_ptr().align_offset(64), 0, "{count} values");
        }
    }

    /// A race that ThreadSanitizer must report, which shows that it works: `.ci/run thread` runs
    /// this test before all others.
    #[test]
    #[ignore = "two threads write one element: for ThreadSanitizer to find"]
    fn a_planted_race() {
        let mut data = vec![0.0_f32; 64];
        let shared = Shared::new(&mut data);
        let meet = Barrier::new(2);
        let write = |first: usize| {
            meet.wait();
            // SAFETY: none: both threads write elements 16 to 32.
            unsafe { shared.write(first..first + 32) }.fill(first as f32);
        };
        std::thread::scope(|scope| {
            scope.spawn(|| write(0));
            scope.spawn(|| write(16));
        });
        assert_eq!(data.len(), 64);
    }
}
