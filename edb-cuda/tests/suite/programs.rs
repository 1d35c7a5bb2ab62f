//! Random programs over random graphs: the suite of edb-core, with the kernels that the back end
//! writes. Held against the interpreter of each program as it was before any pass.

use std::ops::Range;

use edb::element::Element;
use edb::testing::{Check, compiled_equals_eager};
use edb::{Graph, Model};
use edb_compiler::Options;
use edb_cuda::Precision;

use crate::devices;
use crate::random::{graphs, model, rng};

/// A random model, and random graphs of it: how many, and of how many vertices.
pub fn drawn<T: Element>(
    seed: u64,
    options: Options,
    count: Range<usize>,
    size: Range<usize>,
) -> (Model<T>, Vec<Graph<T>>) {
    let model: Model<T> = model(&mut rng(seed), seed, options);
    let graphs = graphs(&mut rng(seed ^ 1), &model, count, size);
    (model, graphs)
}

fn check<T: Element>(seed: u64, options: Options) {
    let (model, graphs) = drawn::<T>(seed, options, 1..6, 1..12);
    let batch = model.minibatch(&graphs).unwrap();
    let check = Check {
        draws: (seed, seed ^ 2),
        devices: devices::all(Precision::Full),
        ..Check::default()
    };
    if let Err(error) = compiled_equals_eager(&model, &batch, &check) {
        panic!("seed {seed}: {error}");
    }
}

#[test]
fn random_programs_in_f64() {
    (0..4).for_each(|seed| check::<f64>(seed, Options::default()));
}

#[test]
#[ignore = "takes minutes: `.ci/run gpu`"]
fn more_random_programs_in_f64() {
    (4..40).for_each(|seed| check::<f64>(seed, Options::default()));
}

#[test]
fn random_programs_in_f32() {
    (100..104).for_each(|seed| check::<f32>(seed, Options::default()));
}

/// Plans that copy, gather and store more than they need.
#[test]
#[ignore = "takes long: `.ci/run gpu`"]
fn random_programs_without_some_passes() {
    for seed in 200..204_u64 {
        let [lazy, layout, fusion, views] = [0, 1, 2, 3].map(|bit| (seed * 5) >> bit & 1 == 1);
        check::<f64>(seed, Options { lazy, layout, fusion, views });
    }
}
