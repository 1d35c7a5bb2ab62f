//! Numbers that may be infinite or NaN, for serde. JSON has only finite numbers, and serde would write `null`
//! for the others. So in JSON, and in all other formats that people can read, they are the strings `inf`,
//! `-inf` and `NaN`.
//!
//! For fields: `#[serde(with = "any_number")]`, or `with = "any_number::option"`.

use std::fmt::{Formatter, Result as FmtResult};

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

struct AnyNumber(f64);

impl Serialize for AnyNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serializer.is_human_readable() && !self.0.is_finite() {
            true => serializer.collect_str(&self.0),
            false => serializer.serialize_f64(self.0),
        }
    }
}

impl<'de> Deserialize<'de> for AnyNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.is_human_readable() {
            true => deserializer.deserialize_any(Read),
            false => f64::deserialize(deserializer).map(Self),
        }
    }
}

struct Read;

impl Visitor<'_> for Read {
    type Value = AnyNumber;

    fn expecting(&self, f: &mut Formatter<'_>) -> FmtResult {
        f.write_str("a number, or one of the strings `inf`, `-inf` and `NaN`")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<AnyNumber, E> {
        Ok(AnyNumber(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<AnyNumber, E> {
        Ok(AnyNumber(number as f64))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<AnyNumber, E> {
        Ok(AnyNumber(number as f64))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<AnyNumber, E> {
        let numbers = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        let found = numbers.into_iter().find(|number| number.to_string() == text);
        found
            .map(AnyNumber)
            .ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }
}

/// Writes a number, or a text if JSON cannot represent the number.
///
/// # Errors
/// When the format fails.
pub fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    AnyNumber(*number).serialize(serializer)
}

/// Reads a number, or the text for a number that JSON cannot represent.
///
/// # Errors
/// When the value is neither.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    AnyNumber::deserialize(deserializer).map(|number| number.0)
}

/// The same for an optional number, which is `null` if it is missing.
pub mod option {
    use super::{AnyNumber, Deserialize, Deserializer, Serialize, Serializer};

    /// Writes a number that may be missing.
    ///
    /// # Errors
    /// When the format fails.
    pub fn serialize<S: Serializer>(
        number: &Option<f64>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        number.map(AnyNumber).serialize(serializer)
    }

    /// Reads a number that may be missing.
    ///
    /// # Errors
    /// When the value is neither a number nor `null`.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<f64>, D::Error> {
        Ok(Option::<AnyNumber>::deserialize(deserializer)?.map(|number| number.0))
    }
}
