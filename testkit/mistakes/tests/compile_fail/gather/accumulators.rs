use ports::*;

#[vertex_function]
fn reductions(#[dim(H)] h: Dim) {
    let (mut product, mut last, mut sum) = (zeros(h) + 1.0, zeros(h), zeros(h));
    let mut decayed = zeros(h);
    for Node { h, c } in gather_all() {
        product *= h;
        last = c;
        sum += h;
        let partial = sum.tanh();
        decayed = decayed * 0.5 + partial;
    }
    push(Out { y: product + last + sum + decayed });
}
