//! What builds graphs of a function is right, whatever else is wrong with it.

use edb::prelude::*;

#[derive(State)]
struct Node {
    h: Tensor,
}

#[derive(Input)]
struct Word {
    id: Index,
}

#[derive(Output)]
struct Out {
    y: Tensor,
}

/// Children are no list.
#[vertex_function]
fn listed(#[param(H)] x: Tensor) {
    let children = gather_all::<Node>();
    scatter(Node { h: x });
}

/// All is refused in a branch.
#[vertex_function]
fn branching(#[param(H)] x: Tensor) {
    if x.sum() > 0.0 {
        let Word { id } = pull();
        let left: Node = gather(0);
        let right = gather_or(1, Node { h: x });
        push(Out { y: x.pick(id) * left.h * right.h });
    }
    while x.sum() > 0.0 {
        scatter(Node { h: x });
    }
}

/// No children of children.
#[vertex_function]
fn nested(#[param(H)] x: Tensor) {
    let mut sum = x;
    for k in 0..2 {
        for child in gather_all::<Node>() {
            let word: Word = pull();
            let left: Node = gather(0);
            sum += left.h + child.h.pick(word.id);
        }
    }
    loss(sum.sum());
}

fn main() {
    let mut builder = ModelBuilder::new();
    let listed = builder.add::<listed>(dims! { H: 3 });
    let branching = builder.add::<branching>(dims! { H: 3 });
    let nested = builder.add::<nested>(dims! { H: 3 });
    let model: Model = builder.build(1).unwrap();
    let mut g = model.graph();
    let mut nodes: Vec<Vertex<Node>> = Vec::new();
    nodes.push(g.add(&listed, &nodes, ()));
    let branched = g.add(&branching, (nodes[0], None), Word { id: Index(1) });
    g.output(&branching, branched).y;
    nodes.push(branched);
    g.add(&nested, (nodes[0], &nodes), Word { id: Index(1) });
}
