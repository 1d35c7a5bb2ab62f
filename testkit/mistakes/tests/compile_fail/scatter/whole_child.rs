use edb::prelude::*;

#[derive(State)]
struct Node {
    h: Tensor,
    c: Tensor,
}

#[vertex_function]
fn copy() {
    scatter(gather::<Node>(0));
}

fn main() {}
