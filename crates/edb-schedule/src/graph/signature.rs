//! Signatures: the vertex types that a learned policy is for.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A vertex type as a schedule sees it: what its vertices read, and how others read them.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeSignature {
    /// The name, most often of a vertex function.
    pub name: String,
    /// The states of the children that it reads by place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<String>,
    /// The state of any number of further children, if it reads any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
    /// The state by which parents read it, if any can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
}

impl TypeSignature {
    /// A type of which only the name is known.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }
}

impl fmt::Display for TypeSignature {
    /// Writes `phrase(Phrase, Phrase) -> Phrase`, or the name alone if nothing else is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        let rest = self.rest.iter().map(|rest| format!("{rest}..."));
        let children: Vec<_> = self.children.iter().cloned().chain(rest).collect();
        if !children.is_empty() || self.state.is_some() {
            write!(f, "({})", children.join(", "))?;
        }
        self.state.as_ref().map_or(Ok(()), |state| write!(f, " -> {state}"))
    }
}

/// The vertex types of a model, in their order. A learned policy is valid for one signature.
///
/// The engine makes a signature from a model's vertex functions; where types have no names,
/// [`Signature::unnamed`] numbers them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Signature {
    types: Vec<TypeSignature>,
}

impl Signature {
    /// The signature of these types.
    pub fn of(types: impl IntoIterator<Item = TypeSignature>) -> Self {
        Self { types: types.into_iter().collect() }
    }

    /// The signature of types with these names.
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::of(names.into_iter().map(TypeSignature::named))
    }

    /// The signature of this many types without names.
    pub fn unnamed(type_count: u16) -> Self {
        Self::new((0..type_count).map(|vertex_type| vertex_type.to_string()))
    }

    /// The types, in their order.
    pub fn types(&self) -> &[TypeSignature] {
        &self.types
    }

    /// The number of types.
    pub fn type_count(&self) -> u16 {
        u16::try_from(self.types.len()).unwrap_or(u16::MAX)
    }

    /// The name of a type, or its number if it has none.
    pub fn name(&self, vertex_type: u16) -> String {
        let of_type = self.types.get(usize::from(vertex_type));
        of_type.map_or_else(|| vertex_type.to_string(), |of_type| of_type.name.clone())
    }

    /// The differences between this signature (of a file, for example) and that of a model; `None`
    /// if there are none.
    pub fn difference(&self, model: &Signature) -> Option<String> {
        let (own, other) = (&self.types, &model.types);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_differ_by_what_they_read_and_scatter() {
        let phrase = TypeSignature {
            name: "phrase".into(),
            children: vec!["Node".into(), "Node".into()],
            rest: None,
            state: Some("Node".into()),
        };
        let sum = TypeSignature { children: vec![], rest: Some("Node".into()), ..phrase.clone() };
        let own = Signature::of([TypeSignature::named("score"), phrase.clone()]);
        assert_eq!(own.difference(&own), None);
        let other = Signature::of([TypeSignature::named("score"), sum]);
        let expected = "type 1 is `phrase(Node, Node) -> Node` in the policy and \
                        `phrase(Node...) -> Node` in the model";
        assert_eq!(own.difference(&other).unwrap(), expected);

        let text = serde_json::to_string(&own).unwrap();
        assert!(
            text.starts_with(r#"[{"name":"score"},{"name":"phrase","children":["Node","Node"]"#)
        );
        assert_eq!(serde_json::from_str::<Signature>(&text).unwrap(), own);
    }
}
