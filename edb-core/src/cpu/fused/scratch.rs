//! The memory that kernels of this thread use while they run.

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

/// Takes the memory, which [`keep`] gives back: it is empty for a kernel that another one calls.
pub(super) fn take<T: Element>() -> Vec<T> {
    MEMORY.of::<T>().take()
}

/// Keeps memory for the thread's next kernel.
pub(super) fn keep<T: Element>(memory: Vec<T>) {
    MEMORY.of::<T>().set(memory);
}
