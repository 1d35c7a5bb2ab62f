//! Translation: an LSTM encoder-decoder with attention on the captions of Multi30k, English to
//! German.

#[cfg(test)]
mod tests;

use std::process::ExitCode;

use clap::Parser;
use edb::prelude::*;

use cells::encoder_decoder::Translator;
use readers::parallel::{self, Numbers};
use readers::source::Source;
use support::fit::Recipe;
use support::measure::perplexity;
use support::{Options, Result};

#[derive(Parser)]
#[command(
    about = "Trains an LSTM encoder-decoder, by default to reverse generated sentences",
    after_help = "The folder of --data holds a file for each split and language, such as \
        train.en, one sentence a line, plain or gzip'd."
)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    source: Source,
    /// The languages: NAME.LANGUAGE files of the folder, translated from the first to the second
    #[arg(long, num_args = 2, default_values = ["en", "de"])]
    languages: Vec<String>,
    /// The splits: training, dev and test
    #[arg(long, num_args = 3,
        default_values = ["train", "val", "test_2016_flickr"])]
    splits: Vec<String>,
    /// Rarer words are one unknown word
    #[arg(long, default_value_t = 2)]
    min_count: usize,
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let options = &cli.options;
    let languages = [0, 1].map(|side| cli.languages[side].as_str());
    let names = [0, 1, 2].map(|split| cli.splits[split].as_str());
    let splits = parallel::read(&cli.source, languages, names)?.filled()?;
    let numbers = Numbers::new(&splits.train, cli.min_count);
    let splits = splits.map(|pair| numbers.encode(pair));
    let sizes = numbers.sizes();
    println!("{} pairs to train on, {} and {} words", splits.train.len(), sizes[0], sizes[1]);
    let (hidden, epochs) = if cli.source.data.is_some() { (192, 6) } else { (32, 30) };
    let mut builder = ModelBuilder::new();
    let f = Translator::new(&mut builder, sizes, options.hidden.unwrap_or(hidden));
    let model = builder.build(options.seed)?;
    let recipe = Recipe { epochs, batch: 32, rate: 3e-3, decay: true, falls: true };
    let graph = |model: &Model, pair: &[Vec<u32>; 2]| f.graph(model, pair);
    recipe.run(
        options,
        model,
        &splits,
        |model, pair, _| graph(model, pair),
        // The end mark of a translation is predicted, too, but not the mark before it.
        |trainer, pairs| perplexity(trainer, pairs, graph, |[_, target]| target.len() - 1),
    )
}
