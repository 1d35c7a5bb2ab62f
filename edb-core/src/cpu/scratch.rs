//! Scratch memory of a thread, for kernels and products.

use std::cell::Cell;
use std::thread::LocalKey;

use crate::element::{Each, Element, Family};

/// Memory for as many kernels as have run within one another.
type Kept<T> = Cell<Vec<Vec<T>>>;

thread_local! {
    static F32: Kept<f32> = const { Cell::new(Vec::new()) };
    static F64: Kept<f64> = const { Cell::new(Vec::new()) };
}

struct Memory;

impl Family for Memory {
    type Member<T: Element> = &'static LocalKey<Kept<T>>;
}

static MEMORY: Each<Memory> = Each { f32: &F32, f64: &F64 };

/// Takes scratch memory of this thread, which [`keep`] puts back.
pub(super) fn take<T: Element>() -> Vec<T> {
    let mut kept = MEMORY.of::<T>().take();
    let memory = kept.pop().unwrap_or_default();
    MEMORY.of::<T>().set(kept);
    memory
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
    let mut kept = MEMORY.of::<T>().take();
    kept.push(memory);
    MEMORY.of::<T>().set(kept);
}
