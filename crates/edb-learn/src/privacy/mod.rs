//! What private training needs besides gradients: a grid, noise, and accounts of what is given away.
//!
//! Comes in: the size of a step, how much noise is wanted, and the gradients that were summed on the grid. Goes out: the
//! gradients with noise, and how private all steps are together. The trainer of `edb-train` calls it in private steps.
//!
//! Invariant: what a graph adds to a private step is whole numbers of steps of a grid, whose norm
//! is at most the bound. These are summed without rounding, with noise that is whole numbers, too.
//! Nothing else that depends on graphs enters the step, and no noise is drawn twice.

mod accountant;
mod grid;
mod noise;

pub use accountant::{Accountant, PrivateSteps};
pub use grid::{
    Grid, LEAST_DEVIATION, LEAST_NOISE_PER_GRAPH, MOST_DEVIATION, power_below, rounded,
};
pub use noise::set_noisy;
