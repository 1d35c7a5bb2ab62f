//! The kinds of pulled fields.

use std::collections::HashMap;

/// The kinds of the pulled fields, inferred from their first uses.
pub(crate) type Kinds = HashMap<String, FieldKind>;

/// The kind of a pulled field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldKind {
    Tensor,
    Index,
    Indices,
}
