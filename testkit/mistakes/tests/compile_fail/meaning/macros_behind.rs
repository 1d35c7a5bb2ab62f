//! An attribute that is a macro sees the function after edb: what it changes would not be in the plan.

use edb::prelude::*;

#[vertex_function]
#[tokio::main]
#[inline]
#[cfg_attr(all(), cold)]
/// A cell.
fn cell(#[param(H)] w: Tensor) {
    loss(w.sum());
}

#[vertex_helper]
#[rustfmt::skip]
#[memoize]
fn gate(x: Tensor) -> Tensor { x }
