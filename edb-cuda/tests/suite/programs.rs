//! Random programs over random graphs: the suite of edb-core, with the kernels that the back end
//! writes. Held against the interpreter of each program as it was before any pass.

use edb::Model;
use edb::element::Element;
use edb::testing::{Check, compiled_equals_eager};
use edb_ir::Options;
use rand::RngExt;

use edb_cuda::Precision;

use crate::devices;
use crate::random::{model, records, rng, topology, with_labels};

fn check<T: Element>(seed: u64, options: Options) {
    let model: Model<T> = model(&mut rng(seed), seed, options);
    let mut rng = rng(seed ^ 1);
    let graphs: Vec<_> = (0..rng.random_range(1..6))
        .map(|_| {
            let (topology, size) = (topology(&mut rng), rng.random_range(1..12));
            let records = records(&mut rng, topology, size);
            let records = with_labels(&mut rng, &model, records);
            model.graph_from_records(&records).unwrap()
        })
        .collect();
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
    (0..10).for_each(|seed| check::<f64>(seed, Options::default()));
}

#[test]
fn random_programs_in_f32() {
    (100..104).for_each(|seed| check::<f32>(seed, Options::default()));
}

/// Plans that copy, gather and store more than they need.
#[test]
fn random_programs_without_some_passes() {
    for seed in 200..204_u64 {
        let [lazy, layout, fusion, views] = [0, 1, 2, 3].map(|bit| (seed * 5) >> bit & 1 == 1);
        check::<f64>(seed, Options { lazy, layout, fusion, views });
    }
}
