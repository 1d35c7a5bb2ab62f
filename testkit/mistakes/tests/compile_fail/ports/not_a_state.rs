use edb::prelude::*;

#[derive(Output)]
struct Out {
    y: Tensor,
}

struct Plain {
    h: Tensor,
}

#[vertex_function]
fn plain() {
    let child: Plain = gather(0);
    push(Out { y: child.h });
}
