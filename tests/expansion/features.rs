//! All features of the language, under every lint that expanded code might trigger.
#![deny(warnings, dead_code, missing_docs, unreachable_pub, unused_qualifications, clippy::all)]
#![forbid(unsafe_code)]
// Clippy would simplify these, but they test how such code is lowered.
#![allow(clippy::assign_op_pattern, clippy::eq_op)]

use edb::prelude::*;

/// A state.
#[derive(State)]
pub struct Node {
    /// The output.
    pub h: Tensor,
    /// The cell.
    c: Tensor,
}

/// Another state.
#[derive(State)]
pub(crate) struct Leaf {
    pub(crate) x: Tensor,
}

mod ports {
    use edb::prelude::*;

    #[derive(Input)]
    pub(crate) struct Word {
        pub(crate) id: Index,
        pub(crate) x: Tensor,
        /// The class.
        pub(crate) label: Index,
    }

    /// The output.
    #[derive(Output)]
    pub(crate) struct Scores {
        pub(crate) p: Tensor,
        /// Its logarithm.
        pub(crate) q: Tensor,
    }
}

/// Literals, constants, arithmetic, all methods, blocks, shadowing, tuples and arrays.
#[vertex_function]
pub(crate) fn ops(
    #[param(V, H)] table: Tensor,
    #[param(H, 2 * H)] w: Tensor,
    #[param(2 * H + X)] v: Tensor,
    #[param()] mut scale: Tensor,
    #[dim(H)] h: Dim,
    #[dim(X)] x_size: Dim,
) {
    let ports::Word { id, x: features, .. } = pull();
    let row: Tensor = table.row(id);
    let half = 1.0 / 2.0 - 1e-3;
    let root = (h as f64).sqrt() * 2.0_f64.sqrt();
    let [a, b] = v.slice(0..2 * h).split();
    let tail = v.slice(2 * h..2 * h + x_size);
    let (a, [b, _]) = (a.tanh() / root, [b * half, b]);
    let x = {
        let x = a.relu() - b.exp();
        let x = -x + row;
        (x + (features * 3.0).sigmoid()) * 0.5
    };
    scale += 1.0;
    scale -= x.sum();
    scale *= x.max();
    scale /= 2.0;
    let mut y = w.dot(concat([x, x.dropout(0.25)]));
    y = y + scale;
    let parts = [y, (y * y + 1.0).ln(), zeros(h)];
    let all = concat(parts);
    let pair = all.split::<3>();
    let mut total = zeros(h);
    for k in 0..3 {
        total = total + pair[k] * (k as f64) + all.slice(k * h..(k + 1) * h);
    }
    for part in pair {
        total += part;
    }
    let same: [Tensor; 2] = [total; 2];
    let logits = same[1 - 1] + same[1].softmax() + half * total.log_softmax();
    push(ports::Scores { p: logits, q: tail * x_size as f64 });
    loss(mse(logits, total));
    loss(logits.sum());
}

/// Children by place, in any order, one of them optional.
#[vertex_function]
fn places(#[param(H, H)] init: Tensor, #[param(H)] start: Tensor, #[dim(H)] h: Dim) {
    let second = gather::<Leaf>(1);
    let first: Node = gather_or(0, Node { h: start, c: zeros(h) });
    let again: Leaf = gather(1);
    let word = pull::<ports::Word>();
    let c = init.dot(first.c) + second.x + again.x * word.x;
    loss(cross_entropy(c, word.label));
    scatter(Leaf { x: c * first.h.sum() });
}

/// Children of the same type, read in a loop.
#[vertex_function]
fn alike(#[param(H, H)] w: Tensor, #[dim(H)] h: Dim) {
    let mut sum = zeros(h);
    for k in 0..=2 {
        let Node { h, c } = gather(k);
        sum = sum + w.dot(h) * c.dropout(0.5);
    }
    scatter(Node { h: sum, c: sum });
}

/// Two loops over any number of children, after a fixed child.
#[vertex_function]
fn attention(#[param(H, H)] w: Tensor, #[dim(H)] h: Dim) {
    let query: Leaf = gather(0);
    let key = w.dot(query.x).dropout(0.5);
    let mut total = zeros(h);
    let mut count = 0.0;
    for Node { h, c } in gather_all() {
        let weight = (h * key).sum().exp();
        total += weight * c.dropout(0.1);
        count += 1.0;
    }
    let (mut sum, mean) = (query.x, total / count);
    for child in gather_all::<Node>() {
        for k in 0..2 {
            let term = (child.h - mean) * (k as f64);
            sum = sum + term - key;
        }
        sum -= child.c;
    }
    scatter(Node { h: sum, c: mean });
}

