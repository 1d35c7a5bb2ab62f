//! Vector registers, which tiles of products consist of.
//!
//! A tile stays in registers only if its type is one of registers. The compiler vectorises sums in
//! an array of floats, too, but initialises, loads and stores the array in memory, which costs as
//! much as twenty iterations of the loop.

use super::isa::Isa;

/// A vector register of elements `T`.
///
/// Every method does the same to each element, with the same rounding on every machine.
pub trait Vector<T>: Copy {
    /// The number of elements of a register.
    const LANES: usize;

    /// The number of registers.
    const COUNT: usize;

    /// All elements zero.
    ///
    /// # Safety
    /// The machine must have this register and its instructions. This holds for all methods.
    unsafe fn zero() -> Self;

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

/// The registers of each [`Isa`](super::isa::Isa) for an element type.
pub trait Registers: Sized {
    /// A register that every machine of the target has.
    type Portable: Vector<Self>;
    /// 256 bits.
    #[cfg(target_arch = "x86_64")]
    type Avx2: Vector<Self>;
    /// 512 bits.
    #[cfg(target_arch = "x86_64")]
    type Avx512: Vector<Self>;
}

macro_rules! portable {
    ($float:ident, $lanes:literal) => {
        impl Vector<$float> for [$float; $lanes] {
            const LANES: usize = $lanes;
            const COUNT: usize = Isa::Portable.registers();

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

impl Registers for f32 {
    type Portable = [f32; 4];
    #[cfg(target_arch = "x86_64")]
    type Avx2 = std::arch::x86_64::__m256;
    #[cfg(target_arch = "x86_64")]
    type Avx512 = std::arch::x86_64::__m512;
}

impl Registers for f64 {
    type Portable = [f64; 2];
    #[cfg(target_arch = "x86_64")]
    type Avx2 = std::arch::x86_64::__m256d;
    #[cfg(target_arch = "x86_64")]
    type Avx512 = std::arch::x86_64::__m512d;
}
