use ports::*;

#[vertex_function]
fn functions(#[param(H)] x: Tensor) {
    let a = sigmoid(x);
    let b = concatt([x, x]);
    let c = Tensor::from_values(&[], &[]);
    let d = softmx(x);
    let e = full(4) + matmul(x, x);
    push(Out { y: a + b + c + d + e });
}
