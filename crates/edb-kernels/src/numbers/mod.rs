//! The types of numbers that kernels compute with, and the numbers that are drawn.
//!
//! Comes in: `f32` or `f64`, as the type of a user's model. Goes out: the trait [`Element`], which every kernel
//! is generic over, the macro that compiles kernels for both types with edb, and random draws. All folders that
//! compute call it.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `element` | `f32` and `f64` |
//! | `random` | draws that depend on what they are used for alone |
//! | `drawn` | numbers for this crate's tests |

#[cfg(test)]
mod drawn;
pub mod element;
pub mod random;

#[cfg(test)]
pub(crate) use drawn::{chain, numbers};
pub(crate) use element::{Element, Family, PerElementType};
pub(crate) use random::{SiteKey, Threshold};
