//! Fault A2 of the third list: rustc leaves out what `cfg` says, and the plan did not.

use ports::*;

#[vertex_function]
fn cell(#[cfg(all())] #[param(H)] w: Tensor) {
    #[cfg(any())]
    loss(w.square().sum() * 1000.0);
    let [a, b] = [w, #[cfg(all())] w];
    let c = if true { #[cfg(any())] { a } a } else { b };
    let h = a + #[inline] b;
    #[allow(unused_variables)]
    let unused = h;
    scatter(Node { h, #[cfg(all())] c });
}

#[vertex_helper]
fn gate(#[cfg(all())] x: Tensor) -> Tensor {
    #[cfg(any())]
    let x = x * 2.0;
    x
}
