use edb::prelude::*;

#[derive(Input)]
struct Words {
    a: Index,
    b: Index,
    x: Tensor,
    y: Tensor,
}

/// A choice between fields of which one is known as an index.
#[vertex_function]
fn indices(#[param(V, H)] table: Tensor) {
    let Words { a, b, x, .. } = pull();
    let first = table.row(a);
    let i = if x.sum() > 0.0 { a } else { b };
    loss(table.row(i).sum() + first.sum());
}

/// A choice between fields of which nothing is known.
#[vertex_function]
fn open(#[param(H)] w: Tensor) {
    let Words { x, y, .. } = pull();
    let z = if w.sum() > 0.0 { x } else { y };
    loss(w.dot(z));
}

/// What is dear stands on the right of `&&`, too.
#[vertex_function]
fn lazy(#[param(H, H)] w: Tensor) {
    let Words { x, .. } = pull();
    if x.sum() > 0.0 && w.dot(x).max() > 1.0 {
        loss(x.sum());
    }
}
