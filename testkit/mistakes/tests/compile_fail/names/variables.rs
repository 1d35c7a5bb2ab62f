use ports::*;

#[vertex_function]
fn variables(#[param(H)] weight: Tensor) {
    let hidden = weigth.tanh();
    push(Out { y: hiden + hidden });
}
