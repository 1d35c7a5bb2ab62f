//! Cells of every kind: with optional children, with any number of children, with both; helpers;
//! and an output that other vertices pull.

use edb::prelude::*;

/// The state of all recurrent cells here.
#[derive(State)]
pub struct Memory {
    pub h: Tensor,
    pub c: Tensor,
}

/// The input of [`read`](struct@read).
#[derive(Input)]
pub struct Features {
    pub x: Tensor,
}

/// The output of [`read`](struct@read).
#[derive(Output)]
pub struct Encoding {
    pub x: Tensor,
}

/// The same, as the input of other cells.
#[derive(Input)]
pub struct Encoded {
    pub x: Tensor,
}

/// The target of [`regress`](struct@regress).
#[derive(Input)]
pub struct Target {
    pub y: Tensor,
}

/// The output of [`regress`](struct@regress).
#[derive(Output)]
pub struct Estimate {
    pub y: Tensor,
}

/// A layer outside any recurrence, whose output other vertices pull.
#[vertex_function]
pub fn read(#[param(X, F)] w: Tensor, #[param(X)] b: Tensor) {
    let Features { x } = pull();
    push(Encoding { x: (w.dot(x) + b).tanh().dropout(0.3) });
}

/// `W x + U h + b`.
#[vertex_helper]
pub fn affine(w: Tensor, x: Tensor, u: Tensor, h: Tensor, b: Tensor) -> Tensor {
    w.dot(x) + u.dot(h) + b
}

/// A gate.
#[vertex_helper]
pub fn gate(w: Tensor, x: Tensor, u: Tensor, h: Tensor, b: Tensor) -> Tensor {
    affine(w, x, u, h, b).sigmoid()
}

/// An LSTM with separate gates and a learned initial state.
#[vertex_function]
pub fn chain(
    #[dim(H)] size: Dim,
    #[param(H, X)] w_i: Tensor,
    #[param(H, H)] u_i: Tensor,
    #[param(H)] b_i: Tensor,
    #[param(3 * H, X)] w: Tensor,
    #[param(3 * H, H)] u: Tensor,
    #[param(3 * H)] b: Tensor,
    #[param(H)] h0: Tensor,
) {
    let Encoded { x } = pull();
    let previous = gather_or(0, Memory { h: h0, c: zeros(size) });
    let i = gate(w_i, x, u_i, previous.h, b_i);
    let [f, o, g] = affine(w, x, u, previous.h, b).split();
    let c = i * g.tanh() + f.sigmoid() * previous.c;
    scatter(Memory { h: o.sigmoid() * c.tanh(), c });
}

/// A GRU (Cho et al., 2014); its cell is its hidden state.
#[vertex_function]
pub fn gru(
    #[param(H, X)] w_z: Tensor,
    #[param(H, H)] u_z: Tensor,
    #[param(H)] b_z: Tensor,
    #[param(H, X)] w_r: Tensor,
    #[param(H, H)] u_r: Tensor,
    #[param(H)] b_r: Tensor,
    #[param(H, X)] w: Tensor,
    #[param(H, H)] u: Tensor,
    #[param(H)] b: Tensor,
) {
    let Encoded { x } = pull();
    let Memory { h, .. } = gather(0);
    let z = gate(w_z, x, u_z, h, b_z);
    let r = gate(w_r, x, u_r, h, b_r);
    let candidate = affine(w, x, u, r * h, b).tanh();
    let h = (1.0 - z) * h + z * candidate;
    scatter(Memory { h, c: h });
}

/// The child-sum Tree-LSTM (Tai et al., 2015, equations 2 to 8).
#[vertex_function]
#[allow(clippy::assign_op_pattern)] // Both ways to add to an accumulator are in use here.
pub fn child_sum(
    #[dim(H)] size: Dim,
    #[param(3 * H, X)] w: Tensor,
    #[param(3 * H, H)] u: Tensor,
    #[param(3 * H)] b: Tensor,
    #[param(H, X)] w_f: Tensor,
    #[param(H, H)] u_f: Tensor,
    #[param(H)] b_f: Tensor,
) {
    let Encoded { x } = pull();
    let (mut sum, mut kept) = (zeros(size), zeros(size));
    for child in gather_all::<Memory>() {
        sum += child.h;
        kept = kept + gate(w_f, x, u_f, child.h, b_f) * child.c;
    }
    let [i, o, g] = affine(w, x, u, sum, b).split();
    let c = i.sigmoid() * g.tanh() + kept;
    scatter(Memory { h: o.sigmoid() * c.tanh(), c });
}

/// Attention over the children, with a score for each, in two loops.
#[vertex_function]
pub fn attend(#[dim(H)] size: Dim, #[param(1, H)] w: Tensor, #[param(H)] b: Tensor) {
    let mut total = zeros(1);
    for child in gather_all::<Memory>() {
        total += w.dot(child.h).exp();
    }
    let mut mean = zeros(size);
    for child in gather_all::<Memory>() {
        let weight = (w.dot(child.h).exp() / (total + 1e-3)).sum();
        mean += weight * child.c.dropout(0.2);
    }
    scatter(Memory { h: (mean + b).tanh(), c: mean });
}

/// A chain with any number of jumps into it.
#[vertex_function]
pub fn lattice(#[param(3 * H, H)] u: Tensor, #[param(3 * H)] b: Tensor) {
    let previous: Memory = gather(0);
    let [i, o, g] = (u.dot(previous.h) + b).split();
    let mut c = i.sigmoid() * previous.c;
    for jump in gather_all::<Memory>() {
        c += (i + jump.h).sigmoid() * jump.c;
    }
    scatter(Memory { h: o.sigmoid() * c.tanh(), c: c + g.tanh() * 0.5 });
}

/// Three numbers from a state, and their mean squared error.
#[vertex_function]
pub fn regress(#[param(F, H)] w: Tensor, #[param(F)] b: Tensor) {
    let Memory { h, c } = gather(0);
    let Target { y } = pull();
    let estimate = w.dot(h - c) + b;
    push(Estimate { y: estimate });
    loss(mse(estimate, y) + 0.01 * (h * h).sum());
}
