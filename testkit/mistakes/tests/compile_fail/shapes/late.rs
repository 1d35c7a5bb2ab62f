use ports::*;

#[vertex_function]
fn late(#[param(H)] b: Tensor, #[param(X)] d: Tensor) {
    let node: Node = gather(0);
    let mixed = node.h * node.c;
    let sum = node.h + b;
    loss((node.c + d).sum() + mixed.sum() + sum.sum());
}
