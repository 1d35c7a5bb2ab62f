//! Classification metrics.

use std::collections::BTreeMap;

/// Classification metrics: accuracy, and precision, recall and F1 by class.
///
/// ```
/// use edb_core::metrics::Classes;
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
    /// target.
    pub fn observe_scores<T: PartialOrd>(
        &mut self,
        scores: impl IntoIterator<Item = T>,
        target: usize,
    ) {
        let mut best: Option<(usize, T)> = None;
        for (class, score) in scores.into_iter().enumerate() {
            if best.as_ref().is_none_or(|(_, known)| score > *known) {
                best = Some((class, score));
            }
        }
        if let Some((predicted, _)) = best {
            self.observe(predicted, target);
        }
    }

    /// Adds the observations of another.
    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.correct += other.correct;
        for (class, of) in &other.classes {
            self.classes.entry(*class).or_default().merge(of);
        }
    }

    /// The share of predictions that are correct.
    pub fn accuracy(&self) -> f64 {
        self.correct as f64 / self.count as f64
    }

    /// The counts of one class.
    pub fn of(&self, class: usize) -> F1 {
        self.classes.get(&class).copied().unwrap_or_default()
    }

    /// The mean F1 of the classes that were predicted or targets.
    pub fn macro_f1(&self) -> f64 {
        let sum: f64 = self.classes.values().map(F1::f1).sum();
        sum / self.classes.len() as f64
    }
}
