//! Tagging: parts of speech of the English Web Treebank, or named entities of WikiNER, with a BiLSTM over
//! words, and with `--chars` over their letters as well.

pub mod cell;
pub mod corpus;
#[path = "../support/mod.rs"]
pub mod support;

use clap::Parser;
use edb::Element;
use edb::metrics::Entities;
use edb::prelude::*;

use cell::{Gold, Memory, Sizes, Spelling, Tagger, Token, Words, letter};
use corpus::{Corpus, Sentence};
use support::fit::Recipe;
use support::source::Source;
use support::vocabulary::Vocabulary;
use support::{Options, Result, best};

#[derive(Parser)]
#[command(about = "Trains a BiLSTM tagger, by default on small generated sentences")]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    source: Source,
    /// Read words by their letters, too
    #[arg(long)]
    chars: bool,
    /// Rarer words are read as one unknown word
    #[arg(long, default_value_t = 2)]
    min_count: usize,
}

/// A sentence in numbers.
struct Record {
    /// For each word its number, those of its letters, and that of its tag.
    words: Vec<(u32, Vec<u32>, u32)>,
}

/// The numbers of words, letters and tags.
struct Numbers {
    words: Vocabulary,
    letters: Vocabulary,
    tags: Vec<String>,
}

impl Numbers {
    fn new(train: &[Sentence], min_count: usize) -> Self {
        let all = || train.iter().flatten();
        let letters = all().flat_map(|(word, _)| word.split("")).filter(|l| !l.is_empty());
        let mut tags: Vec<String> = all().map(|(_, tag)| tag.clone()).collect();
        tags.sort_unstable();
        tags.dedup();
        Self {
            words: Vocabulary::new(all().map(|(word, _)| word.as_str()), min_count),
            letters: Vocabulary::new(letters, 2),
            tags,
        }
    }

    /// A tag that is not among those learned has the number of the first: it is never predicted rightly
    /// more often than that one is.
    fn record(&self, sentence: &Sentence) -> Record {
        let letters = |word: &str| -> Vec<u32> {
            word.split("").filter(|l| !l.is_empty()).map(|l| self.letters.id(l)).collect()
        };
        let tag = |tag: &String| self.tags.binary_search(tag).unwrap_or(0) as u32;
        let word = |(word, t): &(String, String)| (self.words.id(word), letters(word), tag(t));
        Record { words: sentence.iter().map(word).collect() }
    }
}

/// Letters one after the other; the state behind the last.
fn spell<T: Element>(
    g: &mut Graph<T>,
    f: &Function<letter>,
    letters: impl Iterator<Item = u32>,
) -> Vertex<Spelling> {
    let mut before = None;
    for id in letters {
        before = Some(g.add(f, [before], Token { id: id.into() }));
    }
    before.expect("a word has at least one letter")
}

/// A sentence as a graph, and the vertices that tag its words.
fn graph<T: Element>(f: &Tagger, model: &Model<T>, record: &Record) -> (Graph<T>, Vec<Vertex<()>>) {
    let mut g = model.graph();
    let mut vectors = Vec::with_capacity(record.words.len());
    for (id, letters, _) in &record.words {
        let token = Token { id: (*id).into() };
        vectors.push(match &f.words {
            Words::Known(known) => g.add(known, (), token),
            Words::Spelled { forward, backward, word } => {
                let last = spell(&mut g, forward, letters.iter().copied());
                let first = spell(&mut g, backward, letters.iter().rev().copied());
                g.add(word, [last, first], token)
            }
        });
    }
    let mut forward: Vec<Vertex<Memory>> = Vec::with_capacity(vectors.len());
    for vector in &vectors {
        forward.push(g.add(&f.forward, (*vector, forward.last().copied()), ()));
    }
    let mut backward: Option<Vertex<Memory>> = None;
    let mut tags = Vec::with_capacity(vectors.len());
    for ((vector, forward), (_, _, tag)) in vectors.iter().zip(forward).zip(&record.words).rev() {
        let state = g.add(&f.backward, (*vector, backward), ());
        tags.push(g.add(&f.tag, [forward, state], Gold { tag: (*tag).into() }));
        backward = Some(state);
    }
    tags.reverse();
    (g, tags)
}

