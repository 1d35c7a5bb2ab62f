//! Random models and minibatches in parts.

use super::parts::{bits, run_cut};
use super::*;
use edb::testing::grown_equals_eager;
use edb_backend_suite::machine::sample;
use edb_backend_suite::random;
use edb_core::engine::training::{self, CutFor};

/// Random models, those that decide and those that a policy schedules among them: the same bits on any
/// number of threads, and the sums of the whole.
#[test]
fn random_models_have_the_sums_of_the_whole_on_any_number_of_threads() {
    let (mut cut, models) = (0, sample(32));
    for seed in 0..models as u64 {
        let mut rng = random::rng(seed);
        let model: Model<f64> = random::model(&mut rng, seed, edb_compiler::Options::default());
        let batches: Vec<_> = [1..3, 1..9, 3..30]
            .into_iter()
            .cycle()
            .take(6)
            .map(|size| {
                let graphs = random::graphs(&mut rng, &model, 33..90, size);
                model.minibatch(&graphs).unwrap()
            })
            .collect();
        let mut summed = |threads: usize| -> Vec<Vec<u64>> {
            let mut engine = Engine::with_threads(threads).unwrap().seed(4);
            for batch in &batches[..4] {
                engine.infer(&model, batch).unwrap();
            }
            // Other sizes have run in between the second time.
            let step = |batch| {
                let (sums, parts) = run_cut(&mut engine, &model, batch);
                cut += usize::from(parts > 1);
                if threads == 1 {
                    super::parts::assert_whole(&mut Engine::new().seed(4), &model, batch, &sums);
                }
                bits(&model, &sums)
            };
            batches.iter().chain(batches.iter().rev()).map(step).collect()
        };
        let one = summed(1);
        for threads in 2..=3 {
            assert!(summed(threads) == one, "seed {seed}, {threads} threads");
        }
    }
    assert!(cut > 8 * models, "{cut} steps in parts");
}

/// Runs of such models that were cut, against the eager functions: values, decisions and gradients.
#[test]
fn random_runs_in_parts_are_the_eager_functions() {
    let (mut cut, models) = (0, sample(40));
    for seed in 20..20 + models as u64 {
        let mut rng = random::rng(seed);
        let model: Model<f64> = random::model(&mut rng, seed, edb_compiler::Options::default());
        let graphs = random::graphs(&mut rng, &model, 32..70, 1..7);
        let batch = model.minibatch(&graphs).unwrap();
        let mut engine = Engine::with_threads(2).unwrap().seed(4);
        for _ in 0..4 {
            engine.infer(&model, &batch).unwrap();
        }
        cut += usize::from(
            training::prepare(&mut engine, &model, &batch, CutFor::Step).unwrap().parts().len() > 1,
        );
        let check = Check { policies: vec![Policy::Auto], ..Check::default() };
        let mut run = engine.forward(&model, &batch, 9).unwrap();
        grown_equals_eager(&mut run, &check).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
    assert!(cut > models / 6, "{cut} runs in parts");
}
