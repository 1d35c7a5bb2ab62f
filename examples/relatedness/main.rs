//! How related two sentences are: the child-sum Tree-LSTM over the dependency trees of SICK.

#[cfg(test)]
mod tests;

use std::process::ExitCode;

use clap::Parser;
use edb::metrics::Correlation;
use edb::prelude::*;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use cells::child_sum::Relatedness;
use readers::lines::LineError;
use readers::sick::{self, Pair};
use readers::source::Source;
use readers::vectors::Vectors;
use support::fit::Recipe;
use support::measure::{Measures, infer};
use support::splits::Splits;
use support::{Options, Result};

#[derive(Parser)]
#[command(
    about = "Trains a child-sum Tree-LSTM on pairs of sentences, by default small generated ones",
    after_help = "The folder of --data holds train.tsv, dev.tsv, test.tsv and \
        glove300_sick_vocab.txt, plain or gzip'd."
)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    source: Source,
}

fn read(source: &Source) -> std::result::Result<(Splits<Pair>, Vectors), LineError> {
    let Some(folder) = &source.data else {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let splits = Splits::draw([1000, 100, 100], || sick::draw(&mut rng));
        return Ok((splits, Vectors::one_hot(sick::DRAWN.map(String::from).into_iter())));
    };
    let split = |name: &str| sick::read(source.open(folder, &format!("{name}.tsv"))?, usize::MAX);
    let vectors = Vectors::read(source.open(folder, "glove300_sick_vocab.txt")?)?;
    Ok((Splits::read(["train", "dev", "test"], split)?, vectors))
}

/// Pearson's correlation and the mean squared error between the model's expectation and the gold
/// score.
fn measure(
    f: &Relatedness,
    trainer: &mut Trainer,
    vectors: &Vectors,
    pairs: &[Pair],
) -> Result<Measures> {
    let mut found = Correlation::default();
    let graph = |model: &Model, pair: &Pair| f.graph(model, vectors, pair);
    infer(trainer, pairs, graph, |run, pair, vertex| {
        let p = run.output(&f.relate, vertex)?.p;
        let expected: f64 = p.iter().zip(1..).map(|(p, r)| f64::from(*p) * f64::from(r)).sum();
        found.observe(expected, pair.score);
        Ok(())
    })?;
    Ok(vec![("pearson r", found.pearson()), ("mse", found.mse())])
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let options = &cli.options;
    let (splits, vectors) = read(&cli.source)?;
    let splits = splits.filled()?;
    println!("{} pairs to train on, vectors of {}", splits.train.len(), vectors.size());
    let (hidden, epochs) = if cli.source.data.is_some() { (150, 12) } else { (32, 40) };
    let mut builder = ModelBuilder::new();
    let f = Relatedness::new(&mut builder, vectors.size(), options.hidden.unwrap_or(hidden));
    let model = builder.build(options.seed)?;
    let recipe = Recipe { epochs, batch: 25, rate: 1e-3, decay: true, falls: false };
    recipe.run(
        options,
        model,
        &splits,
        |model, pair, _| f.graph(model, &vectors, pair).0,
        |trainer, pairs| measure(&f, trainer, &vectors, pairs),
    )
}
