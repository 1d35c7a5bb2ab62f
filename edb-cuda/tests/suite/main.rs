//! The back end against its references: the suite of all back ends, run on the emulator and on a
//! GPU if there is one. The sources are also compiled by NVRTC, which needs no GPU.

mod bundles;
mod derivatives;
pub mod devices;
pub mod emulator;
mod golden;
mod graph_gradients;
mod growing;
pub mod half;
pub mod nvrtc;
pub mod optimizers;
mod products;
mod replays;
pub mod scaled;
mod steps;
mod together;
pub mod watched;

use edb_cuda::{Launches, Precision};

edb_backend_suite::backend_suite! {
    every: devices::all(Precision::Full),
    once: devices::both(Precision::Full, Launches::Single),
    long: #[ignore = "takes minutes in the emulator: `.ci/run gpu`"],
}
