use edb::prelude::*;

#[derive(State)]
struct Node {
    h: Tensor,
}

#[derive(Output)]
struct Said {
    y: Tensor,
    z: Tensor,
}

#[derive(Output)]
struct Other {
    y: Tensor,
}

/// All items of a list are of one type, with the same shapes.
#[vertex_function]
fn lists(#[param(H)] v: Tensor, #[param(K)] u: Tensor) {
    let mut h = v;
    push(Said { y: h, z: u });
    while h.sum() > 1.0 {
        h = 0.5 * h;
        push(Said { z: h, y: h });
        push(Other { y: h });
        if h.max() > 1.0 {
            push(Said { z: u, y: h.sum() });
        }
    }
    for child in gather_all::<Node>() {
        push(Said { y: child.h, z: u });
    }
    scatter(Node { h });
}

/// Without a loop that ends by a value, a vertex pushes once.
#[vertex_function]
fn once(#[param(H)] v: Tensor) {
    for _ in 0..3 {
        push(Other { y: v });
    }
    push(Other { y: v });
}
