//! Values kept in 16 bits: conversions, cells and training.

use edb::prelude::*;
use edb::testing::{Check, compiled_equals_eager};
use edb_compiler::Options;
use edb_gpu::driver::{Argument, Driver, LaunchShape, Source};
use half::{bf16, f16};
use rand::RngExt;

use crate::devices;
use crate::emulator::{Emulator, prelude};
use crate::nvrtc::library;
use edb_backend_suite::agreement::{drawn, random_growth};
use edb_backend_suite::models::{Case, all};
use edb_backend_suite::narrow::{cells, checkpoints_move_between, trains, unit};
use edb_backend_suite::ports::Number;
use edb_backend_suite::random::rng;

/// Converts numbers of 16 bits to 32, or back, by a kernel in the emulator.
fn converted<X: bytemuck::Pod, Y: bytemuck::Pod>(
    stored: Precision,
    from: &str,
    to: &str,
    x: &[X],
) -> Vec<Y> {
    let library = library::<f32>(stored, false).text;
    let text = format!(
        "{}\nextern \"C\" __global__ void convert(OUT({to}) out, IN({from}) x, u64 count) {{\n  \
           EACH_ROW(count) EACH_COLUMN(1) out[row] = x[row];\n}}\n",
        prelude(&library),
    );
    let emulator = Emulator::default();
    let kernel =
        emulator.load(&Source { text, names: vec!["convert".into()], exact: false }).unwrap()[0];
    let from = emulator.allocate(size_of_val(x)).unwrap();
    let to = emulator.allocate(x.len() * size_of::<Y>()).unwrap();
    emulator.upload(bytemuck::cast_slice(x), from).unwrap();
    let arguments = [Argument::Address(to), Argument::Address(from), Argument::U64(x.len() as u64)];
    let shape = LaunchShape { grid: [64, 1], block: [1, 128] };
    emulator.launch(kernel, shape, &arguments).unwrap();
    let mut found = vec![Y::zeroed(); x.len()];
    emulator.download(to, bytemuck::cast_slice_mut(&mut found)).unwrap();
    emulator.free(from);
    emulator.free(to);
    found
}

/// A 16-bit format by its name in sources: the bits to which a float is rounded, and their value.
struct Format {
    precision: Precision,
    rounded: fn(f32) -> u16,
    widened: fn(u16) -> f32,
}

const FORMATS: [Format; 2] = [
    Format {
        precision: Precision::F16,
        rounded: |x| f16::from_f32(x).to_bits(),
        widened: |bits| f16::from_bits(bits).to_f32(),
    },
    Format {
        precision: Precision::Bf16,
        rounded: |x| bf16::from_f32(x).to_bits(),
        widened: |bits| bf16::from_bits(bits).to_f32(),
    },
];

/// The emulator reads every 16-bit pattern as the `half` crate does.
#[test]
fn numbers_widen_exactly() {
    let Some(_) = crate::emulator::compiler() else { return };
    let bits: Vec<u16> = (0..=u16::MAX).collect();
    for Format { precision, widened, .. } in FORMATS {
        let found: Vec<f32> = converted(precision, "stored", "real", &bits);
        for (bits, found) in bits.iter().zip(found) {
            let expected = widened(*bits);
            let same = expected.to_bits() == found.to_bits() || expected.is_nan() && found.is_nan();
            assert!(same, "{precision} {bits:#x}: {found}, not {expected}");
        }
    }
}

/// Floats are rounded to the nearest number of 16 bits, ties to even. This is tested with random
/// floats, and with numbers halfway between neighbours and just beside that.
#[test]
fn numbers_are_rounded_to_the_nearest() {
    let Some(_) = crate::emulator::compiler() else { return };
    let mut rng = rng(1);
    for Format { precision, rounded, widened } in FORMATS {
        let mut x: Vec<f32> = (0..100_000).map(|_| f32::from_bits(rng.random())).collect();
        // Most random floats are outside the range of `f16`; these are inside.
        let within = |_| (rng.random::<f32>() - 0.5) * 2.0_f32.powi(rng.random_range(-30..18));
        x.extend((0..100_000).map(within));
        for bits in 0..=u16::MAX {
            let neighbours = [widened(bits), widened(bits.wrapping_add(1))].map(f64::from);
            let halfway = ((neighbours[0] + neighbours[1]) / 2.0) as f32;
            x.extend([widened(bits), halfway, halfway.next_up(), halfway.next_down()]);
        }
        let found: Vec<u16> = converted(precision, "real", "stored", &x);
        for (x, found) in x.iter().zip(found) {
            let expected = rounded(*x);
            let same = if x.is_nan() { widened(found).is_nan() } else { found == expected };
            assert!(same, "{precision} of {x:e}: {found:#x}, not {expected:#x}");
        }
    }
}

edb_backend_suite::tests! {
    /// 8 units, so that 8 elements are accessed at once.
    #[ignore = "takes long, and cells_in_f16 takes the same way: `.ci/run gpu`"]
    cells_in_bf16: cells(&devices::all(Precision::Bf16), 8, Precision::Bf16);
    /// 12 units, so that 4 elements are accessed at once.
    cells_in_f16: cells(&devices::all(Precision::F16), 12, Precision::F16);
}

