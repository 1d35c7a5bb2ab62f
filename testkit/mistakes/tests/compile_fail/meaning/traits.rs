//! Fault A7 of the seventh list: Rust prefers a method of the user that takes the value to the method of `Option`,
//! which takes a reference.

use edb::prelude::*;

#[derive(Input, Clone, Copy)]
struct Gold {
    label: Index,
}

trait Present {
    fn is_some(self) -> bool;
}

impl Present for Option<Gold> {
    fn is_some(self) -> bool {
        false
    }
}

#[vertex_function]
fn cell(#[param(C)] w: Tensor) {
    let gold: Option<Gold> = pull();
    let z = if gold.is_some() { w.sum() } else { -w.sum() };
    if let Some(Gold { label }) = gold {
        loss(w.pick(label));
    }
    loss(z);
}
