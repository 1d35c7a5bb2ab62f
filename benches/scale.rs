//! Time and memory at extreme sizes: chains of a million vertices, a vertex with a million
//! children, minibatches of a hundred thousand graphs, a function of two thousand ops.
//!
//! `cargo bench --bench scale` runs on one thread, and each line in a process of its own, so that
//! memory is measured separately. The ratio compares the time of a step, per unit of size, with
//! that of the line above: near 1, the time is linear.

use std::process::{Command, ExitCode};
use std::time::Instant;
use std::{env, fs};

use edb::prelude::*;
use edb_ir::{Builder, Contraction, Pointwise, Program, Reduction, Shape, Slot};

const HIDDEN: usize = 16;
const WORDS: usize = 100;

#[derive(State)]
struct Sum {
    h: Tensor,
}

#[derive(Input)]
struct Word {
    id: Index,
}

/// A word on its own.
#[vertex_function]
fn word(#[param(V, H)] table: Tensor) {
    let Word { id } = pull();
    scatter(Sum { h: table.row(id).tanh() });
}

/// A word, read after the words before it.
#[vertex_function]
fn next(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor, #[param(H)] first: Tensor) {
    let Word { id } = pull();
    let before = gather_or(0, Sum { h: first });
    let h = (w.dot(before.h) + table.row(id)).tanh();
    scatter(Sum { h });
    loss((h * h).mean());
}

/// The weighted mean of any number of words.
#[vertex_function]
fn all(#[dim(H)] size: Dim, #[param(H, H)] w: Tensor) {
    let (mut sum, mut weights) = (zeros(size), zeros(1).sum());
    for child in gather_all::<Sum>() {
        let weight = w.dot(child.h).sigmoid();
        sum += weight * child.h;
        weights += weight.sum();
    }
    let h = sum / (weights + 1.0);
    scatter(Sum { h });
    loss((h * h).sum());
}

/// A function that makes a model and a minibatch of a given size.
type Make = fn(usize) -> Ready;

/// What is measured: its unit, the sizes, and how it is made.
const CELLS: [(&str, [usize; 4], Make); 4] = [
    ("vertices of a chain", [1_000, 10_000, 100_000, 1_000_000], chain),
    ("children of a vertex", [1_000, 10_000, 100_000, 1_000_000], star),
    ("graphs of a minibatch", [100, 1_000, 10_000, 100_000], graphs),
    ("ops of a function", [250, 500, 1_000, 2_000], ops),
];

/// A model with a minibatch, and the seconds that it took to make what grows.
struct Ready {
    model: Model,
    batch: Minibatch,
    seconds: f64,
}

/// A model of the three functions above, and a minibatch of the graphs that `graphs` makes; the
/// time is that of making graphs and minibatch.
fn ready(
    graphs: impl FnOnce(&Model, &Function<word>, &Function<next>, &Function<all>) -> Vec<Graph>,
) -> Ready {
    let mut builder = ModelBuilder::new();
    let word = builder.add::<word>(dims! { V: WORDS, H: HIDDEN });
    let next = builder.add::<next>(dims! { V: WORDS, H: HIDDEN });
    let all = builder.add::<all>(dims! { H: HIDDEN });
    let model = builder.build(1).unwrap();
    let start = Instant::now();
    let graphs = graphs(&model, &word, &next, &all);
    let batch = model.minibatch(&graphs).unwrap();
    Ready { model, batch, seconds: start.elapsed().as_secs_f64() }
}

fn id(number: usize) -> Word {
    Word { id: ((number * 7 % WORDS) as u32).into() }
}

fn chain(size: usize) -> Ready {
    ready(|model, _, next, _| {
        let mut g = model.graph();
        g.reserve(size);
        let mut before = None;
        for place in 0..size {
            before = Some(g.add(next, [before], id(place)));
        }
        vec![g]
    })
}

fn star(size: usize) -> Ready {
    ready(|model, word, _, all| {
        let mut g = model.graph();
        g.reserve(size);
        let words: Vec<_> = (0..size).map(|place| g.add(word, (), id(place))).collect();
        g.add(all, &words[..], ());
        vec![g]
    })
}

fn graphs(size: usize) -> Ready {
    ready(|model, word, next, all| {
        let graph = |number: usize| {
            let mut g = model.graph();
            let words: Vec<_> =
                (0..1 + number % 4).map(|place| g.add(word, (), id(number + place))).collect();
            let sum = g.add(all, &words[..], ());
            g.add(next, [Some(sum)], id(number));
            g
        };
        (0..size).map(graph).collect()
    })
}

