use edb::prelude::*;

/// What changes in a loop keeps its kind and its shape.
#[vertex_function]
fn changes(#[dim(H)] size: Dim, #[param(H)] w: Tensor, #[param(K)] v: Tensor) {
    let (mut s, mut n, mut pair) = (w, 0, [w, w]);
    while s.sum() < 1.0 {
        s = v;
        n += 1;
        pair = [v, w];
    }
    let mut t = zeros(size);
    while t.sum() < 1.0 {
        t = t.sum();
    }
    loss(s.sum() + t.sum() + pair[0].sum() + n as f64);
}

fn main() {}
