//! Layers over vectors, a vertex for each example, as "Auto-Vectorizing TensorFlow Graphs" (Agarwal
//! and Ganichev, 2019, section 6) batches them: a linear layer, and a perceptron for digits.
//!
//! ```text
//! y = W x                      scores = V D(relu(W x + b)) + c
//! ```
//!
//! `D` is dropout.

use edb::prelude::*;

/// The input of a linear layer.
#[derive(Input)]
pub struct Vector {
    pub x: Tensor,
}

/// The output of a linear layer.
#[derive(Output)]
pub struct Projected {
    pub y: Tensor,
}

/// An image, line by line, and its digit.
#[derive(Input)]
pub struct Image {
    pub x: Tensor,
    pub digit: Index,
}

/// The scores of the digits.
#[derive(Output)]
pub struct Scores {
    pub scores: Tensor,
}

/// A linear layer. In training, its output is to be small, since nothing else is known of it.
#[vertex_function]
pub fn project(#[param(H, X)] w: Tensor) {
    let Vector { x } = pull();
    let y = w.dot(x);
    push(Projected { y });
    loss((y * y).mean());
}

/// A perceptron with one hidden layer.
#[vertex_function]
pub fn recognise(
    #[param(H, X)] w: Tensor,
    #[param(H)] b: Tensor,
    #[param(C, H)] v: Tensor,
    #[param(C)] c: Tensor,
) {
    let Image { x, digit } = pull();
    let hidden = (w.dot(x) + b).relu().dropout(0.5);
    let scores = v.dot(hidden) + c;
    push(Scores { scores });
    loss(cross_entropy(scores, digit));
}
