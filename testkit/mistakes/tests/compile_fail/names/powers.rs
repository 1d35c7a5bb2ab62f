use ports::*;

#[vertex_function]
fn of_a_constant(#[param(H)] x: Tensor) {
    push(Out { y: x.powf(2.5) + x.powi(2) });
}

#[vertex_function]
fn of_a_tensor(#[param(H)] x: Tensor, #[param(H)] y: Tensor) {
    push(Out { y: x.pow(y) });
}

#[vertex_function]
fn of_a_number(#[param(H)] x: Tensor) {
    let n: f64 = 2.0;
    push(Out { y: x * n.powf(0.5) + x * n.powi(2) });
}

// Fault D5: the second error, by rustc, misled about what a power may be.
