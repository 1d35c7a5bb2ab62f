//! Early stopping.

use serde::{Deserialize, Serialize};

use crate::error::{LearnError, check_setting};

/// Monitors a score for early stopping: it says when the score has not improved for too long.
///
/// ```
/// # extern crate edb_learn as edb;
/// use edb::learn::EarlyStopping;
///
/// let mut stopping = EarlyStopping::higher_is_better().patience(1);
/// let mut epochs = 0;
/// for accuracy in [0.5, 0.7, 0.6, 0.65, 0.9] {
///     epochs += 1;
///     if stopping.observe(accuracy) {
///         // The best so far: save it.
///     }
///     if stopping.is_over() {
///         break;
///     }
/// }
/// assert_eq!((epochs, stopping.best()), (4, Some(0.7)));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EarlyStopping {
    higher: bool,
    patience: u64,
    #[serde(with = "edb_ir::any_number")]
    margin: f64,
    #[serde(default, with = "edb_ir::any_number::option")]
    best: Option<f64>,
    waited: u64,
}

impl EarlyStopping {
    /// For a score that is better when it is lower, such as a loss.
    pub fn lower_is_better() -> Self {
        Self { higher: false, patience: 0, margin: 0.0, best: None, waited: 0 }
    }

    /// For a score that is better when it is higher, such as an accuracy.
    pub fn higher_is_better() -> Self {
        Self { higher: true, ..Self::lower_is_better() }
    }

    /// Sets how many scores in a row may fail to improve; 0 by default, which stops at the first score that
    /// does not improve.
    #[must_use]
    pub fn patience(mut self, scores: u64) -> Self {
        self.patience = scores;
        self
    }

    /// Sets by how much a score must be better than the best one to count as better; 0 by default.
    ///
    /// # Panics
    /// If the margin is NaN, since then no score would be better than the first one.
    #[must_use]
    pub fn margin(self, margin: f64) -> Self {
        assert!(!margin.is_nan(), "the margin of EarlyStopping is NaN, not a number");
        self.with_any_margin(margin)
    }

    /// Sets the margin like [`margin`](Self::margin), but the margin is [checked](Self::check) later.
    #[must_use]
    pub(super) fn with_any_margin(self, margin: f64) -> Self {
        Self { margin, ..self }
    }

    /// Checks the margin. It was set for `owner`, such as a [`Plateau`](super::rate::Plateau), which the error names.
    pub(super) fn check(&self, owner: &str) -> Result<(), LearnError> {
        check_setting(owner, "margin", self.margin, "a number", !self.margin.is_nan())
    }

    /// Records a score, and returns whether it is a new best score. NaN never is.
    pub fn observe(&mut self, score: f64) -> bool {
        let better = match self.best {
            None => !score.is_nan(),
            Some(best) if self.higher => score > best + self.margin,
            Some(best) => score < best - self.margin,
        };
        if better {
            (self.best, self.waited) = (Some(score), 0);
        } else {
            // A deserialised count may be any number.
            self.waited = self.waited.saturating_add(1);
        }
        better
    }

    /// Whether more scores in a row than the patience allows have not improved.
    pub fn is_over(&self) -> bool {
        self.waited > self.patience
    }

    /// Resets the count of scores without improvement; the best score stays.
    pub fn wait_again(&mut self) {
        self.waited = 0;
    }

    /// Whether higher scores are better.
    pub fn is_higher_better(&self) -> bool {
        self.higher
    }

    /// Takes over the observed scores of another one, such as one from a checkpoint. The settings stay.
    pub fn go_on_from(&mut self, other: &Self) {
        (self.best, self.waited) = (other.best, other.waited);
    }

    /// The settings as text.
    pub(crate) fn settings(&self) -> String {
        let Self { higher, patience, margin, best: _, waited: _ } = self;
        let better = if *higher { "higher" } else { "lower" };
        format!("{better} is better, patience {patience}, margin {margin}")
    }

