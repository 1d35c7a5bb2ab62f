//! Sums of many terms, which a chain of additions would get wrong: the elements of a row, the children
//! of a vertex, its parents, a bag, and all vertices of a minibatch.

use edb::prelude::*;

use crate::ports::{Memory, Number};

/// A term: in `f32`, a chain of 100,000 of them is off by one in seven thousand.
const TERM: f64 = 0.1_f32 as f64;

/// The greatest error, by the sum: several times that of the chains of which sums consist.
const ERROR: f64 = 5e-6;

/// The same for products, whose chains are longer. Those of a GPU have the order that a library of its
/// maker gives them.
fn of_products(device: &Device) -> f64 {
    if device.to_string().starts_with("cpu") { 2e-5 } else { 1e-3 }
}

#[derive(Output)]
struct OfRow {
    sum: Tensor,
    mean: Tensor,
    norm: Tensor,
    log_sum_exp: Tensor,
    softmax: Tensor,
    cross_entropy: Tensor,
    cumulative: Tensor,
    product: Tensor,
    matrix: Tensor,
    normed: Tensor,
}

#[vertex_function]
fn of_row(#[param(1, N)] ones: Tensor, #[param(N)] gain: Tensor, #[param(N)] bias: Tensor) {
    let Number { x } = pull();
    push(OfRow {
        sum: x.sum(),
        mean: x.mean(),
        norm: x.norm(),
        log_sum_exp: x.log_sum_exp(),
        softmax: x.softmax(),
        cross_entropy: cross_entropy(x, Index(0)),
        cumulative: x.cumulative_sum(),
        product: ones.dot(x),
        matrix: ones.dot(x.repeat_rows(1).transpose()).flatten(),
        normed: x.layer_norm(gain, bias),
    });
}

/// A vertex whose state is a parameter, which all its parents read.
#[vertex_function]
fn leaf(#[param(1)] term: Tensor) {
    scatter(Memory { h: term });
}

#[vertex_function]
fn parent() {
    let leaf: Memory = gather(0);
    loss(0.1 * leaf.h.sum());
}

#[derive(Output)]
struct Total {
    total: Tensor,
}

#[vertex_function]
fn of_children(#[param(1)] start: Tensor) {
    let mut total = start;
    for leaf in gather_all::<Memory>() {
        total += leaf.h;
    }
    push(Total { total });
}

#[derive(Input)]
struct Words {
    words: Indices,
}

#[vertex_function]
fn of_bag(#[param(2, 1)] table: Tensor) {
    let Words { words } = pull();
    let total = table.bag_sum(words);
    loss(0.1 * total.sum());
    push(Total { total });
}

#[derive(Input)]
struct Term {
    x: Tensor,
    word: Index,
}

/// Gradients that are sums over all vertices: of a bias, of a matrix and of a row of a table.
#[vertex_function]
fn of_vertices(#[param(1)] bias: Tensor, #[param(1, 1)] w: Tensor, #[param(2, 1)] table: Tensor) {
    let Term { x, word } = pull();
    loss((0.1 * bias + w.dot(x) + 0.1 * table.row(word)).sum());
}

fn fill(model: &mut Model<f32>, name: &str, value: f32) {
    let id = model.parameters().find(name).unwrap();
    let count = model.parameters().get(id).len();
    model.parameters_mut().get_mut(id).set_values(&vec![value; count]).unwrap();
}

fn assert_close(device: &Device, what: &str, found: f32, expected: f64, error: f64) {
    let off = (f64::from(found) - expected).abs();
    assert!(off <= error * expected.abs(), "{device}: {what} is {found}, not {expected}");
}

/// Fault B1: sums went from the first term to the last, everywhere.
///
/// # Panics
/// When a sum of so many terms has drifted.
pub fn long_sums_do_not_drift(devices: &[Device], terms: usize) {
    for device in devices {
        rows(device, terms);
        vertices(device, terms);
    }
}

