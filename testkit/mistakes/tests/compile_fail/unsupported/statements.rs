use ports::*;

#[vertex_function]
fn statements(#[param(H)] x: Tensor) {
    const N: usize = 2;
    let late;
    let [first, ..] = [x, x];
    let Some(some) = Some(x) else { return };
    let mut pair = [x, x];
    pair[0] = x;
    for k in 0..N {
        let _ = k;
    }
    late = first + some + pair[1];
    push(Out { y: late });
}
