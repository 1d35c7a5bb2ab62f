//! Tangents of random models, whose functions have branches and loops: slopes of losses are inner
//! products with gradients, and products with the Hessian are differences of gradients.

use std::cell::Cell;

use edb_compiler::Options;
use edb_core::element::Element;
use edb_core::engine::Engine;
use edb_core::graph::Minibatch;
use edb_core::learn::{Gradient, Gradients};
use edb_core::model::{Model, Tangent};
use edb_core::testing::hessian_check;
use edb_ir::{Movement, Op, Plan};
use proptest::prelude::*;
use rand::RngExt;

use edb_backend_suite::machine::sample;
use edb_backend_suite::models;
use edb_backend_suite::random::{graphs, model, rng};

/// Any direction of the parameters.
fn direction<T: Element>(model: &Model<T>, seed: u64) -> Gradients<T> {
    let mut rng = rng(seed);
    let mut direction = Gradients::new(model.parameters());
    for (id, parameter) in model.parameters().iter() {
        let mut draw = || T::from_f64(rng.random_range(-1.0..1.0));
        let values = (0..parameter.len()).map(|_| draw()).collect();
        direction.add(id, Gradient::Dense(values)).unwrap();
    }
    direction
}

/// Compares the slopes of the losses with inner products of gradients.
fn slopes_are_products<T: Element>(
    model: &Model<T>,
    tangent: &mut Tangent<T>,
    batch: &Minibatch<T>,
    along: &Gradients<T>,
    tolerance: f64,
) -> Result<(), TestCaseError> {
    let mut engine = Engine::<T>::with_threads(2).unwrap();
    let mut run = engine.forward(model, batch, 3).unwrap();
    let mut each = run.backward_each().unwrap();
    let (dots, norms) = (each.dots(along).unwrap(), each.norms().unwrap());
    let length = along.dot(along).sqrt();
    let run = engine.forward_along(tangent, model, batch, 3, along).unwrap();
    let slopes = run.slopes().unwrap();
    for ((slope, dot), norm) in slopes.iter().zip(&dots).zip(&norms) {
        let scale = norm * length + 1e-3;
        prop_assert!((slope - dot).abs() <= tolerance * scale, "{} and {}", slope, dot);
    }
    Ok(())
}

/// The tangent of a model, and whether some function detaches what it computes: then the gradient is
/// not that of the loss, and its differences are not the products.
fn tangent(model: &Model<f64>) -> (Tangent<f64>, bool) {
    let detaches = Cell::new(false);
    let tangent = model.tangent_by(|plan: &Plan| {
        let mut sections = std::iter::once(plan).chain(&plan.sections);
        let is_detached = |op: &Op| *op == Op::Movement(Movement::Detach);
        let detached = sections.any(|of| of.program.values.iter().any(|v| is_detached(&v.op)));
        detaches.set(detaches.get() || detached);
        edb_compiler::tangent(plan)
    });
    (tangent.unwrap(), detaches.get())
}

/// Compares slopes, and a product with differences unless these mean nothing: whether it did.
fn check(seed: u64) -> Result<bool, TestCaseError> {
    let mut model: Model<f64> = model(&mut rng(seed), seed, Options::default());
    let graphs = graphs(&mut rng(seed ^ 1), &model, 1..5, 1..9);
    let batch = model.minibatch(&graphs).unwrap();
    let (mut tangent, detaches) = tangent(&model);
    let along = direction(&model, seed ^ 2);
    slopes_are_products(&model, &mut tangent, &batch, &along, 1e-10)?;
    if detaches {
        return Ok(false);
    }
    hessian_check(&mut model, &mut tangent, &batch, 1e-5, 1e-6)
        .map_err(|error| TestCaseError::fail(error.to_string()))
}

#[test]
fn products_are_differences_of_gradients() {
    let mut compared = 0;
    for seed in 0..sample(80) as u64 {
        match check(seed) {
            Ok(was_compared) => compared += usize::from(was_compared),
            Err(error) => panic!("seed {seed}: {error}"),
        }
    }
    assert!(compared >= sample(20), "{compared} products have been compared");
}

/// Of cells that are written in Rust, with lists, tables, bags and loops.
#[test]
fn products_of_cells_are_differences_of_gradients() {
    let mut compared = 0;
    for models::Case { name, mut model, graphs } in models::all::<f64>(4) {
        let batch = model.minibatch(&graphs).unwrap();
        let (mut tangent, detaches) = tangent(&model);
        if detaches {
            continue;
        }
        match hessian_check(&mut model, &mut tangent, &batch, 1e-5, 1e-6) {
            Ok(was_compared) => compared += usize::from(was_compared),
            Err(error) => panic!("{name}: {error}"),
        }
    }
    assert!(compared >= 7, "{compared} products have been compared");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: sample(32) as u32, failure_persistence: None, ..Default::default() })]

    #[test]
    fn slopes_are_products_with_gradients(seed: u64) {
        let model: Model<f32> = model(&mut rng(seed), seed, Options::default());
        let graphs = graphs(&mut rng(seed ^ 1), &model, 1..5, 1..9);
        let batch = model.minibatch(&graphs).unwrap();
        let mut tangent = model.tangent_by(edb_compiler::tangent).unwrap();
        let along = direction(&model, seed ^ 2);
        let mut engine = Engine::new();
        let batch = engine.forward(&model, &batch, 3).unwrap().minibatch().clone();
        slopes_are_products(&model, &mut tangent, &batch, &along, 1e-4)?;
    }
}
