//! Metrics, accumulated minibatch by minibatch.
//!
//! | metric | of |
//! | --- | --- |
//! | [`Classes`] | classification: accuracy, and precision, recall and F1 by class |
//! | [`Entities`] | tags of a sequence (BIO, BIOES, BILOU): F1 of whole entities |
//! | [`Perplexity`] | summed negative log likelihoods |
//! | [`Correlation`] | regression: Pearson's correlation, and the root mean square error |
//! | [`Ranking`] | binary classification by a score: the area under the ROC curve |
//!
//! Each takes predictions and targets, in any number of calls; `merge` combines two that were
//! accumulated separately. A metric of no observations is `NaN`.

mod classes;
mod correlation;
mod entities;
mod ranking;

pub use classes::{Classes, F1};
pub use correlation::Correlation;
pub use entities::{Entities, Entity, entities};
pub use ranking::Ranking;

/// Perplexity: `exp` of the mean negative log likelihood, from summed cross-entropy losses.
///
/// ```
/// # extern crate edb_train as edb;
/// use edb::metrics::Perplexity;
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
    /// Adds the summed negative log likelihood, in nats, of this many words.
    pub fn observe(&mut self, sum: f64, words: u64) {
        self.sum += sum;
        self.count += words;
    }

    /// Adds the observations of another.
    pub fn merge(&mut self, other: &Self) {
        self.observe(other.sum, other.count);
    }

    /// The perplexity.
    pub fn value(&self) -> f64 {
        (self.sum / self.count as f64).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten minibatches accumulated one after the other, or in two halves.
    #[test]
    fn apart_or_together() {
        let collect = |range: std::ops::Range<u64>| {
            let mut all = (Perplexity::default(), Classes::default(), Ranking::default());
            for observation in range {
                let score = (observation as f64 * 0.7).sin();
                all.0.observe(0.5 + observation as f64, observation % 3 + 1);
                all.1.observe_scores([score, 0.3, -score], (observation % 3) as usize);
                all.2.observe(score, observation % 2 == 0);
            }
            all
        };
        let (whole, mut half, rest) = (collect(0..10), collect(0..4), collect(4..10));
        half.0.merge(&rest.0);
        half.1.merge(&rest.1);
        half.2.merge(&rest.2);
        assert_eq!(half, whole);
        assert!(whole.1.accuracy() > 0.0 && whole.1.accuracy() < 1.0);
        assert!(whole.0.value().is_finite() && whole.2.auc() > 0.0);
        // The first of equal scores is predicted; without scores nothing is observed.
        let mut classes = Classes::default();
        classes.observe_scores([0.1, 0.9, 0.9], 1);
        classes.observe_scores::<f32>([], 1);
        assert_eq!((classes.accuracy(), classes.of(1).hits), (1.0, 1));
        assert!(Classes::default().macro_f1().is_nan());
    }
}
