//! 16-bit numbers in pairs. Products read them in `Precision::Bf16`.
//!
//! A bf16 is the upper half of an `f32`, rounded to the nearest, halves to even. Two of them, for neighbouring
//! terms of a sum, take the place of one `f32`: the first term is in the lower half of its bits. Matrices are
//! packed in this form. Some processors have instructions for dot products of pairs; then the left side of a
//! product consists of pairs, too. On other processors, pairs of the matrix are taken apart, and the left side
//! is rounded, but not paired. Products of two such numbers are exact in `f32`, unless they are out of its
//! range.

use std::sync::OnceLock;

#[cfg(target_arch = "x86_64")]
use crate::choice::ORDERS;
use crate::numbers::{Element, Family, PerElementType};
#[cfg(target_arch = "x86_64")]
use crate::processor::amx;
use crate::processor::{Isa, Loop, dispatch};
use crate::trace;

/// How dot products of pairs are computed. As with [`Isa`], other crates only get values that this machine
/// supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairIsa {
    /// By converting both halves.
    #[non_exhaustive]
    Convert(Isa),
    /// By the instruction `vdpbf16ps` of AVX512-BF16.
    #[cfg(target_arch = "x86_64")]
    #[non_exhaustive]
    Dot,
    /// By the tiles of AMX.
    #[cfg(target_arch = "x86_64")]
    #[non_exhaustive]
    Tiles,
}

impl PairIsa {
    /// The best way of this machine.
    #[inline]
    pub fn best() -> Self {
        static BEST: OnceLock<PairIsa> = OnceLock::new();
        *BEST.get_or_init(|| {
            let best = Self::find_best();
            tracing::debug!(target: trace::TARGET, "products in 16 bits: {best:?}");
            best
        })
    }

    fn find_best() -> Self {
        let best = Isa::best();
        #[cfg(target_arch = "x86_64")]
        if best == Isa::Avx512 {
            if Isa::is_allowed("amx") && amx::is_permitted() {
                return Self::Tiles;
            }
            if Isa::is_allowed("avx512bf16") && has_dot() {
                return Self::Dot;
            }
        }
        Self::Convert(best)
    }

