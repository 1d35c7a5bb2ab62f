//! Tries each way a few times, and then takes the fastest.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::time::Instant;

use super::TRIES_PER_WAY;

/// The tries of at most `N` ways to compute the same result.
#[derive(Debug)]
pub(crate) struct Tries<const N: usize> {
    /// How many tries have begun.
    begun: AtomicU32,
    /// The least time of each way, in picoseconds for 1000 multiplications.
    least: [AtomicU32; N],
    /// The fastest way, counted from 1, once all ways have been tried; 0 before.
    fastest: AtomicU8,
}

impl<const N: usize> Tries<N> {
    pub(crate) const fn new() -> Self {
        Self {
            begun: AtomicU32::new(0),
            least: [const { AtomicU32::new(u32::MAX) }; N],
            fastest: AtomicU8::new(0),
        }
    }

    /// Calls `compute` with the number of a way: first with the first `ways` ways in turn, and later with the
    /// fastest. Several threads may call this at once; it does not matter which thread counts which try.
    pub(crate) fn run(&self, ways: usize, work: usize, compute: impl FnOnce(usize)) {
        let fastest = self.fastest.load(Ordering::Relaxed);
        if fastest > 0 {
            return compute(usize::from(fastest) - 1);
        }
        let number = self.begun.fetch_add(1, Ordering::Relaxed) as usize;
        let start = Instant::now();
        compute(number % ways);
        self.record(number, ways, start.elapsed().as_nanos() as f64 * 1e6 / work as f64);
    }

    /// Records the time of a try, in picoseconds for 1000 multiplications. The last try chooses the fastest
    /// way.
    fn record(&self, number: usize, ways: usize, time: f64) {
        // A conversion from `f64` saturates.
        self.least[number % ways].fetch_min(time as u32, Ordering::Relaxed);
        if number + 1 >= ways * TRIES_PER_WAY {
            let time = |way: &usize| self.least[*way].load(Ordering::Relaxed);
            let fastest = (0..ways).min_by_key(time).unwrap_or(0);
            self.fastest.store(fastest as u8 + 1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each way is tried equally often. The way with the least time is kept, even if most of its tries were
    /// slow.
    #[test]
    fn the_fastest_way_is_kept() {
        const WAYS: usize = 4;
        let tries = Tries::<WAYS>::new();
        let mut counts = [0; WAYS];
        let mut run = || {
            let mut ran = usize::MAX;
            tries.run(WAYS, 1_000_000, |way| {
                ran = way;
                counts[ran] += 1;
            });
            ran
        };
        for number in 0..WAYS * TRIES_PER_WAY - 1 {
            assert_eq!(run(), number % WAYS);
        }
        // The measured times do not matter, since these replace them.
        for (number, least) in tries.least.iter().enumerate() {
            least.store(if number == 2 { 900 } else { 800 }, Ordering::Relaxed);
        }
        for (way, time) in [(2, 700.5), (1, 1e12), (2, 2000.0)] {
            tries.record(way, WAYS, time);
        }
        assert_eq!(tries.fastest.load(Ordering::Relaxed), 0, "one try is left");
        tries.record(WAYS * TRIES_PER_WAY - 1, WAYS, 950.0);
        assert_eq!([run(), run()], [2, 2]);
        assert_eq!(counts, [TRIES_PER_WAY, TRIES_PER_WAY, TRIES_PER_WAY + 2, TRIES_PER_WAY - 1]);
    }
}
