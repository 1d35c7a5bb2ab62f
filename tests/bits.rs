//! Bitwise reproducibility: company, policy and threads must not change a result by a single bit.

use edb::prelude::*;
use proptest::prelude::*;

use edb_backend_suite::agreement::agrees;
use edb_backend_suite::models::{Case, detached};
use edb_backend_suite::numbers::{bits, gradient_bits};
use edb_backend_suite::zoo::{self, Sentiment, Zoo};

/// The bits of all states, outputs and losses of the graph at `place`.
fn outputs(run: &Run<'_>, place: usize, vertices: usize) -> Vec<u32> {
    let mut bits = Vec::new();
    for vertex in 0..vertices {
        for field in ["h", "c"] {
            if let Some(row) = run.state_at(place, vertex, field).unwrap() {
                bits.extend(row.iter().map(|x| x.to_bits()));
            }
        }
        for field in ["x", "y", "logits"] {
            if let Ok(row) = run.output_at(place, vertex, field) {
                bits.extend(row.iter().map(|x| x.to_bits()));
            }
        }
        bits.push((run.vertex_loss(place, vertex).unwrap() as f32).to_bits());
    }
    bits
}

/// The bits of the gradients of all pulled tensors of the graph at `place`.
fn input_gradients(run: &Run<'_>, place: usize, vertices: usize) -> Vec<u32> {
    let rows =
        (0..vertices).filter_map(|vertex| run.input_gradient_at(place, vertex, "x").unwrap());
    rows.flat_map(|row| row.iter().map(|x| x.to_bits()).collect::<Vec<_>>()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..Default::default() })]

    #[test]
    fn bits_of_a_graph_depend_on_neither_company_nor_policy(seed: u64, narrow: bool) {
        let (zoo, model) = Zoo::model::<f32>(19, seed);
        let graphs = zoo.graphs(&model, seed);
        let batch = model.minibatch(&graphs).unwrap();
        let device = Device::cpu().precision(if narrow { Precision::Bf16 } else { Precision::Full });
        for policy in Policy::ALL {
            let mut engine = Engine::on(&device).unwrap().policy(policy.clone()).seed(seed);
            let mut together = engine.forward(&model, &batch, 5).unwrap();
            together.backward().unwrap();
            for (place, graph) in graphs.iter().enumerate() {
                let alone = model.minibatch([graph]).unwrap();
                let mut engine = Engine::on(&device).unwrap().seed(seed);
                let mut run = engine.forward(&model, &alone, 5).unwrap();
                run.backward().unwrap();
                let size = graph.len();
                prop_assert_eq!(outputs(&run, 0, size), outputs(&together, place, size));
                prop_assert_eq!(
                    input_gradients(&run, 0, size),
                    input_gradients(&together, place, size)
                );
            }
        }
    }
}

/// Minibatches so large that phases are cut into many blocks, which run on all threads: each thread
/// runs some of the trees, or some rows of each batch where there are more weights.
#[test]
fn threads_change_nothing() {
    for (hidden, trees) in [(72, 40), (144, 12)] {
        threads_change_nothing_with(hidden, trees);
    }
}

fn threads_change_nothing_with(hidden: usize, count: usize) {
    let (functions, model) = Sentiment::model::<f32>(hidden, 1);
    let trees = functions.trees(&model, count, 25, 2);
    let batch = model.minibatch(trees.iter().map(|(graph, _)| graph)).unwrap();
    let all_outputs = |run: &Run<'_>| -> Vec<u32> {
        let of_tree = |tree: usize| outputs(run, tree, trees[tree].0.len());
        (0..trees.len()).flat_map(of_tree).collect()
    };
    for precision in [Precision::Full, Precision::Bf16] {
        let mut seen: Option<(Vec<u32>, Vec<u64>)> = None;
        for threads in [1, 2, 3, 7] {
            let device = Device::cpu().threads(threads).precision(precision);
            let mut engine = Engine::on(&device).unwrap();
            // Runs twice, so that the second run meets memory that is no longer fresh.
            for _ in 0..2 {
                let mut run = engine.forward(&model, &batch, 0).unwrap();
                let grads = run.backward().unwrap();
                let found = (all_outputs(&run), gradient_bits(&model, &grads));
                match &seen {
                    None => seen = Some(found),
                    Some(first) => {
                        assert!(*first == found, "{threads} threads, {hidden} units, {precision}")
                    }
                }
            }
        }
        // Only the order in which gradients are summed depends on the policy.
        for policy in Policy::ALL {
            let device = Device::cpu().threads(3).precision(precision);
            let mut engine = Engine::on(&device).unwrap().policy(policy.clone());
            let run = engine.forward(&model, &batch, 0).unwrap();
            let first = seen.as_ref().map(|(outputs, _)| outputs);
            assert!(Some(&all_outputs(&run)) == first, "{policy}, {hidden} units, {precision}");
        }
    }
}

