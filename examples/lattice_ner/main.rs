//! Named entities in Chinese text, with the words that a lexicon finds: lattices of characters and
//! words, read in both directions.

#[cfg(test)]
mod tests;

use std::process::ExitCode;

use clap::Parser;
use edb::model::Notes;
use edb::prelude::*;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use cells::lattice_tagger::{Cell, CrfTagger, Tagger};
use readers::lattice::Lattice;
use readers::lines::LineError;
use readers::sentence::{self, Sentence};
use readers::source::Source;
use support::fit::Recipe;
use support::measure::{Agreement, Measures};
use support::splits::Splits;
use support::vocabulary::{Tags, Vocabulary};
use support::{Options, Result};

#[derive(Parser)]
#[command(
    about = "Trains a lattice tagger, by default on small generated sentences",
    after_help = "The folder of --data holds tables of characters, labels and words \
        `i:j:word` between tabs, plain or gzip'd."
)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    source: Source,
    /// What reads the lattices
    #[arg(long, value_enum, default_value_t = Cell::LatticeLstm)]
    cell: Cell,
    /// Decide on the tags of a sentence together, by a conditional random field
    #[arg(long)]
    crf: bool,
    /// The corpus in the folder: NAME_train.tsv, NAME_dev.tsv, NAME_test.tsv
    #[arg(long, default_value = "resume")]
    corpus: String,
}

fn read(cli: &Cli) -> std::result::Result<Splits<Sentence>, LineError> {
    let Some(folder) = &cli.source.data else {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        return Ok(Splits::draw([600, 80, 80], || sentence::draw(&mut rng)));
    };
    Splits::read(["train", "dev", "test"], |name| {
        let file = format!("{}_{name}.tsv", cli.corpus);
        let mut sentences = cli.source.read(folder, &file, sentence::parse)?;
        sentences.retain(|sentence| !sentence.characters.is_empty());
        Ok(sentences)
    })
}

/// The numbers of characters, words and tags.
struct Numbers {
    characters: Vocabulary,
    words: Vocabulary,
    tags: Tags,
}

impl Numbers {
    fn new(train: &[Sentence]) -> Self {
        let characters = train.iter().flat_map(|s| &s.characters).map(String::as_str);
        let words = train.iter().flat_map(|s| &s.words).map(|(_, _, word)| word.as_str());
        Self {
            characters: Vocabulary::new(characters, 2),
            words: Vocabulary::new(words, 2),
            tags: Tags::new(train.iter().flat_map(|s| &s.labels).map(String::as_str)),
        }
    }

    fn sizes(&self) -> [usize; 3] {
        [self.characters.size(), self.words.size(), self.tags.size()]
    }

    /// What is saved with a model: characters, words and tags, each at the place of its number.
    fn notes(&self) -> Notes {
        let notes = Notes::new().with("characters", &self.characters.words());
        notes.with("vocabulary", &self.words.words()).with("tags", &self.tags.names())
    }

    /// The lattices of a sentence and of its reverse.
    fn lattices(&self, sentence: &Sentence) -> [Lattice; 2] {
        let Self { characters, words, .. } = self;
        let lattice = |back| sentence.lattice(back, |c| characters.id(c), |word| words.id(word));
        [false, true].map(lattice)
    }

    /// The numbers of its tags.
    fn gold(&self, sentence: &Sentence) -> Vec<u32> {
        sentence.labels.iter().map(|label| self.tags.id(label)).collect()
    }
}

/// A sentence as a graph, and the vertices that tag its characters.
fn graph<T: edb::Element>(
    f: &Tagger,
    model: &Model<T>,
    numbers: &Numbers,
    sentence: &Sentence,
) -> (Graph<T>, Vec<Vertex<()>>) {
    f.graph(model, &numbers.lattices(sentence), &numbers.gold(sentence))
}

/// F1 of the entities.
fn f1(f: &Tagger, trainer: &mut Trainer, numbers: &Numbers, all: &[Sentence]) -> Result<Measures> {
    let found = Agreement::of(
        trainer,
        all,
        &numbers.tags,
        |model, sentence| graph(f, model, numbers, sentence),
        |run, vertex| f.scores(run, vertex),
        labels,
    )?;
    Ok(vec![("f1", found.f1())])
}

/// The same of tags that are decided together.
fn f1_together(
    f: &CrfTagger,
    trainer: &mut Trainer,
    numbers: &Numbers,
    all: &[Sentence],
) -> Result<Measures> {
    let found = Agreement::of_sentences(
        trainer,
        all,
        &numbers.tags,
        |model, sentence| f.best(model, &numbers.lattices(sentence)),
        |run, best| Ok(f.crf.tags(run, &best)?),
        labels,
    )?;
    Ok(vec![("f1", found.f1())])
}

fn labels(sentence: &Sentence) -> Vec<&str> {
    sentence.labels.iter().map(String::as_str).collect()
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let options = &cli.options;
    let splits = read(cli)?.filled()?;
    let numbers = Numbers::new(&splits.train);
    let (count, [characters, words, tags]) = (splits.train.len(), numbers.sizes());
    println!("{count} sentences, {characters} characters, {words} words, {tags} tags");
    let hidden = options.hidden.unwrap_or(if cli.source.data.is_some() { 96 } else { 16 });
    let mut builder = ModelBuilder::new();
    let recipe = Recipe { epochs: 8, batch: 16, rate: 3e-3, decay: true, falls: false };
    if cli.crf {
        let transitions = numbers.tags.transitions(splits.train.iter().map(labels));
        let f = CrfTagger::new(&mut builder, cli.cell, numbers.sizes(), hidden, &transitions);
        return recipe.run(
            options,
            (builder.build(options.seed)?, numbers.notes()),
            &splits,
            |model, sentence, _| {
                f.graph(model, &numbers.lattices(sentence), &numbers.gold(sentence))
            },
            |trainer, sentences| f1_together(&f, trainer, &numbers, sentences),
        );
    }
    let f = Tagger::new(&mut builder, cli.cell, numbers.sizes(), hidden);
    let model = builder.build(options.seed)?;
    recipe.run(
        options,
        (model, numbers.notes()),
        &splits,
        |model, sentence, _| graph(&f, model, &numbers, sentence).0,
        |trainer, sentences| f1(&f, trainer, &numbers, sentences),
    )
}
