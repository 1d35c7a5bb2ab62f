//! The compiler of edb.
