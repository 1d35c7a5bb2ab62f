//! Training steps on a device: what is transferred, what the host has, and what remains after a
//! failure.

use std::time::{Duration, Instant};

use edb::learn::{LearnError, NAdam};
use edb::prelude::*;
use edb::trainer::{CheckpointError, Checkpoints, Notes, TrainError};

use edb_cuda::Launches;

use crate::watched::{Fault, Watched};
use edb_backend_suite::models::{Case, all};
use edb_backend_suite::numbers::values;
use edb_backend_suite::zoo::Sentiment;

/// A trainer of the Tree-LSTM, and its graphs.
fn training(device: &Device) -> (Trainer<f64>, Vec<Graph<f64>>) {
    let Case { model, graphs, .. } = all::<f64>(8).swap_remove(0);
    let engine = Engine::on(device).unwrap().seed(5);
    let trainer = Trainer::new(model, NAdam::new(1e-2)).engine(engine).clip_norm(1.0);
    (trainer.ema(0.9).unwrap(), graphs)
}

fn steps(trainer: &mut Trainer<f64>, graphs: &[Graph<f64>], count: usize) {
    for _ in 0..count {
        let graphs = &graphs[..graphs.len() - trainer.steps() as usize % graphs.len()];
        let batch = trainer.model().minibatch(graphs).unwrap();
        trainer.step(&batch).unwrap();
    }
}

const LAUNCHES: [Launches; 2] = [Launches::Single, Launches::Graphs];

/// A step uploads only tables and downloads only the loss, the norm and a flag. Gradients and
/// parameters stay on the device.
#[test]
fn a_step_moves_nothing_but_tables() {
    let Some(_) = crate::emulator::compiler() else { return };
    LAUNCHES.into_iter().for_each(moves_nothing_but_tables);
}

fn moves_nothing_but_tables(launches: Launches) {
    let watched = Watched::default();
    let (functions, model) = Sentiment::model::<f32>(64, 6);
    let parameters: usize = model.parameters().iter().map(|(_, parameter)| parameter.len()).sum();
    let trees = functions.trees(&model, 3, 4, 6);
    let batch = model.minibatch(trees.iter().map(|(graph, _)| graph)).unwrap();
    let engine = Engine::on(&watched.device_with(launches)).unwrap();
    let mut trainer = Trainer::new(model, Adam::new(1e-3)).engine(engine).clip_norm(1.0);
    trainer.step(&batch).unwrap();
    watched.moved();
    for _ in 0..3 {
        trainer.step(&batch).unwrap();
        let [uploaded, downloaded] = watched.moved();
        assert_eq!(downloaded, 24);
        assert!(uploaded < parameters as u64, "{uploaded} bytes for {parameters} parameters");
    }
    values(trainer.model());
    assert_eq!(watched.moved(), [0, 4 * parameters as u64]);
    values(trainer.model());
    assert_eq!(watched.moved(), [0, 0], "what was read is here");
}

/// Stages are timed by the device's clock; together they take no longer than the host has waited.
#[test]
fn a_step_is_timed_by_the_device() {
    let Some(_) = crate::emulator::compiler() else { return };
    let (mut trainer, graphs) = training(&Watched::default().device());
    let batch = trainer.model().minibatch(&graphs).unwrap();
    for _ in 0..2 {
        let start = Instant::now();
        trainer.step(&batch).unwrap();
        let (report, wall) = (trainer.report(), start.elapsed());
        let stages = [report.forward, report.backward, report.update];
        assert!(stages.iter().all(|stage| !stage.is_zero()), "{report}");
        assert!(stages.iter().sum::<Duration>() <= wall, "{report} in {wall:?}");
    }
    let start = Instant::now();
    let report = trainer.infer(&batch).unwrap().report();
    assert!(!report.forward.is_zero() && report.forward <= start.elapsed());
    assert!(report.backward.is_zero() && report.update.is_zero());
}

#[test]
fn ceilings_are_measured() {
    let ceilings = Watched::default().device().ceilings().unwrap().unwrap();
    assert!(ceilings.gflops > 0.0 && ceilings.gflops.is_finite(), "{ceilings:?}");
    assert!(ceilings.copy_gb_per_s > 0.0 && ceilings.copy_gb_per_s.is_finite(), "{ceilings:?}");
    assert_eq!(Device::cpu().ceilings().unwrap(), None);
}

