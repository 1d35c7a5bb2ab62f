//! What a batcher counts: requests, refusals, answers, and how long they took.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What a [`Batcher`](crate::Batcher) has been asked, refused and answered since it was started, how long
/// that took, and what waits now.
///
/// All numbers but `queued` only grow, so the difference of two counts is what happened in between. Of
/// the requests that were taken, `taken - failed - took.count()` are running.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// The requests that wait now.
    pub queued: usize,
    /// The requests that engines have taken so far.
    pub taken: u64,
    /// In how many minibatches they have taken them.
    pub minibatches: u64,
    /// The requests that were refused because the queue was full
    /// ([`ServeError::Full`](crate::ServeError::Full)): more come than the workers can answer.
    pub refused_full: u64,
    /// The requests that were refused because of their graph: it has no vertices, is of another model,
    /// breaks a rule, or is too large. (Those that come after the batcher was closed are not counted.)
    pub refused_graphs: u64,
    /// The requests that were accepted, and got an error as their answer: their run has failed, or the
    /// function that reads the answer has.
    pub failed: u64,
    /// How long each request that was taken has waited for that, from when it was submitted.
    pub waited: Times,
    /// How long each answer has taken, from when the request was submitted until the answer was read. Those
    /// that failed are not among them.
    pub took: Times,
}

/// Into how many groups times are sorted by their length.
const GROUPS: usize = 32;

/// How long something took, each time: how often, and their sum, mean and quantiles.
///
/// Times are counted in groups: up to 1 µs, up to 2 µs, up to 4 µs, and so on. The last group, up to 36
/// minutes, has all longer ones, too. So a quantile is less than twice as long as it really was, or 1 µs.
///
/// ```
/// use std::time::Duration;
///
/// use edb::serve::Times;
///
/// # fn report(before: &Times, now: &Times) {
/// // What happened between two counts, such as in the last minute:
/// let minute = now.since(before);
/// println!("{} requests, on average in {:?}", minute.count(), minute.mean());
/// println!("99 of 100 took {:?} at most", minute.quantile(0.99));
/// # }
/// # report(&Times::default(), &Times::default());
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Times {
    /// How many are in each group.
    counts: [u64; GROUPS],
    total: Duration,
}

/// The longest time of a group.
fn longest(group: usize) -> Duration {
    Duration::from_micros(1 << group)
}

impl Times {
    /// Counts one more time.
    pub(crate) fn add(&mut self, time: Duration) {
        let micros = time.as_nanos().div_ceil(1000).max(1);
        let group = (u128::BITS - (micros - 1).leading_zeros()) as usize;
        self.counts[group.min(GROUPS - 1)] += 1;
        self.total += time;
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Their sum.
    pub fn total(&self) -> Duration {
        self.total
    }

    /// Their mean; zero if there were none.
    pub fn mean(&self) -> Duration {
        match self.count() {
            0 => Duration::ZERO,
            count => self.total.div_f64(count as f64),
        }
    }

    /// The time that the fraction `q` of them took at most, for example half of them (the median) for 0.5,
    /// and all of them for 1. It is rounded up to a power of two in microseconds; zero if there were none.
    pub fn quantile(&self, q: f64) -> Duration {
        let count = self.count();
        let wanted = (q * count as f64).ceil().clamp(1.0, count.max(1) as f64) as u64;
        let reached = self.at_most().find(|(_, so_far)| *so_far >= wanted);
        reached.map_or(Duration::ZERO, |(time, _)| time)
    }

    /// For each group the longest time of it, and how many took that long at most: the buckets of a
    /// histogram as Prometheus reads it, shortest first.
    pub fn at_most(&self) -> impl Iterator<Item = (Duration, u64)> {
        let so_far = self.counts.iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        });
        so_far.enumerate().map(|(group, sum)| (longest(group), sum))
    }

    /// Those that are not among the earlier ones of the same batcher: what happened in between.
    #[must_use]
    pub fn since(&self, earlier: &Times) -> Times {
        let counts =
            std::array::from_fn(|group| self.counts[group].saturating_sub(earlier.counts[group]));
        Times { counts, total: self.total.saturating_sub(earlier.total) }
    }
}

impl fmt::Debug for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Times")
            .field("count", &self.count())
            .field("mean", &self.mean())
            .field("median", &self.quantile(0.5))
            .field("longest", &self.quantile(1.0))
            .finish()
    }
}

/// The answers so far.
#[derive(Default)]
pub(crate) struct Answers(Mutex<AnswerCounts>);

/// How many answers there were of each kind.
#[derive(Clone, Copy, Default)]
pub(crate) struct AnswerCounts {
    pub(crate) failed: u64,
    pub(crate) took: Times,
}

impl Answers {
    /// Counts the answer of a request that was submitted then.
    pub(crate) fn count(&self, submitted: Instant, succeeded: bool) {
        let time = submitted.elapsed();
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match succeeded {
            true => counts.took.add(time),
            false => counts.failed += 1,
        }
    }

    pub(crate) fn get(&self) -> AnswerCounts {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(micros: &[f64]) -> Times {
        let mut times = Times::default();
        micros.iter().for_each(|micros| times.add(Duration::from_secs_f64(micros * 1e-6)));
        times
    }

    #[test]
    fn quantiles_are_rounded_up_to_a_power_of_two() {
        let micros = Duration::from_micros;
        let some = times(&[0.0, 0.3, 1.0, 1.5, 2.0, 3.0, 4.0, 4.1, 1000.0, 1025.0]);
        let quantiles = [(0.0, 1), (0.3, 1), (0.31, 2), (0.5, 2), (0.7, 4), (0.8, 8), (0.9, 1024)];
        for (q, expected) in quantiles.into_iter().chain([(1.0, 2048), (2.0, 2048)]) {
            assert_eq!(some.quantile(q), micros(expected), "{q}");
        }
        assert_eq!((some.count(), some.total()), (10, Duration::from_nanos(2_040_900)));
        assert_eq!(some.mean(), Duration::from_nanos(204_090));
        let at_most: Vec<_> = some.at_most().take(4).collect();
        assert_eq!(at_most, [(micros(1), 3), (micros(2), 5), (micros(4), 7), (micros(8), 8)]);
        assert_eq!(some.at_most().last(), Some((micros(1 << 31), 10)));
    }

    #[test]
    fn no_time_and_very_long_ones_are_counted() {
        let none = Times::default();
        assert_eq!(
            (none.count(), none.mean(), none.quantile(0.5)),
            (0, Duration::ZERO, Duration::ZERO)
        );
        let long = times(&[1e12, 2e12]);
        assert_eq!(long.quantile(1.0), Duration::from_micros(1 << 31));
        assert_eq!(long.mean(), Duration::from_secs(1_500_000));
    }

    #[test]
    fn what_happened_in_between_is_a_difference() {
        let earlier = times(&[1.0, 50.0]);
        let mut now = earlier;
        now.add(Duration::from_micros(3));
        assert_eq!(now.since(&earlier), times(&[3.0]));
        assert_eq!(earlier.since(&now), Times::default());
    }
}
