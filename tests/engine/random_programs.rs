//! Random functions over random graphs, forward and backward, under every policy and on one and two
//! threads, compared with an interpreter of the functions before any compiler pass. Every other model
//! has branches and loops that run apart.

use edb_compiler::Options;
use edb_core::element::Element;
use edb_core::engine::Engine;
use edb_core::model::Model;
use edb_core::testing::{Check, compiled_equals_eager};
use proptest::prelude::*;

use edb_backend_suite::machine::sample;
use edb_backend_suite::random::{bits, graphs, model, rng};

fn check<T: Element>(seed: u64, options: Options) {
    let model: Model<T> = model(&mut rng(seed), seed, options);
    let graphs = graphs(&mut rng(seed ^ 1), &model, 1..6, 1..12);
    let batch = model.minibatch(&graphs).unwrap();
    let draws = (seed, seed ^ 2);
    if let Err(error) = compiled_equals_eager(&model, &batch, &Check { draws, ..Check::default() })
    {
        panic!("seed {seed}: {error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: sample(200) as u32, failure_persistence: None, ..Default::default() })]

    #[test]
    fn compiled_equals_interpreted_in_f64(seed: u64) {
        check::<f64>(seed, Options::default());
    }

    #[test]
    fn compiled_equals_interpreted_in_f32(seed: u64) {
        check::<f32>(seed, Options::default());
    }

    /// Passes can be switched off to measure what they gain; results stay the same.
    #[test]
    fn switched_off_passes_change_no_result(
        seed: u64, lazy: bool, layout: bool, fusion: bool, views: bool,
    ) {
        check::<f64>(seed, Options { lazy, layout, fusion, views });
    }

    #[test]
    fn a_graph_alone_and_in_company_has_the_same_bits(seed: u64) {
        let model: Model<f32> = model(&mut rng(seed), seed, Options::default());
        let graphs = graphs(&mut rng(seed ^ 1), &model, 1..6, 1..12);
        let together = model.minibatch(&graphs).unwrap();
        for (at, graph) in graphs.iter().enumerate() {
            let alone = model.minibatch([graph]).unwrap();
            let bits = |batch, at| bits(&mut Engine::new(), &model, batch, at, graph.len());
            prop_assert_eq!(bits(&together, at), bits(&alone, 0));
        }
    }
}

/// Two values of the step are the arguments of one product over vertices.
#[test]
fn values_of_the_step_are_put_side_by_side() {
    let options = Options { lazy: false, layout: false, fusion: false, views: false };
    check::<f64>(13_331_374_712_424_763_133, options);
}

/// What is detached, and the square of a difference that is zero, are as far off as roundings make
/// them.
#[test]
fn roundings_are_no_mistakes() {
    for seed in [2_294_429_571_859_066_623, 3_261_036_882_535_582_105] {
        check::<f32>(seed, Options::default());
    }
}
