//! The code of the chapter on branches.

use edb::prelude::*;
use edb::testing::{Check, compiled_equals_eager};

// ANCHOR: if
#[derive(State)]
struct Memory {
    h: Tensor,
}

#[derive(Input)]
struct Step {
    x: Tensor,
    kind: Index,
}

/// Adds to what is in memory, and keeps it within the unit ball.
#[vertex_function(check(H = 3))]
fn keep(#[param(H, H)] w: Tensor, #[param(H)] b: Tensor, #[dim(H)] size: Dim) {
    let Step { x, .. } = pull();
    let before = gather_or(0, Memory { h: zeros(size) });
    let mut h = w.dot(before.h) + x;
    let mut cost = scalar(0.0);
    let length = h.norm();
    if length > 1.0 {
        h /= length;
        cost += length - 1.0;
    } else if length < 0.1 && x.max() > 0.0 {
        h += b;
    }
    loss(cost);
    scatter(Memory { h });
}
// ANCHOR_END: if

// ANCHOR: match
/// What is done with two memories depends on the input, and on them.
#[vertex_function(check(H = 3))]
fn combine(#[param(3, H)] route: Tensor) {
    let Step { kind, .. } = pull();
    let [a, b]: [Memory; 2] = [gather(0), gather(1)];
    let given = match kind {
        Index(0) => a.h.maximum(b.h),
        Index(1) | Index(2) => a.h - b.h,
        _ => a.h + b.h,
    };
    let h = match route.dot(given).argmax() {
        Index(0) => given.tanh(),
        Index(1) => given.sigmoid(),
        _ => given,
    };
    loss(h.sum());
    scatter(Memory { h });
}
// ANCHOR_END: match

// ANCHOR: operators
/// The input says which operator this is. Each operator becomes a program of its own.
#[vertex_function(check(H = 3))]
fn operate(#[param(H, 2 * H)] w: Tensor, #[param(H, H)] u: Tensor) {
    let Step { kind, .. } = pull();
    let [a, b]: [Memory; 2] = [gather(0), gather(1)];
    let h = match kind {
        Index(0) => w.dot(concat([a.h, b.h])).tanh(),
        Index(1) => u.dot(a.h) * b.h.sigmoid(),
        _ => a.h + b.h,
    };
    scatter(Memory { h });
    loss(h.square().sum());
}
// ANCHOR_END: operators

#[test]
fn branches_compute_what_rust_computes() {
    let mut builder = ModelBuilder::new();
    let keep = builder.add::<keep>(dims! { H: 3 });
    let combine = builder.add::<combine>(dims! { H: 3 });
    let operate = builder.add::<operate>(dims! { H: 3 });
    let model: Model = builder.build(2).unwrap();
    let mut g = model.graph();
    let inputs = [[0.0; 3], [0.01, 0.02, 0.0], [2.0, -1.0, 0.5], [0.3, 0.2, -0.4]];
    let memories: Vec<Vertex<Memory>> = inputs
        .iter()
        .map(|x| {
            let x = g.tensor(x);
            g.add(&keep, [None], Step { x, kind: Index(0) })
        })
        .collect();
    for kind in 0..4 {
        let x = g.tensor(&[0.0; 3]);
        let children = [memories[2], memories[kind as usize]];
        g.add(&combine, children, Step { x, kind: Index(kind) });
        g.add(&operate, children, Step { x, kind: Index(kind) });
    }
    // No vertex decides anything while it runs.
    assert_eq!(operate::plan().sections.len(), 2);
    assert!(operate::plan().sections.iter().all(|section| section.program.next.is_none()));
    let batch = model.minibatch([&g]).unwrap();
    compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
}
