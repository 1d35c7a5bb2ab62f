//! What the generated functions share: the structs at their ports, and helpers.

use edb::prelude::*;

/// What a vertex tells its parents.
#[derive(State)]
pub struct Node {
    pub h: Tensor,
    pub c: Tensor,
}

/// A row of a table, and features.
#[derive(Input)]
pub struct Word {
    pub id: Index,
    pub x: Tensor,
}

/// Features, often what another vertex pushes, and a class.
#[derive(Input)]
pub struct Signal {
    pub x: Tensor,
    pub label: Index,
}

/// What a vertex should have said.
#[derive(Input)]
pub struct Gold {
    pub label: Index,
    pub target: Tensor,
}

/// One result.
#[derive(Output)]
pub struct Out {
    pub y: Tensor,
}

/// Two results.
#[derive(Output)]
pub struct Scores {
    pub logits: Tensor,
    pub y: Tensor,
}

#[vertex_helper]
pub fn affine(w: Tensor, x: Tensor, b: Tensor) -> Tensor {
    w.dot(x) + b
}

/// A helper that calls another one.
#[vertex_helper]
pub fn gate(w: Tensor, x: Tensor, b: Tensor) -> Tensor {
    affine(w, x, b).sigmoid()
}

/// A helper whose own variable has the name of its argument.
#[vertex_helper]
pub fn blend(p: Tensor, a: Tensor, b: Tensor) -> Tensor {
    let p = p.sigmoid();
    p * a + (1.0 - p) * b
}

/// A helper that returns a tuple.
#[vertex_helper]
pub fn halves(x: Tensor) -> (Tensor, Tensor) {
    let [a, b] = x.split();
    (a.tanh(), b)
}

/// A helper that takes a size.
#[vertex_helper]
pub fn scaled(x: Tensor, n: Dim) -> Tensor {
    x / (n as f64).sqrt()
}

/// A helper that takes a number, and draws.
#[vertex_helper]
pub fn noisy(x: Tensor, rate: f64) -> Tensor {
    x.dropout(rate) * (1.0 - rate)
}

/// A helper that takes an array, and loops.
#[vertex_helper]
pub fn weighted(parts: [Tensor; 3]) -> Tensor {
    let mut sum = parts[0];
    for k in 1..3 {
        sum += parts[k] * (1.0 / (k + 1) as f64);
    }
    sum
}

/// A helper that takes a struct.
#[vertex_helper]
pub fn summary(node: Node) -> Tensor {
    concat([node.h, node.c])
}
