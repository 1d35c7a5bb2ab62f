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

/// Transposes sixteen rows of sixteen elements, in quarters of a register (lanes): rows exchange
/// single elements within lanes, then pairs of elements, and lanes after that.
///
/// # Safety
/// The machine must have AVX-512F; 16 elements must be readable from each of `lines`, and writable
/// from `to + k * stride` on for each `k` from 0 to 15.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn avx512(lines: &[*const f32; CORNER], to: *mut f32, stride: usize) {
    use std::arch::x86_64::{
        _mm512_loadu_ps, _mm512_setzero_ps, _mm512_shuffle_f32x4, _mm512_shuffle_ps,
        _mm512_storeu_ps, _mm512_unpackhi_ps, _mm512_unpacklo_ps,
    };
    // The even and the odd ones of the lanes of two registers.
    const EVEN: i32 = 0b10_00_10_00;
    const ODD: i32 = 0b11_01_11_01;
    let mut rows = [_mm512_setzero_ps(); CORNER];
    for (row, line) in rows.iter_mut().zip(lines) {
        // SAFETY: guaranteed by the caller.
        *row = unsafe { _mm512_loadu_ps(*line) };
    }
    let mut singles = rows;
    for pair in 0..CORNER / 2 {
        let (a, b) = (rows[2 * pair], rows[2 * pair + 1]);
        singles[2 * pair] = _mm512_unpacklo_ps(a, b);
        singles[2 * pair + 1] = _mm512_unpackhi_ps(a, b);
    }
    // Of four rows from `four` on, register `four + k` gets element `k` of each lane.
    let mut fours = singles;
    for four in [0, 4, 8, 12] {
        for odd in 0..2 {
            let (a, b) = (singles[four + odd], singles[four + 2 + odd]);
            fours[four + 2 * odd] = _mm512_shuffle_ps::<0b01_00_01_00>(a, b);
            fours[four + 2 * odd + 1] = _mm512_shuffle_ps::<0b11_10_11_10>(a, b);
        }
    }
    for number in 0..4 {
        let (a, b) = (fours[number], fours[4 + number]);
        let (c, d) = (fours[8 + number], fours[12 + number]);
        let [even, odd] = [_mm512_shuffle_f32x4::<EVEN>(a, b), _mm512_shuffle_f32x4::<ODD>(a, b)];
        let [more_even, more_odd] =
            [_mm512_shuffle_f32x4::<EVEN>(c, d), _mm512_shuffle_f32x4::<ODD>(c, d)];
        let columns = [
            _mm512_shuffle_f32x4::<EVEN>(even, more_even),
            _mm512_shuffle_f32x4::<EVEN>(odd, more_odd),
            _mm512_shuffle_f32x4::<ODD>(even, more_even),
            _mm512_shuffle_f32x4::<ODD>(odd, more_odd),
        ];
        for (lane, elements) in columns.into_iter().enumerate() {
            // SAFETY: guaranteed by the caller.
            unsafe { _mm512_storeu_ps(to.add((4 * lane + number) * stride), elements) };
        }
    }
}

/// Transposes sixteen rows of eight elements, eight rows at a time, in the same way: lanes are halves.
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