/// A run that is resumed on another device continues as on one device.
#[test]
fn a_checkpoint_continues_on_any_device() {
    let Some(_) = crate::emulator::compiler() else { return };
    let (cpu, watched) = (Device::cpu(), Watched::default());
    let devices = [cpu, watched.device()];
    let (mut uninterrupted, graphs) = training(&devices[1]);
    steps(&mut uninterrupted, &graphs, 8);
    for (first, second) in [(0, 1), (1, 0), (1, 1)] {
        let folder = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::new(folder.path());
        let (mut saved, graphs) = training(&devices[first]);
        steps(&mut saved, &graphs, 4);
        checkpoints.save(&saved, &Notes::new()).unwrap();
        let (mut resumed, graphs) = training(&devices[second]);
        checkpoints.resume(&mut resumed).unwrap().unwrap();
        assert_eq!(values(resumed.model()), values(saved.model()), "{first} to {second}");
        steps(&mut resumed, &graphs, 4);
        let same = first == 1 && second == 1;
        let compare = |uninterrupted: &Trainer<f64>, resumed: &Trainer<f64>| {
            let (uninterrupted, resumed) = (values(uninterrupted.model()), values(resumed.model()));
            if same {
                assert_eq!(uninterrupted, resumed);
            }
            for (a, b) in uninterrupted.iter().zip(&resumed) {
                assert!((a - b).abs() <= 1e-8, "{first} to {second}: {b}, not {a}");
            }
        };
        compare(&uninterrupted, &resumed);
        for trainer in [&mut uninterrupted, &mut resumed] {
            assert!(trainer.swap_averages().unwrap());
        }
        compare(&uninterrupted, &resumed);
        uninterrupted.swap_averages().unwrap();
    }
}

/// The device sees what the host changes, and every engine sees what the device has moved.
#[test]
fn the_host_and_the_device_see_one_another() {
    let Some(_) = crate::emulator::compiler() else { return };
    let watched = Watched::default();
    let (mut trainer, graphs) = training(&watched.device());
    let batch = trainer.model().minibatch(&graphs).unwrap();
    steps(&mut trainer, &graphs, 2);
    let copy = trainer.model().parameters().clone();
    let loss = |model: &Model<f64>, device: &Device| {
        Engine::on(device).unwrap().infer(model, &batch).unwrap().loss().unwrap()
    };
    let on_cpu = loss(trainer.model(), &Device::cpu());
    assert!((on_cpu - loss(trainer.model(), &watched.device())).abs() < 1e-9);
    steps(&mut trainer, &graphs, 2);
    assert_ne!(copy, *trainer.model().parameters(), "a copy stays what it was");
    let later = loss(trainer.model(), &Device::cpu());
    assert_ne!(on_cpu, later);
    *trainer.model_mut().parameters_mut() = copy;
    assert!((on_cpu - loss(trainer.model(), &watched.device())).abs() < 1e-9);
    assert!((on_cpu - trainer.step(&batch).unwrap().loss).abs() < 1e-9);
}

#[test]
fn running_out_of_memory_loses_no_parameters() {
    let Some(_) = crate::emulator::compiler() else { return };
    LAUNCHES.into_iter().for_each(short_of_memory);
}

fn short_of_memory(launches: Launches) {
    let watched = Watched::default();
    let (mut trainer, graphs) = training(&watched.device_with(launches));
    let (small, large) = (&graphs[1..2], &graphs[..]);
    let small = trainer.model().minibatch(small).unwrap();
    let large = trainer.model().minibatch(large).unwrap();
    trainer.step(&small).unwrap();
    watched.set_fault(Some(Fault::Memory));
    let error = trainer.step(&large).unwrap_err();
    let TrainError::Device { step: 1, kept: 1, .. } = error else { panic!("{error}") };
    let message = error.to_string();
    assert!(message.starts_with("step 1: watched has 0 bytes free"), "{message}");
    assert!(message.ends_with("those from before it"), "{message}");
    let before = values(trainer.model());
    watched.set_fault(None);
    assert_eq!(values(trainer.model()), before);
    trainer.step(&large).unwrap();
    assert_eq!(trainer.steps(), 2);

    // No memory at all.
    let (mut fresh, graphs) = training(&watched.device_with(launches));
    let before = values(fresh.model());
    let batch = fresh.model().minibatch(&graphs).unwrap();
    watched.set_fault(Some(Fault::Memory));
    fresh.step(&batch).unwrap_err();
    assert_eq!(values(fresh.model()), before);
    watched.set_fault(None);
    fresh.step(&batch).unwrap();
}

