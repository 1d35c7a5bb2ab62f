//! The gradients of each graph, over random models and graphs: alone and in company, summed,
//! weighted, and their norms and products.

use edb_compiler::Options;
use edb_core::element::Element;
use edb_core::engine::{Engine, EngineError};
use edb_core::learn::Gradients;
use edb_core::model::Model;
use edb_core::schedule::Policy;
use proptest::prelude::*;

use edb_backend_suite::machine::sample;
use edb_backend_suite::random::{graphs, model, rng};

/// All values of gradients, parameter by parameter.
fn values<T: Element>(model: &Model<T>, gradients: &Gradients<T>) -> Vec<f64> {
    let of = |(id, _)| gradients.to_dense(id).into_iter().map(|x: T| x.as_f64());
    model.parameters().iter().flat_map(of).collect()
}

fn length(values: &[f64]) -> f64 {
    values.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn close(found: &[f64], expected: &[f64], scale: f64, tolerance: f64) -> bool {
    let difference: Vec<f64> = found.iter().zip(expected).map(|(x, y)| x - y).collect();
    length(&difference) <= tolerance * scale
}

fn check<T: Element>(seed: u64, threads: usize, tolerance: f64) -> Result<(), TestCaseError> {
    let model: Model<T> = model(&mut rng(seed), seed, Options::default());
    let graphs = graphs(&mut rng(seed ^ 1), &model, 1..6, 1..12);
    let batch = model.minibatch(&graphs).unwrap();
    let policy = if seed.is_multiple_of(2) { Policy::Depth } else { Policy::Agenda };
    let mut engine: Engine<T> = Engine::with_threads(threads).unwrap().policy(policy);
    let whole = engine.forward(&model, &batch, 3).unwrap().backward().unwrap();
    let whole = values(&model, &whole);
    let mut run = engine.forward(&model, &batch, 3).unwrap();
    let mut each = run.backward_each().unwrap();
    prop_assert_eq!(each.count(), graphs.len());
    let norms = each.norms().unwrap();
    let summed = values(&model, &each.weighted(|_| 1.0).unwrap());
    let one = |graph: usize| 0.5 - graph as f64;
    let weighted = values(&model, &each.weighted(one).unwrap());
    let all: Vec<Gradients<T>> =
        (0..graphs.len()).map(|graph| each.gradient(graph).unwrap()).collect();
    let dots = each.dots(&all[0]).unwrap();
    let all: Vec<Vec<f64>> = all.iter().map(|of| values(&model, of)).collect();
    // What cancels is as exact as its terms.
    let scale = all.iter().map(|of| length(of)).sum::<f64>();
    prop_assert!(close(&summed, &whole, scale, tolerance));
    let sum = |weight: &dyn Fn(usize) -> f64| -> Vec<f64> {
        let term = |element: usize| {
            all.iter().enumerate().map(|(graph, of)| weight(graph) * of[element]).sum()
        };
        (0..whole.len()).map(term).collect()
    };
    prop_assert!(close(&summed, &sum(&|_| 1.0), scale, tolerance));
    prop_assert!(close(&weighted, &sum(&one), scale * graphs.len() as f64, tolerance));
    for (graph, of) in all.iter().enumerate() {
        let norm = length(of);
        prop_assert!(
            (norms[graph] - norm).abs() <= 10.0 * tolerance * norm + 1e-30,
            "graph {}: {} and {}",
            graph,
            norms[graph],
            norm
        );
        let dot: f64 = of.iter().zip(&all[0]).map(|(x, y)| x * y).sum();
        prop_assert!((dots[graph] - dot).abs() <= 1e-9 * norm * length(&all[0]) + 1e-30);
    }
    // Alone, on one thread, under another policy, it is the same bits.
    for (graph, of) in graphs.iter().zip(&all) {
        let alone = model.minibatch([graph]).unwrap();
        let mut engine: Engine<T> = Engine::with_threads(1).unwrap();
        let mut run = engine.forward(&model, &alone, 3).unwrap();
        let found = run.backward_each().unwrap().gradient(0).unwrap();
        prop_assert_eq!(&values(&model, &found), of);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: sample(30) as u32, failure_persistence: None, ..Default::default() })]

    #[test]
    fn gradients_of_graphs_are_theirs_in_f64(seed: u64, threads in 1_usize..3) {
        check::<f64>(seed, threads, 1e-12)?;
    }

    #[test]
    fn gradients_of_graphs_are_theirs_in_f32(seed: u64, threads in 1_usize..3) {
        // What cancels within a graph may have been ten times what is left.
        check::<f32>(seed, threads, 1e-5)?;
    }
}

#[test]
fn what_is_asked_for_must_be_there() {
    let model: Model<f64> = model(&mut rng(4), 4, Options::default());
    let graphs = graphs(&mut rng(5), &model, 3..4, 1..12);
    let batch = model.minibatch(&graphs).unwrap();
    let mut engine = Engine::new();
    let mut run = engine.infer(&model, &batch).unwrap();
    assert!(matches!(run.backward_each().unwrap_err(), EngineError::NoTape));
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let mut each = run.backward_each().unwrap();
    let error = each.gradient(3).unwrap_err();
    assert_eq!(error.to_string(), "there is no graph 3; graphs in the minibatch: 3");
    let other = Gradients::new(&edb_core::learn::Parameters::new());
    assert!(matches!(each.dots(&other).unwrap_err(), EngineError::Direction));
    assert!(matches!(run.backward().unwrap_err(), EngineError::Spent));
}
