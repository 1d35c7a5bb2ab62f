//! The back end against the oracles: the suites of the CPU, on the emulator and on a GPU if there
//! is one; and the sources against NVRTC, which needs no GPU.

pub mod devices;
pub mod emulator;
mod golden;
pub mod half;
pub mod nvrtc;
pub mod optimizers;
mod products;
mod replays;
pub mod scaled;
mod steps;
pub mod watched;

use edb_cuda::{Launches, Precision};

edb_backend_suite::backend_suite! {
    every: devices::all(Precision::Full),
    once: devices::both(Precision::Full, Launches::Single),
    long: #[ignore = "takes minutes in the emulator: `.ci/run gpu`"],
}
