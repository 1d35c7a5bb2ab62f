use edb::prelude::*;

#[derive(State)]
struct Node {
    h: Tensor,
    c: Tensor,
}

#[derive(Output)]
struct Out {
    y: Tensor,
}

#[vertex_function]
fn gap() {
    let a: Node = gather(0);
    let b: Node = gather(2);
    push(Out { y: a.h + b.h });
}

fn main() {}
