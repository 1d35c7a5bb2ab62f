use ports::*;

#[vertex_function]
fn sum(#[dim(H)] h: Dim) {
    let mut sum = zeros(h);
    for child in gather_all() {
        sum += child.h;
    }
    let children = gather_all::<Node>();
    push(Out { y: sum });
}
