use ports::*;

#[derive(State)]
struct Leaf {
    x: Tensor,
}

#[vertex_function]
fn both() {
    let a: Node = gather(0);
    let b: Leaf = gather(0);
    let c = gather_or(0, Node { h: a.h, c: a.c });
    push(Out { y: a.h + b.x + c.h });
}
