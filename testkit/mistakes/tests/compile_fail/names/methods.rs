use ports::*;

#[vertex_function]
fn methods(#[param(H)] x: Tensor) {
    let a = x.sigmod();
    let b = x.convolve();
    let c = x.clone();
    let [d, _] = [x, x].map(|x| x);
    let e = x.topk() + x.log() + x.sum_rows();
    push(Out { y: a + b + c + d + e });
}
