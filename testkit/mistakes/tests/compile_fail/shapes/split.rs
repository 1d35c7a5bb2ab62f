use ports::*;

#[vertex_function]
fn parts(#[param(3 * H)] x: Tensor, #[param(H, H)] w: Tensor) {
    let [a, b] = x.split();
    let [c, d] = w.split();
    push(Out { y: a + b + c + d });
}
