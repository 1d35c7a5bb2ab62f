use edb::prelude::*;

#[derive(State)]
struct Node {
    h: Tensor,
}

#[derive(Input)]
struct Gold {
    label: Index,
}

/// There or not?
#[vertex_function]
fn both(#[param(H)] w: Tensor) {
    let gold: Option<Gold> = pull();
    let Gold { label } = pull();
    loss(w.pick(label));
}

/// What is read without being asked for.
#[vertex_function]
fn unasked(#[param(H)] w: Tensor, #[param(H)] v: Tensor) {
    let gold: Option<Gold> = pull();
    let Some(Gold { label }) = gold else { return };
    let Gold { label: same } = gold.unwrap();
    let x = if let Some(gold) = gold && w.sum() > 0.0 { w } else { v };
    loss(w.pick(label) + v.pick(same) + x.sum());
}

/// Arms that are not two.
#[vertex_function]
fn arms(#[param(H)] w: Tensor) {
    let gold: Option<Gold> = pull();
    let x = match gold {
        Some(gold) if w.sum() > 0.0 => w.pick(gold.label),
        Some(gold) => w.pick(gold.label),
        None => w.sum(),
    };
    if let gold = gold {
        loss(x);
    }
}

/// It is the same for every child.
#[vertex_function]
fn children(#[dim(H)] size: Dim, #[param(H)] w: Tensor) {
    let gold: Option<Gold> = pull();
    let mut sum = zeros(size);
    for child in gather_all::<Node>() {
        if let Some(Gold { label }) = gold {
            sum += w.pick(label) * child.h;
        }
    }
    loss(sum.dot(w) + gold);
}

/// What is read where it may be missing.
#[vertex_function]
fn fields(#[param(H)] w: Tensor) {
    let gold: Option<Gold> = pull();
    let Gold { label: bound } = gold;
    loss(cross_entropy(w, gold.label) + w.pick(bound));
}

/// What other languages write.
#[vertex_function]
fn elsewhere(#[param(H)] w: Tensor) {
    let gold: Option<Gold> = pull();
    for told in gold {
        loss(w.pick(told.label));
    }
    match &gold {
        Some(gold) => loss(w.pick(gold.label)),
        None => {}
    }
    let again = gold.clone();
    if let Some(gold) = again.as_ref() {
        loss(w.pick(gold.label));
    }
}

/// What is pulled and read in one statement.
#[vertex_function]
fn at_once(#[param(H)] w: Tensor) {
    let Some(Gold { label }) = pull() else { return };
    let Some(other) = pull::<Option<Gold>>() else { return };
    loss(w.pick(label) + w.pick(other.label));
}
