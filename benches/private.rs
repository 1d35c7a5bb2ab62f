//! What the gradients of each graph cost: their norms, and the sum of all, each clipped to a norm of
//! 1, beside a plain backward pass of all, and beside one for each graph by itself.
//!
//! `cargo bench --bench private [-- THREADS] [-- --trees FILE] [-- --json]`. The models are an LSTM over
//! ten steps, that of `benches/peers/each_torch.py`, and a binary Tree-LSTM with a loss at every vertex.
//! FILE has trees in the notation of the Stanford Sentiment Treebank with words `w12`; without it, trees
//! are drawn. `--check` prints norms and sums with closed weights, to compare with another program.

mod tasks;
mod turns;

use std::env;

use edb::Element;
use edb::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde_json::json;
use tasks::{
    GRAPHS, Gold, Memory, Reading, STEPS, Task, closed, drawn, fill, read, show, step, trees,
};
use turns::in_turns;

/// How many graphs a line is of.
const COUNTS: [usize; 5] = [1, 8, 32, 128, GRAPHS];

#[vertex_function]
fn judge(#[param(10, H)] wc: Tensor, #[param(10)] bc: Tensor) {
    let Gold { label } = pull();
    let last: Memory = gather(0);
    loss(cross_entropy(wc.dot(last.h) + bc, label));
}

/// The LSTM over ten steps of `width` numbers.
fn chains<T: Element>(hidden: usize, width: usize, count: usize, is_closed: bool) -> Task<T> {
    let mut builder = ModelBuilder::new();
    let of_step = builder.add::<step>(dims! { H: hidden, D: width });
    let of_judge = builder.add::<judge>(dims! { H: hidden });
    let mut model: Model<T> = builder.build_as(1).unwrap();
    let order = &["wx", "wh", "b", "wc", "bc"];
    fill(&mut model, order, hidden, is_closed);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut graph = |number: usize| {
        let mut g = model.graph();
        let mut last = None;
        for at in 0..STEPS {
            let x = (0..width).map(|column| match is_closed {
                true => closed(STEPS * number + at, column, 9),
                false => rng.random_range(-1.0..1.0),
            });
            let x: Vec<T> = x.map(T::from_f64).collect();
            let x = g.tensor(&x);
            last = Some(g.add(&of_step, [last], Reading { x }));
        }
        let label = Index(number as u32 % 10);
        g.add(&of_judge, [last.expect("there are steps")], Gold { label });
        g
    };
    let graphs = (0..count).map(&mut graph).collect();
    Task { model, graphs, order }
}

/// Prints the norms, and the sum of the gradients, each clipped to this norm.
fn check(task: &Task<f64>, clip: f64, what: &str) {
    let Task { model, graphs, .. } = task;
    let batch = model.minibatch(graphs).unwrap();
    let mut engine = Engine::new();
    let mut run = engine.forward(model, &batch, 0).unwrap();
    println!("{what}: loss {:.12}", run.loss().unwrap());
    let mut each = run.backward_each().unwrap();
    let norms = each.norms().unwrap();
    show(task, &each.weighted(|graph| (clip / norms[graph]).min(1.0)).unwrap());
    let norms: Vec<String> = norms.iter().map(|norm| format!("{norm:.12}")).collect();
    println!("  norms {}", norms.join(" "));
}

/// A line of the table, or of JSON, of the first `count` graphs.
fn line(task: &Task<f32>, count: usize, threads: usize, what: &str, hidden: usize, as_json: bool) {
    let Task { model, graphs, .. } = task;
    let graphs = &graphs[..count];
    let batch = model.minibatch(graphs).unwrap();
    let alone: Vec<Minibatch> =
        graphs.iter().map(|graph| model.minibatch([graph]).unwrap()).collect();
    let mut engine = Engine::with_threads(threads).unwrap();
    let [plain, norms, clipped, one_by_one] = in_turns(9, |way| match way {
        0 => {
            let gradients = engine.forward(model, &batch, 0).unwrap().backward().unwrap();
            engine.recycle(gradients);
        }
        1 => {
            let mut run = engine.forward(model, &batch, 0).unwrap();
            run.backward_each().unwrap().norms().unwrap();
        }
        2 => {
            let mut run = engine.forward(model, &batch, 0).unwrap();
            let mut each = run.backward_each().unwrap();
            let norms = each.norms().unwrap();
            let sum = each.weighted(|graph| (1.0 / norms[graph]).min(1.0)).unwrap();
            engine.recycle(sum);
        }
        _ => {
            for batch in &alone {
                let gradients = engine.forward(model, batch, 0).unwrap().backward().unwrap();
                engine.recycle(gradients);
            }
        }
    });
    let rate = |seconds: f64| count as f64 / seconds;
    if as_json {
        let row = json!({
            "model": what, "hidden": hidden, "graphs": count, "plain_per_s": rate(plain),
            "norms_per_s": rate(norms), "clipped_per_s": rate(clipped),
            "one_by_one_per_s": rate(one_by_one),
        });
        return println!("{row}");
    }
    println!(
        "{what:>5} {hidden:>6} {count:>6} {:>10.0} {:>10.0} {:>10.0} {:>12.0} {:>7.3} {:>7.3}",
        rate(plain),
        rate(norms),
        rate(clipped),
        rate(one_by_one),
        norms / plain,
        clipped / plain,
    );
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let file = arguments.iter().position(|arg| arg == "--trees");
    let file = file.map(|at| arguments.get(at + 1).expect("--trees FILE").clone());
    if arguments.iter().any(|arg| arg == "--check") {
        check(&chains(8, 8, 6, true), 1.1, "lstm");
        if let Some(file) = file {
            check(&trees(8, &read(&file, 4), true), 5.0, "tree");
        }
        return;
    }
    let threads = arguments.iter().find_map(|arg| arg.parse().ok()).unwrap_or(2);
    let all = file.map_or_else(drawn, |file| read(&file, GRAPHS));
    let as_json = arguments.iter().any(|arg| arg == "--json");
    if !as_json {
        println!(
            "model hidden graphs    plain/s    norms/s  clipped/s one by one/s  /plain  /plain"
        );
    }
    for hidden in [64, 256] {
        let task = trees(hidden, &all, false);
        for count in COUNTS.into_iter().filter(|count| *count <= task.graphs.len()) {
            line(&task, count, threads, "tree", hidden, as_json);
        }
    }
    for hidden in [64, 256] {
        let task = chains(hidden, 128, GRAPHS, false);
        for count in COUNTS {
            line(&task, count, threads, "lstm", hidden, as_json);
        }
    }
}
