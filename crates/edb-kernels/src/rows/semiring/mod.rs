//! Products of matrices in a semiring, and the weighted sums of their terms.
//!
//! No term is kept: each is computed where it is needed, in registers, along the columns of the result, or along
//! the rows of the left operand where the result has one column. A vertex's values do not depend on other rows.

mod pieces;
mod powers;
mod product;
mod weighted;

#[cfg(test)]
mod tests;

pub use powers::with_powers;
pub use product::product;
pub use weighted::Weighted;
