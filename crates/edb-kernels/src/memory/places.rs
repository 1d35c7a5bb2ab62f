//! Numbers of elements, and their places, that never wrap around: `unsafe` code compares the first and
//! the last place with the memory, and relies on those between.

/// So many times so many elements.
///
/// # Panics
/// When no memory has so many, as for all functions here.
#[inline(always)]
pub(crate) fn times(count: usize, elements: usize) -> usize {
    match count.checked_mul(elements) {
        Some(product) => product,
        None => outside(),
    }
}

/// So many elements behind a place.
#[inline(always)]
pub(crate) fn behind(place: usize, elements: usize) -> usize {
    match place.checked_add(elements) {
        Some(sum) => sum,
        None => outside(),
    }
}

/// Where a row begins, of rows that lie `stride` elements apart from `start` on.
#[inline(always)]
pub(crate) fn of_row(start: usize, row: usize, stride: usize) -> usize {
    behind(start, times(row, stride))
}

/// For a row that there is not.
#[cold]
#[inline(never)]
pub(crate) fn outside() -> ! {
    panic!("elements outside of any memory")
}
