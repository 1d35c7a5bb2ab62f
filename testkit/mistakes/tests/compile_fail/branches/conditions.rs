use edb::prelude::*;

#[derive(Input)]
struct Word {
    x: Tensor,
}

/// What is no condition.
#[vertex_function]
fn conditions(#[param(H)] w: Tensor, #[param(H)] v: Tensor) {
    let Word { x } = pull();
    let a = if w < v { w } else { v };
    let b = if w.sum() == 1.0 { w } else { v };
    let c = if w.sum() { w } else { v };
    let d = if let Some(x) = Some(w) { x } else { v };
    let e = if w.sum() > 0.0 && v.max() { w } else { v };
    let f = match w.sum() {
        _ => w,
    };
    loss((a + b + c + d + e + f).dot(x));
}
