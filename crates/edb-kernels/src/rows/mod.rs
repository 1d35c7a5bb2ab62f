//! Ops that compute each row independently.
//!
//! The inputs are rows of operands, and the op or fused kernel that runs over them. The results are rows
//! of results, which do not depend on other rows. The back end calls this code for each block of rows. Products
//! also use `sums`, since long sums have one order everywhere.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `kernels` | one op in a pass over its rows |
//! | `semiring` | products of matrices in which sums take the place of products |
//! | `fused` | several pointwise ops in one pass over their rows |
//! | `sums` | sums that do not drift |

pub mod fused;
pub mod kernels;
pub mod semiring;
pub mod sums;

#[cfg(test)]
pub(crate) use fused::{KernelRows, RowKernel};
pub(crate) use sums::halves;
