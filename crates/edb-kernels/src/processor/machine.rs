//! The peak performance of the machine, to compare the performance of programs with it.

use std::hint::black_box;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use super::isa::{Isa, Loop, dispatch_on};
use crate::math::Math;

/// Independent sums, as in a tile of a product. They are enough to hide the latency of a multiply-add on any
/// core, and few enough for the registers of every instruction set.
type TileSums<const LANES: usize> = [[[f32; LANES]; VECTORS]; ROWS];
const ROWS: usize = 3;
const VECTORS: usize = 4;

/// How often the loop runs between two readings of the clock; this takes less than a millisecond.
const ROUNDS_PER_RUN: usize = 20_000;

/// The peak rate of multiply-adds of `f32` that this many threads reach together, in GFLOP/s (two operations
/// each). It is measured with a loop over registers that touches no memory, with the widest instructions that
/// edb's kernels use on this machine.
///
/// The result is the best measurement within about `time`. Other programs may disturb some measurements, so
/// allow a tenth of a second. Zero threads count as one. A machine without fused multiply-add uses two
/// instructions for it.
pub fn fma_peak(threads: usize, time: Duration) -> f64 {
    let threads = threads.max(1);
    let start = Instant::now();
    let mut best = 0_f64;
    let barrier = Barrier::new(threads);
    while best == 0.0 || start.elapsed() < time {
        // Many short runs: at least one of them is undisturbed, even if the machine is shared.
        let runs: Vec<f64> = std::thread::scope(|scope| {
            let run = || {
                barrier.wait();
                (0..8).map(|_| run_at(Isa::best())).fold(0.0, f64::max)
            };
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
            let this_thread = run();
            let others = others.into_iter().map(|thread| thread.join().unwrap_or(0.0));
            std::iter::once(this_thread).chain(others).collect()
        });
        // The slowest thread counts for all of them, since the result is what the threads reach side by side.
        let slowest = runs.into_iter().fold(f64::INFINITY, f64::min);
        best = best.max(slowest * threads as f64);
    }
    best
}

/// The instruction set that kernels use on this machine.
pub fn instructions() -> &'static str {
    match Isa::best() {
        Isa::Portable => "portable",
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => "AVX2",
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => "AVX-512",
    }
}

/// One measurement of one thread, in GFLOP/s.
fn run_at(isa: Isa) -> f64 {
    match isa {
        Isa::Portable => timed::<4>(isa),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => timed::<8>(isa),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => timed::<16>(isa),
    }
}

fn timed<const LANES: usize>(isa: Isa) -> f64 {
    // The factors are below one, so the sums stay finite and normal.
    let mut sums: TileSums<LANES> = black_box([[[1.0; LANES]; VECTORS]; ROWS]);
    let (scale, offset) = black_box((0.75, 0.5));
    let start = Instant::now();
    dispatch_on(isa, Chains { sums: &mut sums, scale, offset });
    let seconds = start.elapsed().as_secs_f64();
    black_box(&sums);
    (2 * LANES * VECTORS * ROWS * ROUNDS_PER_RUN) as f64 / seconds / 1e9
}

/// Chains of multiply-adds side by side.
struct Chains<'a, const LANES: usize> {
    sums: &'a mut TileSums<LANES>,
    scale: f32,
    offset: f32,
}

impl<const LANES: usize> Loop for Chains<'_, LANES> {
    /// These are loops over indices of nested arrays, since LLVM keeps them in registers. With iterators over
    /// one long array, the loop takes fifty times as long.
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let mut sums = *self.sums;
        for _ in 0..ROUNDS_PER_RUN {
            for vector in 0..VECTORS {
                for row in 0..ROWS {
                    for lane in 0..LANES {
                        let sum = &mut sums[row][vector][lane];
                        *sum = sum.fma::<FMA>(self.scale, self.offset);
                    }
                }
            }
        }
        *self.sums = sums;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The whole loop runs with every instruction set. If it were optimised away, or if lanes were left out,
    /// the sums would differ from those of the recurrence.
    #[test]
    fn the_loop_is_run() {
        fn check<const LANES: usize>(isa: Isa) {
            let mut sums: TileSums<LANES> = [[[0.0; LANES]; VECTORS]; ROWS];
            let all = sums.as_flattened_mut().as_flattened_mut();
            all.iter_mut().enumerate().for_each(|(lane, sum)| *sum = lane as f32);
            dispatch_on(isa, Chains { sums: &mut sums, scale: 1.0, offset: 1.0 });
            for (lane, sum) in sums.as_flattened().as_flattened().iter().enumerate() {
                assert_eq!(*sum, (lane + ROUNDS_PER_RUN) as f32);
            }
        }
        for isa in Isa::all() {
            check::<4>(isa);
            check::<8>(isa);
            check::<16>(isa);
        }
    }

    #[test]
    fn there_is_a_peak() {
        for threads in [0, 1, 2] {
            let peak = fma_peak(threads, Duration::from_millis(1));
            assert!(peak.is_finite() && peak > 0.0, "{peak}");
        }
    }
}
