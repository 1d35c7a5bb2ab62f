//! Language models: an LSTM that predicts the next word of the Penn Treebank, over pieces of one length
//! or over sentences as they are (the two language models of Cavs; Xu et al., 2018, section 5).

pub mod cell;
#[path = "../support/mod.rs"]
pub mod support;

use clap::Parser;
use edb::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use cell::LanguageModel;
use support::fit::Recipe;
use support::lines::{LineError, items};
use support::source::Source;
use support::vocabulary::Vocabulary;
use support::{Options, Result};

#[derive(Parser)]
#[command(about = "Trains an LSTM language model, by default on a small generated text")]
struct Cli {
    #[command(flatten)]
    options: Options,
    /// Holds ptb.train.txt, ptb.valid.txt and ptb.test.txt, one sentence a line
    #[command(flatten)]
    source: Source,
    /// Read each sentence by itself, instead of pieces of the text
    #[arg(long)]
    sentences: bool,
    /// The words of a piece
    #[arg(long, default_value_t = 50)]
    length: usize,
}

/// The word that ends a sentence.
const END: &str = "<eos>";

/// Three splits of sentences.
type Splits = [Vec<Vec<String>>; 3];

fn read(source: &Source) -> std::result::Result<Splits, LineError> {
    let Some(folder) = &source.data else { return Ok(generated()) };
    let sentence = |line: &str| Ok::<_, String>(items(line).map(str::to_owned).collect());
    let split = |name: &str| source.read(folder, &format!("ptb.{name}.txt"), sentence);
    Ok([split("train")?, split("valid")?, split("test")?])
}

/// Sentences that name one of eight things several times: once it is named, all else is known, so a
/// model that remembers it is uncertain at the first word and at the end only.
fn generated() -> Splits {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    [600, 60, 60].map(|count| {
        let mut sentence = || {
            let thing = format!("thing{}", rng.random_range(0..8));
            let mut words = Vec::new();
            for _ in 0..rng.random_range(1..5) {
                words.extend([thing.clone(), "and".to_owned(), "another".to_owned()]);
            }
            words
        };
        (0..count).map(|_| sentence()).collect()
    })
}

/// The words of sentences, each behind the end of the one before.
fn text(sentences: &[Vec<String>], words: &Vocabulary) -> Vec<u32> {
    let end = words.id(END);
    let ids = |sentence: &Vec<String>| sentence.iter().map(|word| words.id(word)).collect();
    let ended = |mut ids: Vec<u32>| {
        ids.push(end);
        ids
    };
    std::iter::once(end).chain(sentences.iter().flat_map(|s| ended(ids(s)))).collect()
}

/// Where the text is cut: each piece begins with the word that the one before ends with.
fn pieces(text: &[u32], first: usize, length: usize) -> Vec<&[u32]> {
    let starts = (first..text.len().saturating_sub(1)).step_by(length);
    starts.map(|start| &text[start..(start + length + 1).min(text.len())]).collect()
}

/// The sentences of a text, each from the end of the one before to its own.
fn sentences(text: &[u32], end: u32) -> Vec<&[u32]> {
    let ends: Vec<usize> = (0..text.len()).filter(|at| text[*at] == end).collect();
    ends.windows(2).map(|ends| &text[ends[0]..=ends[1]]).collect()
}

/// The exponential of the mean loss of a word.
fn perplexity(f: &LanguageModel, trainer: &mut Trainer, pieces: &[&[u32]]) -> Result<f64> {
    let (mut loss, mut words) = (0.0, 0);
    for chunk in pieces.chunks(32) {
        let graphs: Vec<Graph> =
            chunk.iter().map(|piece| f.graph(trainer.model(), piece)).collect();
        let batch = trainer.model().minibatch(&graphs)?;
        loss += trainer.infer(&batch)?.loss();
        words += chunk.iter().map(|piece| piece.len() - 1).sum::<usize>();
    }
    Ok((loss / words.max(1) as f64).exp())
}

fn main() -> Result<()> {
    let cli = Cli::parse();
    let options = &cli.options;
    let splits = read(&cli.source)?;
    let known = splits[0].iter().flatten().map(String::as_str);
    let words = Vocabulary::new(known.chain([END]), 1);
    let [train, dev, test] = splits.each_ref().map(|split| text(split, &words));
    println!("{} words to train on, {} different ones", train.len(), words.size());

    let (default, epochs) = if cli.source.data.is_some() { (256, 8) } else { (32, 20) };
    let hidden = options.hidden.unwrap_or(default);
    let mut builder = ModelBuilder::new();
    let f = LanguageModel::new(&mut builder, words.size(), hidden);
    let model = builder.build(options.seed)?;

    let (length, end) = (cli.length.max(1), words.id(END));
    // Every epoch cuts the text elsewhere; a text is measured in pieces so long that the first words,
    // which know of none before them, do not count.
    let cut = |epoch: usize| match cli.sentences {
        true => sentences(&train, end),
        false => pieces(&train, epoch * length * 3 / 8 % length, length),
    };
    let whole = |text| match cli.sentences {
        true => sentences(text, end),
        false => pieces(text, 0, 2000),
    };
    let recipe = Recipe { epochs, batch: 20, rate: 3e-3, measure: "perplexity", falls: true };
    let epochs: Vec<Vec<&[u32]>> = (0..options.epochs.unwrap_or(recipe.epochs)).map(cut).collect();
    let count = epochs.iter().map(Vec::len).min().unwrap_or(0);
    let sample = |model: &Model, at: usize, epoch: usize| f.graph(model, epochs[epoch][at]);
    let (dev, test) = (whole(&dev), whole(&test));
    let mut fitted = recipe.fit(options, model, count, sample, |t| perplexity(&f, t, &dev))?;
    let found = perplexity(&f, fitted.trainer(), &test)?;
    fitted.report(options, &[("perplexity", found)]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use edb::Element;
    use support::learns::{Sample, learns};

    const TEXT: [u32; 10] = [0, 3, 1, 2, 0, 3, 1, 0, 0, 3];

    struct Text;

    impl Sample for Text {
        fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
            let mut builder = ModelBuilder::new();
            let f = LanguageModel::new(&mut builder, 4, 8);
            let model = builder.build(seed).unwrap();
            let graphs = pieces(&TEXT, 0, 4).iter().map(|piece| f.graph(&model, piece)).collect();
            (model, graphs)
        }
    }

    #[test]
    fn it_learns() {
        learns(&Text);
    }

    #[test]
    fn every_word_is_predicted_once() {
        assert_eq!(pieces(&TEXT, 0, 4), [&TEXT[..5], &TEXT[4..9], &TEXT[8..]]);
        assert_eq!(pieces(&TEXT, 3, 4), [&TEXT[3..8], &TEXT[7..]]);
        assert!(pieces(&TEXT[..1], 0, 4).is_empty());
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
        assert!(read(&source).unwrap().iter().all(|split| *split == expected));
        std::fs::remove_file(folder.path().join("ptb.valid.txt")).unwrap();
        let error = read(&source).unwrap_err().to_string();
        assert!(error.ends_with("found neither `ptb.valid.txt` nor `ptb.valid.txt.gz`"), "{error}");
    }
}
