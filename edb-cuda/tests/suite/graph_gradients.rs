//! The gradients of each graph of a run on a device: those of the processor, up to rounding.

use edb::prelude::*;
use edb_compiler::Options;
use edb_cuda::{Launches, Precision};

use crate::devices;
use edb_backend_suite::agreement::drawn;

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
