//! Maxima and minima over children.

use edb::prelude::*;

#[derive(State)]
struct Node {
    h: Tensor,
}

#[vertex_function]
fn mixed(#[param(H)] b: Tensor, #[param(X)] other: Tensor) {
    let mut greatest = b;
    let mut both = b;
    let mut seen = b;
    for child in gather_all::<Node>() {
        greatest = greatest.maximum(other);
        both = both.maximum(child.h);
        both += child.h;
        seen = seen.minimum(child.h * seen);
    }
    scatter(Node { h: greatest + both + seen });
}
