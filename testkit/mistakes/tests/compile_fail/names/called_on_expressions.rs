use ports::*;

#[vertex_function]
fn called_on_expressions(
    #[param(H, X)] w: Tensor,
    #[param(H)] b: Tensor,
    #[param(X)] x: Tensor,
    #[param(H)] c: Tensor,
) {
    let d = relu(w.dot(x) + b);
    let e = sigmoid(w.dot(x) * b);
    let f = tanh(-w.dot(x));
    let g = max(b + c, c) + min(b, 0.0);
    let h = softmax(w.dot(x) + b, 0);
    let i = (w.dot(x) + b).softmax(0);
    let j = (w + w).softmax(0);
    let k = (b + c).max(b) + b.max(0.5 + 0.5);
    let l = (b + c)[0] + (b - c)[x];
    let m = (b + c).split();
    push(Out { y: d + e + f + g + h + i + j + k + l + m });
}

#[vertex_function]
fn a_sum_of_sizes(#[dim(H)] h: Dim, #[param(H)] b: Tensor) {
    push(Out { y: b * (h + 1) });
}
