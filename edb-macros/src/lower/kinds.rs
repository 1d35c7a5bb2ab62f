//! What pulled fields turn out to be.

use std::collections::HashMap;

/// What the pulled fields have turned out to be by their first uses.
pub(super) type Kinds = HashMap<String, Kind>;

/// What a pulled field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Tensor,
    Index,
    Indices,
}
