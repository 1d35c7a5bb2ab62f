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
