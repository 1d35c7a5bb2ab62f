//! The instruction sets for which kernels are compiled, and the choice among them at run time.

use std::sync::OnceLock;

use crate::choice::{ORDERS, WAYS};
use crate::trace;

/// The environment variable that names the best instruction set to use. It exists because ThreadSanitizer
/// checks only code that is compiled for [`Isa::Portable`].
const ISA_VARIABLE: &str = "EDB_ISA";

/// The names of the instruction sets; each includes those before it. The last two are only for products of
/// [pairs](crate::pairs).
const ISA_NAMES: [&str; 5] = ["portable", "avx2", "avx512", "avx512bf16", "amx"];

/// The value of the variable.
fn asked() -> Option<String> {
    let name = std::env::var_os(ISA_VARIABLE)?.to_string_lossy().into_owned();
    Some(name).filter(|name| !name.is_empty())
}

/// Products have tall tiles if there are at least this many registers.
pub(crate) const TALL_REGISTERS: usize = 32;

/// An instruction set for which kernels are compiled. Other crates can construct only the first one, so they
/// get all others from [`all`](Self::all) or [`best`](Self::best), and this machine has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isa {
    /// The instructions that every machine of the target has.
    Portable,
    /// 256-bit vectors with fused multiply-add.
    #[cfg(target_arch = "x86_64")]
    #[non_exhaustive]
    Avx2,
    /// 512-bit vectors.
    #[cfg(target_arch = "x86_64")]
    #[non_exhaustive]
    Avx512,
}

impl Isa {
    /// The best instruction set of this machine, but not beyond the one that `EDB_ISA` names.
    #[inline]
    pub fn best() -> Isa {
        static BEST: OnceLock<Isa> = OnceLock::new();
        *BEST.get_or_init(Self::find_best)
    }

    fn find_best() -> Isa {
        let all = Isa::all();
        let best = all.last().copied().unwrap_or(Isa::Portable);
        let Some(name) = asked() else { return best };
        Isa::up_to(&name, &all).unwrap_or_else(|| {
            tracing::warn!(
                target: trace::TARGET,
                "{ISA_VARIABLE} is `{name}`, which is none of {}: {best:?} runs",
                ISA_NAMES.join(", ")
            );
            best
        })
    }

    /// Fails if `EDB_ISA` does not name an instruction set; the error lists the names.
    pub fn check() -> Result<(), String> {
        match asked().filter(|name| !ISA_NAMES.contains(&name.as_str())) {
            Some(name) => Err(format!(
                "{ISA_VARIABLE} is `{name}`; it may be one of {}",
                ISA_NAMES.join(", ")
            )),
            None => Ok(()),
        }
    }

    /// The best of some instruction sets, which are in ascending order, but not beyond the one with this name.
    /// `None` if no instruction set has this name.
    fn up_to(name: &str, all: &[Isa]) -> Option<Isa> {
        let most = ISA_NAMES.iter().position(|known| *known == name)?;
        all.iter().copied().take(most + 1).next_back()
    }

    /// Whether instructions with this name may be used, that is, whether they do not come after the ones that
    /// [`EDB_ISA`](ISA_VARIABLE) names.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn is_allowed(name: &str) -> bool {
        let place = |name: &str| ISA_NAMES.iter().position(|known| *known == name);
        let most = asked().and_then(|most| place(&most));
        most.is_none_or(|most| place(name) <= Some(most))
    }

    /// The number of vector registers.
    pub(crate) const fn registers(self) -> usize {
        match self {
            Isa::Portable if cfg!(target_arch = "aarch64") => 32,
            Isa::Portable => 16,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => 16,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => 32,
        }
    }

    /// How many of the [ways](crate::choice::tune::WAYS) to compute a product are possible: all of them if
    /// there are enough registers for tall tiles.
    pub(crate) fn ways(self) -> usize {
        if self.registers() < TALL_REGISTERS { ORDERS } else { WAYS.len() }
    }

    /// The instruction sets of this machine, the best one last.
    pub fn all() -> Vec<Isa> {
        // Some targets have no other instruction sets.
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
        let mut all = vec![Isa::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                all.push(Isa::Avx2);
                let wide = is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq");
                if wide {
                    all.push(Isa::Avx512);
                }
            }
        }
        all
    }
}

