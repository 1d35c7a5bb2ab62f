use edb::prelude::*;

#[derive(Output)]
struct Out {
    y: Tensor,
}

#[vertex_function]
fn counted(#[dim(H)] h: Dim, #[param(H)] x: Tensor) {
    let mut sum = scalar(0.0);
    for k in 1..h {
        sum += k as f64;
    }
    for k in 0..h - 1 {
        sum += k as f64;
    }
    for k in 0..h {
        sum += x.slice(0..k).sum();
    }
    for _ in 0..h {
        sum += 1.0;
        if sum > 3.0 {
            break;
        }
    }
    push(Out { y: sum });
}
