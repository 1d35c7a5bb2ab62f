//! Language models: an LSTM that predicts the next word of the Penn Treebank, over pieces of one length
//! or over sentences as they are (the two language models of Cavs; Xu et al., 2018, section 5).

pub mod cell;
#[path = "../support/mod.rs"]
pub mod support;

use std::process::ExitCode;

use clap::Parser;
use edb::metrics::Perplexity;
use edb::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use cell::LanguageModel;
use support::fit::{Measures, Recipe, infer};
use support::lines::{LineError, items};
use support::source::{Source, Splits};
use support::vocabulary::Vocabulary;
use support::{Options, Result};

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

/// Sentences that name one of eight things several times: once it is named, all else is known, so a
/// model that remembers it is uncertain at the first word and at the end only.
fn generated() -> Splits<Sentence> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    Splits::draw([3000, 100, 100], || {
        let thing = format!("thing{}", rng.random_range(0..8));
        let times = rng.random_range(1..5);
        [&thing, "and", "another"].repeat(times).into_iter().map(str::to_owned).collect()
    })
}

/// The words of sentences, each behind the end of the one before.
fn text(sentences: &[Sentence], words: &Vocabulary) -> Vec<u32> {
    let mut text = vec![words.id(END)];
    for sentence in sentences {
        text.extend(sentence.iter().map(|word| words.id(word)));
        text.push(words.id(END));
    }
    text
}

/// Where the text is cut: each piece begins with the word that the one before ends with, and is `longer` by
/// so many words, as far as the text goes.
fn pieces(text: &[u32], length: usize, longer: usize) -> Vec<&[u32]> {
    let starts = (0..text.len().saturating_sub(1)).step_by(length);
    starts.map(|start| &text[start..(start + length + longer + 1).min(text.len())]).collect()
}

/// The sentences of a text, each from the end of the one before to its own.
fn sentences(text: &[u32], end: u32) -> Vec<&[u32]> {
    let ends: Vec<usize> = (0..text.len()).filter(|at| text[*at] == end).collect();
    ends.windows(2).map(|ends| &text[ends[0]..=ends[1]]).collect()
}

/// That of a word.
fn perplexity(f: &LanguageModel, trainer: &mut Trainer, pieces: &[&[u32]]) -> Result<Measures> {
    let mut found = Perplexity::default();
    let graph = |model: &Model, piece: &&[u32]| (f.graph(model, piece), ());
    let loss = infer(trainer, pieces, graph, |_, _, ()| Ok(()))?;
    found.observe(loss, pieces.iter().map(|piece| piece.len() as u64 - 1).sum());
    Ok(vec![("perplexity", found.value())])
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
    println!("{} words to train on, {} different ones", train.len(), words.size());

    let (hidden, epochs) = if cli.source.data.is_some() { (256, 8) } else { (32, 20) };
    let mut builder = ModelBuilder::new();
    let f = LanguageModel::new(&mut builder, words.size(), options.hidden.unwrap_or(hidden));
    let model = builder.build(options.seed)?;

    let (length, end) = (cli.length as usize, words.id(END));
    // A text is measured in pieces so long that their first words, which know of none before them, do not
    // count.
    let splits = match cli.sentences {
        true => [&train, &dev, &test].map(|text| sentences(text, end)),
        false => [pieces(&train, length, length), pieces(&dev, 2000, 0), pieces(&test, 2000, 0)],
    };
    let [mut train, dev, test] = splits;
    if !cli.sentences && train.len() > 1 {
        // There may be nothing behind its beginning, where other epochs have theirs.
        train.pop();
    }
    // Every epoch cuts the text elsewhere.
    let sample = |model: &Model, piece: &&[u32], epoch: usize| match cli.sentences {
        true => f.graph(model, piece),
        false => {
            let piece = &piece[(epoch * length * 3 / 8 % length).min(piece.len() - 2)..];
            f.graph(model, &piece[..piece.len().min(length + 1)])
        }
    };
    let recipe = Recipe { epochs, batch: 20, rate: 3e-3, decay: true, falls: true };
    let splits = Splits { train, dev, test };
    recipe.run(options, model, &splits, sample, |t, pieces| perplexity(&f, t, pieces))
}

#[cfg(test)]
mod tests {
    use super::*;
    use edb::Element;
    use support::learns::{Sample, learns};

    const TEXT: [u32; 10] = [0, 3, 1, 2, 0, 3, 1, 0, 0, 3];

    struct Text {
        sentences: bool,
    }

    impl Sample for Text {
        fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
            let mut builder = ModelBuilder::new();
            let f = LanguageModel::new(&mut builder, 4, 8);
            let model = builder.build(seed).unwrap();
            let cut = if self.sentences { sentences(&TEXT, 0) } else { pieces(&TEXT, 4, 0) };
            let graphs = cut.iter().map(|piece| f.graph(&model, piece)).collect();
            (model, graphs)
        }
    }

    #[test]
    fn it_learns() {
        learns(&Text { sentences: false });
        learns(&Text { sentences: true });
    }

    #[test]
    fn every_word_is_predicted_once() {
        assert_eq!(pieces(&TEXT, 4, 0), [&TEXT[..5], &TEXT[4..9], &TEXT[8..]]);
        assert_eq!(pieces(&TEXT, 4, 4), [&TEXT[..9], &TEXT[4..], &TEXT[8..]]);
        assert!(pieces(&TEXT[..1], 4, 0).is_empty());
        // An empty sentence is predicted to end at once.
        let expected: [&[u32]; 3] = [&[0, 3, 1, 2, 0], &[0, 3, 1, 0], &[0, 0]];
        assert_eq!(sentences(&TEXT, 0), expected);
    }

    #[test]
    fn sentences_are_split_at_spaces_only() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["train", "valid", "test"] {
            let text = " a\u{a0}b  c \n\n d\u{3000}e\n";
            std::fs::write(folder.path().join(format!("ptb.{name}.txt")), text).unwrap();
        }
        let source = Source { data: Some(folder.path().into()), skip_malformed: false };
        let expected = vec![vec!["a\u{a0}b", "c"], vec!["d\u{3000}e"]];
        let splits = read(&source).unwrap();
        assert!([splits.train, splits.dev, splits.test].iter().all(|split| *split == expected));
        std::fs::remove_file(folder.path().join("ptb.valid.txt")).unwrap();
        let error = read(&source).unwrap_err().to_string();
        assert!(error.ends_with("found neither `ptb.valid.txt` nor `ptb.valid.txt.gz`"), "{error}");
    }
}
