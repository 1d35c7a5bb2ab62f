use ports::*;

#[vertex_function]
fn update(#[param(H)] x: Tensor) {
    let child: Node = gather(0);
    scatter(Node { h: x, ..child });
}
