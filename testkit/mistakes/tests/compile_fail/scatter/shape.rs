use ports::*;

#[vertex_function]
fn grow(#[param(2 * H, H)] w: Tensor, #[param(H)] b: Tensor) {
    let child: Node = gather(0);
    let h = child.h + b;
    scatter(Node { h: w.dot(h), c: child.c });
}
