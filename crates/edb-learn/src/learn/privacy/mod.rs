//! What private training needs besides gradients: a grid, noise, and accounts of what is given away.

mod accountant;
mod grid;
mod noise;

pub use accountant::{Accountant, PrivateSteps};
#[doc(hidden)]
pub use grid::{
    Grid, LEAST_DEVIATION, LEAST_NOISE_PER_GRAPH, MOST_DEVIATION, power_below, rounded,
};
