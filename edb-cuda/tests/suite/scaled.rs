//! Loss scaling: in `f16`, gradients would otherwise vanish or overflow.

use edb::engine::{LossScale, Seeds};
use edb::learn::{Descent, LearnError, Optimizer};
use edb::prelude::*;
use edb::trainer::{Checkpoints, Notes, TrainError};
use edb_compiler::Options;
use edb_cuda::{Launches, Precision};

use crate::nvrtc::sources;
use crate::optimizers::Soft;
use crate::{devices, emulator};
use edb_backend_suite::agreement::drawn;
use edb_backend_suite::models::{Case, all};
use edb_backend_suite::numbers::bits;
use edb_backend_suite::ports::{Memory, Number, Told};

/// A leaf with a state and an output.
#[vertex_function]
pub fn ear(#[param(H)] w: Tensor) {
    let Number { x } = pull();
    let h = (w * x).tanh();
    push(Told { y: h * x });
    scatter(Memory { h });
}

/// A loss with a gradient below the least number of `f16`.
#[vertex_function]
pub fn faint() {
    let Memory { h } = gather(0);
    loss(h.sum() * 1e-8);
}

/// A loss whose gradient is in the range of `f16`, but not if it is scaled up far.
#[vertex_function]
pub fn loud() {
    let Memory { h } = gather(0);
    loss(h.sum() * 200.0);
}

/// A loss whose gradient is not finite.
#[vertex_function]
pub fn broken() {
    let Memory { h } = gather(0);
    loss((h * 0.0).sqrt().sum());
}

const X: [f32; 5] = [0.3, -0.7, 1.1, 0.5, -2.0];

/// A model of an ear and of `F` above it, with a graph of both, the ear's function and its vertex.
fn model<F>() -> (Model<f32>, Graph<f32>, Function<ear>, Vertex<Memory>)
where
    F: for<'a> VertexFunction<Children<'a> = [Vertex<Memory>; 1], Input = ()>,
{
    let mut builder = ModelBuilder::new();
    let ear_function =
        builder.add::<ear>(dims! { H: X.len() }.init("w", Initializer::Uniform { bound: 1.0 }));
    let above = builder.add::<F>(dims! {});
    let model: Model<f32> = builder.build(1).unwrap();
    let mut g = model.graph();
    let x = g.tensor(&X);
    let below = g.add(&ear_function, (), Number { x });
    g.add(&above, [below], ());
    (model, g, ear_function, below)
}

/// The gradients of `w` and of `x`, where each element of the ear's output is given the gradient
/// `seed`.
fn gradients<F>(engine: Engine<f32>, seed: f32) -> [Vec<f32>; 2]
where
    F: for<'a> VertexFunction<Children<'a> = [Vertex<Memory>; 1], Input = ()>,
{
    let (model, g, ear_function, below) = model::<F>();
    let batch = model.minibatch([&g]).unwrap();
    let mut seeds = Seeds::new();
    seeds.push(&ear_function, below, "y", &[seed; X.len()]);
    let mut engine = engine;
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let gradients = run.backward_with(&seeds).unwrap();
    let (w, _) = model.parameters().iter().next().unwrap();
    let of_w = gradients.to_dense(w).iter().copied().collect();
    let of_x = run.input_gradient(&ear_function, below).unwrap().x.iter().copied().collect();
    [of_w, of_x]
}

fn close(expected: &[f32], found: &[f32]) {
    let most = expected.iter().fold(0.0, |most, x| x.abs().max(most));
    for (expected, found) in expected.iter().zip(found) {
        assert!((expected - found).abs() <= 4.0 / 2048.0 * most, "{found:e}, not {expected:e}");
    }
}

