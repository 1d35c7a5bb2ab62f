//! What a learned policy was learned for.

use serde::{Deserialize, Serialize};

/// The vertex types of a model, in their order: what a learned policy holds for.
///
/// The engine makes one of the names of a model's vertex functions; where types have no names,
/// [`Signature::unnamed`] numbers them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Signature {
    names: Vec<String>,
}

impl Signature {
    /// The signature of types with these names.
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { names: names.into_iter().map(Into::into).collect() }
    }

    /// The signature of so many types without names.
    pub fn unnamed(type_count: u16) -> Self {
        Self::new((0..type_count).map(|vertex_type| vertex_type.to_string()))
    }

    /// The names, by type.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of types.
    pub fn type_count(&self) -> u16 {
        u16::try_from(self.names.len()).unwrap_or(u16::MAX)
    }

    /// The name of a type, or its number if it has none.
    pub fn name(&self, vertex_type: u16) -> String {
        let name = self.names.get(usize::from(vertex_type));
        name.map_or_else(|| vertex_type.to_string(), String::clone)
    }

    /// What differs between this signature, that of a file say, and that of a model; `None` if
    /// nothing does.
    pub fn difference(&self, model: &Signature) -> Option<String> {
        let (own, other) = (&self.names, &model.names);
        let both = own.iter().zip(other).enumerate();
        let mut found: Vec<_> = both
            .filter(|(_, (own, other))| own != other)
            .map(|(number, (own, other))| {
                format!("type {number} is `{own}` in the policy and `{other}` in the model")
            })
            .collect();
        if own.len() != other.len() {
            found.push(format!(
                "the policy is for {} types and the model has {}",
                own.len(),
                other.len()
            ));
        }
        (!found.is_empty()).then(|| found.join("; "))
    }
}
