//! The gradients of single vertices' losses, over random models and graphs: their sum is the gradient
//! of all, and their products with a direction are how fast each loss changes.

use edb_compiler::Options;
use edb_core::element::Element;
use edb_core::engine::{Engine, LossOf};
use edb_core::learn::{Gradient, Gradients};
use edb_core::model::Model;
use proptest::prelude::*;

use edb_backend_suite::machine::sample;
use edb_backend_suite::random::{graphs, model, rng};

fn check<T: Element>(seed: u64, threads: usize, tolerance: f64) -> Result<(), TestCaseError> {
    let model: Model<T> = model(&mut rng(seed), seed, Options::default());
    let graphs = graphs(&mut rng(seed ^ 1), &model, 1..4, 1..8);
    let batch = model.minibatch(&graphs).unwrap();
    let mut engine: Engine<T> = Engine::with_threads(threads).unwrap();
    let batch = engine.forward(&model, &batch, 3).unwrap().minibatch().clone();
    let mut direction = Gradients::new(model.parameters());
    for (id, parameter) in model.parameters().iter() {
        let value = |element: usize| T::from_f64((element as f64 * 0.7 + 1.0).sin());
        let values = (0..parameter.len()).map(value).collect();
        direction.add(id, Gradient::Dense(values)).unwrap();
    }
    let mut sum = Gradients::new(model.parameters());
    let mut found: Vec<(LossOf, f64, f64)> = Vec::new();
    let mut losses = model.vertex_losses(edb_compiler::push_losses).unwrap();
    let read = engine.vertex_gradients(&mut losses, &model, &batch, 3, |vertices, each| {
        assert_eq!(vertices.len(), each.count());
        let (norms, dots) = (each.norms()?, each.dots(&direction)?);
        for (number, of) in vertices.iter().enumerate() {
            let norm = each.gradient(number)?.norm();
            assert!((norms[number] - norm).abs() <= 1e2 * tolerance * norm + 1e-30);
            found.push((*of, norm, dots[number]));
        }
        Ok(sum.add_all(each.weighted(|_| 1.0)?)?)
    });
    read.unwrap();
    let all = engine.forward(&model, &batch, 3).unwrap().backward().unwrap();
    let length: f64 = found.iter().map(|(_, norm, _)| norm).sum::<f64>() + 1e-3;
    for (id, _) in model.parameters().iter() {
        for (x, y) in sum.to_dense(id).iter().zip(&all.to_dense(id)) {
            let apart = (x.as_f64() - y.as_f64()).abs();
            prop_assert!(apart <= tolerance * length, "{} apart", apart);
        }
    }
    let mut tangent = model.tangent_by(edb_compiler::tangent).unwrap();
    let along = engine.forward_along(&mut tangent, &model, &batch, 3, &direction).unwrap();
    let far = direction.norm();
    for (LossOf { graph, vertex }, norm, dot) in &found {
        let slope = along.slope_at(*graph, *vertex).unwrap();
        // Rounding grows with the direction, also where the gradient is zero.
        let scale = (norm + 1e-3) * far;
        prop_assert!((slope - dot).abs() <= 10.0 * tolerance * scale, "{} and {}", slope, dot);
    }
    // No vertex is left out: the others have no slope.
    let all: f64 = along.slopes().unwrap().iter().sum();
    let sum: f64 = found.iter().map(|(_, _, dot)| dot).sum();
    prop_assert!((all - sum).abs() <= 10.0 * tolerance * length * far);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: sample(32) as u32, failure_persistence: None, ..Default::default() })]

    #[test]
    fn gradients_of_vertices_are_theirs_in_f64(seed: u64, threads in 1_usize..3) {
        check::<f64>(seed, threads, 1e-11)?;
    }

    #[test]
    fn gradients_of_vertices_are_theirs_in_f32(seed: u64, threads in 1_usize..3) {
        check::<f32>(seed, threads, 1e-5)?;
    }
}