#[test]
fn small_gradients_arrive() {
    let expected = gradients::<faint>(Engine::new(), 3e-9);
    assert!(expected.iter().flatten().all(|x| *x != 0.0 && x.abs() < 1e-7), "{expected:?}");
    for device in devices::all(Precision::F16) {
        let engine = || Engine::on(&device).unwrap();
        let found = gradients::<faint>(engine(), 3e-9);
        close(&expected[0], &found[0]);
        close(&expected[1], &found[1]);
        let lost = gradients::<faint>(engine().start_loss_scale(1.0), 3e-9);
        assert!(lost.iter().flatten().all(|x| *x == 0.0), "{lost:?}");
    }
}

/// Without a trainer, the backward pass itself finds a loss scale that fits.
#[test]
fn large_gradients_arrive() {
    let expected = gradients::<loud>(Engine::new(), 0.1);
    for device in devices::all(Precision::F16) {
        let engine = || Engine::on(&device).unwrap();
        let found = gradients::<loud>(engine(), 0.1);
        close(&expected[0], &found[0]);
        close(&expected[1], &found[1]);
        // A power of two changes no bits, unless a number vanishes or overflows.
        assert_eq!(gradients::<loud>(engine().start_loss_scale(64.0), 0.1), found);
        assert_eq!(gradients::<loud>(engine().start_loss_scale(128.0), 0.1), found);
    }
}

/// Without a trainer, gradients that are infinite at any scale are returned as they are, and the
/// loss scale stays as it was.
#[test]
fn an_infinite_gradient_leaves_the_scale() {
    let Some(_) = crate::emulator::compiler() else { return };
    let (model, g, ..) = model::<broken>();
    let batch = model.minibatch([&g]).unwrap();
    let mut engine = Engine::on(&emulator::device(Precision::F16)).unwrap();
    let gradients = engine.forward(&model, &batch, 0).unwrap().backward().unwrap();
    assert!(gradients.check_finite().is_err());
    assert_eq!(engine.loss_scale(), Some(LossScale::default()));
}

fn trainer<F>(
    engine: Engine<f32>,
    optimizer: impl Optimizer<f32> + 'static,
) -> (Trainer, Graph<f32>)
where
    F: for<'a> VertexFunction<Children<'a> = [Vertex<Memory>; 1], Input = ()>,
{
    let (model, g, ..) = model::<F>();
    (Trainer::new(model, optimizer).engine(engine), g)
}

/// The trainer's loss scale; 1 if there is none.
fn factor(trainer: &Trainer) -> f64 {
    trainer.loss_scale().map_or(1.0, LossScale::factor)
}

/// The trainer skips steps until the scale fits, and then continues as if it had started with that
/// scale.
fn skips(device: &Device, optimizer: impl Optimizer<f32> + Clone + 'static, guarded: bool) {
    let trainer = |start: f64| {
        let engine = Engine::on(device).unwrap().start_loss_scale(start);
        let (trainer, g) = trainer::<loud>(engine, optimizer.clone());
        let trainer = trainer.clip_norm(3.0).ema(0.5).unwrap();
        (if guarded { trainer } else { trainer.skip_finite_check() }, g)
    };
    let (mut adapting, g) = trainer(32768.0);
    let batch = adapting.model().minibatch([&g]).unwrap();
    let first = bits(adapting.model());
    let mut skipped = 0;
    let step = loop {
        let before = factor(&adapting);
        let step = adapting.step(&batch).unwrap();
        assert!(step.loss.is_finite());
        if !step.skipped {
            break step;
        }
        skipped += 1;
        assert_eq!(step.gradient_norm, None);
        assert_eq!(factor(&adapting), before / 2.0);
        assert_eq!(bits(adapting.model()), first, "nothing has moved");
    };
    // 200 times 2^8 is less than 65504, 200 times 2^9 is not.
    assert_eq!((skipped, factor(&adapting), adapting.steps()), (7, 256.0, 8));
    assert!(step.gradient_norm.unwrap().is_finite());
    assert_ne!(bits(adapting.model()), first);

    // A trainer that starts with that scale. Its steps have other numbers, but nothing here is
    // drawn or decays by the number of the step.
    let (mut fitting, g) = trainer(256.0);
    let same = fitting.model().minibatch([&g]).unwrap();
    assert_eq!(fitting.step(&same).unwrap(), step);
    for _ in 0..3 {
        assert_eq!(fitting.step(&same).unwrap(), adapting.step(&batch).unwrap());
        assert_eq!(bits(fitting.model()), bits(adapting.model()));
    }
    for trainer in [&mut adapting, &mut fitting] {
        assert!(trainer.swap_averages().unwrap());
    }
    assert_eq!(bits(fitting.model()), bits(adapting.model()));
}

