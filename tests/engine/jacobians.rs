//! Jacobians of random graphs, whose functions have branches and loops: each row is what a backward
//! pass of its own returns.

use edb_compiler::Options;
use edb_core::element::Element;
use edb_core::engine::{Engine, EngineError, JacobianOf, Seeds};
use edb_core::graph::{Graph, Minibatch};
use edb_core::model::Model;
use proptest::prelude::*;
use rand::RngExt;

use edb_backend_suite::agreement::grown;
use edb_backend_suite::machine::sample;
use edb_backend_suite::random::{graphs, model, rng};

/// The gradients of inputs of one graph, of its losses and, if an element is given, that of the
/// output.
fn gradients<T: Element>(
    model: &Model<T>,
    batch: &Minibatch<T>,
    of: &JacobianOf<'_>,
    element: Option<(usize, usize)>,
) -> Vec<Vec<f64>> {
    let mut engine = Engine::new();
    let mut run = engine.forward(model, batch, 3).unwrap();
    let mut seeds = Seeds::new();
    if let Some((element, length)) = element {
        let mut unit = vec![T::zero(); length];
        unit[element] = T::one();
        seeds.push_at(of.graph, of.output.0, of.output.1, &unit);
    }
    run.backward_with(&seeds).unwrap();
    let of_input = |(vertex, field): &(usize, &str)| match run
        .input_gradient_at(of.graph, *vertex, field)
        .unwrap()
    {
        Some(view) => view.iter().map(|x| x.as_f64()).collect(),
        None => Vec::new(),
    };
    of.inputs.iter().map(of_input).collect()
}

/// The inputs of a graph's vertices that have one.
fn inputs_of<T: Element>(graph: &Graph<T>) -> Vec<(usize, &'static str)> {
    let there = (0..graph.len())
        .filter(|vertex| !edb_core::graph::inside::inputs(graph, *vertex).is_empty());
    there.map(|vertex| (vertex, "x")).collect()
}

fn check<T: Element>(seed: u64, threads: usize, tolerance: f64) -> Result<(), TestCaseError> {
    let model: Model<T> = model(&mut rng(seed), seed, Options::default());
    let mut draws = rng(seed ^ 1);
    let graphs = graphs(&mut draws, &model, 1..4, 1..9);
    let batch = model.minibatch(&graphs).unwrap();
    let inputs: Vec<Vec<(usize, &str)>> = graphs.iter().map(inputs_of).collect();
    // What has an even number pushes no list.
    let mut output =
        |graph: usize| (2 * draws.random_range(0..graphs[graph].len().div_ceil(2)), "y");
    let wanted: Vec<JacobianOf<'_>> = inputs
        .iter()
        .enumerate()
        .map(|(graph, inputs)| JacobianOf { graph, output: output(graph), inputs })
        .collect();
    let mut engine: Engine<T> = Engine::with_threads(threads).unwrap();
    let mut run = engine.forward(&model, &batch, 3).unwrap();
    let loss = run.loss().unwrap();
    let found = run.jacobians(&wanted).unwrap();
    // What has run is untouched.
    prop_assert_eq!(run.loss().unwrap(), loss);
    let after = run.backward().unwrap();
    let plain = Engine::<T>::new().forward(&model, &batch, 3).unwrap().backward().unwrap();
    for (id, _) in model.parameters().iter() {
        prop_assert_eq!(after.to_dense(id), plain.to_dense(id));
    }
    for (of, found) in wanted.iter().zip(&found) {
        let of_losses = gradients(&model, &batch, of, None);
        // No vertex of the graph may have input.
        let Some(first) = found.first() else { continue };
        let length = first.nrows();
        for element in 0..length {
            let all = gradients(&model, &batch, of, Some((element, length)));
            for ((all, of_losses), found) in all.iter().zip(&of_losses).zip(found) {
                let row = found.row(element);
                for ((all, of_losses), found) in all.iter().zip(of_losses).zip(row) {
                    let expected = all - of_losses;
                    let scale = 1.0 + expected.abs() + of_losses.abs();
                    let apart = (found.as_f64() - expected).abs();
                    prop_assert!(apart <= tolerance * scale, "{} and {}", found, expected);
                }
            }
        }
    }
    // Alone, the same bits.
    let graph = wanted.len() - 1;
    let alone = model.minibatch([&graphs[graph]]).unwrap();
    let of = JacobianOf { graph: 0, ..wanted[graph] };
    let mut engine: Engine<T> = Engine::new();
    let again = engine.forward(&model, &alone, 3).unwrap().jacobians(&[of]).unwrap();
    prop_assert_eq!(&again[0], &found[graph]);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: sample(32) as u32, failure_persistence: None, ..Default::default() })]

    #[test]
    fn rows_are_backward_passes_in_f64(seed: u64, threads in 1_usize..3) {
        check::<f64>(seed, threads, 1e-11)?;
    }

    #[test]
    fn rows_are_backward_passes_in_f32(seed: u64, threads in 1_usize..3) {
        check::<f32>(seed, threads, 1e-5)?;
    }
}

