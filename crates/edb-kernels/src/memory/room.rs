//! Memory whose size depends on a model or on input. If there is not enough of it, these functions return an
//! error, and the process does not end.

use std::collections::TryReserveError;

use crate::memory::MemoryError;

/// An empty list with memory for this many values.
pub fn room<V>(count: usize) -> Result<Vec<V>, TryReserveError> {
    let mut list = Vec::new();
    list.try_reserve_exact(count)?;
    Ok(list)
}

/// Extends the memory of a list by this many values.
pub fn reserve<V>(list: &mut Vec<V>, more: usize) -> Result<(), MemoryError> {
    let bytes = more.saturating_mul(size_of::<V>());
    list.try_reserve(more).map_err(|reason| MemoryError { bytes, reason })
}

/// This many copies of a value.
pub fn filled<V: Clone>(value: V, count: usize) -> Result<Vec<V>, TryReserveError> {
    let mut list = room(count)?;
    list.resize(count, value);
    Ok(list)
}
