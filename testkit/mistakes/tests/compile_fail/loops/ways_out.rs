use edb::prelude::*;

#[derive(State)]
struct Node {
    h: Tensor,
}

/// Loops end in one place, and not in a loop over children.
#[vertex_function]
fn ways_out(#[dim(H)] size: Dim, #[param(H)] w: Tensor) {
    let mut s = w;
    loop {
        s = s * 0.5;
    }
    loop {
        if s.sum() < 1.0 {
            break;
        }
        if s.max() < 1.0 {
            break;
        }
    }
    while s.sum() > 1.0 {
        s = s * 0.5;
        if s.max() < 1.0 {
            continue;
        }
    }
    'outer: while s.sum() > 1.0 {
        s = s * 0.5;
    }
    while s {
        s = s * 0.5;
    }
    for _ in 0..3 {
        break;
    }
    let mut sum = zeros(size);
    for child in gather_all::<Node>() {
        let mut h = child.h;
        while h.sum() > 1.0 {
            h = h * 0.5;
        }
        sum += h;
    }
    while s.sum() > 1.0 {
        s = s.dropout(0.5);
        scatter(Node { h: s });
    }
    loss(s.sum() + sum.sum());
}
