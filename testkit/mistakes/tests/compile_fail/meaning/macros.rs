//! Fault A1 of the third list: a macro and its caller do not see each other's variables.

use edb::prelude::*;

#[derive(State)]
struct Node {
    h: Tensor,
}

macro_rules! cell {
    ($h:expr) => {
        #[vertex_function]
        fn cell(#[param(H)] w: Tensor) {
            let x = w * 2.0;
            scatter(Node { h: $h });
        }
    };
}

cell!(x + 1.0);