/// Any number of children, and no other input.
#[vertex_function]
pub fn child_sum(#[param(H)] b: Tensor) {
    let mut sum = b;
    for child in gather_all::<Node>() {
        sum = child.h - child.c + sum;
    }
    scatter(Node { h: sum, c: b });
}

/// A state without children.
#[vertex_function]
fn leaf(#[param(V, H)] table: Tensor) {
    let ports::Word { id, .. } = pull();
    scatter(Leaf { x: table.row(id) });
}

/// A function and a parameter whose names are keywords.
#[vertex_function]
fn r#match(#[param(H)] r#type: Tensor) {
    scatter(Leaf { x: r#type });
}

/// The functions' types of children follow from the types that they gather.
fn _types() {
    fn same<F: VertexFunction<Children<'static> = C>, C>() {}
    same::<ops, ()>();
    same::<places, (Option<Vertex<Node>>, Vertex<Leaf>)>();
    same::<alike, [Vertex<Node>; 3]>();
    same::<attention, (Vertex<Leaf>, &'static [Vertex<Node>])>();
    same::<child_sum, &'static [Vertex<Node>]>();
}

#[test]
fn all_is_lowered_and_trains() {
    let text = |definition: edb::__private::Definition| definition.own.plan.program.to_string();
    assert!(places::definition().own.plan.program.slots[0].optional);
    assert_eq!(r#match::NAME, "match");
    let attention = text(attention::definition());
    assert!(attention.contains("dropout 0.5 at 0 "), "{attention}");
    assert!(attention.contains("dropout 0.1 at 65536 "), "{attention}");
    let alike = text(alike::definition());
    assert!(alike.contains("dropout 0.5 at 2 "), "{alike}");
    let places = text(places::definition());
    assert!(places.contains("where_absent 0 %"), "{places}");
    assert!(places.contains("child 1.x : vertex [H]"), "{places}");
    run();
}

/// Compiled runs agree with eager ones.
fn run() {
    let mut builder = ModelBuilder::new();
    let set = |setup: edb::model::Setup, names: &[&str]| {
        let uniform = Initializer::Uniform { bound: 0.7 };
        names.iter().fold(setup, |setup, name| setup.init(name, uniform))
    };
    let ops = builder.add::<ops>(set(dims! { V: 3, H: 4, X: 2 }, &["table", "w", "v", "scale"]));
    let leaf = builder.add::<leaf>(dims! { V: 3, H: 4 });
    let places = builder.add::<places>(set(dims! { H: 4 }, &["init", "start"]));
    let alike = builder.add::<alike>(dims! { H: 4 });
    let attention = builder.add::<attention>(dims! { H: 4 });
    let child_sum = builder.add::<child_sum>(set(dims! { H: 4 }, &["b"]));
    let model = builder.build_as::<f64>(1).unwrap();

    let mut g = model.graph();
    let words = [0_u32, 2, 1].map(|id| {
        let x = g.tensor(&[0.3, -0.2, 0.5, f64::from(id)]);
        ports::Word { id: id.into(), x, label: id.into() }
    });
    let [first, second, third] = words;
    let scores = g.add(&ops, (), first);
    let _: Vertex<()> = scores;
    let leaves = [second, third].map(|word| g.add(&leaf, (), word));
    let nodes = [(); 2].map(|()| g.add(&child_sum, &[], ()));
    let three = g.add(&alike, [nodes[0], nodes[1], nodes[1]], ());
    let sum = g.add(&child_sum, &[three, nodes[0]], ());
    let all = g.add(&attention, (leaves[0], &[sum, three, nodes[0]]), ());
    for child in [None, Some(all)] {
        let x = g.tensor(&[0.1, 0.2, 0.3, 0.4]);
        let word = ports::Word { id: 0_u8.into(), x, label: 3_u8.into() };
        g.add(&places, (child, leaves[1]), word);
    }
    let batch = model.minibatch([&g]).unwrap();
    edb::testing::compiled_equals_eager(&model, &batch, &Default::default()).unwrap();
}