fn rows(device: &Device, width: usize) {
    let mut builder = ModelBuilder::new();
    let function = builder.add::<of_row>(dims! { N: width });
    let mut model: Model = builder.build(1).unwrap();
    fill(&mut model, "of_row.ones", 1.0);
    fill(&mut model, "of_row.gain", 1.0);
    let mut g = model.graph();
    let x = g.tensor(&vec![TERM as f32; width]);
    let vertex = g.add(&function, (), Number { x });
    let batch = model.minibatch([&g]).unwrap();
    let mut engine = Engine::on(device).unwrap();
    let run = engine.infer(&model, &batch).unwrap();
    let out = run.output(&function, vertex).unwrap();
    let count = width as f64;
    let all = [
        ("a sum", out.sum, TERM * count),
        ("a mean", out.mean, TERM),
        ("a norm", out.norm, TERM * count.sqrt()),
        ("log_sum_exp", out.log_sum_exp, TERM + count.ln()),
        ("cross_entropy", out.cross_entropy, count.ln()),
    ];
    for (what, found, expected) in all {
        assert_close(device, what, *found.first().unwrap(), expected, ERROR);
    }
    let matrix = *out.matrix.first().unwrap();
    assert_close(device, "a product of matrices", matrix, TERM * count, of_products(device));
    let product = *out.product.first().unwrap();
    assert_close(device, "a product", product, TERM * count, of_products(device));
    assert_close(device, "a softmax", *out.softmax.first().unwrap(), 1.0 / count, ERROR);
    for place in [width / 2, width - 1] {
        let expected = TERM * (place + 1) as f64;
        assert_close(device, "a cumulative sum", out.cumulative[place], expected, ERROR);
    }
    // Of equal elements, all are as far from the mean: not at all.
    assert!(out.normed.iter().all(|x| *x == 0.0), "{device}: {}", out.normed[0]);
}

fn vertices(device: &Device, terms: usize) {
    let mut builder = ModelBuilder::new();
    let leaf = builder.add::<leaf>(dims! {});
    let parent = builder.add::<parent>(dims! {});
    let of_children = builder.add::<of_children>(dims! {});
    let of_bag = builder.add::<of_bag>(dims! {});
    let of_vertices = builder.add::<of_vertices>(dims! {});
    let mut model: Model = builder.build(1).unwrap();
    for name in ["leaf.term", "of_bag.table"] {
        fill(&mut model, name, TERM as f32);
    }
    fill(&mut model, "of_children.start", 0.0);
    let mut g = model.graph();
    let only = g.add(&leaf, (), ());
    let children = vec![only; terms];
    let of_children_at = g.add(&of_children, &children[..], ());
    let words = g.indices(vec![1_u32; terms]);
    let of_bag_at = g.add(&of_bag, (), Words { words });
    let x = g.tensor(&[TERM as f32]);
    for _ in 0..terms {
        g.add(&parent, [only], ());
        g.add(&of_vertices, (), Term { x, word: Index(1) });
    }
    let batch = model.minibatch([&g]).unwrap();
    let mut engine = Engine::on(device).unwrap();
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let count = terms as f64;
    let total = run.output(&of_children, of_children_at).unwrap().total[0];
    assert_close(device, "a sum over children", total, TERM * count, ERROR);
    let total = run.output(&of_bag, of_bag_at).unwrap().total[0];
    assert_close(device, "a sum of a bag", total, TERM * count, ERROR);
    let gradients = run.backward().unwrap();
    let gradient = |name: &str| {
        let id = model.parameters().find(name).unwrap();
        *gradients.to_dense(id).iter().last().unwrap()
    };
    for name in ["leaf.term", "of_bag.table", "of_vertices.bias", "of_vertices.table"] {
        assert_close(device, name, gradient(name), TERM * count, ERROR);
    }
    assert_close(
        device,
        "of_vertices.w",
        gradient("of_vertices.w"),
        TERM * count,
        of_products(device),
    );
}
