//! Back ends that compute in 16 bits.

use edb::learn::Adam;
use edb::prelude::*;
use edb::testing::{Check, compiled_equals_eager};
use edb::trainer::{Checkpoints, Notes};

use crate::models::{Case, all};

/// Half the distance from 1 to the next number: the greatest relative rounding error.
///
/// # Panics
/// For a precision of 32 bits.
pub fn unit(precision: Precision) -> f64 {
    match precision {
        Precision::F16 => 1.0 / 2048.0,
        Precision::Bf16 => 1.0 / 256.0,
        precision => unreachable!("{precision:?} keeps 32 bits"),
    }
}

/// Compares every cell with its eager evaluation in `f64`. A value has been rounded once for each
/// vertex and op below it, but most errors cancel, so the tolerance is a few roundings of the
/// largest value.
///
/// # Panics
/// When a cell differs.
pub fn cells(devices: &[Device], hidden: usize, precision: Precision) {
    let mut failed = Vec::new();
    for Case { name, model, graphs } in all::<f32>(hidden) {
        let batch = model.minibatch(&graphs).unwrap();
        let check = Check {
            draws: (3, 7),
            devices: devices.to_vec(),
            tolerance: Some(8.0 * unit(precision)),
            policies: vec![Policy::Depth],
            ..Check::default()
        };
        if let Err(error) = compiled_equals_eager(&model, &batch, &check) {
            failed.push(format!("{name}: {error}"));
        }
    }
    assert!(failed.is_empty(), "{hidden} units, {precision:?}:\n{}", failed.join("\n"));
}

/// A trainer of the Tree-LSTM on a device, and its graphs.
///
/// # Panics
/// When the device fails.
pub fn trainer(device: &Device, hidden: usize) -> (Trainer, Vec<Graph<f32>>) {
    let Case { model, graphs, .. } = all::<f32>(hidden).swap_remove(0);
    let engine = Engine::on(device).unwrap().seed(5);
    (Trainer::new(model, Adam::new(4e-2)).engine(engine), graphs)
}

/// The mean losses of some steps that are taken.
///
/// # Panics
/// When a step fails.
pub fn losses((trainer, graphs): &mut (Trainer, Vec<Graph<f32>>), steps: usize) -> Vec<f64> {
    let batch = trainer.model().minibatch(&*graphs).unwrap();
    let mut losses = Vec::with_capacity(steps);
    while losses.len() < steps {
        let step = trainer.step(&batch).unwrap();
        if !step.skipped {
            losses.push(step.mean_loss());
        }
    }
    losses
}

/// The values of all parameters.
///
/// # Panics
/// When they cannot be read.
pub fn values(trainer: &Trainer) -> Vec<f32> {
    let parameters = trainer.model().parameters().iter();
    let values = parameters.map(|(_, parameter)| parameter.values().unwrap().to_vec());
    values.collect::<Vec<_>>().concat()
}

/// Losses follow those of the processor in 32 bits, and two runs have the same bits. `check` is
/// called with the trainer that has run on a device, and the one that has run in 32 bits.
///
/// # Panics
/// When they do not.
pub fn trains(
    devices: &[Device],
    hidden: usize,
    precision: Precision,
    check: impl Fn(&Trainer, &Trainer),
) {
    const STEPS: usize = 20;
    let mut in_full = trainer(&Device::cpu(), hidden);
    let expected = losses(&mut in_full, STEPS);
    for device in devices {
        let mut trained = trainer(device, hidden);
        let found = losses(&mut trained, STEPS);
        for (step, (expected, found)) in expected.iter().zip(&found).enumerate() {
            let close = (expected - found).abs() <= 4.0 * unit(precision) * expected;
            assert!(close, "{device}, step {step}: a loss of {found}, not {expected}");
        }
        assert_ne!(found, expected, "{device} rounds to 16 bits");
        assert!(found[STEPS - 1] < 0.8 * found[0], "{device}: {found:?}");
        check(&trained.0, &in_full.0);
        let mut again = trainer(device, hidden);
        assert_eq!(losses(&mut again, STEPS), found, "{device}");
        assert_eq!(values(&again.0), values(&trained.0), "{device}");
    }
}

/// A checkpoint holds parameters in 32 bits, whichever precision saves or resumes it: the devices
/// take turns.
///
/// # Panics
/// When it does not.
pub fn checkpoints_move_between(devices: &[Device]) {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    let mut last: Option<Vec<f32>> = None;
    for device in devices {
        let mut trained = trainer(device, 8);
        let resumed = checkpoints.resume(&mut trained.0).unwrap();
        assert_eq!(resumed.is_some(), last.is_some());
        if let Some(last) = &last {
            assert_eq!(&values(&trained.0), last, "{device}");
        }
        losses(&mut trained, 2);
        checkpoints.save(&trained.0, &Notes::new()).unwrap();
        let values = values(&trained.0);
        let lower_halves = values.iter().any(|value| value.to_bits() as u16 != 0);
        assert!(lower_halves, "{device} keeps parameters in 32 bits");
        last = Some(values);
    }
}