/// Steps that only a lost device had are lost; the error says which step the host's parameters are
/// from.
#[test]
fn a_lost_device_leaves_the_parameters_of_the_host() {
    let Some(_) = crate::emulator::compiler() else { return };
    let watched = Watched::default();
    let (mut trainer, graphs) = training(&watched.device());
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    steps(&mut trainer, &graphs, 2);
    checkpoints.save(&trainer, &Notes::new()).unwrap();
    let second = values(trainer.model());
    steps(&mut trainer, &graphs, 2);
    watched.set_fault(Some(Fault::Lost));
    let batch = trainer.model().minibatch(&graphs).unwrap();
    let error = trainer.step(&batch).unwrap_err();
    let TrainError::Device { step: 4, kept: 2, .. } = error else { panic!("{error}") };
    assert!(error.to_string().contains("unplugged"), "{error}");
    assert!(error.to_string().ends_with("had those from before step 2)"), "{error}");
    // Nobody reads older values unawares, not of a copy either.
    let stale =
        |read: Result<&[f64], LearnError>| matches!(read, Err(LearnError::Stale { step: 2, .. }));
    let parameters = trainer.model().parameters();
    assert!(parameters.iter().all(|(_, parameter)| stale(parameter.values())));
    assert!(parameters.clone().iter().all(|(_, parameter)| stale(parameter.values())));
    assert_ne!(*parameters, *parameters, "what cannot be read is equal to nothing");
    let error = checkpoints.save(&trainer, &Notes::new()).unwrap_err();
    let CheckpointError::Learn(LearnError::Stale { step: 2, .. }) = error else {
        panic!("{error}")
    };
    let error = Engine::new().infer(trainer.model(), &batch).unwrap_err().to_string();
    assert!(error.contains("watched, which failed"), "{error}");
    // A new trainer continues from the checkpoint, on a device that works, and so does this one.
    let (mut resumed, resumed_graphs) = training(&Device::cpu());
    checkpoints.resume(&mut resumed).unwrap().unwrap();
    assert_eq!(values(resumed.model()), second);
    let mut same = trainer.engine(Engine::new());
    checkpoints.resume(&mut same).unwrap().unwrap();
    assert_eq!(values(same.model()), second);
    steps(&mut resumed, &resumed_graphs, 1);
    steps(&mut same, &graphs, 1);
    assert_eq!(values(resumed.model()), values(same.model()));
}

/// Wherever a step fails, the host still has the parameters from before that step.
#[test]
fn a_failed_step_moves_nothing() {
    let Some(_) = crate::emulator::compiler() else { return };
    LAUNCHES.into_iter().for_each(fails_without_moving);
}

fn fails_without_moving(launches: Launches) {
    let watched = Watched::default();
    let device = watched.device_with(launches);
    let (mut uninterrupted, graphs) = training(&device);
    steps(&mut uninterrupted, &graphs, 1);
    let first = values(uninterrupted.model());
    for launches in [0, 5, 12, 25, 40, 100, 140, 160, 180] {
        let (mut trainer, graphs) = training(&device);
        steps(&mut trainer, &graphs, 1);
        assert_eq!(values(trainer.model()), first);
        let batch = trainer.model().minibatch(&graphs).unwrap();
        watched.set_fault(Some(Fault::LostAfter(launches)));
        let taken = trainer.step(&batch);
        watched.set_fault(None);
        match taken {
            Ok(_) => assert_ne!(values(trainer.model()), first),
            Err(error) => {
                assert!(matches!(error, TrainError::Device { step: 1, kept: 1, .. }), "{error}");
                assert_eq!(values(trainer.model()), first, "{launches}: {error}");
            }
        }
    }
}

/// Losses and gradients that are not finite give the errors of the CPU.
#[test]
fn non_finite_numbers_are_named() {
    let Some(_) = crate::emulator::compiler() else { return };
    let watched = Watched::default();
    let errors = [Device::cpu(), watched.device()].map(|device| {
        let (functions, mut model) = Sentiment::model::<f32>(4, 1);
        let id = model.parameters().find("phrase.b").unwrap();
        let trees = functions.trees(&model, 3, 4, 6);
        let batch = model.minibatch(trees.iter().map(|(graph, _)| graph)).unwrap();
        let good = model.parameters().get(id).values().unwrap().to_vec();
        model.parameters_mut().get_mut(id).values_mut().unwrap()[0] = f32::NAN;
        let engine = Engine::on(&device).unwrap();
        let mut trainer = Trainer::new(model, Sgd::new(0.1)).engine(engine);
        let of_loss = trainer.step(&batch).unwrap_err();
        assert!(matches!(of_loss, TrainError::Loss { step: 0, .. }), "{of_loss}");
        let parameters = trainer.model_mut().parameters_mut();
        parameters.get_mut(id).set_values(&good).unwrap();
        trainer.step(&batch).unwrap();
        // This value is finite, but the square of its gradient is not.
        let word = trainer.model().parameters().find("word.w").unwrap();
        let parameters = trainer.model_mut().parameters_mut();
        parameters.get_mut(word).values_mut().unwrap()[0] = f32::MAX;
        let of_gradient = trainer.step(&batch).map(|step| step.loss.is_finite());
        let of_gradient = of_gradient.map_or_else(|error| error.to_string(), |ok| ok.to_string());
        (of_loss.to_string(), of_gradient, trainer.steps())
    });
    assert_eq!(errors[0].0, errors[1].0);
    assert_eq!(errors[0].2, errors[1].2);
    assert_eq!(errors[0].1, errors[1].1);
}