#[test]
fn an_overflow_skips_the_step() {
    for device in devices::all(Precision::F16) {
        skips(&device, Adam::new(0.1), true);
        skips(&device, Adam::new(0.1), false);
    }
    for device in devices::both(Precision::F16, Launches::Single) {
        skips(&device, Descent::with(Soft, 0.01), true);
    }
}

/// If lowering the scale does not help, the infinite gradient is the same error as on the CPU, and
/// nothing has moved.
#[test]
fn infinite_gradients_are_errors() {
    let (mut on_cpu, g) = trainer::<broken>(Engine::new(), Adam::new(0.1));
    let batch = on_cpu.model().minibatch([&g]).unwrap();
    let TrainError::Gradient { step: 0, error: expected, .. } = on_cpu.step(&batch).unwrap_err()
    else {
        panic!("the gradient is infinite");
    };
    assert!(matches!(*expected, LearnError::NotFinite { .. }), "{expected}");
    for device in devices::all(Precision::F16) {
        let (mut guarded, g) = trainer::<broken>(Engine::on(&device).unwrap(), Adam::new(0.1));
        let batch = guarded.model().minibatch([&g]).unwrap();
        let first = bits(guarded.model());
        for _ in 0..15 {
            assert!(guarded.step(&batch).unwrap().skipped);
        }
        for _ in 0..2 {
            let error = guarded.step(&batch).unwrap_err();
            let TrainError::Gradient { step: 15, error, .. } = error else { panic!("{error}") };
            assert_eq!(error.to_string(), expected.to_string());
        }
        assert_eq!((factor(&guarded), bits(guarded.model())), (1.0, first));

        // Without the guard it is no error.
        let (unguarded, g) = trainer::<broken>(Engine::on(&device).unwrap(), Adam::new(0.1));
        let mut unguarded = unguarded.skip_finite_check();
        let batch = unguarded.model().minibatch([&g]).unwrap();
        for step in 0..16 {
            assert_eq!(unguarded.step(&batch).unwrap().skipped, step < 15);
        }
        assert!(bits(unguarded.model()).iter().any(|bits| f64::from_bits(*bits).is_nan()));
    }
}

/// Only `f16` has a loss scale.
#[test]
fn other_precisions_are_not_scaled() {
    let Some(_) = crate::emulator::compiler() else { return };
    assert_eq!(Engine::<f32>::new().start_loss_scale(8.0).loss_scale(), None);
    for precision in [Precision::Full, Precision::Tf32, Precision::Bf16] {
        let engine = Engine::<f32>::on(&emulator::device(precision)).unwrap();
        assert_eq!(engine.start_loss_scale(8.0).loss_scale(), None, "{precision}");
    }
    let engine = Engine::<f32>::on(&emulator::device(Precision::F16)).unwrap();
    assert_eq!(engine.loss_scale(), Some(LossScale::default()));
}

/// Kernels of other precisions contain the number 1 instead, which changes no bits.
#[test]
fn only_kernels_of_f16_read_a_scale() {
    for precision in [Precision::Full, Precision::Tf32, Precision::Bf16, Precision::F16] {
        let sources = sources::<f32>(8, precision);
        let reads = sources.iter().any(|source| source.text.contains("loss_scale"));
        assert_eq!(reads, precision == Precision::F16, "{precision}");
    }
}

