//! Vector registers. Tiles of products consist of them.
//!
//! A tile stays in registers only if its type consists of registers. The compiler also vectorises sums in an
//! array of floats, but it initialises, loads and stores the array in memory, which costs as much as twenty
//! iterations of the loop.

use super::isa::Isa;

/// A vector register of elements `T`.
///
/// Every method does the same to each element, with the same rounding on every machine.
pub trait Vector<T>: Copy {
    /// The number of elements of a register.
    const LANES: usize;

    /// The number of registers.
    const COUNT: usize;

    /// Whether products have only tiles of one row and of four rows. This is less code to compile, but may take
    /// longer. It is so for `f64`, which is used to check models and not to train them, and for x86-64 machines
    /// without AVX2, which are old and few.
    const FEW_SHAPES: bool;

    /// All elements zero.
    ///
    /// # Safety
    /// The machine must have this register and its instructions. This holds for all methods.
    unsafe fn zero() -> Self;

    /// How many terms of a sum a line of a panel has: two if a register contains [pairs](crate::pairs) that are
    /// [taken apart](Vector::term), otherwise one.
    const TERMS: usize = 1;

    /// The elements of a term of a line.
    ///
    /// # Safety
    /// As for [`Vector::zero`].
    #[inline(always)]
    unsafe fn term(self, _term: usize) -> Self {
        self
    }

    /// Loads the elements from `from` on, of any alignment.
    ///
    /// # Safety
    /// All of them must be readable.
    unsafe fn load(from: *const T) -> Self;

    /// Writes the elements from `to` on.
    ///
    /// # Safety
    /// All of them must be writable.
    unsafe fn store(self, to: *mut T);

    /// `self + a b`, rounded once if `FMA`.
    ///
    /// # Safety
    /// As for [`Vector::zero`].
    unsafe fn plus_product<const FMA: bool>(self, a: T, b: Self) -> Self;

    /// `self + other`.
    ///
    /// # Safety
    /// As for [`Vector::zero`].
    unsafe fn plus(self, other: Self) -> Self;
}

/// A register of [pairs](crate::pairs) that are taken apart: both halves become 32-bit numbers.
#[derive(Clone, Copy)]
pub(crate) struct Converted<V>(V);

/// A register of sums; an instruction adds dot products of pairs to them.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Dotted(std::arch::x86_64::__m512);

macro_rules! portable {
    ($float:ident, $lanes:literal) => {
        impl Vector<$float> for [$float; $lanes] {
            const LANES: usize = $lanes;
            const COUNT: usize = Isa::Portable.registers();
            const FEW_SHAPES: bool = size_of::<$float>() == 8 || cfg!(target_arch = "x86_64");

            #[inline(always)]
            unsafe fn zero() -> Self {
                [0.0; $lanes]
            }

            #[inline(always)]
            unsafe fn load(from: *const $float) -> Self {
                // SAFETY: guaranteed by the caller; an array has the alignment of its elements.
                unsafe { from.cast::<Self>().read() }
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut $float) {
                // SAFETY: as above.
                unsafe { to.cast::<Self>().write(self) }
            }

            #[inline(always)]
            unsafe fn plus_product<const FMA: bool>(mut self, a: $float, b: Self) -> Self {
                for lane in 0..$lanes {
                    self[lane] = crate::math::Math::fma::<FMA>(a, b[lane], self[lane]);
                }
                self
            }

            #[inline(always)]
            unsafe fn plus(mut self, other: Self) -> Self {
                for lane in 0..$lanes {
                    self[lane] += other[lane];
                }
                self
            }
        }
    };
}

portable!(f32, 4);
portable!(f64, 2);

