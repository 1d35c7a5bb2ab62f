//! ListOps: learn to evaluate nested lists such as `[MAX 2 9 [MIN 4 7 ] 0 ]`.
//!
//! The data are generated (grammar of Nangia & Bowman, 2018), with exact answers for every
//! sub-expression; the model is a tree whose vertices have any number of children (`cell.rs`).

use std::process::ExitCode;

use clap::Parser;
use edb::model::ModelError;
use edb::prelude::*;

use listops_cell::{Gold, Token, answer, apply, digit};
use support::expression::{Expression, Item, Operator};
use support::fit::Recipe;
use support::lists::{Settings, dataset};
use support::measure::{Measures, infer};
use support::{Options, Result, best};

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
#[derive(Functions)]
struct ListOps {
    digit: Function<digit>,
    apply: Function<apply>,
    answer: Function<answer>,
}

fn model(hidden: usize, seed: u64) -> std::result::Result<(ListOps, Model), ModelError> {
    let mut builder = ModelBuilder::new();
    let wide = 2 * hidden;
    let setup = dims! { D: 10, O: Operator::ALL.len(), A: 10, H: hidden, M: wide, Z: wide };
    let uniform = Initializer::Uniform { bound: 1.0 };
    let functions = builder.add_all(setup.init("apply.gates", uniform));
    Ok((functions, builder.build(seed)?))
}

/// An expression as a graph, and the vertex that answers for the whole, which is the last.
fn graph(f: &ListOps, model: &Model, expression: &Expression) -> (Graph, Vertex<()>) {
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

/// The share of expressions that are answered correctly.
fn accuracy(f: &ListOps, trainer: &mut Trainer, expressions: &[Expression]) -> Result<Measures> {
    let mut right = 0;
    let graph = |model: &Model, expression: &Expression| graph(f, model, expression);
    infer(trainer, expressions, graph, |run, expression, root| {
        let logits = run.output(&f.answer, root)?.logits;
        right += usize::from(best(logits.iter().copied()) == usize::from(expression.answer()));
        Ok(())
    })?;
    Ok(vec![("accuracy", right as f64 / expressions.len() as f64)])
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let options = &cli.options;
    let splits =
        dataset(Settings::default(), options.seed, cli.train, cli.test, cli.test)?.filled()?;
    println!("{} expressions to train on", splits.train.len());

    let (f, model) = model(options.hidden.unwrap_or(64), options.seed)?;
    let recipe = Recipe { epochs: 16, batch: 64, rate: 2e-3, decay: true, falls: false };
    recipe.run(
        options,
        model,
        &splits,
        |model, expression, _| graph(&f, model, expression).0,
        |trainer, expressions| accuracy(&f, trainer, expressions),
    )
}
