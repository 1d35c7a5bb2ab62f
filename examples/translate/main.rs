//! Translation: an LSTM encoder-decoder with attention on the captions of Multi30k, English to German.

pub mod cell;
#[path = "../support/mod.rs"]
pub mod support;

use std::process::ExitCode;

use clap::Parser;
use edb::metrics::Perplexity;
use edb::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use cell::Translator;
use support::fit::{Measures, Recipe, infer};
use support::lines::{LineError, items};
use support::source::{Source, Splits};
use support::vocabulary::Vocabulary;
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

fn read(cli: &Cli) -> std::result::Result<Splits<Pair>, LineError> {
    let Some(folder) = &cli.source.data else { return Ok(generated()) };
    let words = |line: String| items(&line).map(str::to_owned).collect::<Vec<_>>();
    let split = |name: &str| {
        let open = |language| cli.source.open(folder, &format!("{name}.{language}"));
        let (mut source, mut target) = (open(&cli.languages[0])?, open(&cli.languages[1])?);
        let mut pairs = Vec::new();
        // Line by line, also where one is empty or malformed: it is left out with its translation.
        loop {
            let pair = match (source.next_line()?, target.next_line()?) {
                (Some(a), Some(b)) => a.and_then(|a| Ok([words(a), words(b?)])),
                (None, None) => return Ok(pairs),
                (None, _) => return Err(source.wrong("the file ends before its translation")),
                (_, None) => return Err(target.wrong("the file ends before what it translates")),
            };
            let pair = source.take(pair)?;
            pairs.extend(pair.filter(|pair| pair.iter().all(|sentence| !sentence.is_empty())));
        }
    };
    Splits::read([&cli.splits[0], &cli.splits[1], &cli.splits[2]].map(String::as_str), split)
}

/// Letters, and the same in reverse.
fn generated() -> Splits<Pair> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    Splits::draw([2000, 100, 100], || {
        let mut letters = Vec::new();
        for _ in 0..rng.random_range(1..7) {
            letters.push(rng.random_range('a'..='f').to_string());
        }
        let reversed = letters.iter().rev().cloned().collect();
        [letters, reversed]
    })
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

/// That of a word of the translations, their ends included.
fn perplexity(f: &Translator, trainer: &mut Trainer, pairs: &[[Vec<u32>; 2]]) -> Result<Measures> {
    let mut found = Perplexity::default();
    let graph = |model: &Model, pair: &[Vec<u32>; 2]| (f.graph(model, pair), ());
    let loss = infer(trainer, pairs, graph, |_, _, ()| Ok(()))?;
    found.observe(loss, pairs.iter().map(|[_, target]| target.len() as u64 - 1).sum());
    Ok(vec![("perplexity", found.value())])
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let options = &cli.options;
    let splits = read(cli)?.filled()?;
    let numbers = Numbers::new(&splits.train, cli.min_count);
    let splits = splits.map(|pair| numbers.of(pair));
    let sizes = numbers.0.each_ref().map(Vocabulary::size);
    println!("{} pairs to train on, {} and {} words", splits.train.len(), sizes[0], sizes[1]);
    let (hidden, epochs) = if cli.source.data.is_some() { (192, 6) } else { (32, 30) };
    let mut builder = ModelBuilder::new();
    let f = Translator::new(&mut builder, sizes, options.hidden.unwrap_or(hidden));
    let model = builder.build(options.seed)?;
    let recipe = Recipe { epochs, batch: 32, rate: 3e-3, decay: true, falls: true };
    recipe.run(
        options,
        model,
        &splits,
        |model, pair, _| f.graph(model, pair),
        |trainer, pairs| perplexity(&f, trainer, pairs),
    )
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
        let folder_name = folder.path().to_str().unwrap();
        let cli =
            |more: &[&str]| Cli::parse_from([&["translate", "--data", folder_name], more].concat());
        // The empty sentence is left out with its translation.
        let expected = [[vec!["a", "b"], vec!["x"]], [vec!["c"], vec!["z\u{a0}z"]]];
        assert_eq!(read(&cli(&[])).unwrap().train, expected);
        let error = |cli| read(&cli).unwrap_err().to_string();
        write("val.de", "x\n");
        let found = error(cli(&[]));
        assert!(
            found.ends_with("val.de, line 2: the file ends before what it translates"),
            "{found}"
        );
        write("val.de", "x\ny\nz\nz\n");
        let found = error(cli(&["--skip-malformed"]));
        assert!(found.ends_with("val.en, line 4: the file ends before its translation"), "{found}");
        // Pairs stay together where a line cannot be read.
        write("val.de", "x\0\ny\nz\n");
        let found = error(cli(&[]));
        assert!(found.contains("val.de, line 1: "), "{found}");
        assert_eq!(read(&cli(&["--skip-malformed"])).unwrap().dev, [[["c"], ["z"]]]);
    }
}
