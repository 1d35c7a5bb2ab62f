//! Shapes and constants of calls that are more than one op.

use edb::prelude::*;

#[derive(Input)]
struct In {
    x: Tensor,
    y: Tensor,
    p: Tensor,
}

#[derive(Output)]
struct Out {
    z: Tensor,
}

#[vertex_function]
fn forms(#[param(H, X)] w: Tensor, #[param(X)] b: Tensor, #[param(H)] c: Tensor) {
    let In { x, y, p } = pull();
    let h = w.dot(x);
    let a = h.maximum(b);
    let d = mse(b, h);
    let e = c.select(b, h);
    let f = w.dot(w);
    let g = h.layer_norm(c, b);
    let i = h.elu(p);
    let j = h.noise(-1.0);
    let k = stack([c, b]);
    let l = w.row_pick(w.transpose().row_sum());
    push(Out { z: a + d + e + f + g + i + j + k + l + y });
}
