//! Scores that are collected minibatch by minibatch.
//!
//! | metric | of |
//! | --- | --- |
//! | [`Classes`] | one class of several: accuracy, and precision, recall and F1 by class |
//! | [`Entities`] | tags of a sequence (BIO, BIOES): F1 of whole entities |
//! | [`Perplexity`] | summed negative log likelihoods |
//! | [`Correlation`] | a number: Pearson's correlation, and the root mean square error |
//! | [`Ranking`] | a score against yes or no: the area under the ROC curve |
//!
//! Each takes what a model says and what is right, in any number of calls; two collected apart are put
//! together by `merge`. A score of nothing is `NaN`.

mod classes;
mod correlation;
mod entities;
mod ranking;

pub use classes::{Classes, F1};
pub use correlation::Correlation;
pub use entities::{Entities, Entity, entities};
pub use ranking::Ranking;

/// Perplexity: `exp` of the mean negative log likelihood, as summed losses of a cross-entropy are.
///
/// ```
/// use edb_core::metrics::Perplexity;
///
/// let mut perplexity = Perplexity::default();
/// perplexity.observe(2.0 * 8.0_f64.ln(), 2); // two words, each of probability 1/8
/// assert!((perplexity.value() - 8.0).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Perplexity {
    sum: f64,
    count: u64,
}

impl Perplexity {
    /// Takes in the summed negative log likelihood, in nats, of so many words.
    pub fn observe(&mut self, sum: f64, words: u64) {
        self.sum += sum;
        self.count += words;
    }

    /// Takes in what another has.
    pub fn merge(&mut self, other: &Self) {
        self.observe(other.sum, other.count);
    }

    /// The perplexity.
    pub fn value(&self) -> f64 {
        (self.sum / self.count as f64).exp()
    }
}
