//! First steps: learn to evaluate formulas such as `((1 xor 0) and 1)` from examples.
//!
//! Each formula is a tree with a different shape. The data are generated, so the answers are exact;
//! the chapter "First steps" of the book explains this file.

// ANCHOR: imports
use edb::prelude::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Any error: the program reports it and stops.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
// ANCHOR_END: imports

// ANCHOR: ports
/// The state that a formula passes to the operator above it.
#[derive(State)]
struct Truth {
    h: Tensor,
}

/// A bit of the formula: 0 or 1.
#[derive(Input)]
struct Bit {
    value: Index,
}

/// An operator: 0 is `and`, 1 is `or`, 2 is `xor`.
#[derive(Input)]
struct Operator {
    id: Index,
}

/// The right answer.
#[derive(Input)]
struct Gold {
    truth: Index,
}

/// A score for false and one for true.
#[derive(Output)]
struct Scores {
    logits: Tensor,
}
// ANCHOR_END: ports

// ANCHOR: cells
/// A bit is a row of a table.
#[vertex_function]
fn bit(#[param(2, H)] table: Tensor) {
    let Bit { value } = pull();
    scatter(Truth { h: table.row(value) });
}

/// An operator reads both sides through one hidden layer, shifted by the operator's row of a table.
#[vertex_function]
fn apply(
    #[param(M, 2 * H)] w: Tensor,
    #[param(OPERATORS, M)] table: Tensor,
    #[param(H, M)] w_out: Tensor,
    #[param(H)] b: Tensor,
) {
    let Operator { id } = pull();
    let [left, right]: [Truth; 2] = [gather(0), gather(1)];
    let hidden = (w.dot(concat([left.h, right.h])) + table.row(id)).tanh();
    scatter(Truth { h: (w_out.dot(hidden) + b).tanh() });
}

/// The answer for a formula: two classes, and the cross-entropy of the right one.
#[vertex_function]
fn answer(#[param(2, H)] w: Tensor, #[param(2)] b: Tensor) {
    let formula: Truth = gather(0);
    let Gold { truth } = pull();
    let logits = w.dot(formula.h) + b;
    push(Scores { logits });
    loss(cross_entropy(logits, truth));
}
// ANCHOR_END: cells

// ANCHOR: model
/// The vertex functions of the model.
#[derive(Functions)]
struct Formulas {
    bit: Function<bit>,
    apply: Function<apply>,
    answer: Function<answer>,
}

fn model(seed: u64) -> Result<(Formulas, Model)> {
    let mut builder = ModelBuilder::new();
    let functions = builder.add_all(dims! { H: 8, M: 32, OPERATORS: 3 });
    Ok((functions, builder.build(seed)?))
}
// ANCHOR_END: model

// ANCHOR: graph
/// A random formula over `bits` bits, as a graph, with the vertex that answers for the whole and
/// the correct answer.
fn formula(f: &Formulas, model: &Model, bits: usize, rng: &mut StdRng) -> (Graph, Root) {
    let mut g = model.graph();
    let mut parts: Vec<(Vertex<Truth>, bool)> = Vec::new();
    for _ in 0..bits {
        let truth: bool = rng.random();
        let value = u8::from(truth).into();
        parts.push((g.add(&f.bit, (), Bit { value }), truth));
    }
    // Two neighbours become one formula, until only one remains.
    while parts.len() > 1 {
        let place = rng.random_range(0..parts.len() - 1);
        let ((left, a), (right, b)) = (parts[place], parts.remove(place + 1));
        let operator: u8 = rng.random_range(0..3);
        let truth = [a & b, a | b, a ^ b][usize::from(operator)];
        let vertex = g.add(&f.apply, [left, right], Operator { id: operator.into() });
        parts[place] = (vertex, truth);
    }
    let (root, truth) = parts[0];
    let gold = Gold { truth: u8::from(truth).into() };
    let vertex = g.add(&f.answer, [root], gold);
    (g, Root { vertex, truth })
}

/// The vertex that answers for a whole formula, and the correct answer.
struct Root {
    vertex: Vertex<()>,
    truth: bool,
}
// ANCHOR_END: graph

// ANCHOR: accuracy
/// The share of formulas over `bits` bits that are evaluated correctly.
fn accuracy(f: &Formulas, trainer: &mut Trainer, bits: usize, rng: &mut StdRng) -> Result<f64> {
    let formulas = (0..500).map(|_| formula(f, trainer.model(), bits, rng));
    let (graphs, roots): (Vec<_>, Vec<_>) = formulas.unzip();
    let batch = trainer.model().minibatch(&graphs)?;
    let run = trainer.infer(&batch)?;
    let mut right = 0;
    for root in &roots {
        let logits = run.output(&f.answer, root.vertex)?.logits;
        right += usize::from((logits[1] > logits[0]) == root.truth);
    }
    Ok(right as f64 / roots.len() as f64)
}
// ANCHOR_END: accuracy

// ANCHOR: main
fn main() -> Result<()> {
    let mut rng = StdRng::seed_from_u64(1);
    let (f, model) = model(1)?;
    let mut trainer = Trainer::new(model, Adam::new(5e-3)).clip_norm(5.0);
    for round in 1..=10 {
        let mut loss = 0.0;
        for _ in 0..100 {
            let formulas = (0..64).map(|_| {
                let bits = rng.random_range(1..=8);
                formula(&f, trainer.model(), bits, &mut rng).0
            });
            let graphs: Vec<Graph> = formulas.collect();
            let batch = trainer.model().minibatch(&graphs)?;
            let step = trainer.step(&batch)?;
            loss += step.loss / step.graphs as f64;
        }
        let accuracy = accuracy(&f, &mut trainer, 8, &mut rng)?;
        println!("round {round}: mean loss {:.4}, accuracy {accuracy:.3}", loss / 100.0);
    }
    let longer = accuracy(&f, &mut trainer, 16, &mut rng)?;
    println!("formulas twice as long: accuracy {longer:.3}");
    Ok(())
}
// ANCHOR_END: main