/// A row that is larger than what a block should touch is a block of its own.
#[test]
fn rows_that_no_cache_holds_have_the_same_bits_on_any_number_of_threads() {
    let Case { model, graphs, .. } = detached::<f64>(6_000);
    let batch = model.minibatch(&graphs).unwrap();
    let results = |threads: usize| {
        let mut engine = Engine::with_threads(threads).unwrap();
        let mut run = engine.forward(&model, &batch, 0).unwrap();
        let gradients = run.backward().unwrap();
        (run.loss().unwrap().to_bits(), gradient_bits(&model, &gradients))
    };
    let first = results(1);
    for threads in 2..=4 {
        assert!(results(threads) == first, "{threads} threads");
    }
    agrees(&model, &graphs);
}

#[test]
fn inference_and_training_without_dropout_agree() {
    let (functions, model) = Sentiment::model::<f32>(8, 1);
    let trees = functions.trees(&model, 4, 9, 2);
    let batch = model.minibatch(trees.iter().map(|(graph, _)| graph)).unwrap();
    let mut engine = Engine::new();
    let inferred = outputs(&engine.infer(&model, &batch).unwrap(), 0, trees[0].0.len());
    let convenient = outputs(&Engine::new().infer(&model, &batch).unwrap(), 0, trees[0].0.len());
    assert_eq!(inferred, convenient);
    // Dropout is active in training, but not in inference.
    let trained = outputs(&engine.forward(&model, &batch, 0).unwrap(), 0, trees[0].0.len());
    assert_ne!(inferred, trained);
    assert_eq!(inferred, outputs(&engine.infer(&model, &batch).unwrap(), 0, trees[0].0.len()));
}

/// Seed, step and sample each change the dropout mask; without a change it stays the same.
#[test]
fn dropout_depends_on_seed_step_and_sample_only() {
    let (functions, model) = Sentiment::model::<f32>(8, 1);
    let mut tree = functions.tree(&model, 6, &mut zoo::rng(3)).0;
    let size = tree.len();
    let bits = |tree: &Graph, seed: u64, step: u64| {
        let batch = model.minibatch([tree]).unwrap();
        let mut engine = Engine::new().seed(seed);
        let run = engine.forward(&model, &batch, step).unwrap();
        outputs(&run, 0, size)
    };
    let first = bits(&tree, 1, 1);
    assert_eq!(first, bits(&tree, 1, 1));
    assert_ne!(first, bits(&tree, 2, 1));
    assert_ne!(first, bits(&tree, 1, 2));
    tree.set_sample(12);
    assert_ne!(first, bits(&tree, 1, 1));
}

fn trained(seed: u64, threads: usize) -> Vec<u64> {
    let (functions, model) = Sentiment::model::<f32>(40, seed);
    let engine = Engine::with_threads(threads).unwrap().seed(seed);
    let mut trainer = Trainer::new(model, Adam::new(0.01)).engine(engine).clip_norm(1.0);
    for step in 0..6 {
        let trees = functions.trees(trainer.model(), 32, 15, seed + step);
        let batch = trainer.model().minibatch(trees.iter().map(|(graph, _)| graph)).unwrap();
        trainer.step(&batch).unwrap();
    }
    bits(trainer.model())
}

#[test]
fn training_is_reproducible_on_any_number_of_threads() {
    let once = trained(1, 1);
    assert!(once == trained(1, 1));
    assert!(once == trained(1, 2));
    assert!(once == trained(1, 4));
    assert!(once != trained(2, 1));
}
