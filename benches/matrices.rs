//! Products of matrices that vertices hold, beside the least time that the machine needs for them, and products of
//! logarithms, beside what one would write without them.
//!
//! `cargo bench --bench matrices [-- THREADS] [--products] [--logs]` prints a line of JSON for each shape, element
//! and op. Products go along chains, so that what is pulled counts little. `bound` is what takes longer on this
//! machine, the multiply-adds (`fma`) or the memory (`memory`: the copy of as many bytes as the chains read and
//! write, by as many threads), and `fraction_of_bound` how much of it the product reaches, together with all that the
//! engine does besides. `rows_apart` is how many times as fast it is as with each row at a vertex of its own.

mod turns;

use std::env;
use std::hint::black_box;
use std::time::{Duration, Instant};

use edb::Element;
use edb::machine::fma_peak;
use edb::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde_json::json;
use turns::in_turns;

#[derive(Input)]
struct Given {
    x: Tensor,
}

#[derive(State)]
struct Rows {
    m: Tensor,
}

#[derive(State)]
struct Row {
    x: Tensor,
}

#[derive(State)]
struct Own {
    w: Tensor,
}

#[derive(Output)]
struct Told {
    y: Tensor,
}

#[vertex_function]
fn rows() {
    let Given {
        #[shape(S, K)]
        x,
    } = pull();
    scatter(Rows { m: x });
}

#[vertex_function]
fn row() {
    let Given {
        #[shape(K)]
        x,
    } = pull();
    scatter(Row { x });
}

#[vertex_function]
fn own() {
    let Given {
        #[shape(K, K)]
        x,
    } = pull();
    scatter(Own { w: x });
}

/// Rows times a parameter.
#[vertex_function]
fn by_shared(#[param(K, K)] w: Tensor) {
    let Rows { m } = gather(0);
    scatter(Rows { m: m.dot(w) });
}

/// Rows times a matrix of the vertex.
#[vertex_function]
fn by_own() {
    let Rows { m } = gather(0);
    let Own {
        #[shape(K, K)]
        w,
    } = gather(1);
    scatter(Rows { m: m.dot(w) });
}

/// A row times a parameter: each at a vertex of its own.
#[vertex_function]
fn apart(#[param(K, K)] w: Tensor) {
    let Row { x } = gather(0);
    scatter(Row { x: w.dot(x) });
}

/// A product of logarithms.
#[vertex_function]
fn log_dot(#[param(K, K)] w: Tensor) {
    let Given { x } = pull();
    let y = x.log_dot(w);
    push(Told { y });
    loss(y.log_sum_exp());
}

/// The same by a product of powers, which underflows.
#[vertex_function]
fn by_powers(#[param(K, K)] w: Tensor) {
    let Given { x } = pull();
    let greatest = x.max();
    let y = w.exp().transpose().dot((x - greatest).exp()).ln() + greatest;
    push(Told { y });
    loss(y.log_sum_exp());
}

/// A step of a chain's forward algorithm.
#[vertex_function]
fn forward(#[param(K, K)] w: Tensor) {
    let Given { x } = pull();
    let Row { x: before } = gather(0);
    scatter(Row { x: before.log_dot(w) + x });
}

#[vertex_function]
fn total() {
    let Row { x } = gather(0);
    loss(x.log_sum_exp());
}

/// How a chain is multiplied.
#[derive(Clone, Copy, PartialEq)]
enum By {
    Shared,
    Own,
    Apart,
}

struct Bounds {
    threads: usize,
    /// Multiply-adds of `f32`, in GFLOP/s.
    peak: f64,
}

impl Bounds {
    /// The seconds in which as many bytes are copied as are read and written.
    fn copy(&self, bytes: usize) -> f64 {
        let length = (bytes / 2 / size_of::<u64>()).max(self.threads);
        let from = vec![1_u64; length];
        let mut to = vec![0_u64; length];
        let part = length.div_ceil(self.threads);
        let mut copy = || {
            std::thread::scope(|scope| {
                for (from, to) in from.chunks(part).zip(to.chunks_mut(part)) {
                    scope.spawn(|| black_box(to).copy_from_slice(from));
                }
            });
        };
        // Threads are started anew each time: so it is measured over many copies of small sets.
        let rounds = (64_000_000 / bytes.max(1)).clamp(1, 1000);
        let mut best = f64::INFINITY;
        for _ in 0..5 {
            let start = Instant::now();
            (0..rounds).for_each(|_| copy());
            best = best.min(start.elapsed().as_secs_f64() / rounds as f64);
        }
        best
    }
}

