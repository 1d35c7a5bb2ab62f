//! Computes numbers of elements and their places without wrapping around. `unsafe` code compares the first and
//! the last place with the memory, and relies on the places between them.

/// `count` times `elements` elements.
///
/// # Panics
/// When no memory has so many elements. This holds for all functions in this file.
#[inline(always)]
pub(crate) fn times(count: usize, elements: usize) -> usize {
    match count.checked_mul(elements) {
        Some(product) => product,
        None => outside(),
    }
}

/// The place that is `elements` elements after `place`.
#[inline(always)]
pub(crate) fn behind(place: usize, elements: usize) -> usize {
    match place.checked_add(elements) {
        Some(sum) => sum,
        None => outside(),
    }
}

/// Where row `row` begins, if rows lie `stride` elements apart from `start` on.
#[inline(always)]
pub(crate) fn of_row(start: usize, row: usize, stride: usize) -> usize {
    behind(start, times(row, stride))
}

/// Panics for a row that does not exist.
#[cold]
#[inline(never)]
pub(crate) fn outside() -> ! {
    panic!("elements outside of any memory")
}
