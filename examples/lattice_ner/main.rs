//! Named entities in Chinese text, with the words that a lexicon finds: lattices of characters and words,
//! read in both directions.

pub mod cell;
#[path = ""]
pub mod cells {
    #[path = "../cells/lattice.rs"]
    pub mod lattice;
    #[path = "../cells/lattice_gru.rs"]
    pub mod lattice_gru;
    #[path = "../cells/lattice_lstm.rs"]
    pub mod lattice_lstm;
}
pub mod sentence;
#[path = "../support/mod.rs"]
pub mod support;

use clap::Parser;
use edb::Element;
use edb::metrics::Entities;
use edb::prelude::*;

use cell::{Cell, Gold, Tagger};
use cells::lattice::{Character, Lattice, Word};
use sentence::Sentence;
use support::fit::Recipe;
use support::lines::LineError;
use support::source::Source;
use support::vocabulary::Vocabulary;
use support::{Options, Result, best};

#[derive(Parser)]
#[command(about = "Trains a lattice tagger, by default on small generated sentences")]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    source: Source,
    /// What reads the lattices
    #[arg(long, value_enum, default_value_t = Cell::LatticeLstm)]
    cell: Cell,
    /// The corpus in the folder: NAME_train.tsv, NAME_dev.tsv, NAME_test.tsv
    #[arg(long, default_value = "resume")]
    corpus: String,
}

fn read(cli: &Cli) -> std::result::Result<[Vec<Sentence>; 3], LineError> {
    let Some(folder) = &cli.source.data else {
        return Ok([(600, 7), (80, 8), (80, 9)].map(|(n, seed)| sentence::generated(n, seed)));
    };
    let split = |name: &str| {
        let file = format!("{}_{name}.tsv", cli.corpus);
        let mut sentences = cli.source.read(folder, &file, sentence::parse)?;
        sentences.retain(|sentence| !sentence.characters.is_empty());
        Ok(sentences)
    };
    Ok([split("train")?, split("dev")?, split("test")?])
}

/// The numbers of characters, words and labels.
struct Numbers {
    characters: Vocabulary,
    words: Vocabulary,
    labels: Vec<String>,
}

impl Numbers {
    fn new(train: &[Sentence]) -> Self {
        let characters = train.iter().flat_map(|s| &s.characters).map(String::as_str);
        let words = train.iter().flat_map(|s| &s.words).map(|(_, _, word)| word.as_str());
        let mut labels: Vec<_> = train.iter().flat_map(|s| s.labels.clone()).collect();
        labels.sort_unstable();
        labels.dedup();
        Self {
            characters: Vocabulary::new(characters, 2),
            words: Vocabulary::new(words, 2),
            labels,
        }
    }

    fn sizes(&self) -> [usize; 3] {
        [self.characters.size(), self.words.size(), self.labels.len()]
    }

    /// The number of a label; that of the first if it was not learned.
    fn label(&self, label: &String) -> u32 {
        self.labels.binary_search(label).unwrap_or(0) as u32
    }
}

/// The lattice of a sentence; backward, it is that of the sentence in reverse.
fn lattice(sentence: &Sentence, numbers: &Numbers, backward: bool) -> Lattice {
    let id = |c: &String| Character { id: numbers.characters.id(c), words: Vec::new() };
    let mut lattice: Lattice = sentence.characters.iter().map(id).collect();
    let length = lattice.len();
    if backward {
        lattice.reverse();
    }
    for (from, to, word) in &sentence.words {
        let (from, to) = if backward { (length - to, length - from) } else { (*from, *to) };
        lattice[to - 1].words.push(Word { from, id: numbers.words.id(word) });
    }
    lattice
}

/// A sentence as a graph, and the vertices that tag its characters.
fn graph<T: Element>(
    f: &Tagger,
    model: &Model<T>,
    numbers: &Numbers,
    sentence: &Sentence,
) -> (Graph<T>, Vec<Vertex<()>>) {
    let mut g = model.graph();
    let [forward, backward] = [false, true].map(|back| lattice(sentence, numbers, back));
    let gold = sentence.labels.iter().map(|label| Gold { tag: numbers.label(label).into() });
    let tags = match f {
        Tagger::Lstm(f, tag) => {
            let forward = f[0].read(&mut g, &forward);
            let backward = f[1].read(&mut g, &backward).into_iter().rev();
            let states = forward.into_iter().zip(backward).zip(gold);
            states.map(|((a, b), gold)| g.add(tag, [a, b], gold)).collect()
        }
        Tagger::Gru(f, tag) => {
            let forward = f[0].read(&mut g, &forward);
            let backward = f[1].read(&mut g, &backward).into_iter().rev();
            let states = forward.into_iter().zip(backward).zip(gold);
            states.map(|((a, b), gold)| g.add(tag, [a, b], gold)).collect()
        }
    };
    (g, tags)
}