/// The output of [`cost`].
#[derive(Output)]
pub struct Said {
    pub cost: Tensor,
}

/// The input of [`twice`]: an output of [`cost`].
#[derive(Input)]
pub struct Heard {
    pub cost: Tensor,
}

/// A loss that is also an output.
#[vertex_function]
pub fn cost(#[param(X)] w: Tensor) {
    let Number { x } = pull();
    let cost = (w * x).sum();
    push(Said { cost });
    loss(cost);
}

/// A loss computed from another vertex's loss.
#[vertex_function]
pub fn twice(#[param(1)] w: Tensor) {
    let Heard { cost } = pull();
    loss(cost.tanh() * w.sum());
}

/// Whether all numbers are representable in `Bf16`.
fn rounded(values: impl IntoIterator<Item = f32>) -> bool {
    values.into_iter().all(|value| bf16::from_f32(value).to_f32() == value)
}

/// States are kept in 16 bits; losses keep 32, even where other vertices read them.
#[test]
fn losses_keep_32_bits() {
    let mut builder = ModelBuilder::new();
    // Biases would start at zero.
    let init = Initializer::Uniform { bound: 1.0 };
    let cost = builder.add::<cost>(dims! { X: 7 }.init("w", init));
    let twice = builder.add::<twice>(dims! {}.init("w", init));
    let model: Model<f32> = builder.build(1).unwrap();
    let mut g = model.graph();
    let x = g.tensor(&[0.3, -0.7, 1.1, 0.013, 2.7, -0.11, 5.3]);
    let first = g.add(&cost, (), Number { x });
    let heard = Heard { cost: g.output(&cost, first).cost };
    g.add(&twice, (), heard);
    let batch = model.minibatch(&[g]).unwrap();
    for device in devices::all(Precision::Bf16) {
        let check = Check {
            devices: vec![device.clone()],
            tolerance: Some(2.0 * unit(Precision::Bf16)),
            ..Check::default()
        };
        compiled_equals_eager(&model, &batch, &check).unwrap();
        let mut engine = Engine::on(&device).unwrap();
        let run = engine.infer(&model, &batch).unwrap();
        let said = run.output(&cost, first).unwrap().cost.iter().copied().collect::<Vec<_>>();
        assert!(!rounded(said.iter().copied()), "{device}: {said:?}");
        assert!(
            !rounded((0..2).map(|vertex| run.vertex_loss(0, vertex).unwrap() as f32)),
            "{device}"
        );

        let Case { model, graphs, .. } = all::<f32>(8).swap_remove(0);
        let batch = model.minibatch(&graphs).unwrap();
        let mut engine = Engine::on(&device).unwrap();
        let run = engine.infer(&model, &batch).unwrap();
        for vertex in 0..graphs[0].len() {
            let h = run.state_at(0, vertex, "h").unwrap().unwrap();
            assert!(rounded(h.iter().copied()), "{device}, vertex {vertex}");
        }
        let losses = (0..graphs[0].len()).map(|vertex| run.vertex_loss(0, vertex).unwrap() as f32);
        assert!(!rounded(losses), "{device}");
    }
}

/// Results of random programs in 8 significant bits cannot be predicted, so they are not compared.
/// But every access is checked, and reading memory before it is written gives NaN.
#[test]
fn random_programs_in_bf16_use_their_own_memory() {
    for seed in 0..4 {
        let (model, graphs) = drawn::<f32>(seed, Options::default(), 1..2, 9..10);
        let batch = model.minibatch(&graphs).unwrap();
        let check = Check {
            devices: devices::all(Precision::Bf16),
            tolerance: Some(f64::INFINITY),
            policies: vec![Policy::Depth],
            ..Check::default()
        };
        compiled_equals_eager(&model, &batch, &check)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    }
}

/// The same of graphs that grow, which also have the bits of what they become.
#[test]
fn random_graphs_grow_in_bf16() {
    random_growth::<f32>(&devices::all(Precision::Bf16), 0..1, Some(f64::INFINITY));
}

/// Values take half of the memory that they take in 32 bits.
fn trains_in_half(hidden: usize, precision: Precision) {
    trains(&devices::all(precision), hidden, precision, |narrow, full| {
        assert_eq!(narrow.report().arena_bytes * 2, full.report().arena_bytes);
    });
}

edb_backend_suite::tests! {
    training_in_bf16: trains_in_half(8, Precision::Bf16);
    training_in_f16: trains_in_half(12, Precision::F16);
}

#[test]
fn checkpoints_move_between_precisions() {
    let Some(_) = crate::emulator::compiler() else { return };
    let device = |precision| crate::emulator::device(precision);
    let narrow = device(Precision::Bf16);
    checkpoints_move_between(&[
        narrow.clone(),
        Device::cpu(),
        device(Precision::Full),
        Device::cpu().precision(Precision::Bf16),
        narrow,
    ]);
}
