use edb::prelude::*;

/// What `match` does not know.
#[vertex_function]
fn matches(#[param(H)] w: Tensor, #[param(H)] v: Tensor) {
    let i = w.argmax();
    let a = match i {
        Index(0) => w,
        Index(1) if w.sum() > 0.0 => v,
        _ => w + v,
    };
    let b = match i {
        Index(0) => w,
        other => v,
    };
    let c = match i {
        _ => w,
        Index(2) => v,
    };
    loss((a + b + c).sum());
}
