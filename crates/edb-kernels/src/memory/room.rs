//! Memory whose size follows from a model or from input. It is asked for, so that too little of it is
//! an error and not the end of the process.

use std::collections::TryReserveError;

use crate::memory::MemoryError;

/// An empty list with memory for so many values.
pub fn room<V>(count: usize) -> Result<Vec<V>, TryReserveError> {
    let mut list = Vec::new();
    list.try_reserve_exact(count)?;
    Ok(list)
}

/// Extends the memory of a list by so many values.
pub fn reserve<V>(list: &mut Vec<V>, more: usize) -> Result<(), MemoryError> {
    let bytes = more.saturating_mul(size_of::<V>());
    list.try_reserve(more).map_err(|reason| MemoryError { bytes, reason })
}

/// So many copies of a value.
pub fn filled<V: Clone>(value: V, count: usize) -> Result<Vec<V>, TryReserveError> {
    let mut list = room(count)?;
    list.resize(count, value);
    Ok(list)
}
