use edb::prelude::*;

#[derive(State)]
#[edb(crate = net)]
struct Node {
    h: Tensor,
}

#[vertex_helper]
fn twice(x: Tensor) -> Tensor {
    x + x
}

#[vertex_function(crate = nets)]
fn alone() {
    let node: Node = gather(0);
    scatter(Node { h: node.h });
}

#[vertex_function(crate = networks)]
fn with_a_helper() {
    let node: Node = gather(0);
    scatter(Node { h: twice(node.h) });
}
