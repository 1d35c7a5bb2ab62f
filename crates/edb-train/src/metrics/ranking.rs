//! Binary classification by a score.

/// The area under the ROC curve: the probability that a positive sample has a higher score than a
/// negative one, where equal scores count half. All scores are kept, 16 bytes each: a curve of
/// fewer points would be an estimate.
///
/// ```
/// # extern crate edb_train as edb;
/// use edb::metrics::Ranking;
///
/// let mut ranking = Ranking::default();
/// for (score, is_so) in [(0.9, true), (0.7, false), (0.6, true), (0.1, false)] {
///     ranking.observe(score, is_so);
/// }
/// assert_eq!(ranking.auc(), 0.75);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking {
    scores: Vec<(f64, bool)>,
}

impl Ranking {
    /// Records the score of a sample, and whether the sample is positive.
    pub fn observe(&mut self, score: f64, is_so: bool) {
        self.scores.push((score, is_so));
    }

    /// Adds the observations of another.
    pub fn merge(&mut self, other: &Self) {
        self.scores.extend_from_slice(&other.scores);
    }

    /// The area under the ROC curve; `NaN` unless there are both positive and negative samples, and
    /// all scores are numbers.
    pub fn auc(&self) -> f64 {
        if self.scores.iter().any(|(score, _)| score.is_nan()) {
            return f64::NAN;
        }
        let mut scores = self.scores.clone();
        scores.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        // Pairs of a positive sample above a negative one, counted twice, so that halves are
        // integers.
        let (mut twice, mut below, mut so) = (0_u64, 0_u64, 0_u64);
        for equal in scores.chunk_by(|(a, _), (b, _)| a == b) {
            let hits = equal.iter().filter(|(_, is_so)| *is_so).count() as u64;
            let others = equal.len() as u64 - hits;
            twice += hits * (2 * below + others);
            below += others;
            so += hits;
        }
        twice as f64 / (2 * so * below) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scores_count_half() {
        let auc = |scores: &[(f64, bool)]| {
            let mut ranking = Ranking::default();
            scores.iter().for_each(|(score, is_so)| ranking.observe(*score, *is_so));
            ranking.auc()
        };
        assert_eq!(auc(&[(1.0, true), (1.0, false)]), 0.5);
        assert_eq!(auc(&[(2.0, true), (1.0, false), (2.0, false)]), 0.75);
        assert_eq!(auc(&[(0.0, true), (1.0, false)]), 0.0);
        assert!(auc(&[(0.0, true)]).is_nan());
        // Infinite scores have an order, and zeros have none.
        assert_eq!(auc(&[(f64::INFINITY, true), (f64::NEG_INFINITY, false), (1.0, false)]), 1.0);
        assert_eq!(auc(&[(0.0, true), (-0.0, false)]), 0.5);
    }

    /// Fault B11: samples whose score is NaN stood above or below all others, by the sign that no one
    /// sees, and the area was 0 or 1.
    #[test]
    fn a_score_that_is_not_a_number_has_no_place() {
        for nan in [f64::NAN, -f64::NAN] {
            let mut ranking = Ranking::default();
            ranking.observe(nan, true);
            ranking.observe(0.5, false);
            assert!(ranking.auc().is_nan());
        }
    }
}
