//! The language of vertex functions at run time: what the person who writes one meets.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`tensor`], [`port`], [`function`] | types of vertex functions; their run-time interface |
//! | [`cell`] | the input of a vertex, as stored in flat lists |
//! | [`eager`] | functions called as the plain Rust functions that they are: the semantic reference |
//!
//! Nothing here knows of models or graphs. What is hidden from this documentation is for the other crates of
//! edb, and follows them: any release may change it.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod cell;
pub mod eager;
pub mod function;
pub mod port;
pub mod tensor;