/// F1 of the entities.
fn f1(f: &Tagger, trainer: &mut Trainer, numbers: &Numbers, all: &[Sentence]) -> Result<f64> {
    let mut found = Entities::default();
    for chunk in all.chunks(64) {
        let graphs = chunk.iter().map(|sentence| graph(f, trainer.model(), numbers, sentence));
        let (graphs, tags): (Vec<_>, Vec<_>) = graphs.unzip();
        let batch = trainer.model().minibatch(&graphs)?;
        let run = trainer.infer(&batch)?;
        for (sentence, tags) in chunk.iter().zip(tags) {
            let mut predicted = Vec::with_capacity(tags.len());
            for vertex in tags {
                let logits = match f {
                    Tagger::Lstm(_, tag) => run.output(tag, vertex)?.logits,
                    Tagger::Gru(_, tag) => run.output(tag, vertex)?.logits,
                };
                predicted.push(numbers.labels[best(logits.iter().copied())].as_str());
            }
            let gold: Vec<&str> = sentence.labels.iter().map(String::as_str).collect();
            found.observe(predicted, gold);
        }
    }
    Ok(found.all().f1())
}

fn main() -> Result<()> {
    let cli = Cli::parse();
    let options = &cli.options;
    let [train, dev, test] = read(&cli)?;
    let numbers = Numbers::new(&train);
    let [characters, words, labels] = numbers.sizes();
    println!("{} sentences, {characters} characters, {words} words, {labels} labels", train.len());
    if labels == 0 {
        return Err("there is nothing to train on".into());
    }
    let hidden = options.hidden.unwrap_or(if cli.source.data.is_some() { 96 } else { 16 });
    let mut builder = ModelBuilder::new();
    let f = Tagger::new(&mut builder, cli.cell, numbers.sizes(), hidden);
    let model = builder.build(options.seed)?;
    let recipe = Recipe { epochs: 8, batch: 16, rate: 3e-3, measure: "f1", falls: false };
    let sample = |model: &Model, at: usize, _| graph(&f, model, &numbers, &train[at]).0;
    let on_dev = |trainer: &mut Trainer| f1(&f, trainer, &numbers, &dev);
    let mut fitted = recipe.fit(options, model, train.len(), sample, on_dev)?;
    let found = f1(&f, fitted.trainer(), &numbers, &test)?;
    fitted.report(options, &[("f1", found)]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use support::learns::{Sample, learns};

    const LINES: [&str; 3] =
        ["a b c d\tB-NAME E-NAME O O\t0:2:x 0:3:y 1:3:z", "c d\tO O\t0:2:y", "a\tO\t"];

    fn sentences() -> [Sentence; 3] {
        LINES.map(|line| sentence::parse(line).unwrap())
    }

    impl Sample for Cell {
        fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
            let sentences = sentences();
            let numbers = Numbers::new(&sentences);
            let mut builder = ModelBuilder::new();
            let f = Tagger::new(&mut builder, *self, numbers.sizes(), 6);
            let model = builder.build(seed).unwrap();
            let graphs = sentences.iter().map(|s| graph(&f, &model, &numbers, s).0).collect();
            (model, graphs)
        }
    }

    #[test]
    fn it_learns() {
        learns(&Cell::LatticeLstm);
        learns(&Cell::LatticeGru);
    }

    #[test]
    fn a_word_ends_at_its_last_character_in_either_direction() {
        let sentences = sentences();
        let numbers = Numbers::new(&sentences);
        let starts = |backward| -> Vec<Vec<usize>> {
            let lattice = lattice(&sentences[0], &numbers, backward);
            lattice.iter().map(|c| c.words.iter().map(|word| word.from).collect()).collect()
        };
        assert_eq!(starts(false), [vec![], vec![0], vec![0, 1], vec![]]);
        assert_eq!(starts(true), [vec![], vec![], vec![1], vec![2, 1]]);
    }
}
