//! What the gradients of each graph cost: their norms, and the sum of all, each clipped to a norm of
//! 1, beside a plain backward pass.
//!
//! `cargo bench --bench private [-- THREADS] [-- --trees FILE]`. The models are those of
//! `private_torch.py`: an LSTM over ten steps, and a binary Tree-LSTM with a loss at every vertex.
//! FILE has trees in the notation of the Stanford Sentiment Treebank with words `w12`, as the peers'
//! `trees.ptb.txt`; without it, trees are drawn. `--check` prints what theirs print with the closed
//! weights.

mod turns;

use std::env;
use std::fs;

use edb::Element;
use edb::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use readers::tree::TreeKind;
use turns::in_turns;

const WORDS: usize = 20_000;
const STEPS: usize = 10;
const GRAPHS: usize = 256;

#[derive(State)]
struct Memory {
    h: Tensor,
    c: Tensor,
}

#[derive(Input)]
struct Word {
    id: Index,
    label: Index,
}

#[derive(Input)]
struct Gold {
    label: Index,
}

#[derive(Input)]
struct Reading {
    x: Tensor,
}

#[vertex_function]
fn leaf(
    #[param(V, H)] e: Tensor,
    #[param(3 * H, H)] w: Tensor,
    #[param(3 * H)] bw: Tensor,
    #[param(5, H)] wc: Tensor,
    #[param(5)] bc: Tensor,
) {
    let Word { id, label } = pull();
    let [i, o, u] = (w.dot(e.row(id)) + bw).split();
    let c = i.sigmoid() * u.tanh();
    let h = o.sigmoid() * c.tanh();
    scatter(Memory { h, c });
    loss(cross_entropy(wc.dot(h) + bc, label));
}

#[vertex_function]
fn inner(
    #[param(5 * H, 2 * H)] u: Tensor,
    #[param(5 * H)] bu: Tensor,
    #[param(5, H)] wc: Tensor,
    #[param(5)] bc: Tensor,
) {
    let Gold { label } = pull();
    let [l, r]: [Memory; 2] = [gather(0), gather(1)];
    let [i, fl, fr, o, g] = (u.dot(concat([l.h, r.h])) + bu).split();
    let c = i.sigmoid() * g.tanh() + fl.sigmoid() * l.c + fr.sigmoid() * r.c;
    let h = o.sigmoid() * c.tanh();
    scatter(Memory { h, c });
    loss(cross_entropy(wc.dot(h) + bc, label));
}

#[vertex_function]
fn step(
    #[dim(H)] size: Dim,
    #[param(4 * H, D)] wx: Tensor,
    #[param(4 * H, H)] wh: Tensor,
    #[param(4 * H)] b: Tensor,
) {
    let Reading { x } = pull();
    let before = gather_or(0, Memory { h: zeros(size), c: zeros(size) });
    let [i, f, g, o] = (wx.dot(x) + wh.dot(before.h) + b).split();
    let c = f.sigmoid() * before.c + i.sigmoid() * g.tanh();
    scatter(Memory { h: o.sigmoid() * c.tanh(), c });
}

#[vertex_function]
fn judge(#[param(10, H)] wc: Tensor, #[param(10)] bc: Tensor) {
    let Gold { label } = pull();
    let last: Memory = gather(0);
    loss(cross_entropy(wc.dot(last.h) + bc, label));
}

/// A tree, children before their parents: the label of each vertex, and its word or its two parts.
type Tree = Vec<(u32, Result<u32, [usize; 2]>)>;

fn read(path: &str, count: usize) -> Vec<Tree> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let tree = |line: &str| -> Tree {
        let tree: readers::tree::Tree =
            line.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
        let word = |word: &str| {
            let number = word.strip_prefix('w').and_then(|number| number.parse().ok());
            number.unwrap_or_else(|| panic!("{path}: the word `{word}` is not like `w12`"))
        };
        let vertices = tree.vertices().iter().map(|vertex| {
            let kind = match vertex.kind {
                TreeKind::Leaf { word: place } => Ok(word(&tree.words()[place])),
                TreeKind::Inner { left, right } => Err([left, right]),
            };
            (u32::from(vertex.label), kind)
        });
        vertices.collect()
    };
    text.lines().take(count).map(tree).collect()
}

/// Trees of 19 words in the mean.
fn drawn() -> Vec<Tree> {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut tree = |_| {
        let words = rng.random_range(4..35);
        let mut tree: Tree =
            (0..words).map(|_| (rng.random_range(0..5), Ok(rng.random_range(0..20_000)))).collect();
        let mut open: Vec<usize> = (0..words).collect();
        while open.len() > 1 {
            let place = rng.random_range(0..open.len() - 1);
            let right = open.remove(place + 1);
            tree.push((rng.random_range(0..5), Err([open[place], right])));
            open[place] = tree.len() - 1;
        }
        tree
    };
    (0..GRAPHS).map(&mut tree).collect()
}

/// A model with its graphs.
struct Task<T: Element> {
    model: Model<T>,
    graphs: Vec<Graph<T>>,
    /// The parameters in the order of the peers.
    order: &'static [&'static str],
}

