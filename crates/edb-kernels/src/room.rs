//! Memory whose size follows from a model or from input. It is asked for, so that too little of it is
//! an error and not the end of the process.

use std::collections::TryReserveError;

/// An empty list with memory for so many values.
pub fn room<V>(count: usize) -> Result<Vec<V>, TryReserveError> {
    let mut list = Vec::new();
    list.try_reserve_exact(count)?;
    Ok(list)
}

/// So many copies of a value.
pub fn filled<V: Clone>(value: V, count: usize) -> Result<Vec<V>, TryReserveError> {
    let mut list = room(count)?;
    list.resize(count, value);
    Ok(list)
}
