//! The vector registers of each instruction set, and loops that run on them.

use std::marker::PhantomData;

use super::isa::{Isa, Loop, portable};
#[cfg(target_arch = "x86_64")]
use super::isa::{avx2, avx512};
use super::square::Square;

/// The registers of each [`Isa`] for an element type.
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

/// A [`Loop`] that names the registers that it uses. It is compiled once for the registers of each instruction
/// set.
pub(crate) trait VectorLoop<T> {
    /// Does the work; see [`Loop::run`].
    ///
    /// # Safety
    /// The machine must have the registers `V` and their instructions.
    unsafe fn run<V: Square<T>, const FMA: bool>(self);
}

/// Runs a loop with an instruction set that this machine has.
pub(crate) fn run_on<T: Registers>(isa: Isa, work: impl VectorLoop<T>) {
    match isa {
        Isa::Portable => portable(On::<_, T, T::Portable>::new(work)),
        // SAFETY: instruction sets come from `Isa::all`, which lists what this machine has.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { avx2(On::<_, T, T::Avx2>::new(work)) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { avx512(On::<_, T, T::Avx512>::new(work)) },
    }
}

/// A loop on registers `V`, which belong to the instruction set that runs it.
struct On<W, T, V>(W, PhantomData<(T, V)>);

impl<W, T, V> On<W, T, V> {
    fn new(work: W) -> Self {
        Self(work, PhantomData)
    }
}

impl<W: VectorLoop<T>, T, V: Square<T>> Loop for On<W, T, V> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        // SAFETY: `run_on` runs the loop with the instruction set of the registers.
        unsafe { self.0.run::<V, FMA>() };
    }
}
