//! Jacobians, products with Hessians and gradients of vertices on a device: those of the processor, up to rounding.

use edb::engine::JacobianOf;
use edb::prelude::*;
use edb_compiler::Options;
use edb_cuda::{Launches, Precision};

use crate::devices;
use edb_backend_suite::agreement::drawn;

#[test]
fn derivatives_are_those_of_the_processor() {
    for seed in 1..2 {
        let (model, graphs) = drawn::<f64>(seed, Options::default(), 2..4, 1..7);
        let batch = model.minibatch(&graphs).unwrap();
        let mut tangent = model.tangent_by(edb_compiler::tangent).unwrap();
        let mut losses = model.vertex_losses(edb_compiler::push_losses).unwrap();
        let inputs: Vec<Vec<(usize, &str)>> = graphs
            .iter()
            .map(|graph| (0..graph.len()).map(|vertex| (vertex, "x")).collect())
            .collect();
        let wanted: Vec<JacobianOf<'_>> = (inputs.iter().enumerate())
            .map(|(graph, inputs)| JacobianOf { graph, output: (0, "y"), inputs })
            .collect();
        let mut results = |device: &Device| {
            let mut engine = Engine::on(device).unwrap();
            let mut run = engine.forward(&model, &batch, 7).unwrap();
            let jacobians = run.jacobians(&wanted).unwrap();
            let ran = run.minibatch().clone();
            // The run goes on as if nothing had been.
            let direction = run.backward().unwrap();
            let mut along =
                engine.forward_along(&mut tangent, &model, &ran, 7, &direction).unwrap();
            let mut found = along.slopes().unwrap();
            found.push(along.product().unwrap().dot(&direction));
            found.extend(jacobians.iter().flatten().flatten());
            let read = engine.vertex_gradients(&mut losses, &model, &ran, 7, |_, each| {
                found.extend(each.norms()?);
                Ok(())
            });
            read.unwrap();
            found
        };
        let expected = results(&Device::cpu());
        for device in devices::both(Precision::Full, Launches::Single) {
            for (found, expected) in results(&device).into_iter().zip(&expected) {
                let apart = (found - expected).abs();
                assert!(apart <= 1e-9 * (1.0 + expected.abs()), "seed {seed}, {device}: {apart}");
            }
        }
    }
}
