use ports::*;

#[vertex_function]
fn word(#[param(V, X)] table: Tensor, #[param(X)] bias: Tensor) {
    let Word { id, x } = pull();
    let state: Node = gather(0);
    push(Out { y: state.h.row(id) + bias.row(id) + table.dot(x) });
}
