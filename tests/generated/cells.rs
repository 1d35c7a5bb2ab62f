//! Code that all generated functions share: structs for ports, and helpers.

use edb::prelude::*;

/// The state.
#[derive(State)]
pub struct Node {
    pub h: Tensor,
    pub c: Tensor,
}

/// The index of a row, and features.
#[derive(Input)]
pub struct Word {
    pub id: Index,
    pub x: Tensor,
}

/// Features, often the output of another vertex, and a class.
#[derive(Input)]
pub struct Signal {
    pub x: Tensor,
    pub label: Index,
}

/// The correct class, and the correct values.
#[derive(Input)]
pub struct Gold {
    pub label: Index,
    pub target: Tensor,
}

/// A single output.
#[derive(Output)]
pub struct Out {
    pub y: Tensor,
}

/// Two outputs.
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

/// A helper with a variable of the same name as its argument.
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

/// A helper that takes a number and uses dropout.
#[vertex_helper]
pub fn noisy(x: Tensor, rate: f64) -> Tensor {
    x.dropout(rate) * (1.0 - rate)
}

/// A helper that takes an array and contains a loop.
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
