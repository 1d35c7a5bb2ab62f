//! Sentiment of sentences and of all their phrases: the binary Tree-LSTM, or another cell, on the
//! Stanford Sentiment Treebank (Socher et al., 2013), without pretrained vectors.

#[cfg(test)]
mod tests;

use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use edb::model::Notes;
use edb::prelude::*;

use cells::binary_tree::{Cell, Functions, MvRnn, Routed, Sizes, TreeGru, TreeLstm};
use readers::source::Source;
use readers::tree::{CLASSES, LABELS, Tree};
use readers::treebank;
use support::fit::Recipe;
use support::splits::Splits;
use support::vocabulary::Vocabulary;
use support::{Options, Result, say};

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

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let options = &cli.options;
    let splits = treebank::read(&cli.source)?.filled()?;
    let words = splits.train.iter().flat_map(Tree::words).map(String::as_str);
    let words = Vocabulary::new(words, cli.min_count);
    say!("{} sentences to train on, {} words", splits.train.len(), words.size());

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
        (model, Notes::new().with("vocabulary", &words.words()).with("classes", &CLASSES)),
        splits,
        |model, tree, _| f.graph(model, tree, |word| words.id(word)).0,
        |trainer, trees| Ok(f.accuracy(trainer, trees, |word| words.id(word))?.measures()),
    )
}
