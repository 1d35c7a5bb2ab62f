//! What products with the Hessian cost beside gradients, and Jacobians beside backward passes.
//!
//! `cargo bench --bench derivatives [-- THREADS] [-- --trees FILE]`. The first model is a
//! binary Tree-LSTM with a loss at every vertex. FILE has trees in the notation of the Stanford Sentiment
//! Treebank with words `w12`; without it, trees are drawn. `--check` prints a product with closed weights,
//! to compare with another program. The second is the LSTM over ten steps of
//! `benches/peers/jacobian_torch.py`, whose last output of 128 numbers is derived by its first input;
//! `--jacobians` measures only it, `--products` only the first model.
//! `--json` prints a line of JSON for each line of the tables.

mod tasks;
mod turns;

use std::env;

use edb::Element;
use edb::engine::Seeds;
use edb::learn::{Gradient, Gradients};
use edb::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde_json::json;
use tasks::{
    GRAPHS, Memory, Reading, STEPS, Task, closed, drawn, place, read, short, show, step, trees,
};
use turns::in_turns;

#[derive(Output)]
struct Told {
    h: Tensor,
}

#[vertex_function]
fn tell() {
    let Memory { h, .. } = gather(0);
    push(Told { h });
}

/// A direction of all parameters: a closed one, or a random one.
fn direction<T: Element>(task: &Task<T>, is_closed: bool) -> Gradients<T> {
    let parameters = task.model.parameters();
    let mut direction = Gradients::new(parameters);
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for (id, parameter) in parameters.iter() {
        let name = short(parameter.name());
        let number = task.order.iter().position(|known| *known == name).unwrap();
        let value = |element| match is_closed {
            true => {
                let [row, column] = place(name, parameter.shape(), element);
                closed(row, column, number + 11)
            }
            false => rng.random_range(-1.0..1.0),
        };
        let values = (0..parameter.len()).map(value).map(T::from_f64).collect();
        direction.add(id, Gradient::Dense(values)).unwrap();
    }
    direction
}

/// Prints the gradient of the mean loss and its product with the Hessian, as the peer does.
fn check(task: &Task<f64>) {
    let Task { model, graphs, .. } = task;
    let batch = model.minibatch(graphs).unwrap();
    let mut engine = Engine::new();
    let mut run = engine.forward(model, &batch, 0).unwrap();
    let mean = 1.0 / graphs.len() as f64;
    println!("gradient: loss {:.12}", run.loss().unwrap() * mean);
    let mut gradient = run.backward().unwrap();
    gradient.scale(mean);
    show(task, &gradient);
    let direction = direction(task, true);
    let mut tangent = model.tangent().unwrap();
    let mut along = engine.forward_along(&mut tangent, model, &batch, 0, &direction).unwrap();
    let mut product = along.product().unwrap();
    product.scale(mean);
    println!("H v: vHv {:.12}", product.dot(&direction));
    show(task, &product);
}

/// A line of the table of products.
fn products(task: &Task<f32>, engine: &mut Engine, hidden: usize, size: usize, as_json: bool) {
    let Task { model, graphs, .. } = task;
    // One by one, 32 trees take long enough.
    let graphs = &graphs[..if size == 1 { 32 } else { GRAPHS }];
    let batches: Vec<Minibatch> =
        graphs.chunks(size).map(|graphs| model.minibatch(graphs).unwrap()).collect();
    let mut tangent = model.tangent().unwrap();
    let direction = direction(task, false);
    let [gradient, product] = in_turns(9, |way| {
        for batch in &batches {
            match way {
                0 => {
                    let gradients = engine.forward(model, batch, 0).unwrap().backward().unwrap();
                    engine.recycle(gradients);
                }
                _ => {
                    let mut along =
                        engine.forward_along(&mut tangent, model, batch, 0, &direction).unwrap();
                    along.product().unwrap();
                }
            }
        }
    });
    let rate = |seconds: f64| graphs.len() as f64 / seconds;
    if as_json {
        let (gradient, product) = (rate(gradient), rate(product));
        let row = json!({
            "hidden": hidden, "batch": size, "gradient_per_s": gradient, "product_per_s": product,
        });
        return println!("{row}");
    }
    println!(
        "{hidden:>6} {size:>4} {:>10.0} {:>10.0} {:>7.3}",
        rate(gradient),
        rate(product),
        product / gradient
    );
}

