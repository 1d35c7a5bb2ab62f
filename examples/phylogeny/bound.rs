//! The least time in which this machine could compute a likelihood and its gradient.

use std::hint::black_box;
use std::time::{Duration, Instant};

use edb::machine::fma_peak;

/// Seconds, given how many numbers all branches have together: the longer of their multiply-adds, and of writing and
/// reading each of them once forward, and its gradient once backward.
pub(crate) fn least(numbers: usize, threads: usize) -> f64 {
    // Of each number: 4 for the branch, 4 for its own gradient, 4 for that of the branch. A `f64` is two `f32`.
    let peak = fma_peak(threads, Duration::from_millis(100)) * 1e9 / 2.0;
    let multiplied = (2 * 12 * numbers) as f64 / peak;
    // To start threads takes longer than to copy a few numbers.
    let measured = (2 * numbers).max(1 << 23);
    multiplied.max(copied(measured, threads) * (2 * numbers) as f64 / measured as f64)
}

/// The seconds that threads take to copy so many numbers.
fn copied(numbers: usize, threads: usize) -> f64 {
    let (from, mut to) = (vec![1.0; numbers], vec![0.0; numbers]);
    let part = numbers.div_ceil(threads).max(1);
    let mut copy = || {
        let start = Instant::now();
        std::thread::scope(|scope| {
            for (from, to) in from.chunks(part).zip(to.chunks_mut(part)) {
                scope.spawn(|| black_box(to).copy_from_slice(from));
            }
        });
        start.elapsed().as_secs_f64()
    };
    (0..6).map(|_| copy()).fold(f64::INFINITY, f64::min)
}