#[cfg(target_arch = "x86_64")]
macro_rules! register {
    (
        $register:ident of $isa:ident, $lanes:literal $float:ident:
        $zero:ident, $load:ident, $store:ident, $splat:ident, $fma:ident, $add:ident
    ) => {
        impl Vector<$float> for std::arch::x86_64::$register {
            const LANES: usize = $lanes;
            const COUNT: usize = Isa::$isa.registers();
            const FEW_SHAPES: bool = size_of::<$float>() == 8;

            #[inline(always)]
            unsafe fn zero() -> Self {
                // SAFETY: the caller guarantees that the machine has the instruction, here and
                // below.
                unsafe { std::arch::x86_64::$zero() }
            }

            #[inline(always)]
            unsafe fn load(from: *const $float) -> Self {
                // SAFETY: as above, and the elements are readable.
                unsafe { std::arch::x86_64::$load(from) }
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut $float) {
                // SAFETY: as above, and the elements are writable.
                unsafe { std::arch::x86_64::$store(to, self) }
            }

            #[inline(always)]
            unsafe fn plus_product<const FMA: bool>(self, a: $float, b: Self) -> Self {
                const { assert!(FMA, "isas with these registers have the instruction") };
                // SAFETY: as above.
                unsafe { std::arch::x86_64::$fma(std::arch::x86_64::$splat(a), b, self) }
            }

            #[inline(always)]
            unsafe fn plus(self, other: Self) -> Self {
                // SAFETY: as above.
                unsafe { std::arch::x86_64::$add(self, other) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
register!(__m256 of Avx2, 8 f32: _mm256_setzero_ps, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_set1_ps,
    _mm256_fmadd_ps, _mm256_add_ps);
#[cfg(target_arch = "x86_64")]
register!(__m256d of Avx2, 4 f64: _mm256_setzero_pd, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_set1_pd,
    _mm256_fmadd_pd, _mm256_add_pd);
#[cfg(target_arch = "x86_64")]
register!(__m512 of Avx512, 16 f32: _mm512_setzero_ps, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_set1_ps,
    _mm512_fmadd_ps, _mm512_add_ps);
#[cfg(target_arch = "x86_64")]
register!(__m512d of Avx512, 8 f64: _mm512_setzero_pd, _mm512_loadu_pd, _mm512_storeu_pd, _mm512_set1_pd,
    _mm512_fmadd_pd, _mm512_add_pd);

/// The methods of a wrapped register, except for `plus_product`.
macro_rules! wrapped {
    ($register:ty) => {
        const LANES: usize = <$register as Vector<f32>>::LANES;
        const COUNT: usize = <$register as Vector<f32>>::COUNT;
        const FEW_SHAPES: bool = <$register as Vector<f32>>::FEW_SHAPES;

        #[inline(always)]
        unsafe fn zero() -> Self {
            // SAFETY: guaranteed by the caller, here and below.
            Self(unsafe { <$register as Vector<f32>>::zero() })
        }

        #[inline(always)]
        unsafe fn load(from: *const f32) -> Self {
            // SAFETY: as above.
            Self(unsafe { <$register as Vector<f32>>::load(from) })
        }

        #[inline(always)]
        unsafe fn store(self, to: *mut f32) {
            // SAFETY: as above.
            unsafe { self.0.store(to) }
        }

        #[inline(always)]
        unsafe fn plus(self, other: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { self.0.plus(other.0) })
        }
    };
}

/// The methods of a wrapped register of numbers.
macro_rules! numbers {
    ($register:ty) => {
        wrapped!($register);

        const TERMS: usize = 2;

        #[inline(always)]
        unsafe fn plus_product<const FMA: bool>(self, a: f32, b: Self) -> Self {
            // SAFETY: guaranteed by the caller.
            Self(unsafe { self.0.plus_product::<FMA>(a, b.0) })
        }
    };
}

impl Vector<f32> for Converted<[f32; 4]> {
    numbers!([f32; 4]);

    #[inline(always)]
    unsafe fn term(self, term: usize) -> Self {
        Self(self.0.map(|pair| {
            let bits = pair.to_bits();
            f32::from_bits(if term == 0 { bits << 16 } else { bits & 0xffff_0000 })
        }))
    }
}

#[cfg(target_arch = "x86_64")]
macro_rules! converted {
    ($register:ident: $cast:ident, $shift:ident, $and:ident, $mask:ident, $back:ident) => {
        impl Vector<f32> for Converted<std::arch::x86_64::$register> {
            numbers!(std::arch::x86_64::$register);

            #[inline(always)]
            unsafe fn term(self, term: usize) -> Self {
                use std::arch::x86_64::{$and, $back, $cast, $mask, $shift};
                // SAFETY: the caller guarantees that the machine has the register.
                unsafe {
                    let bits = $cast(self.0);
                    Self($back(match term {
                        0 => $shift::<16>(bits),
                        _ => $and(bits, $mask(0xffff_0000_u32 as i32)),
                    }))
                }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
converted!(__m256: _mm256_castps_si256, _mm256_slli_epi32, _mm256_and_si256, _mm256_set1_epi32,
    _mm256_castsi256_ps);
#[cfg(target_arch = "x86_64")]
converted!(__m512: _mm512_castps_si512, _mm512_slli_epi32, _mm512_and_si512, _mm512_set1_epi32,
    _mm512_castsi512_ps);

#[cfg(target_arch = "x86_64")]
impl Vector<f32> for Dotted {
    wrapped!(std::arch::x86_64::__m512);

    #[inline(always)]
    unsafe fn plus_product<const FMA: bool>(self, a: f32, b: Self) -> Self {
        use std::arch::x86_64::{__m512, __m512bh, _mm512_dpbf16_ps, _mm512_set1_ps};
        // SAFETY: a register of 32 16-bit numbers is a register of 16 pairs; the caller guarantees that the
        // machine has the instruction.
        unsafe {
            let a = std::mem::transmute::<__m512, __m512bh>(_mm512_set1_ps(a));
            let b = std::mem::transmute::<__m512, __m512bh>(b.0);
            Self(_mm512_dpbf16_ps(self.0, a, b))
        }
    }
}
