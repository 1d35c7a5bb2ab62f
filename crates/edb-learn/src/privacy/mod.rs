//! What private training needs in addition to gradients: a grid, noise, and accounts of the lost privacy.
//!
//! The inputs are the number of graphs of a step, the amount of noise, and the gradients that were summed on
//! the grid. The results are the gradients with noise, and the privacy of all steps together. The trainer of
//! `edb-train` calls this code in private steps.
//!
//! Invariant: each graph adds whole numbers of grid steps to a private step, and their norm is at most the
//! bound. They are summed without rounding, together with noise that consists of whole numbers, too. Nothing
//! else that depends on graphs enters the step, and no noise is drawn twice.

mod accountant;
mod grid;
mod noise;

pub use accountant::{Accountant, PrivateSteps};
pub use grid::{
    Grid, LEAST_DEVIATION, LEAST_NOISE_PER_GRAPH, MOST_DEVIATION, power_below, rounded,
};
pub use noise::set_noisy;
