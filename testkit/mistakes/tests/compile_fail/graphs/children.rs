//! A graph whose vertices have the wrong children.

use edb::prelude::*;

#[derive(State)]
struct Node {
    h: Tensor,
}

#[vertex_function]
fn leaf(#[param(H)] start: Tensor) {
    scatter(Node { h: start });
}

#[vertex_function]
fn phrase(#[param(H, 2 * H)] u: Tensor) {
    let [l, r]: [Node; 2] = [gather(0), gather(1)];
    scatter(Node { h: u.dot(concat([l.h, r.h])) });
}

#[vertex_function]
fn judge(#[param(H)] w: Tensor) {
    let node: Node = gather(0);
    loss(w.dot(node.h));
}

fn main() {
    let mut builder = ModelBuilder::new();
    let leaf = builder.add::<leaf>(dims! { H: 8 });
    let phrase = builder.add::<phrase>(dims! { H: 8 });
    let judge = builder.add::<judge>(dims! { H: 8 });
    let model: Model = builder.build(1).unwrap();
    // ANCHOR: graph
    let mut g = model.graph();
    let word = g.add(&leaf, (), ());
    let verdict = g.add(&judge, [word], ());
    g.add(&phrase, [word], ()); // one child, not two
    g.add(&phrase, [word, verdict], ()); // a verdict scatters nothing
    g.add(&phrase, [word, word], word); // it pulls nothing
    // ANCHOR_END: graph
}
