//! Fault A5 of the seventh list: integers overflow in Rust, but the plan's integers did not.

use edb::prelude::*;

#[derive(Input)]
struct Pair {
    x: Tensor,
    y: Tensor,
}

#[vertex_helper]
fn below(k: usize) -> f64 {
    (k - 5) as f64
}

#[vertex_function]
fn negative(#[param()] w: Tensor) {
    let Pair {
        #[shape()]
        x,
        #[shape()]
        y,
    } = pull();
    let parts = [x, y];
    for k in 0..2 {
        loss(parts[k] * w * ((k - 1) as f64));
    }
    loss(w * (((1 - 3) as usize) as f64));
    loss(w * below(3));
}

#[vertex_function]
fn large(#[param()] w: Tensor) {
    for i in 65536..65537 {
        loss(w * ((i * i) as f64));
    }
    loss(w * (3000000000 as f64));
}
