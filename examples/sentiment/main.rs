//! Sentiment of sentences and of all their phrases: the binary Tree-LSTM, or another cell, on the
//! Stanford Sentiment Treebank (Socher et al., 2013), without pretrained vectors.

#[cfg(test)]
mod tests;

use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use edb::prelude::*;

use cells::binary_tree::{Cell, Functions, MvRnn, Routed, Sizes, TreeGru, TreeLstm};
use readers::source::Source;
use readers::tree::{LABELS, Tree};
use readers::treebank;
use support::fit::Recipe;
use support::measure::{Measures, infer};
use support::splits::Splits;
use support::vocabulary::Vocabulary;
use support::{Options, Result, best};

#[derive(Parser)]
#[command(
    about = "Trains a binary Tree-LSTM on the Stanford Sentiment Treebank",
    after_help = "The folder of --data holds train.txt, dev.txt and test.txt, one tree `(3 \
        (2 a) (3 film))` a line, plain or gzip'd."
)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    source: Source,
    /// What happens at a phrase
    #[arg(long, value_enum, default_value_t = Name::TreeLstm)]
    cell: Name,
    /// The size of a word's vector
    #[arg(long, default_value_t = 128)]
    embedding: usize,
    /// Rarer words are read as one unknown word
    #[arg(long, default_value_t = 2)]
    min_count: usize,
}

/// The cells.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Name {
    /// Tree-LSTM (Tai et al., 2015)
    TreeLstm,
    /// Tree-GRU (Chen et al., 2015)
    TreeGru,
    /// A vector and a matrix for every phrase (Socher et al., 2012)
    MvRnn,
    /// Tree-LSTM with phrases of two types, by whether their first part is a word
    #[value(name = "tree-lstm-2type")]
    TreeLstm2Type,
    /// Three experts, of which each phrase chooses one
    Routed,
}

/// Accuracy at the roots: over five classes, and positive against negative (without sentences
/// labelled neutral, as usual). The mean of both chooses the epoch.
fn accuracy<C: Cell>(
    f: &Functions<C>,
    trainer: &mut Trainer,
    words: &Vocabulary,
    trees: &[Tree],
) -> Result<Measures> {
    let (mut right, mut polar_right, mut polar) = (0, 0, 0);
    let graph = |model: &Model, tree: &Tree| f.graph(model, tree, |word| words.id(word));
    infer(trainer, trees, graph, |run, tree, root| {
        let gold = usize::from(tree.label());
        let logits = run.output(&f.sentiment, root)?.logits;
        right += usize::from(best(logits.iter().copied()) == gold);
        if gold != 2 {
            // The side with the greater probability.
            let weight = |class: usize| logits[class].exp();
            let positive = weight(3) + weight(4) > weight(0) + weight(1);
            polar_right += usize::from(positive == (gold > 2));
            polar += 1;
        }
        Ok(())
    })?;
    let share = |right: usize, of: usize| right as f64 / of.max(1) as f64;
    let (fine, binary) = (share(right, trees.len()), share(polar_right, polar));
    Ok(vec![("mean", (fine + binary) / 2.0), ("fine", fine), ("binary", binary)])
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let options = &cli.options;
    let splits = treebank::read(&cli.source)?.filled()?;
    let words = splits.train.iter().flat_map(Tree::words).map(String::as_str);
    let words = Vocabulary::new(words, cli.min_count);
    println!("{} sentences to train on, {} words", splits.train.len(), words.size());

    let sizes = Sizes {
        words: words.size(),
        embedding: cli.embedding,
        hidden: options.hidden.unwrap_or(if let Name::MvRnn = cli.cell { 24 } else { 128 }),
        classes: usize::from(LABELS),
    };
    match cli.cell {
        Name::TreeLstm => train::<TreeLstm>(options, sizes, 1, &splits, &words),
        Name::TreeLstm2Type => train::<TreeLstm>(options, sizes, 2, &splits, &words),
        Name::TreeGru => train::<TreeGru>(options, sizes, 1, &splits, &words),
        Name::MvRnn => train::<MvRnn>(options, sizes, 1, &splits, &words),
        Name::Routed => train::<Routed>(options, sizes, 1, &splits, &words),
    }
}

/// Trains and tests a model with `types` types of phrases.
fn train<C: Cell>(
    options: &Options,
    sizes: Sizes,
    types: usize,
    splits: &Splits<Tree>,
    words: &Vocabulary,
) -> Result<()> {
    let mut builder = ModelBuilder::new();
    let f = Functions::<C>::new(&mut builder, sizes, types);
    let model = builder.build(options.seed)?;
    let recipe = Recipe { epochs: 8, batch: 32, rate: 2e-3, decay: false, falls: false };
    recipe.run(
        options,
        model,
        splits,
        |model, tree, _| f.graph(model, tree, |word| words.id(word)).0,
        |trainer, trees| accuracy(&f, trainer, words, trees),
    )
}
