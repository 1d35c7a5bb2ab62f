use ports::*;

#[derive(State)]
struct Node {
    h: Tensor,
}

/// What is not for arms.
#[vertex_function]
fn arms(#[dim(H)] size: Dim, #[param(H, H)] w: Tensor, #[param(V, H)] table: Tensor) {
    let Word { id, x } = pull();
    let s = x.sum();
    let mut sum = zeros(size);
    for child in gather_all::<Node>() {
        if s > 0.0 {
            sum += child.h;
        }
    }
    let y = if s > 0.5 {
        w.dot(x)
    } else if s < 0.0 {
        x.dropout(0.5) + table.row(id)
    } else {
        for child in gather_all::<Node>() {
            sum += child.h;
        }
        sum
    };
    let z = if s > 1.0 { one_hot(x.argmax(), size) } else { y };
    if s < 2.0 {
        scatter(Node { h: z });
    }
}
