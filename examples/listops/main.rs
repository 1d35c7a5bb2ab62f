//! ListOps: learn to evaluate nested lists such as `[MAX 2 9 [MIN 4 7 ] 0 ]`.
//!
//! The data are generated (grammar of Nangia & Bowman, 2018), with exact answers for every
//! sub-expression; the model is a tree of any arity (`cell.rs`).

pub mod cell;
pub mod dataset;
pub mod expression;
#[path = "../support/mod.rs"]
pub mod support;

use std::time::Instant;

use clap::Parser;
use edb::prelude::*;
use edb::{MinibatchError, ModelError};

use cell::{Gold, Token, answer, apply, digit};
use dataset::{Settings, dataset};
use expression::{Expression, Item, Operator};
use support::{Options, Result, best, progress, shuffled, table};

#[derive(Parser)]
#[command(about = "Learns to evaluate nested lists of MIN, MAX, MED and SM")]
struct Cli {
    #[command(flatten)]
    options: Options,
    /// Expressions to train on
    #[arg(long, default_value_t = 60_000)]
    train: usize,
    /// Expressions to watch the training with, and as many to test
    #[arg(long, default_value_t = 2_000)]
    test: usize,
}

/// The vertex functions of the model.
struct Functions {
    digit: Function<digit>,
    apply: Function<apply>,
    answer: Function<answer>,
}

fn model(hidden: usize, seed: u64) -> std::result::Result<(Functions, Model), ModelError> {
    let mut builder = ModelBuilder::new();
    let wide = 2 * hidden;
    let functions = Functions {
        digit: builder.add::<digit>(dims! { D: 10, H: hidden }),
        apply: builder.add::<apply>(
            dims! { O: Operator::ALL.len(), H: hidden, M: wide, Z: wide }
                .init("gates", Initializer::Uniform { bound: 1.0 }),
        ),
        answer: builder.add::<answer>(dims! { A: 10, H: hidden }),
    };
    Ok((functions, builder.build(seed)?))
}

/// An expression as a graph; the vertex that answers for the whole is the last.
fn graph(f: &Functions, model: &Model, expression: &Expression) -> (Graph, Vertex<()>) {
    let mut g = model.graph();
    let mut values = Vec::new();
    let mut root = None;
    for (number, item) in expression.items().iter().enumerate() {
        let value = match *item {
            Item::Digit(digit) => g.add(&f.digit, (), Token { id: digit.into() }),
            Item::Apply(operator) => {
                let arguments = expression.arguments(number).iter();
                let arguments: Vec<_> = arguments.map(|argument| values[*argument]).collect();
                let token = Token { id: (operator as u32).into() };
                g.add(&f.apply, &arguments, token)
            }
        };
        values.push(value);
        let gold = Gold { answer: expression.answers()[number].into() };
        root = Some(g.add(&f.answer, [value], gold));
    }
    (g, root.expect("an expression has at least one item"))
}

/// A minibatch of expressions, with the answering vertex and the answer of each.
type Batch = (Minibatch, Vec<(Vertex<()>, u8)>);

fn minibatch(
    f: &Functions,
    model: &Model,
    expressions: &[&Expression],
) -> std::result::Result<Batch, MinibatchError> {
    let (graphs, roots): (Vec<_>, Vec<_>) =
        expressions.iter().map(|expression| graph(f, model, expression)).unzip();
    let answers = expressions.iter().map(|expression| expression.answer());
    Ok((model.minibatch(&graphs)?, roots.into_iter().zip(answers).collect()))
}

/// The share of expressions whose answer is right.
fn accuracy(f: &Functions, trainer: &mut Trainer, expressions: &[Expression]) -> Result<f64> {
    let mut right = 0;
    for chunk in expressions.chunks(256) {
        let (batch, roots) = minibatch(f, trainer.model(), &chunk.iter().collect::<Vec<_>>())?;
        let run = trainer.infer(&batch)?;
        for (root, answer) in roots {
            let logits = run.output(&f.answer, root)?.logits;
            right += usize::from(best(logits.iter().copied()) == usize::from(answer));
        }
    }
    Ok(right as f64 / expressions.len() as f64)
}

fn main() -> Result<()> {
    let cli = Cli::parse();
    let options = &cli.options;
    let start = Instant::now();
    let data = dataset(Settings::default(), options.seed, cli.train, cli.test, cli.test)?;
    println!("{} expressions to train on, such as {}", data.train.len(), data.train[0]);

    let (f, mut model) = model(options.hidden.unwrap_or(64), options.seed)?;
    if let Some(path) = &options.load {
        model.load(path)?;
    }
    let rate = options.lr.unwrap_or(2e-3);
    let epochs = options.epochs.unwrap_or(16);
    let mut trainer = Trainer::new(model, Adam::new(rate)).engine(options.engine()?).clip_norm(5.0);
    let mut rows = Vec::new();
    let mut dev_accuracy = 0.0;
    for epoch in 0..epochs {
        // Linear decay: the last steps settle what the first ones found.
        trainer.optimizer_mut().set_learning_rate(rate * (1.0 - epoch as f64 / epochs as f64));
        let order = shuffled(data.train.len(), options.seed, epoch);
        let chunks = order.chunks(options.batch(64));
        let bar = progress(epoch, chunks.len());
        let (mut loss, mut vertices) = (0.0, 0);
        for chunk in chunks {
            let chunk: Vec<&Expression> = chunk.iter().map(|at| &data.train[*at]).collect();
            let (batch, _) = minibatch(&f, trainer.model(), &chunk)?;
            loss += trainer.step(&batch)?.loss;
            vertices += batch.vertex_count() / 2;
            bar.inc(1);
        }
        bar.finish_and_clear();
        dev_accuracy = accuracy(&f, &mut trainer, &data.dev)?;
        let loss = loss / vertices as f64;
        rows.push(vec![
            (epoch + 1).to_string(),
            format!("{loss:.4}"),
            format!("{dev_accuracy:.4}"),
            format!("{:.1}", start.elapsed().as_secs_f64()),
        ]);
        println!("epoch {}: loss {loss:.4}, dev accuracy {dev_accuracy:.4}", epoch + 1);
    }
    let test_accuracy = accuracy(&f, &mut trainer, &data.test)?;
    let seconds = start.elapsed().as_secs_f64();
    print!("\n{}", table(&["epoch", "loss", "dev accuracy", "seconds"], &rows));
    println!("\ntest accuracy {test_accuracy:.4} after {seconds:.1} s");
    if let Some(path) = &options.save {
        trainer.model().save(path)?;
    }
    if options.json {
        println!(
            "{}",
            serde_json::json!({
                "test_accuracy": test_accuracy,
                "dev_accuracy": dev_accuracy,
                "seconds": seconds,
            })
        );
    }
    Ok(())
}
