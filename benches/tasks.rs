//! What two benches measure: an LSTM over ten steps and a binary Tree-LSTM with a loss at every vertex,
//! with closed weights (`closed`), by which another program can be compared, or with random ones, and sums
//! of gradients.

use std::fs;

use edb::Element;
use edb::learn::Gradients;
use edb::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use readers::tree::TreeKind;

const WORDS: usize = 20_000;
pub(crate) const STEPS: usize = 10;
pub(crate) const GRAPHS: usize = 256;

#[derive(State)]
pub(crate) struct Memory {
    pub(crate) h: Tensor,
    pub(crate) c: Tensor,
}

#[derive(Input)]
struct Word {
    id: Index,
    label: Index,
}

#[derive(Input)]
pub(crate) struct Gold {
    pub(crate) label: Index,
}

#[derive(Input)]
pub(crate) struct Reading {
    pub(crate) x: Tensor,
}

#[vertex_function(tangent)]
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

#[vertex_function(tangent)]
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
pub(crate) fn step(
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

/// A tree, children before their parents: the label of each vertex, and its word or its two parts.
pub(crate) type Tree = Vec<(u32, Result<u32, [usize; 2]>)>;

pub(crate) fn read(path: &str, count: usize) -> Vec<Tree> {
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
pub(crate) fn drawn() -> Vec<Tree> {
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
pub(crate) struct Task<T: Element> {
    pub(crate) model: Model<T>,
    pub(crate) graphs: Vec<Graph<T>>,
    /// The parameters in the order in which their closed weights are numbered.
    pub(crate) order: &'static [&'static str],
}

/// The Tree-LSTM over trees.
pub(crate) fn trees<T: Element>(hidden: usize, trees: &[Tree], closed: bool) -> Task<T> {
    let mut builder = ModelBuilder::new();
    let of_leaf = builder.add::<leaf>(dims! { V: WORDS, H: hidden });
    let shared = |setup: edb::model::Setup| {
        let [wc, bc] = ["wc", "bc"].map(|name| of_leaf.param(name));
        setup.share("wc", wc).share("bc", bc)
    };
    let of_inner = builder.add::<inner>(shared(dims! { H: hidden }));
    let mut model: Model<T> = builder.build_as(1).unwrap();
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

/// An entry of the closed weights.
pub(crate) fn closed(row: usize, column: usize, number: usize) -> f64 {
    let (i, j) = (row as f64, column as f64);
    0.4 * (0.7 * i + 1.3 * j + 0.37 * i * j + number as f64).sin()
}

/// The row and the column of an element in the closed weights, whose matrices are transposed,
/// except for tables.
pub(crate) fn place(name: &str, shape: &[usize], element: usize) -> [usize; 2] {
    let columns = shape[shape.len() - 1];
    let (row, column) = (element / columns, element % columns);
    if shape.len() == 2 && name != "e" { [column, row] } else { [row, column] }
}

pub(crate) fn short(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or_default()
}

/// Gives parameters closed weights, or random ones.
pub(crate) fn fill<T: Element>(
    model: &mut Model<T>,
    order: &[&str],
    hidden: usize,
    is_closed: bool,
) {
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

/// Prints two sums of each gradient, by which another program can be compared.
pub(crate) fn show(Task { model, order, .. }: &Task<f64>, gradients: &Gradients<f64>) {
    for wanted in *order {
        let mut parameters = model.parameters().iter();
        let (id, parameter) = parameters.find(|of| short(of.1.name()) == *wanted).unwrap();
        let shape = parameter.shape();
        let width = match (shape, *wanted) {
            ([_, columns], "e") => *columns,
            _ => shape[0],
        };
        let (mut dot, mut squares) = (0.0, 0.0);
        for (element, value) in gradients.to_dense(id).iter().enumerate() {
            let [row, column] = place(wanted, shape, element);
            dot += value * ((row * width + column) as f64).cos();
            squares += value * value;
        }
        println!("  {wanted:>3} dot {dot:>19.12e} sq {squares:>18.12e}");
    }
}
