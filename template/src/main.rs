//! Learns of trees of any shape whether more than half of their leaves are ones.

use edb::prelude::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Any error: the program prints it and stops.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// What a vertex tells its parent.
#[derive(State)]
struct Part {
    h: Tensor,
}

/// What a leaf reads: 0 or 1.
#[derive(Input)]
struct Bit {
    value: Index,
}

/// The right answer: 1 if more than half of the leaves are ones.
#[derive(Input)]
struct Gold {
    label: Index,
}

/// A score for each answer.
#[derive(Output)]
struct Scores {
    logits: Tensor,
}

/// A leaf: its bit chooses a row of a table. `check(..)` writes a test of the function, for `cargo test`.
#[vertex_function(check(H = 3))]
fn leaf(#[param(2, H)] table: Tensor) {
    let Bit { value } = pull();
    scatter(Part {
        h: table.row(value),
    });
}

/// An inner vertex: one layer over what its two children tell it.
#[vertex_function(check(H = 3))]
fn join(#[param(H, 2 * H)] w: Tensor, #[param(H)] b: Tensor) {
    let [left, right]: [Part; 2] = [gather(0), gather(1)];
    scatter(Part {
        h: (w.dot(concat([left.h, right.h])) + b).tanh(),
    });
}

/// What is said of a whole tree, and where the right answer is known, how wrong that is.
#[vertex_function(check(H = 3))]
fn answer(#[param(2, H)] w: Tensor, #[param(2)] b: Tensor) {
    let root: Part = gather(0);
    let gold: Option<Gold> = pull();
    let logits = w.dot(root.h) + b;
    push(Scores { logits });
    if let Some(Gold { label }) = gold {
        loss(cross_entropy(logits, label));
    }
}

/// The vertex functions of the model.
#[derive(Functions)]
struct Trees {
    leaf: Function<leaf>,
    join: Function<join>,
    answer: Function<answer>,
}

/// A model with `h` elements at each vertex.
fn model(h: usize, seed: u64) -> Result<(Trees, Model)> {
    let mut builder = ModelBuilder::new();
    let functions = builder.add_all(dims! { H: h });
    Ok((functions, builder.build(seed)?))
}

/// A tree, the vertex that answers for it, and the right answer.
struct Example {
    graph: Graph,
    root: Vertex<()>,
    label: u8,
}

/// A random tree with so many leaves.
fn tree(f: &Trees, model: &Model, leaves: usize, rng: &mut StdRng) -> Example {
    let mut graph = model.graph();
    let mut parts: Vec<Vertex<Part>> = Vec::new();
    let mut ones = 0;
    for _ in 0..leaves {
        let bit: u8 = rng.random_range(0..=1);
        ones += usize::from(bit);
        parts.push(graph.add(&f.leaf, (), Bit { value: bit.into() }));
    }
    // Two neighbours get a parent, until there is one vertex only.
    while parts.len() > 1 {
        let place = rng.random_range(0..parts.len() - 1);
        let right = parts.remove(place + 1);
        parts[place] = graph.add(&f.join, [parts[place], right], ());
    }
    let label = u8::from(2 * ones > leaves);
    let root = graph.add(
        &f.answer,
        [parts[0]],
        Gold {
            label: label.into(),
        },
    );
    Example { graph, root, label }
}

/// The share of `examples` that are answered rightly.
fn accuracy(f: &Trees, trainer: &mut Trainer, examples: &[Example]) -> Result<f64> {
    let batch = trainer
        .model()
        .minibatch(examples.iter().map(|example| &example.graph))?;
    let run = trainer.infer(&batch)?;
    let mut right = 0;
    for example in examples {
        let logits = run.output(&f.answer, example.root)?.logits;
        right += usize::from(u8::from(logits[1] > logits[0]) == example.label);
    }
    Ok(right as f64 / examples.len() as f64)
}

fn main() -> Result<()> {
    let mut rng = StdRng::seed_from_u64(1);
    let (f, model) = model(16, 1)?;
    let mut draw = |examples: usize, model: &Model| -> Vec<Example> {
        (0..examples)
            .map(|_| {
                let leaves = rng.random_range(1..=12);
                tree(&f, model, leaves, &mut rng)
            })
            .collect()
    };
    let (train, test) = (draw(1_000, &model), draw(200, &model));
    let mut trainer = Trainer::new(model, Adam::new(5e-3));
    for epoch in 1..=10 {
        let mut sum = 0.0;
        for examples in train.chunks(20) {
            let graphs = examples.iter().map(|example| &example.graph);
            let batch = trainer.model().minibatch(graphs)?;
            sum += trainer.step(&batch)?.loss;
        }
        let (mean, accuracy) = (sum / train.len() as f64, accuracy(&f, &mut trainer, &test)?);
        println!("epoch {epoch}: loss {mean:.4}, accuracy {accuracy:.3}");
    }
    Ok(())
}
