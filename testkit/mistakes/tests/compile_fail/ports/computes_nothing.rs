use edb::prelude::*;

#[vertex_function]
fn nothing(#[param(H)] x: Tensor) {
    let y = x.tanh();
    let _ = y;
}
