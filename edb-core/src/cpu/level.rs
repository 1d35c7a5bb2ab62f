//! The instruction sets that kernels are compiled for, and the choice among them at run time.

use std::sync::OnceLock;

use crate::trace;

/// The environment variable that names the best level to use: ThreadSanitizer checks only code that
/// is compiled for [`Level::Portable`].
const VARIABLE: &str = "EDB_LEVEL";

/// A set of instructions that kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// The instructions that every machine of the target has.
    Portable,
    /// 256-bit vectors with fused multiply-add.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 512-bit vectors.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// The best level of this machine, up to the one that is [asked for](VARIABLE).
    pub(crate) fn best() -> Level {
        static BEST: OnceLock<Level> = OnceLock::new();
        *BEST.get_or_init(|| {
            let levels = Level::all();
            let best = levels.last().copied().unwrap_or(Level::Portable);
            match std::env::var(VARIABLE) {
                Ok(name) => Level::up_to(&name, &levels).unwrap_or_else(|| {
                    tracing::warn!(
                        target: trace::TARGET,
                        "{VARIABLE} is `{name}`, which is none of portable, avx2 and avx512: {best:?} runs"
                    );
                    best
                }),
                Err(_) => best,
            }
        })
    }

    /// The best of some levels, in ascending order, up to the one of this name; `None` if no level
    /// has this name.
    fn up_to(name: &str, levels: &[Level]) -> Option<Level> {
        let known = ["portable", "avx2", "avx512"];
        let most = known.iter().position(|known| *known == name)?;
        levels.iter().copied().take(most + 1).next_back()
    }

    /// The levels of this machine, the best one last.
    pub(crate) fn all() -> Vec<Level> {
        // Not every target has more levels.
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
        let mut levels = vec![Level::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                levels.push(Level::Avx2);
                let wide = is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq");
                if wide {
                    levels.push(Level::Avx512);
                }
            }
        }
        levels
    }
}

/// Work that is compiled once for each level.
///
/// `run` and all functions that it calls in its loops must be `#[inline(always)]`: only code that
/// is inlined into the functions below is compiled with their instructions. Such loops run over
/// indices. Whether the functions behind iterators and `array::from_fn` are inlined depends on the
/// build profile: without link-time optimisation `Zip::new` is a call, which made products eighteen
/// times slower; and code that is not compiled with the fused multiply-add instruction calls a
/// function of the C library instead.
pub(crate) trait Kernel {
    /// Does the work. `FMA` says whether a fused multiply-add is an instruction; without one it is
    /// a call.
    fn run<const FMA: bool>(self);
}

/// Runs a kernel at the best level of this machine.
pub(crate) fn dispatch(kernel: impl Kernel) {
    at(Level::best(), kernel);
}

/// Runs a kernel at a level that this machine has.
pub(crate) fn at(level: Level, kernel: impl Kernel) {
    match level {
        Level::Portable => portable(kernel),
        // SAFETY: levels come from `Level::all`, which lists what this machine has.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { avx2(kernel) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { avx512(kernel) },
    }
}

/// Whether kernels of users' crates are compiled for a level: not for x86-64 machines without AVX2,
/// which are old and few, since each level costs compile time.
pub(crate) fn has_compiled(level: Level) -> bool {
    level != Level::Portable || cfg!(not(target_arch = "x86_64"))
}

/// As [`at`], for a level that [`has_compiled`] code.
pub(crate) fn at_compiled(level: Level, kernel: impl Kernel) {
    match level {
        #[cfg(not(target_arch = "x86_64"))]
        Level::Portable => at(level, kernel),
        #[cfg(target_arch = "x86_64")]
        Level::Portable => unreachable!("such kernels are interpreted"),
        // SAFETY: levels come from `Level::all`, which lists what this machine has.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { avx2(kernel) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { avx512(kernel) },
    }
}

/// Runs a kernel at [`Level::Portable`].
pub(super) fn portable(kernel: impl Kernel) {
    kernel.run::<{ cfg!(target_arch = "aarch64") }>();
}

/// Runs a kernel at [`Level::Avx2`].
///
/// # Safety
/// The machine must have these features.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn avx2(kernel: impl Kernel) {
    kernel.run::<true>();
}

/// Runs a kernel at [`Level::Avx512`].
///
/// # Safety
/// The machine must have these features.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2,fma")]
pub(super) unsafe fn avx512(kernel: impl Kernel) {
    kernel.run::<true>();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_asked_for_by_name() {
        let all = Level::all();
        assert_eq!(Level::up_to("portable", &all), Some(Level::Portable));
        assert_eq!(Level::up_to("avx512", &all), all.last().copied());
        assert_eq!(Level::up_to("avx512", &all[..1]), Some(Level::Portable));
        assert_eq!(Level::up_to("AVX2", &all), None);
        if let [_, second, ..] = all[..] {
            assert_eq!(Level::up_to("avx2", &all), Some(second));
        }
    }
}
