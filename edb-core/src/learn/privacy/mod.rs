//! What private training needs besides gradients: noise, and accounts of what is given away.

mod accountant;
mod noise;

pub use accountant::{Accountant, PrivateSteps};