/// A program of `size` ops in sequence: products, sums, sigmoids and gates.
fn long(size: usize) -> Program {
    let mut b = Builder::new("long", vec!["H".into()]);
    let h = edb_ir::Dim::name(0);
    let matrices: Vec<_> = (0..4)
        .map(|number| b.param(&format!("w{number}"), Shape::matrix(h.clone(), h.clone())))
        .collect();
    let bias = b.param("b", Shape::vector(h));
    let state = b.state("Sum");
    let slot = b.slot(state, true);
    let mut x = b.child(Slot::Fixed(slot), "h");
    let mut products = 0;
    while b.len() < size {
        let y = b.apply(Contraction::Dot, &[matrices[products % 4], x]).unwrap();
        let y = b.apply(Pointwise::Add, &[y, bias]).unwrap();
        let gate = b.apply(Pointwise::Sigmoid, &[y]).unwrap();
        let y = b.apply(Pointwise::Tanh, &[y]).unwrap();
        x = b.apply(Pointwise::Mul, &[gate, y]).unwrap();
        products += 1;
    }
    let loss = b.apply(Reduction::Sum, &[x]).unwrap();
    b.scatter(state, &[("h", x)]).unwrap();
    b.loss(loss).unwrap();
    b.finish().unwrap()
}

/// Here the function grows, and making the model is timed; it runs over 32 chains of 8 vertices.
fn ops(size: usize) -> Ready {
    let program = long(size);
    let start = Instant::now();
    let mut builder = ModelBuilder::new();
    builder.add_program(program, edb_compiler::compile, dims! { H: HIDDEN });
    let model = builder.build(1).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    let record = |vertex: usize| edb::graph::VertexRecord {
        function: "long".into(),
        children: vec![vertex.checked_sub(1)],
        ..Default::default()
    };
    let records: Vec<_> = (0..8).map(record).collect();
    let graphs: Vec<Graph> = (0..32).map(|_| model.graph_from_records(&records).unwrap()).collect();
    let batch = model.minibatch(&graphs).unwrap();
    Ready { model, batch, seconds }
}

/// The least seconds of three runs.
fn least(mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..3).map(time).fold(f64::INFINITY, f64::min)
}

/// Measures one line, and prints it for the parent process.
fn measure(cell: usize, size: usize) {
    let Ready { model, batch, seconds } = (CELLS[cell].2)(size);
    let mut engine = Engine::new();
    let inference =
        least(|| assert!(engine.infer(&model, &batch).unwrap().loss().unwrap().is_finite()));
    drop(engine);
    let mut trainer = Trainer::new(model, Sgd::new(1e-3));
    let step = least(|| assert!(trainer.step(&batch).unwrap().loss.is_finite()));
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|line| line.split_whitespace().next()).unwrap_or("0");
    println!("{seconds} {inference} {step} {kilobytes}");
}

fn main() -> ExitCode {
    let arguments: Vec<usize> = env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    if let [cell, size] = arguments[..] {
        measure(cell, size);
        return ExitCode::SUCCESS;
    }
    let executable = env::current_exe().unwrap();
    println!(
        "{:22} {:>9} {:>10} {:>11} {:>10} {:>12} {:>9} {:>7}",
        "", "", "made, s", "inferred, s", "step, s", "ns for one", "peak MiB", "ratio"
    );
    for (cell, (name, sizes, _)) in CELLS.iter().enumerate() {
        let mut before: Option<f64> = None;
        for size in sizes {
            let output =
                Command::new(&executable).args([cell.to_string(), size.to_string()]).output();
            let output = output.unwrap();
            let text = String::from_utf8_lossy(&output.stdout);
            let numbers: Vec<f64> = text.split_whitespace().flat_map(str::parse).collect();
            let [made, inference, step, kilobytes] = numbers[..] else {
                eprintln!("{name}, {size}: {}", String::from_utf8_lossy(&output.stderr));
                return ExitCode::FAILURE;
            };
            let one = step * 1e9 / *size as f64;
            let ratio = before.map_or(String::new(), |before| format!("{:.2}", one / before));
            before = Some(one);
            println!(
                "{name:22} {size:9} {made:10.3} {inference:11.4} {step:10.4} {one:12.0} {:9.0} {ratio:>7}",
                kilobytes / 1024.0
            );
        }
    }
    ExitCode::SUCCESS
}
