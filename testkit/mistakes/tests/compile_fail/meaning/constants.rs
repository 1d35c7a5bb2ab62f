//! Fault A2 of the seventh list: a constant in a pattern was taken for a new variable, so the plan took this arm for
//! every value.

use edb::prelude::*;

#[derive(Input, Clone, Copy, PartialEq, Eq)]
struct Gold {
    label: Index,
}

#[derive(Output)]
struct Told {
    z: Tensor,
}

const NEGATIVE: Index = Index(0);
const ALL: Gold = Gold { label: Index(0) };
static LABEL: Index = Index(1);

#[vertex_function]
fn if_let(#[param(3)] w: Tensor) {
    let gold: Option<Gold> = pull();
    let z = if let Some(Gold { label: NEGATIVE }) = gold { w.sum() } else { scalar(2.0) };
    push(Told { z });
}

#[vertex_function]
fn matches(#[param(3)] w: Tensor) {
    let gold: Option<Gold> = pull();
    let z = match gold {
        Some(Gold { label: NEGATIVE }) => w.sum(),
        _ => scalar(2.0),
    };
    push(Told { z });
}

#[vertex_function]
fn whole(#[param(3)] w: Tensor) {
    let gold: Option<Gold> = pull();
    let z = if let Some(ALL) = gold { w.sum() } else { scalar(2.0) };
    push(Told { z });
}

#[vertex_function]
fn a_static(#[param(3)] w: Tensor) {
    let gold: Option<Gold> = pull();
    let z = if let Some(Gold { label: LABEL }) = gold { w.sum() } else { scalar(2.0) };
    push(Told { z });
}

#[vertex_function]
fn in_a_let(#[param(3)] w: Tensor) {
    let Gold { label: NEGATIVE } = pull();
    loss(w.pick(NEGATIVE));
}

#[vertex_helper]
fn in_a_helper(gold: Gold, w: Tensor) -> Tensor {
    let Gold { label: NEGATIVE } = gold;
    w.pick(NEGATIVE)
}

mod renamed {
    use super::{Gold, Told};
    use edb::prelude::*;

    const ABSENT: Option<Gold> = Option::Some(Gold { label: Index(0) });
    use ABSENT as None;

    #[vertex_function]
    fn absent(#[param(3)] w: Tensor) {
        let gold: Option<Gold> = pull();
        let z = match gold {
            None => w.sum(),
            _ => scalar(2.0),
        };
        push(Told { z });
    }
}
