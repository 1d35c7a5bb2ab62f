use edb::prelude::*;

#[vertex_function]
fn bare(#[param(H)] x: Tensor) {
    scatter(x);
    push(2.0);
}
