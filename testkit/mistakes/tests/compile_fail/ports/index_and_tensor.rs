use edb::prelude::*;

#[derive(Input)]
struct Word {
    id: Index,
    x: Tensor,
}

#[vertex_function]
fn confused(#[param(V, H)] table: Tensor) {
    let Word { id, x } = pull();
    loss(cross_entropy(table.row(id) + id, x));
}

/// An index is taken for a number.
#[vertex_function]
fn scaled(#[param(H)] w: Tensor) {
    let Word { id, x } = pull();
    let mut sum = w * id + id * x + 2.0 * id + (id - 1.0);
    sum += id;
    loss(sum.sum());
}

#[vertex_helper]
fn twice(w: Tensor, id: Index) -> Tensor {
    w * id
}
