//! Timing of several ways, which take turns.

use std::time::{Duration, Instant};

/// Times ways that take turns, after a warm-up: the median seconds of each.
pub(crate) fn in_turns<const N: usize>(rounds: usize, mut way: impl FnMut(usize)) -> [f64; N] {
    let mut times = [const { Vec::<Duration>::new() }; N];
    for round in 0..=rounds {
        for (number, times) in times.iter_mut().enumerate() {
            let start = Instant::now();
            way(number);
            if round > 0 {
                times.push(start.elapsed());
            }
        }
    }
    times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64()
    })
}
