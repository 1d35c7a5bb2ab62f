use ports::*;

#[vertex_function]
fn cut(#[param(2 * H)] x: Tensor, #[param(4)] y: Tensor, #[dim(H)] h: Dim) {
    let a = x.slice(0..3 * h);
    let b = y.slice(2..6);
    let c = y.slice(3..1);
    push(Out { y: a + b + c });
}
