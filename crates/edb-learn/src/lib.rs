//! How edb learns: what training changes, and how.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`learn`] | parameters, gradients, optimisers, initialisers, privacy |
//! | [`collective`] | what carries messages between processes that train together |
//! | [`secret`] | random numbers that nobody can foresee |
//!
//! Nothing here knows of graphs, models or vertex functions. What is hidden from this documentation is for
//! the other crates of edb, and follows them: any release may change it.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod collective;
pub mod learn;
pub mod secret;
