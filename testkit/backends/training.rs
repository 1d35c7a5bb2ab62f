//! Training on a device: the same steps as on the CPU, and bitwise reproducible.

use edb::Element;
use edb::prelude::*;

use crate::models::{Case, all};
use crate::numbers::values;

/// The losses of some steps, and all parameters after them.
fn trained<T: Element>(device: &Device, case: usize) -> (Vec<f64>, Vec<f64>) {
    let Case { model, graphs, .. } = all::<T>(8).swap_remove(case);
    let engine = Engine::on(device).unwrap().seed(5);
    let trainer = Trainer::new(model, Adam::new(1e-2)).allow_unreached();
    let mut trainer = trainer.engine(engine).clip_norm(1.0);
    let mut losses = Vec::new();
    for step in 0..6 {
        let graphs = &graphs[..graphs.len() - step % graphs.len()];
        let batch = trainer.model().minibatch(graphs).unwrap();
        losses.push(trainer.step(&batch).unwrap().loss);
    }
    (losses, values(trainer.model()))
}

/// Training steps agree with those on the CPU.
///
/// # Panics
/// When they do not.
pub fn a_device_trains_as_the_processor(devices: &[Device]) {
    for device in devices {
        for case in 0..all::<f64>(8).len() {
            let expected = trained::<f64>(&Device::cpu(), case);
            let found_on_device = trained::<f64>(device, case);
            for (expected, found) in expected.0.iter().zip(&found_on_device.0) {
                assert!((expected - found).abs() <= 1e-9 * expected.abs().max(1.0), "{device}");
            }
            for (expected, found) in expected.1.iter().zip(&found_on_device.1) {
                assert!((expected - found).abs() <= 1e-6, "{device}: {found}, not {expected}");
            }
        }
    }
}

/// Two runs have bitwise the same losses and parameters.
///
/// # Panics
/// When they do not.
pub fn two_runs_have_the_same_bits(devices: &[Device]) {
    for device in devices {
        for case in [0, 3, 5, 7] {
            assert_eq!(trained::<f32>(device, case), trained::<f32>(device, case), "{device}");
        }
    }
}

/// One engine runs several models, whose code and memory differ.
///
/// # Panics
/// When a result is wrong.
pub fn an_engine_runs_one_model_after_another(devices: &[Device]) {
    for device in devices {
        let mut engine = Engine::on(device).unwrap();
        for _ in 0..2 {
            for Case { name, model, graphs } in all::<f64>(5) {
                let batch = model.minibatch(&graphs).unwrap();
                let expected = Engine::new().infer(&model, &batch).unwrap().loss().unwrap();
                let found = engine.infer(&model, &batch).unwrap().loss().unwrap();
                assert!((expected - found).abs() <= 1e-9 * expected.abs().max(1.0), "{name}");
            }
        }
    }
}
