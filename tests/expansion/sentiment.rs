//! The cells of a sentiment classifier, under every lint that expanded code might trigger.
#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications, clippy::all)]
#![forbid(unsafe_code)]

use edb::prelude::*;

/// The state of a phrase.
#[derive(State)]
struct Node {
    h: Tensor,
    c: Tensor,
}

/// The input of a word.
#[derive(Input)]
struct Word {
    id: Index,
}

/// The class of a phrase.
#[derive(Input)]
struct Gold {
    label: Index,
}

/// The scores of the classes.
#[derive(Output)]
struct Scores {
    logits: Tensor,
}

#[vertex_function]
fn word(#[param(V, X)] table: Tensor, #[param(3 * H, X)] w: Tensor, #[param(3 * H)] b: Tensor) {
    let Word { id } = pull();
    let [i, o, u] = (w.dot(table.row(id)) + b).split();
    let c = i.sigmoid() * u.tanh();
    scatter(Node { h: o.sigmoid() * c.tanh(), c });
}

/// The binary Tree-LSTM (Tai et al., 2015).
#[vertex_function]
fn phrase(#[param(5 * H, 2 * H)] u: Tensor, #[param(5 * H)] b: Tensor) {
    let [l, r]: [Node; 2] = [gather(0), gather(1)];
    let [i, o, g, fl, fr] = (u.dot(concat([l.h, r.h])) + b).split();
    let c = i.sigmoid() * g.tanh() + fl.sigmoid() * l.c + fr.sigmoid() * r.c;
    scatter(Node { h: o.sigmoid() * c.tanh(), c });
}

/// Scores a phrase for each class.
#[vertex_function]
fn sentiment(#[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let node: Node = gather(0);
    let Gold { label } = pull();
    let logits = w.dot(node.h) + b;
    push(Scores { logits });
    loss(cross_entropy(logits, label));
}

#[test]
fn the_cells_of_sentiment_are_defined() {
    for name in [<word as VertexFunction>::NAME, phrase::NAME, sentiment::NAME] {
        assert!(!name.is_empty());
    }
    let definition = phrase::definition();
    assert_eq!(definition.states[0].name, "Node");
    assert_eq!(definition.own.plan.program.slots.len(), 2);
    assert_eq!(sentiment::definition().output.fields[0].name, "logits");
}
