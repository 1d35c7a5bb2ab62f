//! Translation: an LSTM encoder-decoder with attention on the captions of Multi30k, English to German.

pub mod cell;
#[path = "../support/mod.rs"]
pub mod support;

use clap::Parser;
use edb::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use cell::Translator;
use support::fit::Recipe;
use support::lines::{LineError, items};
use support::source::Source;
use support::vocabulary::Vocabulary;
use support::{Options, Result};

#[derive(Parser)]
#[command(about = "Trains an LSTM encoder-decoder, by default to reverse generated sentences")]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    source: Source,
    /// The languages: NAME.LANGUAGE files of the folder, translated from the first to the second
    #[arg(long, value_delimiter = ',', num_args = 2, default_values = ["en", "de"])]
    languages: Vec<String>,
    /// The splits: training, dev and test
    #[arg(long, value_delimiter = ',', num_args = 3,
        default_values = ["train", "val", "test_2016_flickr"])]
    splits: Vec<String>,
    /// Rarer words are one unknown word
    #[arg(long, default_value_t = 2)]
    min_count: usize,
}

/// A sentence in both languages.
type Pair = [Vec<String>; 2];

/// Before the first word of a translation, and behind its last.
const END: &str = "</s>";

fn read(cli: &Cli) -> Result<[Vec<Pair>; 3]> {
    let Some(folder) = &cli.source.data else { return Ok([2000, 100, 100].map(generated)) };
    let split = |at: usize| -> Result<Vec<Pair>> {
        // An empty line is a sentence, too: the lines of two files belong together.
        let sentences = |language: &String| -> std::result::Result<Vec<_>, LineError> {
            let path = support::lines::find(folder, &format!("{}.{language}", cli.splits[at]))?;
            let mut lines = support::lines::open(&path)?;
            let mut sentences = Vec::new();
            while let Some(line) = lines.next_line()? {
                sentences.push(items(&line).map(str::to_owned).collect::<Vec<_>>());
            }
            Ok(sentences)
        };
        let [a, b] = [sentences(&cli.languages[0])?, sentences(&cli.languages[1])?];
        if a.len() != b.len() {
            let (name, a, b) = (&cli.splits[at], a.len(), b.len());
            return Err(format!("{name}: {a} sentences have {b} translations").into());
        }
        let pairs = a.into_iter().zip(b).map(|(a, b)| [a, b]);
        Ok(pairs.filter(|pair| pair.iter().all(|sentence| !sentence.is_empty())).collect())
    };
    Ok([split(0)?, split(1)?, split(2)?])
}

/// Letters, and the same in reverse.
fn generated(count: usize) -> Vec<Pair> {
    let mut rng = ChaCha8Rng::seed_from_u64(count as u64);
    let mut pair = || {
        let length = rng.random_range(1..7);
        let letters: Vec<_> =
            (0..length).map(|_| rng.random_range('a'..='f').to_string()).collect();
        let reversed = letters.iter().rev().cloned().collect();
        [letters, reversed]
    };
    (0..count).map(|_| pair()).collect()
}

/// The numbers of words in both languages.
struct Numbers([Vocabulary; 2]);

impl Numbers {
    fn new(pairs: &[Pair], min_count: usize) -> Self {
        let side = |side: usize| {
            let words = pairs.iter().flat_map(|pair| &pair[side]).map(String::as_str);
            Vocabulary::new(words.chain(std::iter::repeat_n(END, min_count)), min_count)
        };
        Self([side(0), side(1)])
    }

    /// A pair in numbers, the translation between two ends.
    fn of(&self, [source, target]: &Pair) -> [Vec<u32>; 2] {
        let Self([from, to]) = self;
        let end = to.id(END);
        let ids = target.iter().map(|word| to.id(word));
        let target = std::iter::once(end).chain(ids).chain([end]).collect();
        [source.iter().map(|word| from.id(word)).collect(), target]
    }
}

/// The exponential of the mean loss of a word of the translations, their ends included.
fn perplexity(f: &Translator, trainer: &mut Trainer, pairs: &[[Vec<u32>; 2]]) -> Result<f64> {
    let (mut loss, mut words) = (0.0, 0);
    for chunk in pairs.chunks(64) {
        let graphs: Vec<Graph> = chunk.iter().map(|pair| f.graph(trainer.model(), pair)).collect();
        let batch = trainer.model().minibatch(&graphs)?;
        loss += trainer.infer(&batch)?.loss();
        words += chunk.iter().map(|[_, target]| target.len() - 1).sum::<usize>();
    }
    Ok((loss / words.max(1) as f64).exp())
}

fn main() -> Result<()> {
    let cli = Cli::parse();
    let options = &cli.options;
    let splits = read(&cli)?;
    let numbers = Numbers::new(&splits[0], cli.min_count);
    let [train, dev, test] =
        splits.map(|pairs| pairs.iter().map(|pair| numbers.of(pair)).collect::<Vec<_>>());
    let sizes = numbers.0.each_ref().map(Vocabulary::size);
    println!("{} pairs to train on, {} and {} words", train.len(), sizes[0], sizes[1]);
    let (default, epochs) = if cli.source.data.is_some() { (192, 6) } else { (32, 30) };
    let hidden = options.hidden.unwrap_or(default);
    let mut builder = ModelBuilder::new();
    let f = Translator::new(&mut builder, sizes, hidden);
    let model = builder.build(options.seed)?;
    let recipe = Recipe { epochs, batch: 32, rate: 3e-3, measure: "perplexity", falls: true };
    let sample = |model: &Model, at: usize, _| f.graph(model, &train[at]);
    let on_dev = |trainer: &mut Trainer| perplexity(&f, trainer, &dev);
    let mut fitted = recipe.fit(options, model, train.len(), sample, on_dev)?;
    let found = perplexity(&f, fitted.trainer(), &test)?;
    fitted.report(options, &[("perplexity", found)]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use edb::Element;
    use support::learns::{Sample, learns};

    struct Pairs;

    impl Sample for Pairs {
        fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
            let words = |line: &str| items(line).map(str::to_owned).collect::<Vec<_>>();
            let pairs = [("a dog barks", "ein Hund bellt"), ("dog", "Hund"), ("a a", "ein")];
            let pairs = pairs.map(|(a, b)| [words(a), words(b)]);
            let numbers = Numbers::new(&pairs, 1);
            let mut builder = ModelBuilder::new();
            let sizes = numbers.0.each_ref().map(Vocabulary::size);
            let f = Translator::new(&mut builder, sizes, 8);
            let model = builder.build(seed).unwrap();
            let graphs = pairs.iter().map(|pair| f.graph(&model, &numbers.of(pair))).collect();
            (model, graphs)
        }
    }

    #[test]
    fn it_learns() {
        learns(&Pairs);
    }

    #[test]
    fn translations_are_as_many_as_sentences() {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        for split in ["train", "val", "test_2016_flickr"] {
            write(&format!("{split}.en"), "a b\n\nc\n");
            write(&format!("{split}.de"), "x\ny\nz\u{a0}z\n");
        }
        let arguments = ["translate", "--data", folder.path().to_str().unwrap()];
        let cli = Cli::parse_from(arguments);
        // The empty sentence is left out with its translation.
        let [train, ..] = read(&cli).unwrap();
        assert_eq!(train, [[vec!["a", "b"], vec!["x"]], [vec!["c"], vec!["z\u{a0}z"]]]);
        write("val.de", "x\n");
        assert_eq!(read(&cli).unwrap_err().to_string(), "val: 3 sentences have 1 translations");
    }
}
