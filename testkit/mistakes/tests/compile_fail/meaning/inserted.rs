//! A procedural macro above edb's declares a variable under the name of one of the function.

use edb::prelude::*;
use inserts::doubles_x;

#[doubles_x]
#[vertex_function]
fn cell(#[param(H)] x: Tensor) {
    loss(x.sum());
}

#[doubles_x]
#[vertex_helper]
fn gate(x: Tensor) -> Tensor {
    x.tanh()
}
