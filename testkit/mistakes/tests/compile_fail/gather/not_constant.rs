use ports::*;

#[vertex_function]
fn variable(#[dim(H)] h: Dim, #[param()] x: Tensor) {
    let a: Node = gather(h);
    let size = 2 * h + 1;
    let b: Node = gather(size);
    push(Out { y: a.h + b.h + x });
}
