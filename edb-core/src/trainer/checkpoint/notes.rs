//! What a program keeps with a checkpoint.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::CheckpointError;

/// How many maps and lists may lie in each other in a note. Readers of JSON that recurse stop at 128
/// levels, of which a checkpoint's record has three.
const MOST_LEVELS: usize = 124;

/// What a program keeps with a checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Notes {
    score: Option<f64>,
    values: BTreeMap<String, Value>,
}

impl Notes {
    /// Nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// How good the model is: what the best checkpoints are chosen by.
    #[must_use]
    pub fn score(mut self, score: f64) -> Self {
        self.score = Some(score);
        self
    }

    /// Keeps a value under a name. One that has no form in JSON (a map whose keys are no strings) is
    /// kept as nothing; one in which more than 124 maps and lists lie in each other is refused when the
    /// checkpoint is saved.
    #[must_use]
    pub fn with(mut self, name: &str, value: &impl Serialize) -> Self {
        let value = serde_json::to_value(value).unwrap_or_default();
        self.values.insert(name.to_owned(), value);
        self
    }

    /// A value that was kept under a name; `None` if there is none, or none of this type.
    pub fn get<V: DeserializeOwned>(&self, name: &str) -> Option<V> {
        V::deserialize(self.values.get(name)?).ok()
    }

    /// The score, if it is one that JSON has.
    pub(super) fn finite_score(&self) -> Option<f64> {
        self.score.filter(|score| score.is_finite())
    }

    /// Whether all could be read again.
    pub(super) fn check(&self) -> Result<(), CheckpointError> {
        match self.values.iter().find(|(_, value)| is_deeper(value, MOST_LEVELS)) {
            Some((name, _)) => {
                Err(CheckpointError::Notes { name: name.clone(), most: MOST_LEVELS })
            }
            None => Ok(()),
        }
    }
}

/// Whether more than so many maps and lists lie in each other.
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
