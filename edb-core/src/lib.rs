//! The run time of edb.

pub mod element;
