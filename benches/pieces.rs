//! The parts of a training step, each measured alone: merging graphs into a minibatch, scheduling,
//! products with weights, and a whole step.
//!
//! `cargo bench --bench pieces` runs on one thread. The throughput counts vertices, and for
//! products multiplications.

use std::time::Duration;

use cells::lattice_edbatch::{self as lattice, EdBatchLattice};
use cells::tree_lstm::{Gold, TreeLstm, Word};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use edb::prelude::*;
use edb::schedule::Encoding;
use edb::schedule::{LearnOptions, Learner};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

const WORDS: usize = 1000;
const CLASSES: u32 = 5;

/// A Tree-LSTM with `hidden` hidden units.
fn tree_lstm(hidden: usize) -> (TreeLstm, Model) {
    let mut builder = ModelBuilder::new();
    let functions = TreeLstm::new(&mut builder, WORDS, hidden, CLASSES as usize);
    (functions, builder.build(1).unwrap())
}

/// Binary trees over 5 to 40 words, with random brackets.
fn trees(functions: &TreeLstm, model: &Model, count: usize) -> Vec<Graph> {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let tree = |_| {
        let mut g = model.graph();
        let word = |rng: &mut ChaCha8Rng| Word {
            id: rng.random_range(0..WORDS as u32).into(),
            label: rng.random_range(0..CLASSES).into(),
        };
        let mut open: Vec<_> = (0..rng.random_range(5..=40))
            .map(|_| g.add(&functions.leaf, (), word(&mut rng)))
            .collect();
        while open.len() > 1 {
            let left = rng.random_range(0..open.len() - 1);
            let label = rng.random_range(0..CLASSES).into();
            let right = open.remove(left + 1);
            open[left] = g.add(&functions.inner, [open[left], right], Gold { label });
        }
        g
    };
    (0..count).map(tree).collect()
}

/// Lattices of 10 to 40 characters; at about half of them a word of two to four characters ends.
fn lattices(functions: &EdBatchLattice, model: &Model, count: usize) -> Vec<Graph> {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let lattice = |_| {
        let mut g = model.graph();
        let mut token = || lattice::Token { id: rng.random_range(0..WORDS as u32).into() };
        let mut after = vec![g.add(&functions.start, (), ())];
        let length = 10 + token().id.0 as usize % 31;
        for place in 0..length {
            let before = |back: usize| after[(place + 1).saturating_sub(back)];
            let character = g.add(&functions.character, [before(1)], token());
            let size = 2 + token().id.0 as usize % 6;
            let arcs: Vec<_> = match size <= 4 && size <= place + 1 {
                true => vec![character, g.add(&functions.word, [before(size)], token())],
                false => vec![character],
            };
            let state = g.add(&functions.join, &arcs, ());
            g.add(&functions.tag, [state], lattice::Gold { tag: Index(0) });
            after.push(state);
        }
        g
    };
    (0..count).map(lattice).collect()
}

/// Checks graphs and joins them into a minibatch.
fn merge(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("merge");
    let (functions, model) = tree_lstm(16);
    for count in [1, 32, 256] {
        let graphs = trees(&functions, &model, count);
        let vertices: usize = graphs.iter().map(Graph::len).sum();
        group.throughput(Throughput::Elements(vertices as u64));
        group.bench_function(BenchmarkId::new("trees", count), |bencher| {
            bencher.iter(|| model.minibatch(&graphs).unwrap());
        });
    }
    group.finish();
}

/// Schedules lattices: trees would need no policy.
fn schedule(criterion: &mut Criterion) {
    let mut builder = ModelBuilder::new();
    let functions = EdBatchLattice::new(&mut builder, [WORDS, WORDS, 1], 16);
    let model: Model = builder.build(1).unwrap();
    let batch = model.minibatch(&lattices(&functions, &model, 32)).unwrap();
    let (graph, _) = Engine::new().type_graph(&model, &batch).unwrap();
    let mut group = criterion.benchmark_group("schedule");
    group.throughput(Throughput::Elements(graph.len() as u64));
    let options = LearnOptions { learner: Learner::Fsm(Encoding::Sort), ..LearnOptions::default() };
    let learned = Policy::learn(std::slice::from_ref(&graph), &options).unwrap();
    for policy in Policy::ALL.iter().cloned().chain([learned]) {
        group.bench_function(BenchmarkId::new("32 lattices", &policy), |bencher| {
            bencher.iter(|| policy.schedule(&graph));
        });
    }
    group.finish();
}

#[derive(Input)]
struct Row {
    x: Tensor,
}

#[derive(Output)]
struct Product {
    y: Tensor,
}

#[vertex_function]
fn product(#[param(M, N)] w: Tensor) {
    let Row { x } = pull();
    push(Product { y: w.dot(x) });
}

/// A product with packed weights over the rows of a minibatch, including the reading of rows and
/// the storing of results.
fn products(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("product");
    for size in [64, 256, 512] {
        let mut builder = ModelBuilder::new();
        let function = builder.add::<product>(dims! { M: 4 * size, N: size });
        let model: Model = builder.build(1).unwrap();
        for rows in [1, 4, 16, 64, 256] {
            let mut g = model.graph();
            for row in 0..rows {
                let x: Vec<f32> =
                    (0..size).map(|column| ((row * 7 + column) % 13) as f32 - 6.0).collect();
                let x = g.tensor(&x);
                g.add(&function, (), Row { x });
            }
            let batch = model.minibatch([&g]).unwrap();
            let mut engine = Engine::new();
            group.throughput(Throughput::Elements((rows * 4 * size * size) as u64));
            group.bench_function(format!("{}x{size}/{rows} rows", 4 * size), |bencher| {
                bencher.iter(|| engine.infer(&model, &batch).unwrap().loss().unwrap());
            });
        }
    }
    group.finish();
}

/// Forward, backward and update, for a minibatch made beforehand.
fn step(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("step");
    for (hidden, count) in [(64, 1), (64, 32), (256, 1), (256, 32)] {
        let (functions, model) = tree_lstm(hidden);
        let batch = model.minibatch(&trees(&functions, &model, count)).unwrap();
        let mut trainer = Trainer::new(model, Sgd::new(1e-3));
        group.throughput(Throughput::Elements(batch.vertex_count() as u64));
        group.bench_function(format!("{hidden} units/{count} trees"), |bencher| {
            bencher.iter(|| trainer.step(&batch).unwrap());
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = merge, schedule, products, step
}
criterion_main!(benches);
