//! Notes: values that a program keeps together with parameters.
//!
//! In a safetensors file, notes are in the header's map of strings: each note is JSON, under its name.

use std::collections::BTreeMap;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::checkpoint::TensorFile;
use super::finite;
use crate::error::LearnError;

/// The greatest depth of nested maps and lists in a note. Recursive JSON readers stop at 128 levels, and a file
/// may add some levels around a note.
const MAX_NOTE_LEVELS: usize = 124;

/// The key of a file's metadata under which edb stores the fingerprints of the functions whose parameters are
/// in the file. The text is JSON that begins with [`FUNCTIONS_BEGIN`]; it is not a note.
pub const FUNCTIONS: &str = "edb.functions";

/// The beginning of that text. No note with this name begins so.
pub const FUNCTIONS_BEGIN: &str = "{\"edb_functions\":";

/// The key of a file's metadata under which a bundle has its functions. The text is JSON that begins with
/// [`BUNDLE_BEGIN`]; it is not a note.
pub const BUNDLE: &str = "edb.bundle";

/// The beginning of that text.
pub const BUNDLE_BEGIN: &str = "{\"edb_bundle\":";

/// Values that a program keeps in a file of parameters or in a checkpoint, each under a name: the sizes of a
/// model, its vocabulary, the position of a loader. A checkpoint also has a score.
///
/// ```
/// # mod edb { pub use edb_learn::learn; pub use edb_learn::learn as model; }
/// use edb::model::Notes;
///
/// let notes = Notes::new().with("hidden", &150).with("words", &["a", "film"]);
/// let words: Vec<String> = notes.get("words")?;
/// assert_eq!((words.len(), notes.get("hidden")?), (2, 150));
/// assert_eq!(
///     notes.get::<usize>("words").unwrap_err().to_string(),
///     "the note `words` is of another type: invalid type: sequence, expected usize",
/// );
/// # Ok::<(), edb::learn::LearnError>(())
/// ```
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

    /// Reads the notes of a safetensors file, for example of a file that `Model::save_with` has written or of a
    /// checkpoint, without its tensors. The metadata of files that other programs have written are notes, too:
    /// they are JSON or strings.
    ///
    /// # Errors
    /// [`LearnError::Io`]; [`LearnError::Zip`] or [`LearnError::Corrupt`] if it is no valid safetensors file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LearnError> {
        Ok(Self::from_metadata(TensorFile::open(path.as_ref())?.metadata()))
    }

    /// Sets the score by which the best checkpoints are chosen. It is kept in checkpoints only.
    #[must_use]
    pub fn score(mut self, score: f64) -> Self {
        self.score = Some(score);
        self
    }

    /// The same notes without a score.
    #[must_use]
    pub fn without_score(mut self) -> Self {
        self.score = None;
        self
    }

    /// Stores a value under a name. If the value could not be read back, saving the notes returns an error.
    /// This concerns a value that JSON cannot represent (a number that is infinite or NaN, a map whose keys are
    /// not strings), or one with more than 124 levels of nested maps and lists.
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

    /// The same notes without the value stored under a name, if there is one.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.values.remove(name);
        self.lost.remove(name);
        self
    }

    /// The names of all notes, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// The value stored under a name.
    ///
    /// # Errors
    /// [`LearnError::NoNote`] if there is none, [`LearnError::NoteType`] if it is of another type.
    pub fn get<V: DeserializeOwned>(&self, name: &str) -> Result<V, LearnError> {
        let Some(value) = self.values.get(name) else {
            let known = self.values.keys().cloned().collect();
            return Err(LearnError::NoNote { name: name.to_owned(), known });
        };
        V::deserialize(value).map_err(|error| {
            let (name, reason) = (name.to_owned(), error.to_string());
            LearnError::NoteType { name, reason }
        })
    }

    /// The score, if it is finite. A JSON file cannot hold another one.
    pub fn finite_score(&self) -> Option<f64> {
        self.score.filter(|score| score.is_finite())
    }

    /// The notes as the metadata of a safetensors file, without the score.
    ///
    /// # Errors
    /// [`LearnError::Note`] or [`LearnError::DeepNote`] if one could not be read back.
    pub fn metadata(&self) -> Result<BTreeMap<String, String>, LearnError> {
        if let Some((name, reason)) = self.lost.first_key_value() {
            return Err(LearnError::Note { name: name.clone(), reason: reason.clone() });
        }
        if let Some((name, _)) =
            self.values.iter().find(|(_, value)| is_deeper(value, MAX_NOTE_LEVELS))
        {
            return Err(LearnError::DeepNote { name: name.clone(), most: MAX_NOTE_LEVELS });
        }
        Ok(self.values.iter().map(|(name, value)| (name.clone(), value.to_string())).collect())
    }

    /// The notes in the metadata of a safetensors file. Text that is not JSON becomes a string.
    pub fn from_metadata(mut metadata: BTreeMap<String, String>) -> Self {
        for (key, begin) in [(FUNCTIONS, FUNCTIONS_BEGIN), (BUNDLE, BUNDLE_BEGIN)] {
            if metadata.get(key).is_some_and(|text| text.starts_with(begin)) {
                metadata.remove(key);
            }
        }
        let value = |text: String| serde_json::from_str(&text).unwrap_or(Value::String(text));
        let values = metadata.into_iter().map(|(name, text)| (name, value(text))).collect();
        Self { values, ..Self::default() }
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