    /// The best score so far.
    pub fn best(&self) -> Option<f64> {
        self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Notes;
    use crate::steps::rate::Plateau;

    /// Fault D4 of the third list: JSON has no infinite numbers, so that an infinite best was `null`, as if
    /// nothing had been observed, and the next score, a worse one, was the best.
    #[test]
    fn an_infinite_best_is_kept() {
        for score in [f64::INFINITY, f64::NEG_INFINITY, 0.1, -3.0, 1e300] {
            let mut stopping = EarlyStopping::higher_is_better().patience(2).margin(score);
            assert!(stopping.observe(score));
            let text = serde_json::to_string(&stopping).unwrap();
            assert_eq!(serde_json::from_str::<EarlyStopping>(&text).unwrap(), stopping, "{text}");
            let notes = Notes::new().with("stopping", &stopping);
            let notes = Notes::from_metadata(notes.metadata().unwrap());
            let mut read: EarlyStopping = notes.get("stopping").unwrap();
            assert_eq!(read, stopping);
            assert_eq!(read.observe(7.0), stopping.observe(7.0));
            assert_eq!(read, stopping);
            // In formats that people do not read, numbers stay numbers.
            let bytes = postcard::to_allocvec(&stopping).unwrap();
            assert_eq!(postcard::from_bytes::<EarlyStopping>(&bytes).unwrap(), stopping);
        }
        // No score leads to this state, but a file may contain it.
        let text = r#"{"higher":true,"patience":1,"margin":0,"best":"NaN","waited":3}"#;
        let stopping: EarlyStopping = serde_json::from_str(text).unwrap();
        assert!(stopping.best().is_some_and(f64::is_nan));
        assert_eq!(serde_json::to_string(&stopping).unwrap(), text.replace(":0,", ":0.0,"));
        // Earlier versions wrote this.
        let text = r#"{"higher":false,"patience":1,"margin":0.5,"best":null,"waited":0}"#;
        assert_eq!(serde_json::from_str::<EarlyStopping>(text).unwrap().best(), None);
        assert!(
            serde_json::from_str::<EarlyStopping>(&text.replace("null", "\"infinite\"")).is_err()
        );
    }

    /// Fault D4 of the third list, its like: what is kept of a plateau may be infinite, too.
    #[test]
    fn an_infinite_plateau_is_kept() {
        let mut plateau = Plateau::lower_is_better().patience(0).factor(1e300);
        for score in [f64::NEG_INFINITY, 1.0, 1.0] {
            plateau.observe(score).unwrap();
        }
        assert_eq!(plateau.current(), f64::INFINITY);
        let text = serde_json::to_string(&plateau).unwrap();
        assert_eq!(serde_json::from_str::<Plateau>(&text).unwrap(), plateau, "{text}");
        // As release 0.2 wrote it.
        let text = r#"{"watch":{"higher":false,"patience":0,"margin":0.0,"best":1.0,"waited":1},"gamma":0.5,
            "least":0.0,"current":0.5}"#;
        let plateau: Plateau = serde_json::from_str(text).unwrap();
        assert_eq!(plateau.current(), 0.5);
    }

    /// Fault E2 of the fourth list: if the margin was NaN, no score was better than the first one.
    #[test]
    #[should_panic(expected = "the margin of EarlyStopping is NaN, not a number")]
    fn a_margin_is_a_number() {
        _ = EarlyStopping::lower_is_better().margin(f64::NAN);
    }

    /// Fault E2 of the fourth list: if the factor was negative or NaN, the learning rate became 0 and never rose
    /// again.
    #[test]
    fn settings_of_a_plateau_are_checked() {
        let plateau = Plateau::lower_is_better().patience(0);
        let amount = "finite and not negative";
        for (wrong, setting, range) in [
            (plateau.clone().factor(-1.0), "the factor of Plateau is -1", amount),
            (plateau.clone().factor(f64::NAN), "the factor of Plateau is NaN", amount),
            (plateau.clone().factor(f64::INFINITY), "the factor of Plateau is inf", amount),
            (plateau.clone().least(-0.5), "the least factor of Plateau is -0.5", amount),
            (plateau.clone().least(f64::NAN), "the least factor of Plateau is NaN", amount),
            (plateau.clone().margin(f64::NAN), "the margin of Plateau is NaN", "a number"),
        ] {
            let mut observed = wrong.clone();
            for error in [wrong.check(), observed.observe(1.0).map(drop)] {
                let error = error.unwrap_err().to_string();
                assert!(error.starts_with(setting) && error.contains(range), "{error}");
            }
            assert_eq!(observed.current(), 1.0);
        }
        plateau.factor(0.0).least(2.0).margin(-1.0).check().unwrap();
    }
}
