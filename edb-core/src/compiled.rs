//! What is compiled with edb-core, for each type of number.
//!
//! rustc compiles a generic function in every crate that calls it, with that crate's optimisation level. So what
//! every model needs, and what is made of many kernels, is called by way of a trait whose methods are not
//! generic: a user's crate is compiled sooner, and a debug build of it runs what edb-core was optimised to.

use std::ops::Range;

use crate::cpu::CpuBackend;
use crate::engine::backend::BackendBox;
use crate::engine::{Engine, EngineError, Seeds};
use crate::graph::{Graph, Minibatch, MinibatchError};
use crate::learn::{Factors, Gradient, Gradients, Workers};
use crate::model::{Model, ModelBuilder, ModelError};

/// Generic functions of the same name (some with `_here` behind it), compiled.
#[doc(hidden)]
pub trait Compiled: Sized {
    fn cpu(threads: usize) -> Result<BackendBox<Self>, EngineError>;

    fn build(builder: ModelBuilder, seed: u64) -> Result<Model<Self>, ModelError>;

    fn minibatch(
        model: &Model<Self>,
        graphs: &[&Graph<Self>],
    ) -> Result<Minibatch<Self>, MinibatchError>;

    fn run_forward(
        engine: &mut Engine<Self>,
        model: &Model<Self>,
        batch: &Minibatch<Self>,
        step: Option<u64>,
        wait: bool,
    ) -> Result<(), EngineError>;

    fn run_backward(
        engine: &mut Engine<Self>,
        model: &Model<Self>,
        batch: &Minibatch<Self>,
        step: u64,
        seeds: &Seeds<Self>,
        onto: (Option<Gradients<Self>>, bool),
    ) -> Result<Gradients<Self>, EngineError>;

    fn multiply(factors: &Factors<Self>, rows: Range<usize>, out: &mut [Self]);

    fn sum_of_squares(gradient: &Gradient<Self>, workers: &mut Workers<'_, Self>) -> f64;
}

macro_rules! compiled {
    ($float:ident) => {
        impl Compiled for $float {
            fn cpu(threads: usize) -> Result<BackendBox<Self>, EngineError> {
                let backend = CpuBackend::new(threads);
                backend
                    .map(|backend| BackendBox(Box::new(backend)))
                    .map_err(|error| EngineError::Threads(error.to_string()))
            }

            fn build(builder: ModelBuilder, seed: u64) -> Result<Model<Self>, ModelError> {
                builder.build_here(seed)
            }

            fn minibatch(
                model: &Model<Self>,
                graphs: &[&Graph<Self>],
            ) -> Result<Minibatch<Self>, MinibatchError> {
                Minibatch::new_here(model, graphs)
            }

            fn run_forward(
                engine: &mut Engine<Self>,
                model: &Model<Self>,
                batch: &Minibatch<Self>,
                step: Option<u64>,
                wait: bool,
            ) -> Result<(), EngineError> {
                engine.run_forward_here(model, batch, step, wait)
            }

            fn run_backward(
                engine: &mut Engine<Self>,
                model: &Model<Self>,
                batch: &Minibatch<Self>,
                step: u64,
                seeds: &Seeds<Self>,
                onto: (Option<Gradients<Self>>, bool),
            ) -> Result<Gradients<Self>, EngineError> {
                engine.run_backward_here(model, batch, step, seeds, onto)
            }

            fn multiply(factors: &Factors<Self>, rows: Range<usize>, out: &mut [Self]) {
                factors.multiply_here(rows, out);
            }

            fn sum_of_squares(gradient: &Gradient<Self>, workers: &mut Workers<'_, Self>) -> f64 {
                gradient.sum_of_squares_here(workers)
            }
        }
    };
}

compiled!(f32);
compiled!(f64);
