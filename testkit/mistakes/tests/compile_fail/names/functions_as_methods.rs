use ports::*;

#[vertex_function]
fn functions_as_methods(#[param(H)] x: Tensor, #[param(H)] y: Tensor) {
    let Gold { label } = pull();
    let a = x.concat(y) + (x + y).stack(x);
    loss((x + y).cross_entropy(label) + x.mse(y));
    push(Out { y: a });
}
