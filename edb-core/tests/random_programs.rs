//! Random programs over random graphs: every policy, on one thread and on two, forward and
//! backward, against the interpreter of the program as it was before any pass.

pub mod support;

use edb_core::element::Element;
use edb_core::graph::{Graph, Minibatch};
use edb_core::model::Model;
use edb_core::testing::{Check, compiled_equals_eager};
use edb_ir::Options;
use proptest::prelude::*;
use rand::RngExt;
use support::{model, records, rng, topology, with_labels};

fn graphs<T: Element>(model: &Model<T>, seed: u64) -> Vec<Graph<T>> {
    let mut rng = rng(seed);
    (0..rng.random_range(1..6))
        .map(|_| {
            let (topology, size) = (topology(&mut rng), rng.random_range(1..12));
            let records = records(&mut rng, topology, size);
            let records = with_labels(&mut rng, model, records);
            model.graph_from_records(&records).unwrap()
        })
        .collect()
}

fn check<T: Element>(seed: u64, options: Options) {
    let model: Model<T> = model(&mut rng(seed), seed, options);
    let graphs = graphs(&model, seed ^ 1);
    let batch = model.minibatch(&graphs).unwrap();
    let draws = (seed, seed ^ 2);
    if let Err(error) = compiled_equals_eager(&model, &batch, &Check { draws, ..Check::default() })
    {
        panic!("seed {seed}: {error}");
    }
}

/// All results of a graph's vertices, as bits, and the gradients of its inputs.
fn bits(model: &Model<f32>, batch: &Minibatch<f32>, graph: usize, size: usize) -> Vec<u32> {
    let mut engine = edb_core::engine::Engine::new();
    let mut run = engine.forward(model, batch, 3).unwrap();
    run.backward().unwrap();
    let mut bits = Vec::new();
    for vertex in 0..size {
        let mut add =
            |row: ndarray::ArrayViewD<'_, f32>| bits.extend(row.iter().map(|x| x.to_bits()));
        add(run.output_at(graph, vertex, "y").unwrap());
        for field in ["h", "c"] {
            add(run.state_at(graph, vertex, field).unwrap().unwrap());
        }
        if let Some(gradient) = run.input_gradient_at(graph, vertex, "x").unwrap() {
            add(gradient);
        }
    }
    bits
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn compiled_equals_interpreted_in_f64(seed: u64) {
        check::<f64>(seed, Options::default());
    }

    #[test]
    fn compiled_equals_interpreted_in_f32(seed: u64) {
        check::<f32>(seed, Options::default());
    }

    /// What is left out to see what it gains does not change what is computed.
    #[test]
    fn plans_without_something_are_plans(
        seed: u64, lazy: bool, layout: bool, fusion: bool, views: bool,
    ) {
        check::<f64>(seed, Options { lazy, layout, fusion, views });
    }

    #[test]
    fn a_graph_alone_and_in_company_has_the_same_bits(seed: u64) {
        let model: Model<f32> = model(&mut rng(seed), seed, Options::default());
        let graphs = graphs(&model, seed ^ 1);
        let together = model.minibatch(&graphs).unwrap();
        for (at, graph) in graphs.iter().enumerate() {
            let alone = model.minibatch([graph]).unwrap();
            let size = graph.len();
            prop_assert_eq!(bits(&model, &together, at, size), bits(&model, &alone, 0, size));
        }
    }
}
