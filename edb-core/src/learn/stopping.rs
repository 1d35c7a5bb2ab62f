//! Early stopping.

use serde::{Deserialize, Serialize};

/// Watches a score, and says when it has got no better for too long.
///
/// ```
/// use edb_core::learn::Watch;
///
/// let mut watch = Watch::higher_is_better().patience(1);
/// let mut epochs = 0;
/// for accuracy in [0.5, 0.7, 0.6, 0.65, 0.9] {
///     epochs += 1;
///     if watch.observe(accuracy) {
///         // The best so far: save it.
///     }
///     if watch.is_over() {
///         break;
///     }
/// }
/// assert_eq!((epochs, watch.best()), (4, Some(0.7)));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Watch {
    higher: bool,
    patience: u64,
    margin: f64,
    best: Option<f64>,
    waited: u64,
}

impl Watch {
    /// For a score such as a loss.
    pub fn lower_is_better() -> Self {
        Self { higher: false, patience: 0, margin: 0.0, best: None, waited: 0 }
    }

    /// For a score such as an accuracy.
    pub fn higher_is_better() -> Self {
        Self { higher: true, ..Self::lower_is_better() }
    }

    /// How many scores in a row may be no better; 0 by default: the first that is not ends it.
    #[must_use]
    pub fn patience(mut self, scores: u64) -> Self {
        self.patience = scores;
        self
    }

    /// By how much a score must be better to count; 0 by default.
    #[must_use]
    pub fn margin(mut self, margin: f64) -> Self {
        self.margin = margin;
        self
    }

    /// Takes in a score, and says whether it is the best so far. One that is not a number never is.
    pub fn observe(&mut self, score: f64) -> bool {
        let better = match self.best {
            None => !score.is_nan(),
            Some(best) if self.higher => score > best + self.margin,
            Some(best) => score < best - self.margin,
        };
        if better {
            (self.best, self.waited) = (Some(score), 0);
        } else {
            // From a file it may be anything.
            self.waited = self.waited.saturating_add(1);
        }
        better
    }

    /// Whether more scores than the patience were no better.
    pub fn is_over(&self) -> bool {
        self.waited > self.patience
    }

    /// Is patient once more, from the best score on.
    pub fn wait_again(&mut self) {
        self.waited = 0;
    }

    /// The best score so far.
    pub fn best(&self) -> Option<f64> {
        self.best
    }
}