/// F1 of the entities, or the share of tags that are right.
fn measure(
    f: &Tagger,
    trainer: &mut Trainer,
    numbers: &Numbers,
    sentences: &[Sentence],
    entities: bool,
) -> Result<f64> {
    let (mut found, mut right, mut words) = (Entities::default(), 0, 0);
    for chunk in sentences.chunks(128) {
        let graphs = chunk.iter().map(|s| graph(f, trainer.model(), &numbers.record(s)));
        let (graphs, tags): (Vec<_>, Vec<_>) = graphs.unzip();
        let batch = trainer.model().minibatch(&graphs)?;
        let run = trainer.infer(&batch)?;
        for (sentence, tags) in chunk.iter().zip(tags) {
            let gold: Vec<&str> = sentence.iter().map(|(_, tag)| tag.as_str()).collect();
            let mut predicted = Vec::with_capacity(gold.len());
            for vertex in tags {
                let logits = run.output(&f.tag, vertex)?.logits;
                predicted.push(numbers.tags[best(logits.iter().copied())].as_str());
            }
            found.observe(predicted.iter().copied(), gold.iter().copied());
            right += gold.iter().zip(&predicted).filter(|(gold, tag)| gold == tag).count();
            words += gold.len();
        }
    }
    Ok(if entities { found.all().f1() } else { right as f64 / words.max(1) as f64 })
}

fn main() -> Result<()> {
    let cli = Cli::parse();
    let options = &cli.options;
    let corpus = Corpus::read(&cli.source)?;
    let numbers = Numbers::new(&corpus.train, cli.min_count);
    let (words, tags) = (numbers.words.size(), numbers.tags.len());
    println!("{} sentences to train on, {words} words, {tags} tags", corpus.train.len());
    if tags == 0 {
        return Err("there is nothing to train on".into());
    }

    let letters = cli.chars.then(|| numbers.letters.size());
    let (default, epochs) = if cli.source.data.is_some() { (128, 8) } else { (32, 40) };
    let hidden = options.hidden.unwrap_or(default);
    let mut builder = ModelBuilder::new();
    let f = Tagger::new(&mut builder, Sizes { words, letters, tags, hidden });
    let model = builder.build(options.seed)?;
    let name = if corpus.entities { "f1" } else { "accuracy" };
    let recipe = Recipe { epochs, batch: 32, rate: 4e-3, measure: name, falls: false };
    let records: Vec<Record> = corpus.train.iter().map(|s| numbers.record(s)).collect();
    let sample = |model: &Model, at: usize, _| graph(&f, model, &records[at]).0;
    let measured = |trainer: &mut Trainer, sentences: &[Sentence]| {
        measure(&f, trainer, &numbers, sentences, corpus.entities)
    };
    let dev = |trainer: &mut Trainer| measured(trainer, &corpus.dev);
    let mut fitted = recipe.fit(options, model, records.len(), sample, dev)?;
    let test = measured(fitted.trainer(), &corpus.test)?;
    fitted.report(options, &[(name, test)]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use support::learns::{Sample, learns};

    struct Sentences {
        chars: bool,
    }

    impl Sample for Sentences {
        fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
            let sentence = |line: &str| -> Sentence {
                let pairs = line.split(' ').filter_map(|item| item.split_once('|'));
                pairs.map(|(word, tag)| (word.to_owned(), tag.to_owned())).collect()
            };
            let lines = ["the|D cat|N sat|V", "sat|V", "the|D new|A caf\u{e9}|N"];
            let sentences = lines.map(sentence);
            let numbers = Numbers::new(&sentences, 1);
            let sizes = Sizes {
                words: numbers.words.size(),
                letters: self.chars.then(|| numbers.letters.size()),
                tags: numbers.tags.len(),
                hidden: 8,
            };
            let mut builder = ModelBuilder::new();
            let f = Tagger::new(&mut builder, sizes);
            let model = builder.build(seed).unwrap();
            let records = sentences.iter().map(|s| numbers.record(s));
            let graphs = records.map(|record| graph(&f, &model, &record).0).collect();
            (model, graphs)
        }
    }

    #[test]
    fn it_learns() {
        learns(&Sentences { chars: false });
        learns(&Sentences { chars: true });
    }
}
