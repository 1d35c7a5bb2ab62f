//! The vector registers of each instruction set.

use super::square::Square;

/// The registers of each [`Isa`](super::isa::Isa) for an element type.
pub trait Registers: Sized {
    /// A register that every machine of the target has.
    type Portable: Square<Self>;
    /// 256 bits.
    #[cfg(target_arch = "x86_64")]
    type Avx2: Square<Self>;
    /// 512 bits.
    #[cfg(target_arch = "x86_64")]
    type Avx512: Square<Self>;
}

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
