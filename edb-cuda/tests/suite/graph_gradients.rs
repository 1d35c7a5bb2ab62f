//! The gradients of each graph of a run on a device: those of the processor, up to rounding.

use edb::Element;
use edb::prelude::*;
use edb::secret::Secret;
use edb::trainer::{Private, Reduction};
use edb_compiler::Options;
use edb_cuda::{Launches, Precision};

use crate::devices;
use crate::watched::Watched;
use edb_backend_suite::agreement::drawn;
use edb_backend_suite::numbers::values;

#[test]
fn gradients_of_graphs_are_those_of_the_processor() {
    for seed in 0..6 {
        let (model, graphs) = drawn::<f64>(seed, Options::default(), 2..5, 1..8);
        let batch = model.minibatch(&graphs).unwrap();
        let results = |device: &Device| {
            let mut engine = Engine::on(device).unwrap();
            let mut run = engine.forward(&model, &batch, 7).unwrap();
            let mut each = run.backward_each().unwrap();
            let weighted = each.weighted(|graph| 1.0 + graph as f64).unwrap();
            let mut found = each.norms().unwrap();
            found.push(weighted.norm());
            found.extend((0..graphs.len()).map(|graph| each.gradient(graph).unwrap().norm()));
            found
        };
        let expected = results(&Device::cpu());
        for device in devices::both(Precision::Full, Launches::Single) {
            for (found, expected) in results(&device).into_iter().zip(&expected) {
                assert!((found - expected).abs() <= 1e-9 * expected, "seed {seed}, {device}");
            }
        }
    }
}

/// How far a private step over some graphs of a random model moves each value of its parameters.
fn moved<T: Element>(device: &Device, seed: u64, private: Private, first: usize) -> Vec<f64> {
    let (model, graphs) = drawn::<T>(seed, Options::default(), 2..5, 1..8);
    let before = values(&model);
    let mut trainer = Trainer::new(model, Sgd::new(1.0))
        .allow_unreached()
        .engine(Engine::on(device).unwrap())
        .reduction(Reduction::Sum)
        .private(private);
    trainer.step_graphs(&graphs[first..]).unwrap();
    values(trainer.model()).iter().zip(&before).map(|(now, before)| before - now).collect()
}

/// Faults A1 to A4, on a device: what is clipped and summed there is that of the processor, which sums
/// it, so that the bound, the grid and the noise are the same.
#[test]
fn private_steps_are_those_of_the_processor() {
    let private = |clip, noise| {
        let secret = Secret::insecure(2);
        Private { clip, noise, secret, ..Private::new(100, 10).unwrap() }
    };
    for seed in 0..3 {
        let expected = moved::<f64>(&Device::cpu(), seed, private(1e-2, 3.0), 0);
        for device in devices::both(Precision::Full, Launches::Single) {
            let found = moved::<f64>(&device, seed, private(1e-2, 3.0), 0);
            let alike = found.iter().zip(&expected).all(|(x, y)| (x - y).abs() < 1e-9);
            assert!(alike, "seed {seed}, {device}");
        }
        for precision in [Precision::Full, Precision::Bf16] {
            for device in devices::both(precision, Launches::Single) {
                // The last graph alone.
                let last = drawn::<f32>(seed, Options::default(), 2..5, 1..8).1.len() - 1;
                let alone = moved::<f32>(&device, seed, private(1e-2, 0.0), last);
                let norm = alone.iter().map(|x| x * x).sum::<f64>().sqrt();
                // What is rounded here are the parameters.
                assert!(norm <= 1e-2 + 1e-5, "{norm}, seed {seed}, {device}");
            }
        }
    }
}

/// Fault A1 on a device: how a library's products are summed may depend on how many rows there are, so that
/// one graph more would change what the others add. Private steps have none of them, growing ones included.
#[test]
fn private_steps_leave_no_product_to_the_library() {
    let Some(_) = crate::emulator::compiler() else { return };
    for launches in [Launches::Single, Launches::Tiled, Launches::Graphs] {
        for growing in [false, true] {
            let watched = Watched::default();
            let (model, graphs) = drawn::<f32>(1, Options::default(), 2..5, 1..8);
            let engine = Engine::on(&watched.device_with(launches)).unwrap();
            let mut trainer = Trainer::new(model, Sgd::new(1e-3)).allow_unreached().engine(engine);
            let step = |trainer: &mut Trainer| {
                if growing {
                    let mut growing = trainer.grow(graphs.clone()).unwrap();
                    while growing.round().unwrap().is_some() {}
                    growing.step().unwrap();
                } else {
                    trainer.step_graphs(&graphs).unwrap();
                }
                watched.multiplied()
            };
            assert!(step(&mut trainer) > 0, "{launches}: a plain step has some");
            let mut trainer = trainer.private(Private::new(100, 10).unwrap());
            assert_eq!(step(&mut trainer), 0, "{launches}, growing: {growing}");
        }
    }
}
