use edb::prelude::*;

#[derive(Input)]
struct Word {
    id: Index,
    x: Tensor,
}

#[derive(Input)]
struct Gold {
    label: Index,
}

#[vertex_function]
fn both(#[param(V, H)] table: Tensor) {
    let Word { id, .. } = pull();
    let Gold { label } = pull();
    loss(cross_entropy(table.row(id), label));
}
