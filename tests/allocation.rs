//! In the steady state nothing allocates: all memory is kept from earlier runs and steps.

use allocation_counter::{AllocationInfo, measure};
use edb::prelude::*;

use edb_backend_suite::zoo::{self, Sentiment, Zoo};

/// What the last of five runs allocates.
fn steady(mut run: impl FnMut()) -> AllocationInfo {
    (0..4).for_each(|_| run());
    measure(run)
}

fn trees(count: usize, hidden: usize) -> (Model, Minibatch) {
    let (functions, model) = Sentiment::model::<f32>(hidden, 3);
    let mut rng = zoo::rng(5);
    let graphs: Vec<Graph> =
        (0..count).map(|tree| functions.tree(&model, 9 - tree % 9, &mut rng).0).collect();
    let batch = model.minibatch(&graphs).unwrap();
    (model, batch)
}

#[test]
fn inference_allocates_nothing() {
    for count in [1, 20] {
        let (model, batch) = trees(count, 16);
        let mut engine = Engine::new();
        let info = steady(|| {
            std::hint::black_box(engine.infer(&model, &batch).unwrap().loss().unwrap());
        });
        assert_eq!(info.count_total, 0, "{count} trees: {info:?}");
    }
}

#[test]
fn training_allocates_nothing() {
    // The last case has few vertices and large matrices, so that gradients are kept as factors.
    for (count, hidden) in [(1, 16), (20, 16), (1, 128)] {
        for precision in [Precision::Full, Precision::Bf16] {
            let (model, batch) = trees(count, hidden);
            let engine = Engine::on(&Device::cpu().precision(precision)).unwrap();
            let trainer = Trainer::new(model, Adam::new(1e-3)).engine(engine);
            let mut trainer = trainer.clip_norm(1.0);
            let info = steady(|| {
                trainer.step(&batch).unwrap();
            });
            assert_eq!(info.count_total, 0, "{count} trees, {precision}: {info:?}");
        }
    }
}

/// Runs functions of every kind with a searched schedule. Only inference is measured, not the
/// search.
#[test]
fn execution_allocates_nothing() {
    let (zoo, model) = Zoo::model::<f32>(8, 3);
    let mut batch = model.minibatch(&zoo.graphs(&model, 5)).unwrap();
    let mut engine = Engine::new();
    engine.search_schedule(&model, &mut batch, &edb::schedule::SearchOptions::default()).unwrap();
    let info = steady(|| {
        std::hint::black_box(engine.infer(&model, &batch).unwrap().loss().unwrap());
    });
    assert_eq!(info.count_total, 0, "{info:?}");
}
