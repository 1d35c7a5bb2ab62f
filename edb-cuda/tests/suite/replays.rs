//! Recorded launches: they give the bits of single launches, and few recordings serve many
//! minibatches.

use edb::Element;
use edb::prelude::*;
use edb_compiler::Options;
use edb_cuda::{CudaOptions, Launches, Precision};

use crate::devices::{self, on};
use crate::nvrtc::Notes;
use crate::watched::Watched;
use edb_backend_suite::agreement::drawn;
use edb_backend_suite::models::{Case, all};
use edb_backend_suite::numbers::{gradient_bits, values};
use edb_backend_suite::zoo::Sentiment;

/// The losses and gradients of a minibatch, as the bits of `f64` numbers that hold them exactly.
fn results<T: Element>(device: &Device, model: &Model<T>, graphs: &[Graph<T>]) -> Vec<u64> {
    let batch = model.minibatch(graphs).unwrap();
    let mut bits = Vec::new();
    for policy in [Policy::Depth, Policy::Agenda] {
        let mut engine = Engine::on(device).unwrap().seed(3).policy(policy);
        let mut run = engine.forward(model, &batch, 7).unwrap();
        let gradients = run.backward().unwrap();
        for (number, graph) in graphs.iter().enumerate() {
            let losses = (0..graph.len()).map(|vertex| run.vertex_loss(number, vertex).unwrap());
            bits.extend(losses.map(f64::to_bits));
        }
        bits.extend(gradient_bits(model, &gradients));
        let loss = engine.infer(model, &batch).unwrap().loss().unwrap();
        bits.push(loss.to_bits());
    }
    bits
}

/// Checks that recorded launches give the bits of single ones; returns how many recordings there
/// were.
fn same<T: Element>(
    name: &str,
    model: &Model<T>,
    graphs: &[Graph<T>],
    precision: Precision,
) -> usize {
    let options = CudaOptions::new().precision(precision);
    let watched = Watched::default();
    let single = watched.device_with(options.launches(Launches::Tiled));
    let expected = results(&single, model, graphs);
    assert_eq!(watched.replayed(), 0, "{name}");
    let graphs_of = watched.device_with(options.launches(Launches::Graphs));
    assert!(results(&graphs_of, model, graphs) == expected, "{name} in {precision}");
    watched.recorded().len()
}

#[test]
#[ignore = "takes a minute in the emulator: `.ci/run gpu`"]
fn cells_have_the_bits_of_single_launches() {
    let Some(_) = crate::emulator::compiler() else { return };
    for Case { name, model, graphs } in all::<f64>(5) {
        assert!(same(name, &model, &graphs, Precision::Full) > 0, "{name}");
    }
    for precision in [Precision::Tf32, Precision::Bf16, Precision::F16] {
        for Case { name, model, graphs } in all::<f32>(18) {
            same(name, &model, &graphs, precision);
        }
    }
}

#[test]
fn random_programs_have_the_bits_of_single_launches() {
    let Some(_) = crate::emulator::compiler() else { return };
    let mut recorded = 0;
    // Seeds that another test uses too, so that their kernels are compiled once.
    for seed in 100..104 {
        let (model, graphs) = drawn::<f32>(seed, Options::default(), 1..5, 1..14);
        recorded += same(&format!("seed {seed}"), &model, &graphs, Precision::Full);
    }
    assert!(recorded > 8, "{recorded} recordings");
}

