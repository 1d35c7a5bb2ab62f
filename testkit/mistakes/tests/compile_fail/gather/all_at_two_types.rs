use ports::*;

#[derive(State)]
struct Leaf {
    x: Tensor,
}

#[vertex_function]
fn sum(#[dim(H)] h: Dim) {
    let mut sum = zeros(h);
    for child in gather_all::<Node>() {
        sum += child.h;
    }
    for leaf in gather_all::<Leaf>() {
        sum += leaf.x;
    }
    push(Out { y: sum });
}
