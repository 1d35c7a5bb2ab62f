//! edb.
