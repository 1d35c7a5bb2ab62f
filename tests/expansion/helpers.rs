//! Helpers: nested, across modules, with every visibility, and inside function bodies.
#![deny(warnings, dead_code, missing_docs, unreachable_pub, unused_qualifications, clippy::all)]
#![deny(unused_macros, unused_imports)]
#![forbid(unsafe_code)]

use edb::prelude::*;

/// Helpers that call helpers.
pub mod cells {
    use edb::prelude::*;

    mod inner {
        use edb::prelude::*;

        #[vertex_helper]
        pub(super) fn affine(w: Tensor, x: Tensor, b: Tensor) -> Tensor {
            w.dot(x) + b
        }
    }

    /// A gate.
    #[vertex_helper]
    pub fn gate(w: Tensor, x: Tensor, b: Tensor) -> Tensor {
        inner::affine(w, x, b).sigmoid()
    }

    /// The gates of an LSTM, from one product.
    #[vertex_helper]
    pub fn gates([w, b]: [Tensor; 2], x: Tensor) -> ([Tensor; 3], Tensor) {
        let [i, f, o, g] = inner::affine(w, x, b).split();
        let mut gates = [i, f, o];
        for k in 0..3 {
            let gate = gates[k].sigmoid();
            gates = match_place(gates, gate, k);
        }
        (gates, g.tanh())
    }

    #[vertex_helper]
    fn match_place(gates: [Tensor; 3], gate: Tensor, k: usize) -> [Tensor; 3] {
        let [a, b, c] = gates;
        let all = [gate, a, b, c];
        // Arrays are indexed by constants only, so `k` cannot choose an element here.
        let _ = k;
        let [x, _, y, z] = all;
        [x, y, z]
    }

    /// A vector of zeros of length `2 * h`, multiplied by a number.
    #[vertex_helper]
    pub(crate) fn room(h: Dim, factor: f64) -> Tensor {
        zeros(2 * h) * factor
    }
}

use cells::{gate, room};

/// The state.
#[derive(State)]
pub struct Node {
    /// The output.
    pub h: Tensor,
}

/// The input.
#[derive(Input)]
pub struct Word {
    /// Which word.
    pub id: Index,
    /// Its features.
    pub x: Tensor,
}

#[vertex_helper]
fn embed(table: Tensor, word: Word) -> Tensor {
    concat([table.row(word.id), word.x])
}

mod states {
    use edb::prelude::*;

    /// The type is written as seen from this module.
    #[vertex_helper]
    pub(super) fn next(h: Tensor) -> super::Node {
        super::Node { h }
    }

    #[vertex_helper]
    pub(super) fn pair(h: Tensor) -> (super::Node, [Tensor; 2]) {
        (next(h), [h, h])
    }
}

/// Where the child is absent, the state comes from a helper.
#[vertex_function]
fn chain(#[param(H)] start: Tensor) {
    let before: Node = gather_or(0, states::next(start));
    let (state, _): (Node, [Tensor; 2]) = states::pair(before.h.tanh());
    scatter(state);
}

/// A cell.
#[vertex_function]
pub fn cell(
    #[param(V, X)] table: Tensor,
    #[param(H, X + F)] w: Tensor,
    #[param(4 * H, H)] u: Tensor,
    #[param(4 * H)] b: Tensor,
    #[param(H)] c: Tensor,
    #[dim(H)] h: Dim,
    #[param(F)] f: Tensor,
) {
    let before: Node = gather(0);
    let x = gate(w, embed(table, pull::<Word>()), c);
    let ([i, o, _], g) = cells::gates([u, b], x * before.h);
    let state: Node = states::next(i * g + o + room(h, 0.5).slice(0..h) + f.sum());
    scatter(state);
}

#[test]
fn helpers_are_found_and_repeated() {
    #[vertex_helper]
    fn twice(x: Tensor) -> Tensor {
        once(x) + once(x)
    }

    #[vertex_helper]
    fn once(x: Tensor) -> Tensor {
        x.tanh()
    }

    #[vertex_function]
    fn local(#[param(H)] x: Tensor) {
        let a = twice(x);
        push(Out { a });
    }

    #[derive(Output)]
    struct Out {
        a: Tensor,
    }

    #[derive(Clone, Copy, State)]
    struct Kept {
        h: Tensor,
    }

    #[vertex_helper]
    fn of(kept: Kept) -> Tensor {
        kept.h.tanh()
    }

    /// Passes a state to a helper twice.
    #[vertex_function]
    fn again() {
        let kept: Kept = gather(0);
        scatter(Kept { h: of(kept) + of(kept) });
    }

    assert_eq!(again::definition().states[0].name, "Kept");
    assert_eq!(local::NAME, "local");
    let text = cell::definition().own.plan.to_string();
    assert_eq!(text.matches("= dot ").count(), 2, "{text}");
    assert_eq!(chain::definition().states[0].name, "Node");
    let text = local::definition().own.plan.to_string();
    assert!(text.contains("tanh"), "{text}");
}
