//! Scratch memory of a thread, for kernels and products.

use std::cell::Cell;
use std::thread::LocalKey;

use crate::numbers::{Element, Family, PerElementType};

thread_local! {
    static F32: Cell<Vec<f32>> = const { Cell::new(Vec::new()) };
    static F64: Cell<Vec<f64>> = const { Cell::new(Vec::new()) };
    static SUMS_F32: Cell<Vec<Vec<f32>>> = const { Cell::new(Vec::new()) };
    static SUMS_F64: Cell<Vec<Vec<f64>>> = const { Cell::new(Vec::new()) };
}

struct KernelScratch;

impl Family for KernelScratch {
    type Member<T: Element> = &'static LocalKey<Cell<Vec<T>>>;
}

static MEMORY: PerElementType<KernelScratch> = PerElementType { f32: &F32, f64: &F64 };

/// Takes this thread's scratch memory; [`keep`] puts it back. A kernel that runs within another kernel gets an
/// empty vector.
pub(crate) fn take<T: Element>() -> Vec<T> {
    MEMORY.of::<T>().take()
}

/// The first `count` elements of scratch memory from a cache line on, with arbitrary contents.
pub(crate) fn aligned<T: Element>(memory: &mut Vec<T>, count: usize) -> &mut [T] {
    const LINE_BYTES: usize = 64;
    let room = LINE_BYTES / size_of::<T>();
    if memory.len() < count + room {
        memory.resize(count + room, T::zero());
    }
    let first = memory.as_ptr().align_offset(LINE_BYTES).min(room);
    &mut memory[first..first + count]
}

/// Keeps memory for the thread's next kernel.
pub(crate) fn keep<T: Element>(memory: Vec<T>) {
    MEMORY.of::<T>().set(memory);
}

/// Memory for the halves of sums. There are as many halves as are nested.
struct HalfSums;

impl Family for HalfSums {
    type Member<T: Element> = &'static LocalKey<Cell<Vec<Vec<T>>>>;
}

static SUMS: PerElementType<HalfSums> = PerElementType { f32: &SUMS_F32, f64: &SUMS_F64 };

/// Calls `work` with `count` elements of scratch memory, with arbitrary contents, for one half of a sum. `work`
/// may call this again for the halves of that half.
pub(crate) fn with_half<T: Element>(count: usize, work: impl FnOnce(&mut [T])) {
    let mut all = SUMS.of::<T>().take();
    let mut memory = all.pop().unwrap_or_default();
    SUMS.of::<T>().set(all);
    work(aligned(&mut memory, count));
    let mut all = SUMS.of::<T>().take();
    all.push(memory);
    SUMS.of::<T>().set(all);
}