/// Work that is compiled once for each instruction set.
///
/// `run` and all functions that it calls in its loops must be `#[inline(always)]`, since only code that is
/// inlined into the functions below is compiled with their instructions. These loops run over indices, because
/// it depends on the build profile whether the functions of iterators and `array::from_fn` are inlined. Without
/// link-time optimisation `Zip::new` is a call, which made products eighteen times slower; and code that is
/// compiled without the fused multiply-add instruction calls a function of the C library instead.
pub trait Loop {
    /// Does the work. `FMA` says whether there is an instruction for a fused multiply-add; if not, it would be
    /// a call.
    fn run<const FMA: bool>(self);
}

/// Runs a loop with the best instruction set of this machine.
#[inline]
pub fn dispatch(work: impl Loop) {
    dispatch_on(Isa::best(), work);
}

/// Runs a loop with an instruction set that this machine has.
pub fn dispatch_on(isa: Isa, work: impl Loop) {
    match isa {
        Isa::Portable => portable(work),
        // SAFETY: instruction sets come from `Isa::all`, which lists what this machine has.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { avx2(work) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { avx512(work) },
    }
}

/// Whether kernels of users' crates are compiled for an instruction set. They are not compiled for x86-64
/// machines without AVX2: these are old and few, and each instruction set costs compile time.
pub(crate) fn has_compiled(isa: Isa) -> bool {
    isa != Isa::Portable || cfg!(not(target_arch = "x86_64"))
}

/// Like [`dispatch_on`], for an instruction set that [`has_compiled`] accepts.
pub(crate) fn at_compiled(isa: Isa, work: impl Loop) {
    match isa {
        #[cfg(not(target_arch = "x86_64"))]
        Isa::Portable => dispatch_on(isa, work),
        #[cfg(target_arch = "x86_64")]
        Isa::Portable => unreachable!("such kernels are interpreted"),
        // SAFETY: instruction sets come from `Isa::all`, which lists what this machine has.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { avx2(work) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { avx512(work) },
    }
}

/// Runs a loop with [`Isa::Portable`].
pub(crate) fn portable(work: impl Loop) {
    work.run::<{ cfg!(target_arch = "aarch64") }>();
}

/// Runs a loop with [`Isa::Avx2`].
///
/// # Safety
/// The machine must have these features.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
pub(crate) unsafe fn avx2(work: impl Loop) {
    work.run::<true>();
}

/// Runs a loop with [`Isa::Avx512`] and the dot products of AVX512-BF16.
///
/// # Safety
/// The machine must have these features.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512bf16,avx512f,avx512vl,avx512bw,avx512dq,avx2,fma")]
pub(crate) unsafe fn avx512bf16(work: impl Loop) {
    work.run::<true>();
}

/// Runs a loop with [`Isa::Avx512`].
///
/// # Safety
/// The machine must have these features.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2,fma")]
pub(crate) unsafe fn avx512(work: impl Loop) {
    work.run::<true>();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_set_is_asked_for_by_name() {
        let all = Isa::all();
        assert_eq!(Isa::up_to("portable", &all), Some(Isa::Portable));
        assert_eq!(Isa::up_to("avx512", &all), all.last().copied());
        assert_eq!(Isa::up_to("avx512", &all[..1]), Some(Isa::Portable));
        assert_eq!(Isa::up_to("amx", &all), all.last().copied());
        assert_eq!(Isa::up_to("AVX2", &all), None);
        if let [_, second, ..] = all[..] {
            assert_eq!(Isa::up_to("avx2", &all), Some(second));
        }
    }
}
