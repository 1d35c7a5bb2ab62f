use ports::*;

#[vertex_function]
fn drop(#[param(H)] w: Tensor, #[dim(H)] h: Dim) {
    let child: Node = gather(0);
    let a = w.dropout(0.5);
    let b = child.h.dropout(1.5);
    let c = child.h.dropout(1.0 / h as f64);
    push(Out { y: a + b + c });
}
