//! Products of matrices.
//!
//! Comes in: rows, and a matrix that is the same for all of them, packed into [`panels`]; or two matrices that
//! are summed over many rows. Goes out: rows of sums, whose bits do not depend on how the product is cut. The
//! back end calls it for weights and for the gradients of weights; `in_place` calls its parts, for matrices that
//! are not worth packing.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `panels`, `transpose` | a matrix is packed |
//! | `pairs` | two numbers of 16 bits in the place of one of 32 |
//! | `packed` | a product with panels begins here |
//! | `terms` | sums of many terms are cut into halves |
//! | `tile`, `amx_product` | the inner loops |
//! | `product` | products summed over many rows |

#[cfg(target_arch = "x86_64")]
mod amx_product;
mod packed;
pub mod pairs;
pub mod panels;
pub mod product;
mod terms;
pub mod tile;
mod transpose;

#[cfg(test)]
pub(crate) use panels::{PackedPart, Panels};
#[cfg(test)]
pub(crate) use product::left_of_columns;
pub(crate) use terms::{PRODUCT_CHAIN, product_in_halves};
pub(crate) use tile::{Destination, Left};
