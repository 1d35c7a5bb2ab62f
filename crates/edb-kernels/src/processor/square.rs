//! Squares of elements in vector registers, and their transposes.

use super::vector::Vector;

/// The most elements of a register.
pub(crate) const MOST_LANES: usize = 16;

/// Registers that are transposed as the rows of a square.
pub trait Square<T>: Vector<T> {
    /// Transposes the first [`LANES`](Vector::LANES) registers: element `c` of register `r` becomes
    /// element `r` of register `c`.
    ///
    /// # Safety
    /// The machine must have this register and its instructions.
    unsafe fn transpose(rows: &mut [Self; MOST_LANES]);
}

macro_rules! portable {
    ($float:ident, $lanes:literal) => {
        impl Square<$float> for [$float; $lanes] {
            #[inline(always)]
            unsafe fn transpose(rows: &mut [Self; MOST_LANES]) {
                let old = *rows;
                for row in 0..$lanes {
                    for column in 0..$lanes {
                        rows[column][row] = old[row][column];
                    }
                }
            }
        }
    };
}

portable!(f32, 4);
portable!(f64, 2);

/// Rows first exchange single elements within quarters of a register (its lanes), then pairs of elements, and
/// then lanes.
#[cfg(target_arch = "x86_64")]
impl Square<f32> for std::arch::x86_64::__m512 {
    #[inline(always)]
    unsafe fn transpose(rows: &mut [Self; MOST_LANES]) {
        use std::arch::x86_64::{_mm512_shuffle_ps, _mm512_unpackhi_ps, _mm512_unpacklo_ps};
        let mut singles = *rows;
        let mut fours = singles;
        // SAFETY: the caller guarantees that the machine has the instructions.
        unsafe {
            for pair in 0..8 {
                let (a, b) = (rows[2 * pair], rows[2 * pair + 1]);
                singles[2 * pair] = _mm512_unpacklo_ps(a, b);
                singles[2 * pair + 1] = _mm512_unpackhi_ps(a, b);
            }
            // Register `four + c` gets element `c` of each lane of the four rows from `four` on.
            for four in 0..4 {
                let four = 4 * four;
                for odd in 0..2 {
                    let (a, b) = (singles[four + odd], singles[four + 2 + odd]);
                    fours[four + 2 * odd] = _mm512_shuffle_ps::<0b01_00_01_00>(a, b);
                    fours[four + 2 * odd + 1] = _mm512_shuffle_ps::<0b11_10_11_10>(a, b);
                }
            }
            for column in 0..4 {
                let of_column =
                    [fours[column], fours[4 + column], fours[8 + column], fours[12 + column]];
                let lanes = transpose_lanes(of_column);
                for lane in 0..4 {
                    rows[4 * lane + column] = lanes[lane];
                }
            }
        }
    }
}

/// As for `f32`, but an element is as wide as a pair of 32-bit elements, so the first exchange is left out.
#[cfg(target_arch = "x86_64")]
impl Square<f64> for std::arch::x86_64::__m512d {
    #[inline(always)]
    unsafe fn transpose(rows: &mut [Self; MOST_LANES]) {
        use std::arch::x86_64::{
            _mm512_castpd_ps, _mm512_castps_pd, _mm512_unpackhi_pd, _mm512_unpacklo_pd,
        };
        let old = *rows;
        // SAFETY: the caller guarantees that the machine has the instructions.
        unsafe {
            for column in 0..2 {
                let mut twos = [_mm512_castpd_ps(old[0]); 4];
                for pair in 0..4 {
                    let (a, b) = (old[2 * pair], old[2 * pair + 1]);
                    twos[pair] = _mm512_castpd_ps(match column {
                        0 => _mm512_unpacklo_pd(a, b),
                        _ => _mm512_unpackhi_pd(a, b),
                    });
                }
                let lanes = transpose_lanes(twos);
                for lane in 0..4 {
                    rows[2 * lane + column] = _mm512_castps_pd(lanes[lane]);
                }
            }
        }
    }
}

/// Transposes four registers of four lanes.
///
/// # Safety
/// The machine must have AVX-512F.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn transpose_lanes(
    [a, b, c, d]: [std::arch::x86_64::__m512; 4],
) -> [std::arch::x86_64::__m512; 4] {
    use std::arch::x86_64::_mm512_shuffle_f32x4;
    // These select the even lanes, and the odd lanes, of two registers.
    const EVEN: i32 = 0b10_00_10_00;
    const ODD: i32 = 0b11_01_11_01;
    // SAFETY: guaranteed by the caller.
    unsafe {
        let [even, odd] = [_mm512_shuffle_f32x4::<EVEN>(a, b), _mm512_shuffle_f32x4::<ODD>(a, b)];
        let [more_even, more_odd] =
            [_mm512_shuffle_f32x4::<EVEN>(c, d), _mm512_shuffle_f32x4::<ODD>(c, d)];
        [
            _mm512_shuffle_f32x4::<EVEN>(even, more_even),
            _mm512_shuffle_f32x4::<EVEN>(odd, more_odd),
            _mm512_shuffle_f32x4::<ODD>(even, more_even),
            _mm512_shuffle_f32x4::<ODD>(odd, more_odd),
        ]
    }
}

/// As for registers of 512 bits, but a lane is half of a register.
#[cfg(target_arch = "x86_64")]
impl Square<f32> for std::arch::x86_64::__m256 {
    #[inline(always)]
    unsafe fn transpose(rows: &mut [Self; MOST_LANES]) {
        use std::arch::x86_64::{
            _mm256_permute2f128_ps, _mm256_shuffle_ps, _mm256_unpackhi_ps, _mm256_unpacklo_ps,
        };
        let mut singles = *rows;
        let mut fours = singles;
        // SAFETY: the caller guarantees that the machine has the instructions.
        unsafe {
            for pair in 0..4 {
                let (a, b) = (rows[2 * pair], rows[2 * pair + 1]);
                singles[2 * pair] = _mm256_unpacklo_ps(a, b);
                singles[2 * pair + 1] = _mm256_unpackhi_ps(a, b);
            }
            for four in 0..2 {
                let four = 4 * four;
                for odd in 0..2 {
                    let (a, b) = (singles[four + odd], singles[four + 2 + odd]);
                    fours[four + 2 * odd] = _mm256_shuffle_ps::<0b01_00_01_00>(a, b);
                    fours[four + 2 * odd + 1] = _mm256_shuffle_ps::<0b11_10_11_10>(a, b);
                }
            }
            for column in 0..4 {
                let (a, b) = (fours[column], fours[4 + column]);
                rows[column] = _mm256_permute2f128_ps::<0x20>(a, b);
                rows[4 + column] = _mm256_permute2f128_ps::<0x31>(a, b);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Square<f64> for std::arch::x86_64::__m256d {
    #[inline(always)]
    unsafe fn transpose(rows: &mut [Self; MOST_LANES]) {
        use std::arch::x86_64::{_mm256_permute2f128_pd, _mm256_unpackhi_pd, _mm256_unpacklo_pd};
        let [a, b, c, d, ..] = *rows;
        // SAFETY: the caller guarantees that the machine has the instructions.
        unsafe {
            let twos = [
                [_mm256_unpacklo_pd(a, b), _mm256_unpacklo_pd(c, d)],
                [_mm256_unpackhi_pd(a, b), _mm256_unpackhi_pd(c, d)],
            ];
            for column in 0..2 {
                let [a, b] = twos[column];
                rows[column] = _mm256_permute2f128_pd::<0x20>(a, b);
                rows[2 + column] = _mm256_permute2f128_pd::<0x31>(a, b);
            }
        }
    }
}