/// The bits of a graph's loss do not depend on the other graphs or on the size of the minibatch,
/// because sums have a fixed order.
#[test]
fn a_row_does_not_depend_on_the_others() {
    let Some(_) = crate::emulator::compiler() else { return };
    let (functions, model) = Sentiment::model::<f32>(18, 6);
    let graphs: Vec<_> =
        functions.trees(&model, 7, 9, 6).into_iter().map(|(graph, _)| graph).collect();
    let device = Watched::default().device_with(Launches::Graphs);
    let losses = |graphs: &[Graph<f32>]| {
        let batch = model.minibatch(graphs).unwrap();
        let mut engine = Engine::on(&device).unwrap();
        let run = engine.infer(&model, &batch).unwrap();
        (0..graphs[0].len()).map(|vertex| run.vertex_loss(0, vertex).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(losses(&graphs[..1]), losses(&graphs));
}

/// `count` graphs, each a chain of `length` words.
fn chains(
    model: &Model<f32>,
    functions: &Sentiment,
    length: usize,
    count: usize,
) -> Vec<Graph<f32>> {
    let chain = |_| {
        let mut g = model.graph();
        let word = |g: &mut Graph<f32>| {
            g.add(&functions.word, (), edb_backend_suite::zoo::sentiment::Word { id: 3_u32.into() })
        };
        let mut state = word(&mut g);
        for _ in 0..length {
            let next = word(&mut g);
            state = g.add(&functions.phrase, [state, next], ());
        }
        let label = 1_u32.into();
        g.add(&functions.judge, [state], edb_backend_suite::zoo::sentiment::Gold { label });
        g
    };
    (0..count).map(chain).collect()
}

/// A recording depends on the minibatch only by two rounded numbers, those of its batches and rows.
#[test]
fn minibatches_of_about_one_size_share_a_recording() {
    let Some(_) = crate::emulator::compiler() else { return };
    let watched = Watched::default();
    let (functions, model) = Sentiment::model::<f32>(4, 6);
    let mut engine = Engine::on(&watched.device_with(Launches::Graphs)).unwrap();
    let mut infer = |length: usize, count: usize| {
        let batch = model.minibatch(&chains(&model, &functions, length, count)).unwrap();
        let expected = Engine::new().infer(&model, &batch).unwrap().loss().unwrap();
        let found = engine.infer(&model, &batch).unwrap().loss().unwrap();
        assert!((expected - found).abs() <= 1e-4 * expected, "{found}, not {expected}");
        assert_eq!(watched.replayed(), 1);
        watched.recorded()
    };
    let first = infer(17, 5);
    assert_eq!(first.len(), 1);
    assert_eq!(first[0] % 20, 0, "17 batches have room for 20: {first:?}");
    let launches = first[0] / 20;
    // Shorter chains and fewer of them round to the same numbers.
    for (length, count) in [(20, 8), (18, 6), (17, 5)] {
        assert_eq!(infer(length, count), first);
    }
    // Then more batches, fewer batches, more rows, and two minibatches like earlier ones.
    assert_eq!(infer(21, 5), [20 * launches, 24 * launches]);
    assert_eq!(infer(3, 5), [20 * launches, 24 * launches, 3 * launches]);
    assert_eq!(infer(17, 70), [20, 24, 3, 20].map(|turns| turns * launches));
    assert_eq!(infer(19, 7).len(), 4);
    assert_eq!(infer(19, 100).len(), 4);
}

/// A schedule with more batches than a recording holds is replayed in parts.
#[test]
fn a_long_schedule_is_replayed_in_parts() {
    let Some(_) = crate::emulator::compiler() else { return };
    let watched = Watched::default();
    let (functions, model) = Sentiment::model::<f32>(3, 6);
    let graphs = chains(&model, &functions, 2100, 1);
    let batch = model.minibatch(&graphs).unwrap();
    let mut engine = Engine::on(&watched.device_with(Launches::Graphs)).unwrap();
    let expected = Engine::new().infer(&model, &batch).unwrap().loss().unwrap();
    let found = engine.infer(&model, &batch).unwrap().loss().unwrap();
    assert!((expected - found).abs() <= 1e-4 * expected, "{found}, not {expected}");
    let recorded = watched.recorded();
    assert!(recorded.iter().all(|launches| *launches <= 2048), "{recorded:?}");
    assert!(watched.replayed() > 1 && recorded.len() <= 2, "{recorded:?}");
}

/// The number of recorded launches is limited: the oldest recordings are forgotten.
#[test]
fn recorded_launches_are_limited() {
    let notes = Notes::default();
    let mut engine = Engine::on(&on(notes.clone(), Launches::Graphs)).unwrap();
    for hidden in [3, 5, 9, 17, 33, 65] {
        let (functions, model) = Sentiment::model::<f32>(hidden, 6);
        for length in [310, 340, 400, 450, 500] {
            let graphs = chains(&model, &functions, length, 1);
            let batch = model.minibatch(&graphs).unwrap();
            engine.infer(&model, &batch).unwrap();
            engine.forward(&model, &batch, 0).unwrap().backward().unwrap();
        }
    }
    let recorded = notes.recorded();
    let launches: usize = recorded.iter().sum();
    assert!(launches <= 65_536 && launches > 60_000, "{launches} launches are kept");
    let first = recorded.iter().position(|launches| *launches > 0).unwrap();
    assert!(first > 0 && recorded[first..].iter().all(|launches| *launches > 0), "{recorded:?}");
    drop(engine);
    assert!(notes.recorded().iter().all(|launches| *launches == 0));
}

/// With CUDA graphs, training gives the parameters of single launches bit for bit, and those of the
/// CPU approximately.
#[test]
fn training_has_the_bits_of_single_launches() {
    let trained = |device: &Device, case: usize| {
        let Case { model, graphs, .. } = all::<f32>(8).swap_remove(case);
        let engine = Engine::on(device).unwrap().seed(5);
        let mut trainer = Trainer::new(model, Adam::new(1e-2)).engine(engine).clip_norm(1.0);
        for step in 0..4 {
            let graphs = &graphs[..graphs.len() - step % graphs.len()];
            let batch = trainer.model().minibatch(graphs).unwrap();
            trainer.step(&batch).unwrap();
        }
        values(trainer.model())
    };
    let both = |launches| devices::both(Precision::Full, launches);
    for (tiled, graphs) in both(Launches::Tiled).iter().zip(&both(Launches::Graphs)) {
        for case in [0, 3, 4] {
            assert_eq!(trained(graphs, case), trained(tiled, case), "case {case} on {graphs}");
        }
    }
}

/// On a GPU, if there is one: a minibatch that runs again has the same bits, whatever the launches,
/// and CUDA graphs have the bits of single launches.
fn repeats_on_a_gpu(precision: Precision) {
    let gpu = |launches| devices::gpu(CudaOptions::new().precision(precision).launches(launches));
    let all_launches = [Launches::Single, Launches::Tiled, Launches::Graphs];
    let [Some(single), Some(tiled), Some(replayed)] = all_launches.map(gpu) else { return };
    for Case { name, model, graphs } in all::<f32>(8) {
        let repeated = |device: &Device| {
            let found = results(device, &model, &graphs);
            assert!(results(device, &model, &graphs) == found, "{name} on {device}, again");
            found
        };
        repeated(&single);
        assert!(repeated(&replayed) == repeated(&tiled), "{name} in {precision}");
    }
}

// A test for each precision: they run side by side, and most of their time compiles kernels.

edb_backend_suite::tests! {
    a_gpu_repeats_its_bits_in_full: repeats_on_a_gpu(Precision::Full);
    a_gpu_repeats_its_bits_in_tf32: repeats_on_a_gpu(Precision::Tf32);
    a_gpu_repeats_its_bits_in_bf16: repeats_on_a_gpu(Precision::Bf16);
    a_gpu_repeats_its_bits_in_f16: repeats_on_a_gpu(Precision::F16);
}
