//! What is wrong with one argument says nothing of the other.

use edb::prelude::*;

#[derive(Input)]
struct Word {
    id: Index,
}

#[vertex_function]
fn of_a_tensor(#[param(H)] x: Tensor) {
    loss(one_hot(x, 3).sum());
}

#[vertex_function]
fn by_a_tensor(#[param(H)] x: Tensor) {
    let Word { id } = pull();
    loss(one_hot(id, x).sum());
}

#[vertex_function]
fn of_nothing() {
    let Word { id } = pull();
    loss(one_hot(id, 0).sum());
}