    /// All ways that this machine has.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        let all = Isa::all().into_iter().map(Self::Convert);
        #[cfg(target_arch = "x86_64")]
        let all = all
            .chain(has_dot().then_some(Self::Dot))
            .chain(amx::is_permitted().then_some(Self::Tiles));
        all.collect()
    }

    /// The number of lines of panels for this many rows of a matrix.
    pub(crate) fn lines(self, rows: usize) -> usize {
        let lines = rows.div_ceil(2);
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Tiles => lines.next_multiple_of(amx::TILE_LINES),
            _ => lines,
        }
    }

    /// The width that determines the panels of a matrix of this width. Tiles have no narrow panels.
    pub(crate) fn width(self, width: usize) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Tiles => width.max(amx::PANEL_COLUMNS),
            _ => width,
        }
    }

    /// How many of the [ways](crate::choice::tune::WAYS) to compute a product are possible.
    pub(crate) fn ways(self) -> usize {
        match self {
            Self::Convert(isa) => isa.ways(),
            #[cfg(target_arch = "x86_64")]
            Self::Dot => Isa::Avx512.ways(),
            #[cfg(target_arch = "x86_64")]
            Self::Tiles => ORDERS,
        }
    }

    /// Whether a left side whose rows are columns in memory is transposed first.
    pub(crate) fn transposes_left(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Tiles => true,
            _ => false,
        }
    }

    /// The number of elements of the left side for each line of panels: 1 if it is paired.
    pub fn terms(self) -> usize {
        match self {
            Self::Convert(_) => 2,
            #[cfg(target_arch = "x86_64")]
            Self::Dot | Self::Tiles => 1,
        }
    }

    /// Writes a row of a left side, with zeros after it.
    pub fn left_row<T: Element>(self, x: &[T], out: &mut [T]) {
        match self.terms() {
            1 => row(x, out),
            _ => {
                out[..x.len()].copy_from_slice(x);
                round(&mut out[..x.len()]);
                out[x.len()..].fill(T::zero());
            }
        }
    }

    /// Writes two lines of a left side whose rows are columns in memory. They are the elements of the left side
    /// that belong to one line of panels. A missing line is zero.
    pub(crate) fn left_lines<T: Element>(self, of: [Option<&[T]>; 2], out: &mut [T]) {
        let columns = out.len() / self.terms();
        match (self.terms(), of) {
            (1, [Some(first), Some(second)]) => lines(first, second, out),
            (1, [Some(first), None]) => line(first, out),
            (1, _) => out.fill(T::zero()),
            (_, of) => {
                for (out, of) in out.chunks_exact_mut(columns).zip(of) {
                    match of {
                        Some(x) => {
                            out.copy_from_slice(x);
                            round(out);
                        }
                        None => out.fill(T::zero()),
                    }
                }
            }
        }
    }

    /// The instruction set, which determines the width of registers.
    pub(crate) fn isa(self) -> Isa {
        match self {
            Self::Convert(isa) => isa,
            #[cfg(target_arch = "x86_64")]
            Self::Dot | Self::Tiles => Isa::Avx512,
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_dot() -> bool {
    Isa::all().contains(&Isa::Avx512) && is_x86_feature_detected!("avx512bf16")
}

/// How elements of a type are rounded and paired. Only `f32` can be.
struct Pairing;

impl Family for Pairing {
    type Member<T: Element> = Option<Functions<T>>;
}

static PAIRING: PerElementType<Pairing> = PerElementType {
    f32: Some(Functions {
        lines: |first, second, out| dispatch(Lines { first, second, out }),
        line: |first, out| dispatch(Line { first, out }),
        row: |x, out| dispatch(Row { x, out }),
        half: |x| half(x),
        round: |x| dispatch(Round(x)),
    }),
    f64: None,
};

/// See the functions of this module.
#[derive(Clone, Copy)]
struct Functions<T> {
    lines: fn(&[T], &[T], &mut [T]),
    line: fn(&[T], &mut [T]),
    row: fn(&[T], &mut [T]),
    half: fn(T) -> u16,
    round: fn(&mut [T]),
}

fn of<T: Element>() -> &'static Functions<T> {
    let functions = PAIRING.of::<T>();
    functions.as_ref().expect("a device refuses 16 bits for models of other types than `f32`")
}

/// Pairs each element of one line with the element of the next line.
pub(crate) fn lines<T: Element>(first: &[T], second: &[T], out: &mut [T]) {
    (of().lines)(first, second, out);
}

/// Pairs each element of a line with zero.
pub(crate) fn line<T: Element>(first: &[T], out: &mut [T]) {
    (of().line)(first, out);
}

/// Pairs the elements of a row with their neighbours; a last element without a neighbour is paired with zero.
/// The rest of `out` is zero.
pub(crate) fn row<T: Element>(x: &[T], out: &mut [T]) {
    (of().row)(x, out);
}

/// Rounds a single number.
pub(crate) fn half_of<T: Element>(x: T) -> u16 {
    (of().half)(x)
}

/// Rounds numbers to 16 bits.
pub fn round<T: Element>(x: &mut [T]) {
    (of().round)(x);
}

/// The nearest 16-bit number, halves to even; NaN stays NaN.
#[inline(always)]
fn half(x: f32) -> u16 {
    let bits = x.to_bits();
    let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1));
    // In a NaN, all other bits of the upper half may be zero, and it would become an infinity. So one bit is
    // set.
    let quiet = bits | 0x0040_0000;
    ((if x.is_nan() { quiet } else { rounded }) >> 16) as u16
}

#[inline(always)]
fn pair(first: f32, second: f32) -> f32 {
    f32::from_bits(u32::from(half(first)) | u32::from(half(second)) << 16)
}

struct Lines<'a> {
    first: &'a [f32],
    second: &'a [f32],
    out: &'a mut [f32],
}

