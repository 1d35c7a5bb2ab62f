use edb::prelude::*;

/// What the arms of a branch do not agree on.
#[vertex_function]
fn merges(#[dim(H)] size: Dim, #[param(H)] w: Tensor, #[param(K)] v: Tensor) {
    let s = w.sum();
    let a = if s > 0.0 { w } else { v };
    let mut n = 1;
    if s > 0.0 {
        n = 2;
    }
    let i = if s > 0.0 { w.argmax() } else { v.argmax() };
    let j = if s > 0.0 { Index(1) } else { Index(2) };
    let mut x = w;
    if s > 0.5 {
        x = v;
    }
    loss(a.sum() + x.sum() + zeros(n * size).sum() + w.pick(i) + w.pick(j));
}
