use ports::*;

#[vertex_function]
fn sum(#[param(H)] b: Tensor, #[param(X)] d: Tensor) {
    let mut sum = b;
    let mut pair = [b, d];
    for child in gather_all::<Node>() {
        sum += child.h + d;
        pair[0] += child.c;
    }
    push(Out { y: sum + pair[1] });
}