/// Seconds for each product, with its rows in all.
fn seconds<T: Element>(
    engine: &mut Engine<T>,
    [size, width]: [usize; 2],
    by: By,
    [chains, steps]: [usize; 2],
) -> f64 {
    let mut builder = ModelBuilder::new();
    let bound = 1.0 / (width as f64).sqrt();
    let dims = || dims! { K: width }.init("w", Initializer::Uniform { bound });
    let rows = builder.add::<rows>(dims! { S: size, K: width });
    let row = builder.add::<row>(dims! { K: width });
    let own = builder.add::<own>(dims! { K: width });
    let by_shared = builder.add::<by_shared>(dims());
    let by_own = builder.add::<by_own>(dims! { K: width });
    let apart = builder.add::<apart>(dims());
    let model: Model<T> = builder.build_as(1).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut numbers = |count: usize| -> Vec<T> {
        (0..count).map(|_| T::from_f64(rng.random_range(-1.0..1.0))).collect()
    };
    let graphs: Vec<Graph<T>> = (0..chains)
        .map(|_| {
            let mut g = model.graph();
            if by == By::Apart {
                for _ in 0..size {
                    let x = g.tensor(&numbers(width));
                    let mut last = g.add(&row, (), Given { x });
                    (0..steps).for_each(|_| last = g.add(&apart, [last], ()));
                }
                return g;
            }
            let x = g.tensor(&numbers(size * width));
            let mut last = g.add(&rows, (), Given { x });
            let x = g.tensor(&numbers(width * width));
            let matrix = (by == By::Own).then(|| g.add(&own, (), Given { x }));
            for _ in 0..steps {
                last = match matrix {
                    Some(matrix) => g.add(&by_own, (last, matrix), ()),
                    None => g.add(&by_shared, [last], ()),
                };
            }
            g
        })
        .collect();
    let batch = model.minibatch(&graphs).unwrap();
    let [time] = in_turns(7, |_| {
        engine.infer(&model, &batch).unwrap();
    });
    time / steps as f64
}

fn product<T: Element>(bounds: &Bounds, [size, width]: [usize; 2]) {
    let mut engine: Engine<T> = Engine::with_threads(bounds.threads).unwrap();
    let element = if size_of::<T>() == 4 { "f32" } else { "f64" };
    let chains = 65_536_usize.div_ceil(size);
    let steps = if width < 64 { 16 } else { 4 };
    let apart = seconds(&mut engine, [size, width], By::Apart, [chains, steps]);
    for (op, by) in [("shared", By::Shared), ("own", By::Own)] {
        let time = seconds(&mut engine, [size, width], by, [chains, steps]);
        let multiplications = chains * size * width * width;
        let fma = 2.0 * multiplications as f64 / (bounds.peak * 1e9) * size_of::<T>() as f64 / 4.0;
        let matrices = if by == By::Own { chains * width * width } else { width * width };
        let bytes = (2 * chains * size * width + matrices) * size_of::<T>();
        // Chains pass over all of their states; a copy of as many bytes lies as deep in the caches.
        let memory = bounds.copy(bytes * steps) / steps as f64;
        let row = json!({
            "op": op, "shape": format!("[{size}, {width}] [{width}, {width}]"), "element": element,
            "threads": bounds.threads, "rows": chains * size, "microseconds": time * 1e6,
            "bound": if fma > memory { "fma" } else { "memory" },
            "fraction_of_bound": fma.max(memory) / time,
            "rows_apart": apart / time,
        });
        println!("{row}");
    }
}

