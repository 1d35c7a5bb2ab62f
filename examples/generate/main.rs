//! Trees from the top down: a generator reads a sentence and decides how its tree branches, all open
//! symbols of all trees at once.

#[cfg(test)]
mod tests;

use std::process::ExitCode;

use clap::Parser;
use edb::metrics::F1;
use edb::prelude::*;

use cells::generator::Generator;
use readers::derivation::{self, Derivation, Span, Symbol, spans};
use readers::source::Source;
use support::fit::Recipe;
use support::measure::Measures;
use support::{Options, Result};

#[derive(Parser)]
#[command(
    about = "Trains a generator of trees, by default those of generated arithmetic",
    after_help = "The folder of --data holds wsj_sample_bin.txt, a tree `(S (NN work) (VBZ \
        ends))` a line, plain or gzip'd. Sentences are read as tags; their last twentieth is for \
        test, the one before for dev."
)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    source: Source,
    /// Leave out the longer sentences of --data
    #[arg(long, default_value_t = 20)]
    longest: usize,
}

/// Takes a training step over gold trees.
fn step(f: &Generator, trainer: &mut Trainer, trees: &[&Derivation]) -> Result<f64> {
    let begin = |gold: &&Derivation| f.begin(trainer.model(), &gold.words);
    let mut grown: Vec<_> = trees.iter().map(begin).collect();
    let step = trainer.grow_each(&mut grown, |g, tree| {
        let gold = &trees[g.place()].symbols;
        f.turn(g, tree, Some(gold));
    })?;
    Ok(step.loss)
}

/// The trees that are generated for sentences.
fn generate(
    f: &Generator,
    trainer: &mut Trainer,
    sentences: &[Derivation],
) -> Result<Vec<Vec<Symbol>>> {
    let begin = |sentence: &Derivation| f.begin(trainer.model(), &sentence.words);
    let mut grown: Vec<_> = sentences.iter().map(begin).collect();
    trainer.grow_each_infer(&mut grown, |g, tree| f.turn(g, tree, None))?;
    Ok(grown.into_iter().map(|(_, tree)| tree.symbols).collect())
}

/// The share of trees that are generated as they should be, and F1 of the phrases.
fn measure(f: &Generator, trainer: &mut Trainer, trees: &[Derivation]) -> Result<Measures> {
    let (mut exact, mut phrases) = (0, F1::default());
    for trees in trees.chunks(32) {
        let said = generate(f, trainer, trees)?;
        for (said, Derivation { symbols, .. }) in said.iter().zip(trees) {
            let (said, gold) = (spans(said), spans(symbols));
            exact += usize::from(said == gold);
            phrases.merge(&brackets(&said, &gold));
        }
    }
    Ok(vec![("exact", exact as f64 / trees.len() as f64), ("f1", phrases.f1())])
}

/// How many of the phrases are right; phrases `@X`, which make a tree binary, do not count.
fn brackets(said: &[Span<'_>], gold: &[Span<'_>]) -> F1 {
    let is_phrase = |(.., is_leaf, label): &&Span<'_>| !is_leaf && !label.starts_with('@');
    let mut rest: Vec<_> = gold.iter().filter(is_phrase).collect();
    let (targets, mut predicted) = (rest.len(), 0);
    for span in said.iter().filter(is_phrase) {
        predicted += 1;
        if let Some(place) = rest.iter().position(|gold| *gold == span) {
            rest.swap_remove(place);
        }
    }
    F1 { hits: (targets - rest.len()) as u64, predicted, targets: targets as u64 }
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let Cli { options, source, longest } = cli;
    let splits = derivation::read(source, *longest)?.filled()?;
    let (hidden, epochs) = if source.data.is_some() { (128, 40) } else { (64, 10) };
    let mut builder = ModelBuilder::new();
    let f = Generator::new(&mut builder, &splits.train, options.hidden.unwrap_or(hidden));
    let known = f.productions.each_ref().map(Vec::len);
    println!("{} trees to train on, of {known:?} productions", splits.train.len());
    let recipe = Recipe { epochs, batch: 32, rate: 3e-3, decay: true, falls: false };
    let mut found = recipe.run_steps(
        options,
        builder.build(options.seed)?,
        &splits,
        |trainer, trees, _| step(&f, trainer, trees),
        |trainer, trees| measure(&f, trainer, trees),
        |_| Ok(Vec::new()),
    )?;
    let exact = found.get("test_exact").cloned().unwrap_or_default();
    found.insert("exact".into(), exact);
    options.print(found);
    Ok(())
}