/// So many Jacobians are computed in a turn, which then takes about as long as one row by row: each finds
/// caches and threads as the one before has left them.
const TOGETHER: usize = 8;

/// The Jacobian of the last output by the first input.
fn jacobian(engine: &mut Engine, hidden: usize, width: usize, as_json: bool) {
    let mut builder = ModelBuilder::new();
    let of_step = builder.add::<step>(dims! { H: hidden, D: width });
    let of_tell = builder.add::<tell>(dims! {});
    let model: Model = builder.build(1).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut g = model.graph();
    let mut steps: Vec<Vertex<Memory>> = Vec::new();
    for _ in 0..STEPS {
        let x: Vec<f32> = (0..width).map(|_| rng.random_range(-1.0..1.0)).collect();
        let x = g.tensor(&x);
        steps.push(g.add(&of_step, [steps.last().copied()], Reading { x }));
    }
    let last = g.add(&of_tell, [steps[STEPS - 1]], ());
    let batch = model.minibatch([&g]).unwrap();
    let [together, one_by_one] = in_turns(9, |way| match way {
        0 => {
            for _ in 0..TOGETHER {
                let mut run = engine.forward(&model, &batch, 0).unwrap();
                run.jacobian((&of_tell, last, "h"), (&of_step, steps[0], "x")).unwrap();
            }
        }
        _ => {
            let mut unit = vec![0.0; hidden];
            for element in 0..hidden {
                unit[element] = 1.0;
                let mut seeds = Seeds::new();
                seeds.push(&of_tell, last, "h", &unit);
                let mut run = engine.forward(&model, &batch, 0).unwrap();
                let gradients = run.backward_with(&seeds).unwrap();
                let x = run.input_gradient(&of_step, steps[0]).unwrap().x;
                assert!(x.iter().all(|x| x.is_finite()));
                engine.recycle(gradients);
                unit[element] = 0.0;
            }
        }
    });
    let together = together / TOGETHER as f64;
    if as_json {
        let (together, one_by_one) = (together * 1e3, one_by_one * 1e3);
        let row = json!({
            "hidden": hidden, "width": width, "together_ms": together,
            "one_by_one_ms": one_by_one,
        });
        return println!("{row}");
    }
    println!(
        "{hidden:>6} {width:>5} {:>12.3} {:>12.3} {:>7.2}",
        together * 1e3,
        one_by_one * 1e3,
        one_by_one / together
    );
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let file = arguments.iter().position(|arg| arg == "--trees");
    let file = file.map(|at| arguments.get(at + 1).expect("--trees FILE").clone());
    if arguments.iter().any(|arg| arg == "--check") {
        let file = file.expect("--check needs --trees FILE");
        check(&trees(8, &read(&file, 4), true));
        return;
    }
    let threads = arguments.iter().find_map(|arg| arg.parse().ok()).unwrap_or(2);
    let all = file.map_or_else(drawn, |file| read(&file, GRAPHS));
    let mut engine = Engine::with_threads(threads).unwrap();
    let as_json = arguments.iter().any(|arg| arg == "--json");
    let heading = |text: &str| {
        if !as_json {
            println!("{text}");
        }
    };
    let only = |what: &str| arguments.iter().any(|arg| arg == what);
    if !only("--products") {
        heading("hidden width  Jacobian/ms  backward/ms   ratio");
        for (hidden, width) in [(128, 128), (128, 32)] {
            jacobian(&mut engine, hidden, width, as_json);
        }
    }
    if only("--jacobians") {
        return;
    }
    heading("hidden size  gradient/s  product/s   ratio");
    for hidden in [64, 256] {
        let task = trees(hidden, &all, false);
        for size in [1, 32, 256] {
            products(&task, &mut engine, hidden, size, as_json);
        }
    }
}
