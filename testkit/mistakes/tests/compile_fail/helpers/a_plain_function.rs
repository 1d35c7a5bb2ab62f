use ports::*;

fn gate(x: Tensor) -> Tensor {
    x.sigmoid()
}

#[vertex_function]
fn cell(#[param(H)] x: Tensor) {
    push(Out { y: gate(x) });
}
