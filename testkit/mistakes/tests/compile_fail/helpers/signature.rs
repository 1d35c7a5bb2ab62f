use edb::prelude::*;

#[vertex_helper]
fn refer(x: &Tensor, s: &str) -> Option<Tensor> {
    let _ = s;
    Some(*x)
}

#[vertex_helper]
fn generic<T>(x: Tensor) -> Tensor {
    x
}

#[vertex_helper]
fn weighted(#[param(H, H)] w: Tensor, x: Tensor) -> Tensor {
    w.dot(x)
}

#[vertex_helper]
fn tanh(x: Tensor) -> Tensor {
    x.tanh()
}

#[vertex_helper]
fn vec(x: Tensor) -> Tensor {
    x
}
