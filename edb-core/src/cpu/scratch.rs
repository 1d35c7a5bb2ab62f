//! Scratch memory of a thread, for kernels and products.

use std::cell::Cell;
use std::thread::LocalKey;

use crate::element::{Each, Element, Family};

thread_local! {
    static F32: Cell<Vec<f32>> = const { Cell::new(Vec::new()) };
    static F64: Cell<Vec<f64>> = const { Cell::new(Vec::new()) };
}

struct Memory;

impl Family for Memory {
    type Member<T: Element> = &'static LocalKey<Cell<Vec<T>>>;
}

static MEMORY: Each<Memory> = Each { f32: &F32, f64: &F64 };

/// Takes this thread's scratch memory, which [`keep`] puts back. A kernel that runs within another
/// one gets an empty vector.
pub(super) fn take<T: Element>() -> Vec<T> {
    MEMORY.of::<T>().take()
}

/// The first so many elements of scratch memory that begin with a cache line, of any contents.
pub(super) fn aligned<T: Element>(memory: &mut Vec<T>, count: usize) -> &mut [T] {
    const LINE: usize = 64;
    let room = LINE / size_of::<T>();
    if memory.len() < count + room {
        memory.resize(count + room, T::zero());
    }
    let first = memory.as_ptr().align_offset(LINE).min(room);
    &mut memory[first..first + count]
}

/// Keeps memory for the thread's next kernel.
pub(super) fn keep<T: Element>(memory: Vec<T>) {
    MEMORY.of::<T>().set(memory);
}
