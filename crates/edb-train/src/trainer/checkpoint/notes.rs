//! Notes: values that a program stores in a checkpoint.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::CheckpointError;
use super::finite;

/// The greatest depth of nested maps and lists in a note. Recursive JSON readers stop at 128
/// levels, of which a checkpoint's record takes three.
const MOST_LEVELS: usize = 124;

/// Values that a program stores in a checkpoint, and the score.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Notes {
    score: Option<f64>,
    values: BTreeMap<String, Value>,
    /// The notes that could not be read back, and why.
    #[serde(skip)]
    lost: BTreeMap<String, String>,
}

impl Notes {
    /// Empty notes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the score by which the best checkpoints are chosen.
    #[must_use]
    pub fn score(mut self, score: f64) -> Self {
        self.score = Some(score);
        self
    }

    /// Stores a value under a name. What could not be read again is an error when the checkpoint is
    /// saved: a value that JSON cannot represent (a number that is infinite or NaN, a map whose keys
    /// are not strings), or one with more than 124 levels of nested maps and lists.
    #[must_use]
    pub fn with(mut self, name: &str, value: &impl Serialize) -> Self {
        let lost = match (serde_json::to_value(value), finite::first_not_finite(value)) {
            (Err(error), _) => Some(error.to_string()),
            (Ok(_), Some(number)) => Some(format!("it has the number {number}")),
            (Ok(value), None) => {
                self.values.insert(name.to_owned(), value);
                self.lost.remove(name);
                None
            }
        };
        if let Some(reason) = lost {
            self.values.remove(name);
            self.lost.insert(name.to_owned(), reason);
        }
        self
    }

    /// The value stored under a name; `None` if there is none, or none of this type.
    pub fn get<V: DeserializeOwned>(&self, name: &str) -> Option<V> {
        V::deserialize(self.values.get(name)?).ok()
    }

    /// The score, if it is finite: JSON has no other numbers.
    pub(super) fn finite_score(&self) -> Option<f64> {
        self.score.filter(|score| score.is_finite())
    }

    /// Fails if a note could not be read back.
    pub(super) fn check(&self) -> Result<(), CheckpointError> {
        if let Some((name, reason)) = self.lost.first_key_value() {
            return Err(CheckpointError::Note { name: name.clone(), reason: reason.clone() });
        }
        match self.values.iter().find(|(_, value)| is_deeper(value, MOST_LEVELS)) {
            Some((name, _)) => {
                Err(CheckpointError::Notes { name: name.clone(), most: MOST_LEVELS })
            }
            None => Ok(()),
        }
    }
}

/// Whether maps and lists are nested deeper than `most` levels.
fn is_deeper(value: &Value, most: usize) -> bool {
    let mut open = vec![(value, 0)];
    while let Some((value, around)) = open.pop() {
        let inner: Vec<&Value> = match value {
            Value::Array(values) => values.iter().collect(),
            Value::Object(values) => values.values().collect(),
            _ => continue,
        };
        if around == most {
            return true;
        }
        open.extend(inner.into_iter().map(|inner| (inner, around + 1)));
    }
    false
}
