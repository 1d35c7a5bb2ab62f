//! Fault A3 of the third list: a function of the user's was taken for edb's of that name.

mod own {
    use edb::prelude::*;

    pub fn zeros(length: usize) -> Tensor {
        scalar(1.0) * edb::prelude::zeros(length)
    }
    pub fn gather<S: edb::State>(place: usize) -> S {
        edb::prelude::gather(place + 1)
    }
}

mod defined {
    use edb::prelude::*;

    fn mse(a: Tensor, b: Tensor) -> Tensor {
        (a - b).abs().sum()
    }

    #[vertex_function]
    fn cell(#[param(H)] w: Tensor, #[param(H)] v: Tensor) {
        loss(mse(w, v));
        loss((mse)(w, v));
    }

    #[vertex_helper]
    fn error(w: Tensor, v: Tensor) -> Tensor {
        mse(w, v) * 2.0
    }
}

mod imported {
    use super::own::{gather, zeros};
    use edb::prelude::*;

    #[derive(State)]
    struct Node {
        h: Tensor,
    }

    #[vertex_function]
    fn cell(#[dim(H)] h: Dim) {
        let [a, b]: [Node; 2] = [gather(0), gather(1)];
        scatter(Node { h: a.h + b.h + zeros(h) });
    }
}
