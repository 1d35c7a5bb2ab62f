//! The code of the chapter on loops, and arms that do work.

// ANCHOR: uses
use edb::engine::Seeds;
use edb::prelude::*;
// ANCHOR_END: uses
use edb::testing::{Check, compiled_equals_eager};

// ANCHOR: ponder
#[derive(State)]
struct Thought {
    h: Tensor,
}

#[derive(Input)]
struct Word {
    id: Index,
}

/// Thinks about a word as long as the word needs (Graves, 2016).
#[vertex_function(check(V = 5, H = 3))]
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
#[vertex_function(check(H = 3))]
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
#[vertex_function(check(H = 3))]
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

// ANCHOR: rows
/// A picture, as rows of numbers.
#[derive(Input)]
struct Picture {
    pixels: Tensor,
}

/// Reads a picture from the top down.
#[vertex_function(check(R = 3, W = 4, H = 3))]
fn read(
    #[dim(R)] rows: Dim,
    #[dim(W)] width: Dim,
    #[dim(H)] size: Dim,
    #[param(H, W)] w: Tensor,
    #[param(H, H)] u: Tensor,
) {
    let Picture {
        #[shape(R, W)]
        pixels,
    } = pull();
    let mut h = zeros(size);
    for k in 0..rows {
        let row = pixels.row(Index(k as u32)) / (width as f64);
        let depth = (k as f64 + 1.0) / (rows as f64);
        h = (w.dot(row) + u.dot(h)).tanh() * depth;
    }
    scatter(Thought { h });
}
// ANCHOR_END: rows

// ANCHOR: say
#[derive(Output)]
struct Said {
    word: Index,
    log_p: Tensor,
}

/// Says words until it says number 0, or has said 20.
#[vertex_function(check(V = 5, H = 3))]
fn say(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor, #[param(V, H)] out: Tensor) {
    let Thought { h } = gather(0);
    let (mut h, mut word, mut said) = (h, Index(1), scalar(0.0));
    while word != Index(0) && said < 20.0 {
        h = (w.dot(h) + table.row(word)).tanh();
        let scores = out.dot(h).log_softmax();
        word = scores.sample();
        push(Said { word, log_p: scores.pick(word) });
        said += 1.0;
    }
}
// ANCHOR_END: say

#[test]
fn loops_compute_what_rust_computes() {
    let mut builder = ModelBuilder::new();
    let ponder = builder.add::<ponder>(dims! { V: 9, H: 4 });
    let phrase = builder.add::<phrase>(dims! { H: 4 });
    let equilibrium =
        builder.add::<equilibrium>(dims! { H: 4 }.init("w", Initializer::Uniform { bound: 0.2 }));
    let model: Model<f64> = builder.build_as(1).unwrap();
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
    let mut engine = Engine::new();
    let run = engine.infer(&model, &batch).unwrap();
    for word in &words {
        // Of a section before the first step, and one after the last.
        let steps = run.sections_at(0, word.number()).unwrap() - 2;
        assert!(steps >= 1);
    }
    // ANCHOR_END: steps
}

#[test]
fn a_loop_to_a_dimension_takes_as_many_steps() {
    for rows in [1, 2, 7] {
        let mut builder = ModelBuilder::new();
        let f = builder.add::<read>(dims! { R: rows, W: 3, H: 2 });
        let model: Model<f64> = builder.build_as(1).unwrap();
        let mut g = model.graph();
        let of_pictures: Vec<_> = (0..3)
            .map(|picture| {
                let pixel = |at: usize| ((at + picture) as f64).sin();
                let pixels: Vec<f64> = (0..rows * 3).map(pixel).collect();
                let pixels = g.tensor(&pixels);
                g.add(&f, (), Picture { pixels })
            })
            .collect();
        let batch = model.minibatch([&g]).unwrap();
        compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
        let mut engine = Engine::new();
        let run = engine.infer(&model, &batch).unwrap();
        for vertex in of_pictures {
            assert_eq!(run.sections_at(0, vertex.number()).unwrap(), rows + 2);
        }
    }
}

#[test]
fn items_are_read_and_seeded() {
    let mut builder = ModelBuilder::new();
    let ponder = builder.add::<ponder>(dims! { V: 9, H: 4 });
    let say = builder.add::<say>(dims! { V: 9, H: 4 });
    let model: Model<f64> = builder.build_as(1).unwrap();
    let mut g = model.graph();
    let thought = g.add(&ponder, [None], Word { id: Index(3) });
    let speaker = g.add(&say, [thought], ());
    let batch = model.minibatch([&g]).unwrap();
    compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
    let mut engine = Engine::new();
    let reward = |words: &[u32]| words.len() as f64;
    // ANCHOR: items
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let said = run.outputs_of(&say, speaker).unwrap();
    let words = said.view().word.iter().copied().collect::<Vec<u32>>();
    assert!((1..=20).contains(&words.len()));
    // REINFORCE (Williams, 1992): each word gets the reward of the sentence, a number that `reward`, a
    // function of yours, computes.
    let mut seeds = Seeds::new();
    for item in 0..words.len() {
        seeds.push_nth(&say, speaker, item, "log_p", &[-reward(&words)]);
    }
    let gradients = run.backward_with(&seeds).unwrap();
    // ANCHOR_END: items
    assert!(gradients.norm() > 0.0);
}
