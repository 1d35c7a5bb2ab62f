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
fn sum() {
    let [l, r]: [Node; 2] = [gather(0), gather(1)];
    let [a, _] = [l.h, r.h];
    let all = [l.c, r.c];
    push(Out { y: a + l });
    loss(a.sum() - all);
}
