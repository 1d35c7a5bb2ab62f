//! The order of samples.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

use super::position::{Buckets, Position, PositionError, check};
use edb_kernels::random::ContentHash;
use edb_kernels::trace::TARGET;

/// Divides the samples of a dataset into minibatches: reshuffled in each epoch, each sample once.
///
/// A loader refers to samples by number, so it works with any dataset: a slice, a file, a
/// generator. The number is also a sample's stable id:
/// [`Graph::set_sample`](edb_core::graph::Graph::set_sample) makes dropout depend on it. The order
/// depends only on the seed, the epoch, the number of samples, the minibatch size and, with
/// [buckets](Self::buckets), the sizes of the samples.
///
/// ```
/// # extern crate edb_train as edb;
/// use edb::feed::Loader;
///
/// let sentences = ["a b", "c", "d e f", "g h", "i"];
/// let mut loader = Loader::new(sentences.len(), 2, 42);
/// for _epoch in 0..3 {
///     let mut seen = 0;
///     for minibatch in loader.epoch() {
///         seen += minibatch.iter().map(|sample| sentences[*sample]).count();
///     }
///     assert_eq!(seen, 5);
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Loader {
    samples: usize,
    size: usize,
    seed: u64,
    /// The size of each sample, if there are buckets.
    sizes: Vec<usize>,
    buckets: Buckets,
    /// The epoch in which the last iterator over one began, and the minibatches of it that had been
    /// handed out before.
    begun: (u64, usize),
    /// Those that this iterator has handed out, on whichever thread it is.
    handed: Handed,
}

/// A count that an iterator over an epoch shares with its loader, but no clone of the loader.
#[derive(Debug, Default)]
struct Handed(Arc<AtomicUsize>);

impl Clone for Handed {
    fn clone(&self) -> Self {
        Self(Arc::new(AtomicUsize::new(self.0.load(Ordering::SeqCst))))
    }
}

impl Loader {
    /// A loader of `samples` samples in minibatches of `size`, at least 1; the last of an epoch may
    /// be smaller. Epochs of no samples are empty, and count all the same, so that a loop over epochs
    /// ends; a warning event tells of them.
    ///
    /// # Panics
    /// If `size` is 0.
    pub fn new(samples: usize, size: usize, seed: u64) -> Self {
        assert!(size > 0, "a Loader has minibatches of 0 samples: let `size` be 1 or more");
        Self {
            samples,
            size,
            seed,
            sizes: Vec::new(),
            buckets: Buckets::None,
            begun: (0, 0),
            handed: Handed::default(),
        }
    }

    /// Puts samples of similar size (the number of vertices, for example) into one minibatch: the
    /// shuffled samples of `window` minibatches at a time are sorted by size, cut, and the
    /// minibatches shuffled again. The greater the window, the more alike are the sizes, and the
    /// less random the minibatches.
    ///
    /// # Panics
    /// If `window` is 0.
    #[must_use]
    pub fn buckets(mut self, size: impl FnMut(usize) -> usize, window: usize) -> Self {
        assert!(
            window > 0,
            "the buckets of a Loader have a window of 0 minibatches: let `window` be 1 or more"
        );
        self.sizes = (0..self.samples).map(size).collect();
        let mut sizes = ContentHash::default();
        self.sizes.iter().for_each(|size| sizes.add(*size as u64));
        // A window beyond an epoch is the same as one of an epoch.
        let window = window.min(self.minibatches().max(1));
        self.buckets = Buckets::Sorted { window, sizes: sizes.finish() };
        self
    }

    /// The remaining minibatches of this epoch, as sample numbers. The next call gives those of the
    /// next epoch, or what remains of this one if the iterator was dropped early.
    pub fn epoch(&mut self) -> impl Iterator<Item = Vec<usize>> + Send + use<> {
        self.epoch_with_positions().map(|(minibatch, _)| minibatch)
    }

    /// As [`epoch`](Self::epoch), with the position after each minibatch: what to save once this minibatch has
    /// been used, where others have been handed out meanwhile, as by [`prefetch`](super::prefetch()).
    pub fn epoch_with_positions(
        &mut self,
    ) -> impl Iterator<Item = (Vec<usize>, Position)> + Send + use<> {
        self.begun = self.now();
        self.handed = Handed::default();
        let handed = Arc::clone(&self.handed.0);
        let (begun, minibatches, position) = (self.begun, self.minibatches(), self.position());
        if minibatches == 0 {
            // No minibatch will end it.
            self.begun.0 = begun.0.saturating_add(1);
            let says = "a loader has no samples, so that its epochs are empty: are there data where they are read?";
            tracing::warn!(target: TARGET, epoch = begun.0, "{says}");
        }
        self.order().into_iter().skip(begun.1).map(move |minibatch| {
            let (epoch, taken) =
                behind(begun, 1 + handed.fetch_add(1, Ordering::SeqCst), minibatches);
            (minibatch, Position { epoch, taken, ..position })
        })
    }

