//! Language models: an LSTM that predicts the next word of the Penn Treebank, over pieces of one
//! length or over sentences as they are (the two language models of Cavs; Xu et al., 2018, section
//! 5).

#[cfg(test)]
mod tests;

use std::process::ExitCode;

use clap::Parser;
use edb::model::Notes;
use edb::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use cells::lstm_lm::LanguageModel;
use readers::lines::{LineError, items};
use readers::source::Source;
use support::fit::Recipe;
use support::measure::perplexity;
use support::splits::Splits;
use support::vocabulary::Vocabulary;
use support::{Options, Result, say};

#[derive(Parser)]
#[command(
    about = "Trains an LSTM language model, by default on a small generated text",
    after_help = "The folder of --data holds ptb.train.txt, ptb.valid.txt and ptb.test.txt, \
        one sentence a line, plain or gzip'd."
)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    source: Source,
    /// Read each sentence by itself, instead of pieces of the text
    #[arg(long)]
    sentences: bool,
    /// The words of a piece
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    length: u32,
}

/// The word that ends a sentence.
const END: &str = "<eos>";

/// The words of a sentence.
type Sentence = Vec<String>;

fn read(source: &Source) -> std::result::Result<Splits<Sentence>, LineError> {
    let Some(folder) = &source.data else { return Ok(generated()) };
    let sentence = |line: &str| Ok::<_, String>(items(line).map(str::to_owned).collect());
    let split = |name: &str| source.read(folder, &format!("ptb.{name}.txt"), sentence);
    Splits::read(["train", "valid", "test"], split)
}

/// Sentences that name one of eight things several times: once it is named, the rest is determined,
/// so a model that remembers it is uncertain only at the first word and at the end.
fn generated() -> Splits<Sentence> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    Splits::draw([3000, 100, 100], || {
        let thing = format!("thing{}", rng.random_range(0..8));
        let times = rng.random_range(1..5);
        [&thing, "and", "another"].repeat(times).into_iter().map(str::to_owned).collect()
    })
}

/// The words of all sentences as one text, with an end mark after each sentence.
fn text(sentences: &[Sentence], words: &Vocabulary) -> Vec<u32> {
    let mut text = vec![words.id(END)];
    for sentence in sentences {
        text.extend(sentence.iter().map(|word| words.id(word)));
        text.push(words.id(END));
    }
    text
}

/// Cuts a text into pieces: each begins with the last word of the one before, and is `longer` words
/// longer than `length`, as far as the text goes.
fn pieces(text: &[u32], length: usize, longer: usize) -> Vec<&[u32]> {
    let starts = (0..text.len().saturating_sub(1)).step_by(length);
    starts.map(|start| &text[start..(start + length + longer + 1).min(text.len())]).collect()
}

/// The sentences of a text, each from the previous end mark to its own.
fn sentences(text: &[u32], end: u32) -> Vec<&[u32]> {
    let ends: Vec<usize> = (0..text.len()).filter(|place| text[*place] == end).collect();
    ends.windows(2).map(|ends| &text[ends[0]..=ends[1]]).collect()
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let options = &cli.options;
    let splits = read(&cli.source)?.filled()?;
    let known = splits.train.iter().flatten().map(String::as_str);
    let words = Vocabulary::new(known.chain([END]), 1);
    let Splits { train, dev, test } = &splits;
    let [train, dev, test] = [train, dev, test].map(|split| text(split, &words));
    say!("{} words to train on, {} different ones", train.len(), words.size());

    let (hidden, epochs) = if cli.source.data.is_some() { (256, 8) } else { (32, 20) };
    let mut builder = ModelBuilder::new();
    let f = LanguageModel::new(&mut builder, words.size(), options.hidden.unwrap_or(hidden));
    let model = builder.build(options.seed)?;

    let (length, end) = (cli.length as usize, words.id(END));
    // For dev and test, pieces are long, so that their first words, which have no context, hardly
    // matter.
    let splits = match cli.sentences {
        true => [&train, &dev, &test].map(|text| sentences(text, end)),
        false => [pieces(&train, length, length), pieces(&dev, 2000, 0), pieces(&test, 2000, 0)],
    };
    let [mut train, dev, test] = splits;
    if !cli.sentences && train.len() > 1 {
        // The last piece may be too short for the offset of later epochs.
        train.pop();
    }
    // Every epoch cuts the text at other places.
    let sample = |model: &Model, piece: &&[u32], epoch: usize| match cli.sentences {
        true => f.graph(model, piece),
        false => {
            let piece = &piece[(epoch * length * 3 / 8 % length).min(piece.len() - 2)..];
            f.graph(model, &piece[..piece.len().min(length + 1)])
        }
    };
    let recipe = Recipe { epochs, batch: 20, rate: 3e-3, decay: true, falls: true };
    let splits = Splits { train, dev, test };
    // Every text begins with the end of another one.
    let notes = Notes::new().with("vocabulary", &words.words()).with("end", &END);
    recipe.run(options, (model, notes), &splits, sample, |trainer, pieces| {
        perplexity(trainer, pieces, |model, piece| f.graph(model, piece), |piece| piece.len() - 1)
    })
}
