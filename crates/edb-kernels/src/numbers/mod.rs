//! The number types of kernels, and random numbers.
//!
//! The input is `f32` or `f64`, the type of a user's model. The result is the trait [`Element`], over
//! which every kernel is generic, the macro that compiles kernels for both types with edb, and random draws.
//! All folders that compute use this code.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `element` | `f32` and `f64` |
//! | `random` | draws that depend only on their use |
//! | `drawn` | numbers for this crate's tests |

#[cfg(test)]
mod drawn;
pub mod element;
pub mod random;

#[cfg(test)]
pub(crate) use drawn::{chain, numbers};
pub(crate) use element::{Element, Family, PerElementType};
pub(crate) use random::{SiteKey, Threshold};
