//! Fault A4 of the seventh list: a path that ends with the name of a function of edb was taken for that function.

use edb::prelude::*;

mod own {
    pub fn gather_all<S: edb::State>() -> impl Iterator<Item = S> {
        edb::prelude::gather_all::<S>().into_iter().take(1)
    }
}

#[derive(State)]
struct Node {
    h: Tensor,
}

#[vertex_function]
fn sum(#[param(H)] b: Tensor) {
    let mut sum = b * 0.0;
    for child in own::gather_all::<Node>() {
        sum += child.h;
    }
    scatter(Node { h: sum });
}
