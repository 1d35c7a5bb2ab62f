//! Fused kernels of two cells, forward and backward, run in three ways: compiled with this crate,
//! interpreted, and unfused, with a pass over memory for each op.
//!
//! `cargo bench --bench fused`. The throughput counts units of the cell at one vertex, so
//! `1 / thrpt` is the time per unit.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use edb::__private::fused::KernelRunner;
use edb::prelude::*;
use edb_compiler::{Options, replan};
use edb_ir::{Instruction, KernelId, Phase, Plan};

/// The state that a vertex passes to its parent.
#[derive(State)]
pub struct Memory {
    h: Tensor,
    c: Tensor,
}

/// The input of a vertex.
#[derive(Input)]
pub struct Frame {
    x: Tensor,
}

/// An LSTM (Hochreiter and Schmidhuber, 1997).
#[vertex_function]
pub fn lstm(
    #[param(4 * H, H)] w: Tensor,
    #[param(4 * H, H)] u: Tensor,
    #[param(4 * H)] b: Tensor,
    #[dim(H)] size: Dim,
) {
    let Frame { x } = pull();
    let last = gather_or(0, Memory { h: zeros(size), c: zeros(size) });
    let [i, f, o, g] = (w.dot(x) + u.dot(last.h) + b).split();
    let c = i.sigmoid() * g.tanh() + f.sigmoid() * last.c;
    scatter(Memory { h: o.sigmoid() * c.tanh(), c });
}

/// A binary Tree-LSTM (Tai et al., 2015).
#[vertex_function]
pub fn tree_lstm(#[param(5 * H, 2 * H)] u: Tensor, #[param(5 * H)] b: Tensor) {
    let [l, r]: [Memory; 2] = [gather(0), gather(1)];
    let [i, o, g, fl, fr] = (u.dot(concat([l.h, r.h])) + b).split();
    let c = i.sigmoid() * g.tanh() + fl.sigmoid() * l.c + fr.sigmoid() * r.c;
    scatter(Memory { h: o.sigmoid() * c.tanh(), c });
}

/// Elements of a row.
const UNITS: usize = 256;
/// Unused elements between rows. Without them, the addresses of an element's operands would differ
/// by multiples of 1024, and loads would wait for stores that only seem to go to the same address.
const PAD: usize = 16;

/// The kernels of the recurrent phase, forward or backward.
fn kernels(plan: &Plan, backward: bool) -> Vec<KernelId> {
    let phase = if backward { Phase::BackwardRecurrent } else { Phase::Recurrent };
    let kernel = |instruction: &Instruction| match instruction {
        Instruction::Kernel(kernel) => Some(*kernel),
        _ => None,
    };
    plan.routine.phase(phase).filter_map(kernel).collect()
}

fn cell<F: VertexFunction>(criterion: &mut Criterion) {
    let definition = F::definition();
    let separate = replan(definition.own.plan, Options { fusion: false, ..Options::default() });
    // Rows that stay in the level-1 or level-2 cache, and rows that do not.
    for rows in [4, 16, 64, 8192] {
        for (backward, direction) in [(false, "forward"), (true, "backward")] {
            let name = format!("{}/{direction}/{rows} rows", F::NAME);
            let mut group = criterion.benchmark_group(name);
            group.throughput(Throughput::Elements((rows * UNITS) as u64));
            for (form, plan, pad) in [
                ("compiled", definition.own.plan, PAD),
                ("compiled, not padded", definition.own.plan, 0),
                ("interpreted", definition.own.plan, PAD),
                ("separate passes", &separate, PAD),
            ] {
                let mut seed = 0_u32;
                let mut number = || {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (seed >> 8) as f32 / 8_388_608.0 - 1.0
                };
                let width = |shape: &edb_ir::Shape| if shape.is_scalar() { 1 } else { UNITS };
                let mut runner =
                    KernelRunner::new(plan, rows, Vec::new(), pad, &width, &mut number);
                let instructions: Vec<_> = kernels(plan, backward)
                    .into_iter()
                    .map(|kernel| {
                        let compiled = definition.own.kernels.get::<f32>(kernel);
                        (kernel, compiled.filter(|_| form.starts_with("compiled")))
                    })
                    .collect();
                group.bench_function(BenchmarkId::from_parameter(form), |bencher| {
                    bencher.iter(|| {
                        instructions.iter().for_each(|(kernel, compiled)| {
                            runner.run(*kernel, *compiled, &|_| true)
                        });
                    });
                });
            }
            group.finish();
        }
    }
}

fn cells(criterion: &mut Criterion) {
    cell::<lstm>(criterion);
    cell::<tree_lstm>(criterion);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = cells
}
criterion_main!(benches);
