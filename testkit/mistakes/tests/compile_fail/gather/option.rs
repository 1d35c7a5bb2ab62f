//! A child that may be absent is no `Option`; of the code that builds graphs there is no further error.

use edb::prelude::*;

#[derive(State)]
struct Node {
    h: Tensor,
}

#[vertex_function]
fn chain(#[param(H)] w: Tensor) {
    let before: Option<Node> = gather(0);
    let Node { h } = before.unwrap();
    scatter(Node { h: h + w });
}

fn main() {
    let mut builder = ModelBuilder::new();
    let chain = builder.add::<chain>(dims! { H: 2 });
    let model: Model<f32> = builder.build(1).unwrap();
    let mut g = model.graph();
    let first = g.add(&chain, [None], ());
    g.add(&chain, [Some(first)], ());
}
