use ports::*;

const RATE: f64 = 0.5;

#[vertex_function]
fn names(#[param(H)] x: Tensor) {
    push(Out { y: x.dropout(RATE) + zeros(H) });
}
