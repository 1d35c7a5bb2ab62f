use edb::prelude::*;

#[vertex_function]
struct Cell {
    x: Tensor,
}

#[vertex_function(fast)]
fn fast(x: Tensor) {
    loss(x.sum());
}

fn main() {}
