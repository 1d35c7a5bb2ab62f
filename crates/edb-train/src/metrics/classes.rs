//! Classification metrics.

use std::collections::BTreeMap;

/// Classification metrics: accuracy, and precision, recall and F1 by class.
///
/// ```
/// # extern crate edb_train as edb;
/// use edb::metrics::Classes;
///
/// let mut classes = Classes::default();
/// for (predicted, target) in [(0, 0), (1, 0), (1, 1), (1, 1)] {
///     classes.observe(predicted, target);
/// }
/// assert_eq!(classes.accuracy(), 0.75);
/// assert_eq!(classes.of(1).precision(), 2.0 / 3.0);
/// assert_eq!(classes.of(1).recall(), 1.0);
/// assert_eq!(classes.macro_f1(), (2.0 / 3.0 + 0.8) / 2.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Classes {
    correct: u64,
    count: u64,
    classes: BTreeMap<usize, F1>,
    /// Whether some score was NaN.
    undefined: bool,
}

/// The counts of one class from which its precision, recall and F1 follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct F1 {
    /// How often it was predicted correctly (true positives).
    pub hits: u64,
    /// How often it was predicted.
    pub predicted: u64,
    /// How often it was the target.
    pub targets: u64,
}

impl F1 {
    /// Correct predictions over all predictions.
    pub fn precision(&self) -> f64 {
        self.hits as f64 / self.predicted as f64
    }

    /// Correct predictions over all targets.
    pub fn recall(&self) -> f64 {
        self.hits as f64 / self.targets as f64
    }

    /// The harmonic mean of precision and recall; 0 if no prediction is correct, `NaN` if there are
    /// neither predictions nor targets.
    pub fn f1(&self) -> f64 {
        2.0 * self.hits as f64 / (self.predicted + self.targets) as f64
    }

    /// Adds the observations of another.
    pub fn merge(&mut self, other: &Self) {
        self.hits += other.hits;
        self.predicted += other.predicted;
        self.targets += other.targets;
    }
}

impl Classes {
    /// Records the predicted class and the target.
    pub fn observe(&mut self, predicted: usize, target: usize) {
        let hit = u64::from(predicted == target);
        self.count += 1;
        self.correct += hit;
        self.classes.entry(predicted).or_default().merge(&F1 {
            hits: hit,
            predicted: 1,
            targets: 0,
        });
        self.classes.entry(target).or_default().merge(&F1 { hits: 0, predicted: 0, targets: 1 });
    }

    /// Records the class of the greatest score (the first of equal ones) as predicted, and the
    /// target. It is the class that `argmax` finds: where scores are NaN, the first of these. Then
    /// nothing was predicted, and accuracy and mean F1 are `NaN` from here on.
    pub fn observe_scores<T: PartialOrd>(
        &mut self,
        scores: impl IntoIterator<Item = T>,
        target: usize,
    ) {
        let undefined = |score: &T| score.partial_cmp(score).is_none();
        let mut best: Option<(usize, T)> = None;
        for (class, score) in scores.into_iter().enumerate() {
            let exceeds = |known: &T| score > *known || (undefined(&score) && !undefined(known));
            if best.as_ref().is_none_or(|(_, known)| exceeds(known)) {
                best = Some((class, score));
            }
        }
        if let Some((predicted, score)) = best {
            self.undefined |= undefined(&score);
            self.observe(predicted, target);
        }
    }

    /// Adds the observations of another.
    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.correct += other.correct;
        self.undefined |= other.undefined;
        for (class, of) in &other.classes {
            self.classes.entry(*class).or_default().merge(of);
        }
    }

    /// The share of predictions that are correct; `NaN` if a [score](Self::observe_scores) was.
    pub fn accuracy(&self) -> f64 {
        if self.undefined { f64::NAN } else { self.correct as f64 / self.count as f64 }
    }

    /// The counts of one class.
    pub fn of(&self, class: usize) -> F1 {
        self.classes.get(&class).copied().unwrap_or_default()
    }

    /// The mean F1 of the classes that were predicted or targets; `NaN` if a
    /// [score](Self::observe_scores) was.
    pub fn macro_f1(&self) -> f64 {
        let sum: f64 = self.classes.values().map(F1::f1).sum();
        if self.undefined { f64::NAN } else { sum / self.classes.len() as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fault B11: a NaN in front of other scores was the greatest, one behind them was left out, and
    /// the accuracy was a number.
    #[test]
    fn what_is_not_a_number_is_no_prediction() {
        for scores in [[f32::NAN, 1.0, 2.0], [2.0, f32::NAN, f32::NAN], [1.0, 2.0, f32::NAN]] {
            let mut classes = Classes::default();
            classes.observe(1, 1);
            assert_eq!((classes.accuracy(), classes.macro_f1()), (1.0, 1.0));
            let mut more = Classes::default();
            more.observe_scores(scores, 1);
            // The class of `argmax`.
            let first = scores.iter().position(|score| score.is_nan()).unwrap();
            assert_eq!(more.of(first).predicted, 1);
            classes.merge(&more);
            assert!(classes.accuracy().is_nan() && classes.macro_f1().is_nan());
        }
    }
}
