use edb::prelude::*;

#[derive(Output)]
struct Out {
    y: Tensor,
}

mod cells {
    use edb::prelude::*;

    #[vertex_helper]
    pub(crate) fn middle(w: Tensor, x: Tensor) -> [Tensor; 2] {
        inner(w, x).split()
    }

    #[vertex_helper]
    fn inner(w: Tensor, x: Tensor) -> Tensor {
        w.dot(x)
    }
}

#[vertex_function]
fn cell(#[param(3 * H, H)] w: Tensor, #[param(H)] x: Tensor, #[param(X)] y: Tensor) {
    let [a, b] = cells::middle(w, x);
    let [c, d] = cells::middle(w, y);
    push(Out { y: a + b + c + d + x * 2 });
}
