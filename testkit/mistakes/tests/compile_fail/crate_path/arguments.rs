use edb::prelude::*;

#[vertex_function(fast)]
fn fast() {
    loss(scalar(1.0));
}

#[vertex_function(krate = edb)]
fn misspelled(#[param(H)] x: Tensor) {
    loss(x.sum());
}

#[vertex_helper(crate = edb, crate = ::edb)]
fn twice(x: Tensor) -> Tensor {
    x + x
}

#[vertex_helper(crate = "edb")]
fn quoted(x: Tensor) -> Tensor {
    x + x
}

#[vertex_helper(crate)]
fn without_a_path(x: Tensor) -> Tensor {
    x + x
}

#[vertex_helper(crate = 5)]
fn number(x: Tensor) -> Tensor {
    x + x
}
