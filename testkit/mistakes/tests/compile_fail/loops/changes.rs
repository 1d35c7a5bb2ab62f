use edb::prelude::*;

/// What changes in a loop keeps its kind and its shape.
#[vertex_function]
fn changes(#[dim(H)] size: Dim, #[param(H)] w: Tensor, #[param(K)] v: Tensor) {
    let (mut s, mut n, mut pair) = (w, 0, [w, w]);
    while s.sum() < 1.0 {
        s = v;
        n += 1;
        pair = [v, w];
    }
    let mut t = zeros(size);
    while t.sum() < 1.0 {
        t = t.sum();
    }
    loss(s.sum() + t.sum() + pair[0].sum() + n as f64);
}


#[derive(State)]
struct Node {
    h: Tensor,
}

/// A `loop` tests in its middle, and what a child has is not assigned to.
#[vertex_function]
fn shadows(#[param(H)] w: Tensor) {
    let mut node: Node = gather(0);
    let (x, mut n) = (w, scalar(0.0));
    loop {
        let x = x * 2.0;
        if n > 3.0 {
            break;
        }
        n += x.sum();
    }
    while n < 5.0 {
        node = Node { h: w };
        n += 1.0;
    }
    loss(n + x.sum() + node.h.sum());
}
