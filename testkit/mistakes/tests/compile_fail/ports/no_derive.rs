use edb::prelude::*;

#[derive(Output)]
struct Scores {
    y: Tensor,
}

struct Node {
    h: Tensor,
}

struct Word {
    x: Tensor,
}

struct Gold {
    label: Index,
}

struct Told {
    y: Tensor,
}

/// One that is scattered.
#[vertex_function]
fn leaf(#[param(H)] w: Tensor) {
    scatter(Node { h: w.tanh() });
}

/// One that is gathered in several ways, and scattered.
#[vertex_function]
fn phrase(#[param(H, H)] w: Tensor) {
    let left: Node = gather(0);
    let Node { h } = gather(1);
    let [a, b] = [gather_or(2, Node { h: h * 0.0 }), gather::<Node>(3)];
    let mut sum = left.h + h + a.h + b.h;
    for child in gather_all::<Node>() {
        sum += child.h;
    }
    scatter(Node { h: w.dot(sum) });
}

/// One that is only gathered.
#[vertex_function]
fn root() {
    let Node { h } = gather(0);
    push(Scores { y: h });
}

/// One that is pulled, and one that is pushed.
#[vertex_function]
fn said(#[param(H, X)] w: Tensor) {
    let Word { x } = pull();
    push(Told { y: w.dot(x) });
}

/// One that may be absent.
#[vertex_function(tangent, check(H = 3))]
fn judged(#[param(H)] w: Tensor) {
    let gold: Option<Gold> = pull();
    if let Some(Gold { label }) = gold {
        loss(cross_entropy(w, label));
    }
}

fn model() -> ModelBuilder {
    let mut builder = ModelBuilder::new();
    let leaf: Function<leaf> = builder.add::<leaf>(dims! { H: 2 });
    builder.add::<phrase>(dims! { H: 2 });
    builder
}