    /// The epoch, and the minibatches of it that have been handed out. The last minibatch ends an
    /// epoch, so that no position is past its end.
    fn now(&self) -> (u64, usize) {
        behind(self.begun, self.handed.0.load(Ordering::SeqCst), self.minibatches())
    }

    /// The number of minibatches in an epoch.
    pub fn minibatches(&self) -> usize {
        self.samples.div_ceil(self.size)
    }

    /// The number of epochs completed.
    pub fn epochs(&self) -> u64 {
        self.now().0
    }

    /// The current position, after all minibatches that have been handed out, for a checkpoint.
    pub fn position(&self) -> Position {
        let Self { samples, size, seed, buckets, .. } = *self;
        let (epoch, taken) = self.now();
        Position { epoch, taken, samples, size, seed, buckets }
    }

    /// Whether it could continue from a position.
    ///
    /// # Errors
    /// As [`resume`](Self::resume).
    pub(crate) fn check(&self, position: &Position) -> Result<(), PositionError> {
        check(position, &self.position(), self.minibatches())
    }

    /// Ends the current epoch, of which minibatches may be left. If it has ended, as by its last minibatch, this
    /// does nothing. `finished` is the number of epochs that have been ended before.
    pub(crate) fn end_epoch(&mut self, finished: u64) {
        let epochs = self.epochs().max(finished.saturating_add(1));
        (self.begun, self.handed) = ((epochs, 0), Handed::default());
    }

    /// Continues from a position.
    ///
    /// # Errors
    /// When it is of a loader with other samples, minibatches, buckets or another seed, or is
    /// invalid; the loader is then unchanged.
    pub fn resume(&mut self, position: Position) -> Result<(), PositionError> {
        self.check(&position)?;
        (self.begun, self.handed) = ((position.epoch, position.taken), Handed::default());
        Ok(())
    }

    /// All minibatches of the epoch that has begun.
    fn order(&self) -> Vec<Vec<usize>> {
        // The key holds seed and epoch: unrelated streams, as for parameters.
        let mut key = [0; 32];
        key[..8].copy_from_slice(&self.seed.to_le_bytes());
        key[8..16].copy_from_slice(&self.begun.0.to_le_bytes());
        key[16] = 1;
        let mut random = ChaCha8Rng::from_seed(key);
        let mut order: Vec<usize> = (0..self.samples).collect();
        shuffle(&mut order, &mut random);
        let Buckets::Sorted { window, .. } = self.buckets else {
            return order.chunks(self.size).map(<[usize]>::to_vec).collect();
        };
        // Stable, so that samples of one size stay shuffled.
        let together = self.size.saturating_mul(window);
        order.chunks_mut(together).for_each(|part| part.sort_by_key(|item| self.sizes[*item]));
        let mut minibatches: Vec<Vec<usize>> =
            order.chunks(self.size).map(<[usize]>::to_vec).collect();
        shuffle(&mut minibatches, &mut random);
        minibatches
    }
}

/// The epoch, and its minibatches that have been handed out, `handed` further ones behind `begun`.
fn behind((epoch, before): (u64, usize), handed: usize, minibatches: usize) -> (u64, usize) {
    match before + handed {
        taken if taken > 0 && taken >= minibatches => (epoch + 1, 0),
        taken => (epoch, taken),
    }
}