/// The Tree-LSTM over trees.
fn trees<T: Element>(hidden: usize, trees: &[Tree], closed: bool) -> Task<T> {
    let mut builder = ModelBuilder::new();
    let of_leaf = builder.add::<leaf>(dims! { V: WORDS, H: hidden });
    let shared = |setup: edb::model::Setup| {
        let [wc, bc] = ["wc", "bc"].map(|name| of_leaf.param(name));
        setup.share("wc", wc).share("bc", bc)
    };
    let of_inner = builder.add::<inner>(shared(dims! { H: hidden }));
    let mut model: Model<T> = builder.build(1).unwrap();
    let order = &["e", "w", "bw", "u", "bu", "wc", "bc"];
    fill(&mut model, order, hidden, closed);
    let graph = |tree: &Tree| {
        let mut g = model.graph();
        let mut all: Vec<Vertex<Memory>> = Vec::with_capacity(tree.len());
        for (label, kind) in tree {
            let label = Index(*label);
            all.push(match kind {
                Ok(word) => g.add(&of_leaf, (), Word { id: Index(*word), label }),
                Err([left, right]) => g.add(&of_inner, [all[*left], all[*right]], Gold { label }),
            });
        }
        g
    };
    let graphs = trees.iter().map(graph).collect();
    Task { model, graphs, order }
}

/// The LSTM over ten steps of `width` numbers.
fn chains<T: Element>(hidden: usize, width: usize, count: usize, is_closed: bool) -> Task<T> {
    let mut builder = ModelBuilder::new();
    let of_step = builder.add::<step>(dims! { H: hidden, D: width });
    let of_judge = builder.add::<judge>(dims! { H: hidden });
    let mut model: Model<T> = builder.build(1).unwrap();
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

/// An entry of the peers' closed weights.
fn closed(row: usize, column: usize, number: usize) -> f64 {
    let (i, j) = (row as f64, column as f64);
    0.4 * (0.7 * i + 1.3 * j + 0.37 * i * j + number as f64).sin()
}

/// The row and the column of an element in the peers' parameters, whose matrices are transposed,
/// except for tables.
fn place(name: &str, shape: &[usize], element: usize) -> [usize; 2] {
    let columns = shape[shape.len() - 1];
    let (row, column) = (element / columns, element % columns);
    if shape.len() == 2 && name != "e" { [column, row] } else { [row, column] }
}

fn short(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or_default()
}

/// Gives parameters the peers' closed weights, or weights of their distribution.
fn fill<T: Element>(model: &mut Model<T>, order: &[&str], hidden: usize, is_closed: bool) {
    for (_, parameter) in model.parameters_mut().iter_mut() {
        let name = short(parameter.name()).to_string();
        let number = order.iter().position(|known| *known == name).unwrap();
        let shape = parameter.shape().to_vec();
        let mut rng = ChaCha8Rng::seed_from_u64(number as u64);
        let bound = (hidden as f64).powf(-0.5);
        for (element, value) in parameter.values_mut().unwrap().iter_mut().enumerate() {
            let [row, column] = place(&name, &shape, element);
            *value = T::from_f64(match is_closed {
                true => closed(row, column, number + 1),
                false => rng.random_range(-bound..bound),
            });
        }
    }
}

/// Prints the norms, and the sum of the gradients, each clipped to this norm, as the peers do.
fn check(task: &Task<f64>, clip: f64, what: &str) {
    let Task { model, graphs, order } = task;
    let batch = model.minibatch(graphs).unwrap();
    let mut engine = Engine::new();
    let mut run = engine.forward(model, &batch, 0).unwrap();
    println!("{what}: loss {:.12}", run.loss().unwrap());
    let mut each = run.backward_each().unwrap();
    let norms = each.norms().unwrap();
    let sum = each.weighted(|graph| (clip / norms[graph]).min(1.0)).unwrap();
    for wanted in *order {
        let mut parameters = model.parameters().iter();
        let (id, parameter) = parameters.find(|of| short(of.1.name()) == *wanted).unwrap();
        let shape = parameter.shape();
        let width = match shape {
            [rows, columns] => {
                if *wanted == "e" {
                    *columns
                } else {
                    *rows
                }
            }
            _ => shape[0],
        };
        let (mut dot, mut squares) = (0.0, 0.0);
        for (element, value) in sum.to_dense(id).iter().enumerate() {
            let [row, column] = place(wanted, shape, element);
            dot += value * ((row * width + column) as f64).cos();
            squares += value * value;
        }
        println!("  {wanted:>3} dot {dot:>19.12e} sq {squares:>18.12e}");
    }
    let norms: Vec<String> = norms.iter().map(|norm| format!("{norm:.12}")).collect();
    println!("  norms {}", norms.join(" "));
}

/// A line of the table.
fn line(task: &Task<f32>, threads: usize, what: &str, hidden: usize) {
    let Task { model, graphs, .. } = task;
    let batch = model.minibatch(graphs).unwrap();
    let mut engine = Engine::with_threads(threads).unwrap();
    let [plain, norms, clipped] = in_turns(9, |way| match way {
        0 => {
            let gradients = engine.forward(model, &batch, 0).unwrap().backward().unwrap();
            engine.recycle(gradients);
        }
        1 => {
            let mut run = engine.forward(model, &batch, 0).unwrap();
            run.backward_each().unwrap().norms().unwrap();
        }
        _ => {
            let mut run = engine.forward(model, &batch, 0).unwrap();
            let mut each = run.backward_each().unwrap();
            let norms = each.norms().unwrap();
            let sum = each.weighted(|graph| (1.0 / norms[graph]).min(1.0)).unwrap();
            engine.recycle(sum);
        }
    });
    let rate = |seconds: f64| graphs.len() as f64 / seconds;
    println!(
        "{what:>5} {hidden:>6} {:>10.0} {:>10.0} {:>10.0} {:>7.3} {:>7.3}",
        rate(plain),
        rate(norms),
        rate(clipped),
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
    println!("model hidden    plain/s    norms/s  clipped/s  /plain  /plain");
    for hidden in [64, 256] {
        line(&trees(hidden, &all, false), threads, "tree", hidden);
    }
    for hidden in [64, 256] {
        line(&chains(hidden, 128, GRAPHS, false), threads, "lstm", hidden);
    }
}
