//! Transposes square blocks of matrices ("corners"), to pack weights.

#[cfg(target_arch = "x86_64")]
use super::isa::Isa;
use super::isa::{Loop, dispatch};
use crate::element::Element;

/// The rows and columns of a corner: a cache line of `f32`.
pub(super) const CORNER: usize = 16;

/// Writes rows of one length as columns: element `k` of all rows goes to the [`CORNER`] elements
/// from `to + k * stride` on.
///
/// # Safety
/// These elements must be writable, and no other code may use them meanwhile.
pub(super) unsafe fn transpose<T: Element>(lines: [&[T]; CORNER], to: *mut T, stride: usize) {
    let length = lines[0].len();
    assert!(lines.iter().all(|line| line.len() == length), "rows of one length");
    // SAFETY: guaranteed by the caller.
    #[cfg(target_arch = "x86_64")]
    let done = unsafe { in_registers(&lines, to, stride) };
    #[cfg(not(target_arch = "x86_64"))]
    let done = 0;
    dispatch(Plain { lines, to, stride, done });
}

/// Transposes as many elements of each row as there are instructions for, and returns how many.
///
/// # Safety
/// As for [`transpose`].
#[cfg(target_arch = "x86_64")]
unsafe fn in_registers<T: Element>(lines: &[&[T]; CORNER], to: *mut T, stride: usize) -> usize {
    let isa = Isa::best();
    let step = match isa {
        Isa::Portable => return 0,
        Isa::Avx2 => CORNER / 2,
        Isa::Avx512 => CORNER,
    };
    let Some(lines) = lines_of_f32(lines) else { return 0 };
    let mut done = 0;
    while done + step <= lines[0].len() {
        let mut starts = [std::ptr::null(); CORNER];
        for (start, line) in starts.iter_mut().zip(&lines) {
            *start = line[done..].as_ptr();
        }
        // SAFETY: the machine has the instructions; there are so many elements from `done` on in
        // each line; the caller guarantees the destination, whose elements are of this type.
        unsafe {
            let to = to.cast::<f32>().add(done * stride);
            if isa == Isa::Avx512 {
                avx512(&starts, to, stride);
            } else {
                avx2(&starts, to, stride);
            }
        }
        done += step;
    }
    done
}

/// Transposes the rest, or everything, element by element.
struct Plain<'a, T> {
    lines: [&'a [T]; CORNER],
    /// The destination, which is writable, as for [`transpose`].
    to: *mut T,
    stride: usize,
    done: usize,
}

impl<T: Element> Loop for Plain<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        for k in self.done..self.lines[0].len() {
            for (number, line) in self.lines.iter().enumerate() {
                // SAFETY: guaranteed by the caller of `transpose`.
                unsafe { *self.to.add(k * self.stride + number) = line[k] };
            }
        }
    }
}

/// The lines as `f32`, if that is their type.
#[cfg(target_arch = "x86_64")]
fn lines_of_f32<'a, T: Element>(lines: &[&'a [T]; CORNER]) -> Option<[&'a [f32]; CORNER]> {
    let same = std::any::TypeId::of::<T>() == std::any::TypeId::of::<f32>();
    // SAFETY: `T` is `f32`.
    same.then(|| lines.map(|line| unsafe { &*(std::ptr::from_ref(line) as *const [f32]) }))
}

/// Transposes sixteen rows of sixteen elements, after Eklundh (1972): pairs of rows exchange
/// halves, then quarters, eighths and single elements.
///
/// # Safety
/// The machine must have AVX-512F; 16 elements must be readable from each of `lines`, and writable
/// from `to + k * stride` on for each `k` from 0 to 15.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn avx512(lines: &[*const f32; CORNER], to: *mut f32, stride: usize) {
    use std::arch::x86_64::{
        __m512i, _mm512_loadu_ps, _mm512_loadu_si512, _mm512_permutex2var_ps, _mm512_setzero_ps,
        _mm512_storeu_ps,
    };
    /// For pairs of rows `step` apart: the elements that make up the first and the second row after
    /// the exchange, with those of the second numbered from 16 on.
    const fn indices(step: usize) -> [[i32; CORNER]; 2] {
        let mut indices = [[0; CORNER]; 2];
        let mut lane = 0;
        while lane < CORNER {
            let (first, second) = match lane & step {
                0 => (lane, lane + step),
                _ => (lane - step + CORNER, lane + CORNER),
            };
            indices[0][lane] = first as i32;
            indices[1][lane] = second as i32;
            lane += 1;
        }
        indices
    }
    const STEPS: [(usize, [[i32; CORNER]; 2]); 4] =
        [(8, indices(8)), (4, indices(4)), (2, indices(2)), (1, indices(1))];
    // Loops, since a function that takes a closure is not inlined into one with other target
    // features.
    let mut rows = [_mm512_setzero_ps(); CORNER];
    for (row, line) in rows.iter_mut().zip(lines) {
        // SAFETY: guaranteed by the caller.
        *row = unsafe { _mm512_loadu_ps(*line) };
    }
    for (step, indices) in &STEPS {
        // SAFETY: an array of sixteen numbers of four bytes is 64 bytes.
        let first = unsafe { _mm512_loadu_si512(indices[0].as_ptr().cast::<__m512i>()) };
        // SAFETY: as above.
        let second = unsafe { _mm512_loadu_si512(indices[1].as_ptr().cast::<__m512i>()) };
        for number in 0..CORNER {
            if number & step == 0 {
                let (a, b) = (rows[number], rows[number + step]);
                rows[number] = _mm512_permutex2var_ps(a, first, b);
                rows[number + step] = _mm512_permutex2var_ps(a, second, b);
            }
        }
    }
    for (number, row) in rows.into_iter().enumerate() {
        // SAFETY: guaranteed by the caller.
        unsafe { _mm512_storeu_ps(to.add(number * stride), row) };
    }
}

