//! The back end against the oracles: the suites of the CPU, on the emulator and on a GPU if there is
//! one; and the sources against NVRTC, which needs no GPU.

pub mod cells;
pub mod devices;
mod edges;
pub mod emulator;
mod golden;
pub mod half;
pub mod models;
pub mod nvrtc;
pub mod optimizers;
mod products;
pub mod programs;
mod replays;
pub mod scaled;
mod steps;
mod training;
pub mod watched;

#[path = "../../../edb-core/tests/one_op/mod.rs"]
pub mod one_op;
#[path = "../../../edb-core/tests/support/mod.rs"]
pub mod random;
#[path = "../../../edb-core/tests/reference/mod.rs"]
pub mod reference;
#[path = "../../../tests/support/mod.rs"]
pub mod support;
// Where the examples' cells look for it.
pub use support::sentiment as cell;
