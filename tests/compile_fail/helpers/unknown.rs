use edb::prelude::*;

#[derive(Output)]
struct Out {
    y: Tensor,
}

#[vertex_function]
fn cell(#[param(H)] x: Tensor) {
    push(Out { y: gate(x) });
}

/// The struct of the function is there nevertheless.
pub fn name() -> &'static str {
    cell::NAME
}

fn main() {}
