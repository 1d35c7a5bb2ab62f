//! Products of matrices.
//!
//! The inputs are rows and one matrix for all of them, packed into [`panels`]; or two operands whose
//! products are summed over many rows. The results are rows of sums, whose bits do not depend on how the
//! product is cut. The back end calls this code for weights and for the gradients of weights. `in_place` uses
//! parts of it, for matrices that are not worth packing.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `panels`, `transpose` | packing a matrix |
//! | `pairs` | two 16-bit numbers in the place of one 32-bit number |
//! | `packed` | the entry point of products with panels |
//! | `narrow`, `unpacked` | products whose matrix is not worth packing: of few columns, or of one vertex |
//! | `terms` | cutting sums of many terms into halves |
//! | `tile`, `amx_product` | the inner loops |
//! | `product` | products summed over many rows |

#[cfg(target_arch = "x86_64")]
mod amx_product;
mod narrow;
mod packed;
pub mod pairs;
pub mod panels;
pub mod product;
mod terms;
pub mod tile;
mod transpose;
mod unpacked;

#[cfg(test)]
pub(crate) use panels::{PackedPart, Panels};
#[cfg(test)]
pub(crate) use product::left_of_columns;
pub(crate) use terms::{MAX_CHAINED_TERMS, product_in_halves};
pub(crate) use tile::{Destination, Left};
