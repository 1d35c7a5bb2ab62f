use ports::*;

#[vertex_function]
fn cell(#[param(H)] x: Tensor) {
    push(Out { y: gate(x) });
}

/// The function's struct exists although its body is wrong, so that this is no second error.
pub fn name() -> &'static str {
    cell::NAME
}