/// Graphs that have grown are derived as they are when they run again from their record.
#[test]
fn graphs_that_have_grown_have_the_same_jacobians_again() {
    for seed in 0..4 {
        let model: Model<f64> = model(&mut rng(seed), seed, Options::default());
        let mut graphs = graphs(&mut rng(seed ^ 1), &model, 2..4, 1..6);
        // Draws depend on it.
        (0..).zip(&mut graphs).for_each(|(sample, graph)| graph.set_sample(sample));
        let mut engine = Engine::new();
        let mut growth = grown(&mut engine, &model, graphs, Some(3));
        let inputs: Vec<Vec<(usize, &str)>> = growth.graphs().iter().map(inputs_of).collect();
        let sizes = growth.graphs().iter().map(|graph| graph.len());
        let wanted: Vec<JacobianOf<'_>> = (inputs.iter().zip(sizes).enumerate())
            .map(|(graph, (inputs, size))| {
                let vertex = (size - 1) / 2 * 2;
                JacobianOf { graph, output: (vertex, "y"), inputs }
            })
            .collect();
        let mut run = growth.finish().unwrap();
        let found = run.jacobians(&wanted).unwrap();
        let batch = run.minibatch().clone();
        let norm = run.backward().unwrap().norm();
        let mut engine: Engine<f64> = Engine::with_threads(2).unwrap();
        let mut run = engine.forward(&model, &batch, 3).unwrap();
        assert_eq!(run.jacobians(&wanted).unwrap(), found, "seed {seed}");
        assert!((run.backward().unwrap().norm() - norm).abs() <= 1e-12 * norm, "seed {seed}");
    }
}

#[test]
fn what_is_asked_for_must_be_there() {
    let model: Model<f64> = model(&mut rng(4), 4, Options::default());
    let graphs = graphs(&mut rng(5), &model, 2..3, 3..6);
    let batch = model.minibatch(&graphs).unwrap();
    let mut engine = Engine::new();
    let of = |output, input| JacobianOf { graph: 0, output, inputs: input };
    let good = of((0, "y"), &[(0, "x")]);
    let error = engine.infer(&model, &batch).unwrap().jacobians(&[good]).unwrap_err();
    assert!(matches!(error, EngineError::NoTape));
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let mut message = |of| run.jacobians(&[of]).unwrap_err().to_string();
    assert!(message(of((0, "z"), &[(0, "x")])).contains("pushes no field `z`; it pushes y"));
    assert!(message(of((0, "y"), &[(0, "z")])).contains("pulls no field `z`; it pulls x"));
    assert!(message(of((99, "y"), &[(0, "x")])).contains("99"));
    assert!(message(JacobianOf { graph: 7, ..good }).contains('7'));
    assert!(message(of((0, "y"), &[(99, "x")])).contains("99"));
    assert!(run.jacobians(&[of((0, "y"), &[])]).unwrap()[0].is_empty());
    run.backward().unwrap();
    assert!(matches!(run.jacobians(&[good]).unwrap_err(), EngineError::Spent));
}
