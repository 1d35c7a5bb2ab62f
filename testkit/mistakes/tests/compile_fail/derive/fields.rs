use edb::prelude::*;

#[derive(State)]
struct Node {
    h: Tensor,
    id: Index,
    size: usize,
}

#[derive(Input)]
struct Word {
    text: String,
    id: Index,
    parts: [Tensor; 2],
}

#[derive(Input)]
struct Told {
    id: Index,
    label: Option<Index>,
}

#[derive(Output)]
struct Scores {
    best: Option<Tensor>,
}

#[vertex_function]
fn cell(#[param(H)] x: Tensor) {
    let Word { id, .. } = pull();
    loss(cross_entropy(x, id));
}
