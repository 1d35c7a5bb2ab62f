//! The language of vertex functions at run time: what the person who writes one meets.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`tensor`], [`port`], [`function`] | types of vertex functions; their run-time interface |
//! | [`cell`] | the input of a vertex, as stored in flat lists |
//! | [`eager`] | functions called as the plain Rust functions that they are: the semantic reference |
//!
//! Nothing here knows of models or graphs. What `edb` does not re-export is for the
//! other crates of edb, and follows them: any release may change it.
//!
//! # Where what is decided
//!
//! Paths are relative to the crate.
//!
//! | question | file |
//! | --- | --- |
//! | What does an op compute, exactly? | `src/eager/reference.rs` |
//! | What does a form compute? | `src/eager/forms.rs`, independently of its ops |
//! | Which methods and functions does a person call? | `src/eager/ops.rs`, with their equations |
//! | Which operators are there, and what does rustc say of other operands? | `src/eager/arithmetic.rs` |
//! | How are derivatives of eager runs computed? | `src/eager/dual.rs`: dual numbers, which share no rule with `edb-ir` |
//! | How far may a result be from the reference? | `src/eager/rounded.rs` counts the roundings |
//! | How do Rust types of ports and tensors become fields? | `src/port.rs`, `src/tensor.rs` |
//!
//! # Names
//!
//! | name | what it means | where |
//! | --- | --- | --- |
//! | vertex function | the Rust function that says what is computed at one vertex | `VertexFunction`, `src/function.rs` |
//! | port | a place where a function exchanges data with the graph or the caller | `Port`, `src/port.rs` |
//! | state | the struct that a vertex scatters and its parents gather | `State`, `src/port.rs` |
//! | input, output | the struct that a vertex pulls from outside, and the one that it pushes | `Input`, `Output`, `src/port.rs` |

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod cell;
pub mod eager;
pub mod function;
pub mod port;
pub mod tensor;
