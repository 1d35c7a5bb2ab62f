//! The code of the chapter on loops, and arms that do work.

use edb::prelude::*;
use edb::testing::{Check, compiled_equals_eager};

#[derive(State)]
struct Thought {
    h: Tensor,
}

#[derive(Input)]
struct Word {
    id: Index,
}

// ANCHOR: ponder
/// Thinks about a word as long as the word needs (Graves, 2016).
#[vertex_function]
fn ponder(
    #[dim(H)] size: Dim,
    #[param(V, H)] table: Tensor,
    #[param(H, H)] w: Tensor,
    #[param(H, H)] u: Tensor,
    #[param(H)] b: Tensor,
    #[param(H)] halt: Tensor,
) {
    let Word { id } = pull();
    let before = gather_or(0, Thought { h: zeros(size) });
    let x = w.dot(table.row(id)) + b;
    let (mut s, mut sum) = (before.h, zeros(size));
    let (mut halted, mut cost) = (scalar(0.0), scalar(0.0));
    while halted < 0.99 {
        s = (x + u.dot(s)).tanh();
        let p = halt.dot(s).sigmoid();
        let p = if halted + p < 0.99 { p } else { 1.0 - halted };
        sum += p * s;
        halted += p;
        cost += 1.0 - halted;
    }
    scatter(Thought { h: sum });
    loss(0.01 * cost);
}
// ANCHOR_END: ponder

// ANCHOR: experts
/// A phrase chooses which of three experts makes it of two.
#[vertex_function]
fn phrase(
    #[param(3, 2 * H)] route: Tensor,
    #[param(H, 2 * H)] plain: Tensor,
    #[param(2 * H, 2 * H)] gated: Tensor,
) {
    let [l, r]: [Thought; 2] = [gather(0), gather(1)];
    let x = concat([l.h, r.h]);
    let p = route.dot(x).softmax();
    let expert = p.argmax();
    let h = match expert {
        Index(0) => plain.dot(x).tanh(),
        Index(1) => {
            let [a, g] = gated.dot(x).split();
            a.tanh() * g.sigmoid()
        }
        _ => l.h + r.h,
    };
    // The choice is learned by its weight.
    scatter(Thought { h: p.pick(expert) * h });
}
// ANCHOR_END: experts

// ANCHOR: newton
/// The fixed point of `z = tanh(W z + x)`, as near as 1e-6.
#[vertex_function]
fn equilibrium(#[dim(H)] size: Dim, #[param(H, H)] w: Tensor, #[param(H)] b: Tensor) {
    let before: Thought = gather(0);
    let x = before.h + b;
    let mut z = zeros(size);
    loop {
        let next = (w.dot(z) + x).tanh();
        let residual = (next - z).norm();
        z = next;
        if residual < 1e-6 {
            break;
        }
    }
    scatter(Thought { h: z });
    loss(z.sum());
}
// ANCHOR_END: newton

#[test]
fn loops_compute_what_rust_computes() {
    let mut builder = ModelBuilder::new();
    let ponder = builder.add::<ponder>(dims! { V: 9, H: 4 });
    let phrase = builder.add::<phrase>(dims! { H: 4 });
    let equilibrium =
        builder.add::<equilibrium>(dims! { H: 4 }.init("w", Initializer::Uniform { bound: 0.2 }));
    let model: Model<f64> = builder.build(1).unwrap();
    let mut g = model.graph();
    let mut last = None;
    let words: Vec<_> = (0..6)
        .map(|id| {
            let word = g.add(&ponder, [last], Word { id: Index(id) });
            last = Some(word);
            word
        })
        .collect();
    let pair = g.add(&phrase, [words[2], words[5]], ());
    g.add(&equilibrium, [pair], ());
    let batch = model.minibatch([&g]).unwrap();
    compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
    // ANCHOR: steps
    let run = model.infer(&batch).unwrap();
    for word in &words {
        // Of a section before the first step, and one behind the last.
        let steps = run.sections_at(0, word.number()).unwrap() - 2;
        assert!(steps >= 1);
    }
    // ANCHOR_END: steps
}