/// Products of logarithms of a minibatch of 32, forward, and forward and backward.
fn logs(threads: usize, width: usize) {
    let mut engine: Engine = Engine::with_threads(threads).unwrap();
    let mut builder = ModelBuilder::new();
    let spread = Initializer::Uniform { bound: 3.0 };
    let dims = |name: &'static str| dims! { K: width }.init("w", spread).named(name);
    let log_dot = builder.add::<log_dot>(dims("log_dot"));
    let by_powers = builder.add::<by_powers>(dims("by_powers").share("w", "log_dot.w"));
    let model: Model = builder.build(1).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let batches = [true, false].map(|by_ops| {
        let graphs: Vec<Graph> = (0..32)
            .map(|_| {
                let mut g = model.graph();
                let x: Vec<f32> = (0..width).map(|_| rng.random_range(-3.0..3.0)).collect();
                let x = g.tensor(&x);
                match by_ops {
                    true => drop(g.add(&log_dot, (), Given { x })),
                    false => drop(g.add(&by_powers, (), Given { x })),
                }
                g
            })
            .collect();
        model.minibatch(&graphs).unwrap()
    });
    const TIMES: usize = 20;
    let times: [f64; 4] = in_turns(15, |way| {
        for _ in 0..TIMES {
            let batch = &batches[way % 2];
            match way {
                0 | 1 => drop(engine.infer(&model, batch).unwrap()),
                _ => {
                    let gradients = engine.forward(&model, batch, 0).unwrap().backward().unwrap();
                    engine.recycle(gradients);
                }
            }
        }
    });
    let [forward, powers, both, powers_both] = times.map(|time| time / TIMES as f64 * 1e6);
    let row = json!({
        "op": "log_dot", "shape": format!("[{width}] [{width}, {width}]"), "batch": 32, "threads": threads,
        "element": "f32", "microseconds": forward, "with_gradients": both,
        "by_powers": powers, "by_powers_with_gradients": powers_both,
    });
    println!("{row}");
}

/// 256 chains of 20 words with 50 tags, forward and backward.
fn chains(threads: usize) {
    const TAGS: usize = 50;
    let mut engine: Engine = Engine::with_threads(threads).unwrap();
    let mut builder = ModelBuilder::new();
    let row = builder.add::<row>(dims! { K: TAGS });
    let spread = Initializer::Uniform { bound: 3.0 };
    let forward = builder.add::<forward>(dims! { K: TAGS }.init("w", spread));
    let total = builder.add::<total>(dims! {});
    let model: Model = builder.build(1).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let graphs: Vec<Graph> = (0..256)
        .map(|_| {
            let mut g = model.graph();
            let mut scores =
                || (0..TAGS).map(|_| rng.random_range(-3.0..3.0)).collect::<Vec<f32>>();
            let x = g.tensor(&scores());
            let mut last = g.add(&row, (), Given { x });
            for _ in 1..20 {
                let x = g.tensor(&scores());
                last = g.add(&forward, [last], Given { x });
            }
            g.add(&total, [last], ());
            g
        })
        .collect();
    let batch = model.minibatch(&graphs).unwrap();
    let [time] = in_turns(15, |_| {
        let gradients = engine.forward(&model, &batch, 0).unwrap().backward().unwrap();
        engine.recycle(gradients);
    });
    let row = json!({
        "op": "chains", "shape": "256 chains of 20, 50 tags", "threads": threads, "element": "f32",
        "milliseconds": time * 1e3,
    });
    println!("{row}");
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let threads = arguments.iter().find_map(|arg| arg.parse().ok()).unwrap_or(2);
    let only = |what: &str| arguments.iter().any(|arg| arg == what);
    if !only("--logs") {
        let bounds = Bounds { threads, peak: fma_peak(threads, Duration::from_millis(100)) };
        let narrow = [1, 16, 250, 2000].map(|size| [size, 4]);
        let middle = [1, 16, 200].map(|size| [size, 20]);
        for shape in narrow.into_iter().chain(middle).chain([[16, 64], [36, 128]]) {
            product::<f32>(&bounds, shape);
            product::<f64>(&bounds, shape);
        }
    }
    if !only("--products") {
        for width in [17, 64, 256] {
            logs(threads, width);
        }
        chains(threads);
    }
}
