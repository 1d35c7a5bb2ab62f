//! The macros of edb.
