use edb::prelude::*;

#[derive(State)]
struct Node {
    h: Tensor,
}

#[derive(State)]
struct Other {
    h: Tensor,
}

#[derive(Output)]
struct Said {
    y: Tensor,
}

/// Every way through a function tells the same.
#[vertex_function]
fn told(#[param(H)] v: Tensor, #[param(K)] u: Tensor) {
    let s = v.sum();
    if s > 1.0 {
        push(Said { y: v });
    } else if s > 0.0 {
        push(Said { y: u });
    } else {
        push(Said { y: v });
    }
    if s > 2.0 {
        scatter(Node { h: v });
    } else {
        scatter(Other { h: v });
    }
    if s > 3.0 {
        scatter(Node { h: v });
    }
}
