//! Translation: an LSTM encoder-decoder with attention on the captions of Multi30k, English to
//! German. It translates greedily, word by word, and stops by itself. With `--grow` it also learns to
//! go on from its own words.

mod speaker;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use clap::Parser;
use edb::prelude::*;

use cells::speaker::Speaker;
use readers::parallel::{self, Numbers};
use readers::source::Source;
use speaker::{BATCH, bleu, rates, rewarded, step_taught};
use support::fit::Recipe;
use support::measure::perplexity;
use support::{Options, Result, say};

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
    /// Learn from own words in the second half of the epochs (scheduled sampling), and at last from
    /// rewards
    #[arg(long)]
    grow: bool,
    /// In so many of the last epochs, learn from the BLEU of translations that are drawn
    /// (REINFORCE), with --grow
    #[arg(long, default_value_t = 1)]
    rewarded: usize,
}

/// How often the words that were said are read instead of the gold ones in the last epoch with
/// these.
const SHARE: f64 = 0.25;

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
    say!("{} pairs to train on, {} and {} words", splits.train.len(), sizes[0], sizes[1]);
    let (hidden, epochs) = if cli.source.data.is_some() { (192, 6) } else { (32, 30) };
    // One more for words of its own, and those with rewards.
    let rewarded_epochs = if cli.grow { cli.rewarded } else { 0 };
    let epochs = if cli.grow { epochs + 1 + rewarded_epochs } else { epochs };
    let mut builder = ModelBuilder::new();
    let hidden = options.hidden.unwrap_or(hidden);
    let recipe = Recipe { epochs, batch: BATCH, rate: 3e-3, decay: true, falls: false };
    let rate = options.lr.unwrap_or(recipe.rate);
    // The end mark of a translation is predicted, too, but not the mark before it.
    let predictions = |[_, target]: &[Vec<u32>; 2]| target.len() - 1;
    let f = Speaker::new(&mut builder, sizes, hidden, numbers.end());
    let graph = |model: &Model, pair: &[Vec<u32>; 2]| f.translator.graph(model, pair);
    let epochs = options.epochs.unwrap_or(epochs);
    let taught = epochs.saturating_sub(rewarded_epochs);
    let half = if cli.grow { taught.div_ceil(2) } else { taught };
    let mut engine = options.engine()?;
    let found = recipe.run_steps(
        options,
        (builder.build(options.seed)?, numbers.notes()),
        &splits,
        |trainer, pairs, epoch| {
            if epoch >= taught {
                // Rewards say less than gold words.
                trainer.optimizer_mut().set_learning_rate(0.1 * rate);
                return rewarded(&f, trainer, pairs);
            }
            if epoch >= half {
                let share = SHARE * (epoch + 1 - half) as f64 / (taught - half) as f64;
                // So often, the words that are read are its own.
                return step_taught(&f, trainer, pairs, share);
            }
            let made = |model: &Model, at: usize| graph(model, pairs[at]);
            Ok(trainer.step_shared(pairs.len(), made)?.loss)
        },
        |trainer, pairs| {
            let bleu = vec![("bleu", bleu(&f, &mut engine, trainer.model(), pairs)?)];
            Ok([bleu, perplexity(trainer, pairs, graph, predictions)?].concat())
        },
        |trainer| rates(&f, options, trainer.model(), &splits.test),
    )?;
    options.print(found);
    Ok(())
}
