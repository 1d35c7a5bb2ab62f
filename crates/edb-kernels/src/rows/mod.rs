//! Ops that compute each row by itself.
//!
//! Comes in: rows of operands, and which op or fused kernel runs over them. Goes out: rows of results, which do
//! not depend on the other rows. The back end calls it for each block of rows. Products call `sums`, since long
//! sums have one order everywhere.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `kernels` | one op in a pass over its rows |
//! | `fused` | several pointwise ops in one pass over their rows |
//! | `sums` | sums that do not drift |

pub mod fused;
pub mod kernels;
pub mod sums;

#[cfg(test)]
pub(crate) use fused::{KernelRows, RowKernel};
pub(crate) use sums::halves;