/// Transposes sixteen rows of eight elements, eight rows at a time, in the same way.
///
/// # Safety
/// The machine must have AVX2; 8 elements must be readable from each of `lines`, and 16 writable
/// from `to + k * stride` on for each `k` from 0 to 7.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn avx2(lines: &[*const f32; CORNER], to: *mut f32, stride: usize) {
    use std::arch::x86_64::{
        _mm256_loadu_ps, _mm256_permute2f128_ps, _mm256_setzero_ps, _mm256_shuffle_ps,
        _mm256_storeu_ps, _mm256_unpackhi_ps, _mm256_unpacklo_ps,
    };
    const HALF: usize = CORNER / 2;
    for half in 0..2 {
        let mut rows = [_mm256_setzero_ps(); HALF];
        for number in 0..HALF {
            // SAFETY: guaranteed by the caller.
            rows[number] = unsafe { _mm256_loadu_ps(lines[half * HALF + number]) };
        }
        // Single elements of neighbouring rows, then pairs of elements.
        let mut singles = rows;
        for pair in 0..HALF / 2 {
            let (a, b) = (rows[2 * pair], rows[2 * pair + 1]);
            singles[2 * pair] = _mm256_unpacklo_ps(a, b);
            singles[2 * pair + 1] = _mm256_unpackhi_ps(a, b);
        }
        let mut pairs = singles;
        for four in [0, 4] {
            for odd in 0..2 {
                let (a, b) = (singles[four + odd], singles[four + 2 + odd]);
                pairs[four + 2 * odd] = _mm256_shuffle_ps::<0b01_00_01_00>(a, b);
                pairs[four + 2 * odd + 1] = _mm256_shuffle_ps::<0b11_10_11_10>(a, b);
            }
        }
        for number in 0..HALF / 2 {
            let (a, b) = (pairs[number], pairs[number + 4]);
            let columns = [
                (number, _mm256_permute2f128_ps::<0x20>(a, b)),
                (number + 4, _mm256_permute2f128_ps::<0x31>(a, b)),
            ];
            for (column, elements) in columns {
                // SAFETY: guaranteed by the caller.
                unsafe { _mm256_storeu_ps(to.add(column * stride + half * HALF), elements) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Element>() {
        for length in [0, 1, 15, 16, 17, 31, 32, 50] {
            for stride in [16, 17, 64] {
                let number = |row: usize, k: usize| T::from_f64((row * 100 + k) as f64);
                let rows: Vec<Vec<T>> =
                    (0..CORNER).map(|row| (0..length).map(|k| number(row, k)).collect()).collect();
                let mut to = vec![T::from_f64(-1.0); length * stride + CORNER];
                let lines = std::array::from_fn(|row| &rows[row][..]);
                // SAFETY: the vector has these elements, and no other code uses them.
                unsafe { transpose(lines, to.as_mut_ptr(), stride) };
                for (element, &x) in to.iter().enumerate() {
                    let (k, row) = (element / stride, element % stride);
                    let expected = match k < length && row < CORNER {
                        true => number(row, k),
                        false => T::from_f64(-1.0),
                    };
                    assert_eq!(x, expected, "length {length}, stride {stride}, place {element}");
                }
            }
        }
    }

    #[test]
    fn rows_become_columns() {
        check::<f32>();
        check::<f64>();
    }
}