/// A resumed run continues with the saved scale, and starts with a new one if the checkpoint has
/// none.
#[test]
fn a_checkpoint_holds_the_scale() {
    let Some(_) = crate::emulator::compiler() else { return };
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    let device = emulator::device(Precision::F16);
    let engine = || Engine::on(&device).unwrap();
    let (mut saved, g) = trainer::<loud>(engine(), Adam::new(0.1));
    let batch = saved.model().minibatch([&g]).unwrap();
    while saved.step(&batch).unwrap().skipped {}
    checkpoints.save(&saved, &Notes::new()).unwrap();
    let (mut resumed, g) = trainer::<loud>(engine(), Adam::new(0.1));
    checkpoints.resume(&mut resumed).unwrap().unwrap();
    assert_eq!(resumed.loss_scale(), saved.loss_scale());
    assert_eq!(factor(&resumed), 256.0);
    let batch = resumed.model().minibatch([&g]).unwrap();
    let step = resumed.step(&batch).unwrap();
    assert!(!step.skipped);
    drop(saved);

    // Through the CPU, which has no loss scale.
    let (mut on_cpu, _) = trainer::<loud>(Engine::new(), Adam::new(0.1));
    checkpoints.resume(&mut on_cpu).unwrap().unwrap();
    assert_eq!(on_cpu.loss_scale(), None);
    checkpoints.save(&on_cpu, &Notes::new()).unwrap();
    let (mut again, _) = trainer::<loud>(engine(), Adam::new(0.1));
    checkpoints.resume(&mut again).unwrap().unwrap();
    assert_eq!(again.loss_scale(), Some(LossScale::default()));
}

/// Gradient statistics are unscaled.
#[test]
fn statistics_are_unscaled() {
    let Some(_) = crate::emulator::compiler() else { return };
    let statistics = |engine: Engine<f32>| {
        let (mut trainer, g) = trainer::<loud>(engine, Sgd::new(0.1));
        let batch = trainer.model().minibatch([&g]).unwrap();
        trainer.gradient_statistics(&batch).unwrap()[0].norm
    };
    let expected = statistics(Engine::new());
    let found = statistics(Engine::on(&emulator::device(Precision::F16)).unwrap());
    assert!((expected - found).abs() <= 1e-2 * expected, "{found}, not {expected}");
}

/// Twenty steps of a cell from any initial scale are the same as from the scale at which they end.
#[test]
fn a_cell_trains_at_any_scale() {
    let Some(_) = crate::emulator::compiler() else { return };
    let device = emulator::device(Precision::F16);
    let losses = |start: f64| {
        let Case { model, graphs, .. } = all::<f32>(8).swap_remove(0);
        let engine = Engine::on(&device).unwrap().start_loss_scale(start);
        let mut trainer = Trainer::new(model, Adam::new(4e-2)).engine(engine).clip_norm(1.0);
        let batch = trainer.model().minibatch(&graphs).unwrap();
        let mut losses = Vec::new();
        while losses.len() < 10 {
            let step = trainer.step(&batch).unwrap();
            if !step.skipped {
                losses.push(step.mean_loss());
            }
        }
        (losses, factor(&trainer))
    };
    let (expected, end) = losses(2.0_f64.powi(24));
    assert!(end < 2.0_f64.powi(24), "{end} is no number of `f16`");
    assert_eq!(losses(end).0, expected);
}

/// Every access is checked, and memory that was not written reads as NaN.
#[test]
fn random_programs_use_their_own_memory() {
    let Some(_) = crate::emulator::compiler() else { return };
    for seed in 4..7 {
        let (model, graphs) = drawn::<f32>(seed, Options::default(), 1..2, 9..10);
        let batch = model.minibatch(&graphs).unwrap();
        let mut engine = Engine::on(&emulator::device(Precision::F16)).unwrap();
        engine.forward(&model, &batch, 1).unwrap().backward().unwrap();
    }
}