/// The Fisher-Yates shuffle, with rejection sampling; written out, so that updates of crates do not
/// change it.
fn shuffle<V>(values: &mut [V], random: &mut ChaCha8Rng) {
    for last in (1..values.len()).rev() {
        let bound = last as u64 + 1;
        let limit = u64::MAX - u64::MAX % bound;
        let draw = std::iter::repeat_with(|| random.next_u64()).find(|draw| *draw < limit);
        values.swap(last, (draw.unwrap_or(0) % bound) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epochs(loader: &mut Loader, count: usize) -> Vec<Vec<Vec<usize>>> {
        (0..count).map(|_| loader.epoch().collect()).collect()
    }

    #[test]
    fn an_epoch_has_every_sample_once() {
        for buckets in [false, true] {
            let mut loader = Loader::new(103, 10, 7);
            if buckets {
                loader = loader.buckets(|sample| sample % 13, 4);
            }
            assert_eq!(loader.minibatches(), 11);
            let all = epochs(&mut loader, 3);
            for epoch in &all {
                assert_eq!(epoch.len(), 11);
                let mut samples = epoch.concat();
                samples.sort_unstable();
                assert_eq!(samples, (0..103).collect::<Vec<_>>());
            }
            assert_ne!(all[0], all[1]);
            assert_eq!(loader.epochs(), 3);
        }
    }

    #[test]
    fn the_order_depends_on_the_seed_alone() {
        let order = |seed| epochs(&mut Loader::new(50, 7, seed), 2);
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        // Must never change: a checkpoint must find the same order after an update.
        assert_eq!(Loader::new(6, 3, 42).epoch().collect::<Vec<_>>(), FIXED);
    }

    const FIXED: [[usize; 3]; 2] = [[5, 2, 0], [1, 4, 3]];

    /// Where minibatches are made ahead of their use, a run that is stopped behind any of them goes on with the next.
    #[test]
    fn a_position_is_behind_the_minibatch_that_was_used() {
        let whole = epochs(&mut Loader::new(23, 5, 3), 2).concat();
        for stop in 1..=whole.len() {
            let mut loader = Loader::new(23, 5, 3);
            let mut used = Vec::new();
            let mut saved = None;
            while saved.is_none() {
                let items = loader.epoch_with_positions();
                _ = super::super::prefetch(
                    3,
                    items,
                    |item| item,
                    |(minibatch, position)| {
                        used.push(minibatch);
                        saved = (used.len() == stop).then_some(position);
                        if saved.is_some() { Err(()) } else { Ok(()) }
                    },
                );
            }
            let mut loader = Loader::new(23, 5, 3);
            loader.resume(saved.unwrap()).unwrap();
            used.extend(epochs(&mut loader, 2).concat());
            used.truncate(whole.len());
            assert_eq!(used, whole, "stopped behind {stop}");
        }
    }

    #[test]
    fn a_position_continues_anywhere() {
        let whole = epochs(&mut Loader::new(23, 5, 3), 3).concat();
        for stop in 0..whole.len() {
            let mut first = Loader::new(23, 5, 3);
            let mut seen = Vec::new();
            while seen.len() < stop {
                let left = stop - seen.len();
                seen.extend(first.epoch().take(left));
            }
            let mut second = Loader::new(23, 5, 3);
            second.resume(first.position()).unwrap();
            while seen.len() < whole.len() {
                seen.extend(second.epoch());
            }
            assert_eq!(seen, whole);
        }
        let error = Loader::new(23, 4, 3).resume(Loader::new(23, 5, 3).position()).unwrap_err();
        let expected = "the position is of a loader with minibatches of 5, and this one has 4";
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn any_window_is_as_good_as_all() {
        let order = |window: usize| -> Vec<_> {
            Loader::new(10, 4, 1).buckets(|sample| sample % 3, window).epoch().collect()
        };
        assert_eq!(order(usize::MAX), order(3));
        let whole = Loader::new(10, usize::MAX, 1).buckets(|sample| sample % 3, 2).epoch().count();
        assert_eq!(whole, 1);
    }

    #[test]
    fn buckets_make_sizes_alike() {
        let size = |sample: usize| sample * 7919 % 101;
        let spread = |loader: Loader| -> usize {
            let mut loader = loader;
            let spread = |batch: Vec<usize>| {
                let sizes = batch.iter().map(|sample| size(*sample));
                sizes.clone().max().unwrap_or(0) - sizes.min().unwrap_or(0)
            };
            loader.epoch().map(spread).sum()
        };
        let loader = Loader::new(320, 16, 5);
        assert!(2 * spread(loader.clone().buckets(size, 5)) < spread(loader));
    }

    /// Minibatches of 0 samples were taken for such of 1, and an epoch took as many steps as there are samples.
    #[test]
    #[should_panic(expected = "a Loader has minibatches of 0 samples: let `size` be 1 or more")]
    fn minibatches_have_samples() {
        _ = Loader::new(10, 0, 1);
    }

    #[test]
    #[should_panic(expected = "a window of 0 minibatches: let `window` be 1 or more")]
    fn windows_have_minibatches() {
        _ = Loader::new(10, 2, 1).buckets(|sample| sample, 0);
    }

    /// Fault D5 of the third list: an epoch of no samples was never over, so that a loop over epochs had no
    /// end.
    #[test]
    fn epochs_without_samples_end() {
        let mut loader = Loader::new(0, 1, 1).buckets(|sample| sample, 3);
        for epoch in 0..5 {
            assert_eq!((loader.epochs(), loader.minibatches()), (epoch, 0));
            assert_eq!(loader.epoch().count(), 0);
        }
        // From a checkpoint, too; and where the minibatches are made ahead.
        let mut other = loader.clone();
        other.resume(loader.position()).unwrap();
        let mut rounds = 0..10;
        while other.epochs() < 8 {
            rounds.next().expect("three epochs end");
            let items = other.epoch_with_positions();
            super::super::prefetch(1, items, |item| item, |_| Err("there is none")).unwrap();
        }
        assert_eq!((rounds.len(), loader.epochs()), (7, 5));
    }
}
