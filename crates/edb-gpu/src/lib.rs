//! What GPU back ends of edb share: phases of a plan as kernel launches.
//!
//! A GPU is a [driver](driver::Driver), which has its memory and launches kernels, and a
//! [dialect](Dialect), which writes kernels as its compiler reads them. [`device`] makes an edb
//! device of the two; `edb-cuda` is the example.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`driver`] | the operations that the back end needs of a device |
//! | `dialect` | the texts that it needs |
//! | [`kernels`] | what host and kernels agree on: each kernel is declared once |
//! | `backend` | phases as kernel launches |
//! | `blocks` | how the work of a launch is divided |
//! | `ceilings` | a device's measured peak throughput and bandwidth |
//! | [`number`] | number types |
//!
//! # Where what is decided
//!
//! Paths are relative to the crate.
//!
//! | question | file |
//! | --- | --- |
//! | Which kernels do GPUs have, with which parameters? | `src/kernels/library.rs`, `src/kernels/optimizer.rs`, `src/kernels/fused.rs` |
//! | What must a GPU provide? | `src/driver.rs` (memory, launches, products), `src/dialect.rs` (the text of kernels) |
//! | What is launched for an instruction? | `src/backend/phases/instructions.rs`, `src/backend/phases/products.rs` |
//! | What is recorded, and run again? | `src/backend/launches/pattern.rs`, `src/backend/launches/replay.rs`; noting launches: `src/backend/launches/launcher.rs` |
//! | Where are a parameter's newest values? | `src/backend/parameters/resident.rs` |
//! | How are gradients scaled in `f16`? | `src/backend/gradients/loss_scale.rs` |
//! | How are the gradients of several ranks added up? | `src/backend/steps/shares.rs` |
//!
//! # Invariants
//!
//! - A GPU sums nothing by atomics; the order of a sum depends only on its length. In place of sums
//!   of halves, its kernels add in twice the digits; only products there are chains, or what a
//!   library makes of them.
//! - What host and kernels agree on (names, parameters, constants) is written in `src/kernels/`
//!   only: a dialect makes prototypes of it, and the back end launches.
//! - Recording launches changes no bit of the results.
//!
//! # Names
//!
//! | name | what it means | where |
//! | --- | --- | --- |
//! | launch | one kernel with its arguments, submitted to a GPU or noted for a recording | `Launcher`, `src/backend/launches/launcher.rs` |
//! | pattern | a sequence of launches from which those of each function can be made by leaving launches out | `src/backend/launches/pattern.rs` |
//! | recording | a repeated pattern, kept as a graph of the GPU | `Recording`, `src/driver.rs` |
//! | replay | running a recording again, with other arguments | `Replays`, `src/backend/launches/replay.rs` |
//! | resident parameter | a parameter whose newest values stay on the device between steps | `Resident`, `src/backend/parameters/resident.rs` |
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod backend;
mod blocks;
mod ceilings;
mod dialect;
pub mod driver;
mod error;
pub mod kernels;
pub mod number;
mod options;

use std::sync::Arc;

use edb_core::backend::BackendBox;
use edb_core::device::{Backends, Ceilings, Device};
use edb_core::element::Element;
use edb_core::engine::EngineError;

use backend::GpuBackend;
pub use blocks::Blocks;
pub use dialect::{Dialect, Launched};
use driver::Driver;
pub use error::GpuError;
pub use number::Number;
pub use options::{GpuOptions, Launches, UnknownLaunches};

/// A device with this driver, whose kernels are written in this dialect.
pub fn device(
    driver: impl Driver + 'static,
    dialect: impl Dialect + 'static,
    options: GpuOptions,
) -> Device {
    Device::new(Gpu { driver: Arc::new(driver), dialect: Arc::new(dialect), options })
}

#[derive(Debug)]
struct Gpu {
    driver: Arc<dyn Driver>,
    dialect: Arc<dyn Dialect>,
    options: GpuOptions,
}

impl Gpu {
    fn backend<T: Element + bytemuck::Pod>(&self) -> Result<BackendBox<T>, EngineError> {
        let backend = GpuBackend::new(&self.driver, &self.dialect, self.options)?;
        Ok(BackendBox(Box::new(backend)))
    }
}

impl Backends for Gpu {
    fn name(&self) -> String {
        let name = self.driver.name();
        match self.options {
            options if options == GpuOptions::new() => name,
            options => format!("{name} ({options})"),
        }
    }

    fn f32(&self) -> Result<BackendBox<f32>, EngineError> {
        self.backend()
    }

    #[cfg(feature = "f64")]
    fn f64(&self) -> Result<BackendBox<f64>, EngineError> {
        self.backend()
    }

    // Otherwise each build would compile all of this, and of the processor's back end, for `f64` too.
    #[cfg(not(feature = "f64"))]
    fn f64(&self) -> Result<BackendBox<f64>, EngineError> {
        Err(EngineError::NotCompiled)
    }

    fn ceilings(&self) -> Result<Option<Ceilings>, EngineError> {
        Ok(Some(ceilings::ceilings(&self.driver, self.options.precision)?))
    }
}