impl Loop for Lines<'_> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let length = self.out.len();
        let (first, second) = (&self.first[..length], &self.second[..length]);
        for i in 0..length {
            self.out[i] = pair(first[i], second[i]);
        }
    }
}

struct Line<'a> {
    first: &'a [f32],
    out: &'a mut [f32],
}

impl Loop for Line<'_> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let first = &self.first[..self.out.len()];
        for i in 0..first.len() {
            self.out[i] = pair(first[i], 0.0);
        }
    }
}

struct Round<'a>(&'a mut [f32]);

impl Loop for Round<'_> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        for x in self.0 {
            *x = f32::from_bits(u32::from(half(*x)) << 16);
        }
    }
}

struct Row<'a> {
    x: &'a [f32],
    out: &'a mut [f32],
}

impl Loop for Row<'_> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let (whole, rest) = self.x.as_chunks::<2>();
        let (pairs, padding) = self.out.split_at_mut(whole.len());
        for i in 0..pairs.len() {
            pairs[i] = pair(whole[i][0], whole[i][1]);
        }
        padding.fill(0.0);
        if let Some(last) = rest.first() {
            padding[0] = pair(*last, 0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// If tests run to check AMX, they must not pass because AMX is refused.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn amx_is_there_if_it_is_required() {
        let is_required = std::env::var_os("EDB_REQUIRE_AMX").is_some();
        assert!(!is_required || PairIsa::all().contains(&PairIsa::Tiles));
    }

    /// The nearest 16-bit number: one of the two that enclose a number.
    fn nearest(x: f32) -> u16 {
        let below = (x.to_bits() >> 16) as u16;
        let value = |half: u16| f64::from(f32::from_bits(u32::from(half) << 16));
        // After the greatest number, the next one counts as twice the greatest power of two.
        let above = below.wrapping_add(1);
        let greatest = 2.0_f64.powi(128).copysign(f64::from(x));
        let of_above = if value(above).is_infinite() { greatest } else { value(above) };
        let (to_below, to_above) =
            ((f64::from(x) - value(below)).abs(), (of_above - f64::from(x)).abs());
        match to_below.total_cmp(&to_above) {
            std::cmp::Ordering::Less => below,
            std::cmp::Ordering::Greater => above,
            std::cmp::Ordering::Equal if below.is_multiple_of(2) => below,
            std::cmp::Ordering::Equal => above,
        }
    }

    proptest! {
        #[test]
        fn a_half_is_the_nearest(bits: u32, ties: bool) {
            let x = f32::from_bits(if ties { bits & 0xffff_0000 | 0x8000 } else { bits });
            if x.is_nan() {
                prop_assert!(f32::from_bits(u32::from(half(x)) << 16).is_nan());
            } else if x.is_infinite() {
                prop_assert_eq!(half(x), (bits >> 16) as u16);
            } else {
                prop_assert_eq!(half(x), nearest(x));
            }
        }
    }

    #[test]
    fn neighbours_are_paired() {
        let halves = |x: f32| [x.to_bits() as u16, (x.to_bits() >> 16) as u16];
        let mut out = [7.0; 4];
        row(&[1.0, 2.0, 3.0, 4.0, 5.0_f32], &mut out);
        let expected = [(1.0, 2.0), (3.0, 4.0), (5.0, 0.0), (0.0, 0.0)];
        for (out, (first, second)) in out.into_iter().zip(expected) {
            assert_eq!(halves(out), [half(first), half(second)]);
        }
        lines(&[1.0, 2.0, 3.0_f32], &[4.0, 5.0, 6.0], &mut out[..2]);
        assert_eq!(halves(out[1]), [half(2.0), half(5.0)]);
        assert_eq!(half(f32::from_bits(0x7f80_0001)), 0x7fc0);
        let near_one = |count: u32| 1.0 + count as f32 / 1024.0;
        let mut numbers = [near_one(4), near_one(12), f32::MAX];
        round(&mut numbers);
        assert_eq!(numbers, [1.0, near_one(16), f32::INFINITY]);
    }
}
