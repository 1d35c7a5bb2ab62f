use edb::prelude::*;

#[derive(Input)]
struct In { x: Tensor, k: Index }

#[vertex_function]
fn f(#[param(H)] w: Tensor) {
    let In { x, k } = pull();
    loss(huber(x, w) + w.pick(k));
}

#[vertex_function]
fn g(#[param(H)] w: Tensor) {
    let In { x, k } = pull();
    loss(w.pick(3) + x.sum() + w.pick(k));
}

fn main() {
    let mut builder = ModelBuilder::new();
    builder.add::<f>(dims! { H: 3 });
    builder.add::<g>(dims! { H: 3 });
}
