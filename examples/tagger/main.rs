//! Tagging: parts of speech of the English Web Treebank, or named entities of WikiNER, with a BiLSTM over
//! words, and with `--chars` over their letters as well.

pub mod cell;
#[path = "../data/corpus.rs"]
pub mod corpus;
#[path = "../support/mod.rs"]
pub mod support;

use std::process::ExitCode;

use clap::Parser;
use edb::metrics::Entities;
use edb::prelude::*;

use cell::{Record, Sizes, Tagger};
use corpus::{Sentence, letters, read};
use support::fit::{Measures, Recipe, infer};
use support::source::Source;
use support::vocabulary::{Tags, Vocabulary};
use support::{Options, Result};

#[derive(Parser)]
#[command(
    about = "Trains a BiLSTM tagger, by default on small generated sentences",
    after_help = "The folder of --data holds en_ewt-ud-train.conllu, -dev and -test \
        (Universal Dependencies), or train.txt and dev.txt of `word|TAG word|TAG ...` \
        (WikiNER), plain or gzip'd."
)]
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

/// The numbers of words, letters and tags.
struct Numbers {
    words: Vocabulary,
    letters: Vocabulary,
    tags: Tags,
}

impl Numbers {
    fn new(train: &[Sentence], min_count: usize) -> Self {
        let words = || train.iter().flatten().map(|(word, _)| word.as_str());
        Self {
            words: Vocabulary::new(words(), min_count),
            letters: Vocabulary::new(words().flat_map(letters), 2),
            tags: Tags::new(train.iter().flatten().map(|(_, tag)| tag.as_str())),
        }
    }

    fn of(&self, sentence: &Sentence) -> Vec<Record> {
        let word = |(word, tag): &(String, String)| Record {
            id: self.words.id(word),
            letters: letters(word).map(|letter| self.letters.id(letter)).collect(),
            tag: self.tags.id(tag),
        };
        sentence.iter().map(word).collect()
    }

    fn sizes(&self, chars: bool, hidden: usize) -> Sizes {
        let letters = chars.then(|| self.letters.size());
        Sizes { words: self.words.size(), letters, tags: self.tags.size(), hidden }
    }
}

/// F1 of the entities, or the share of tags that are right.
fn measure(
    f: &Tagger,
    trainer: &mut Trainer,
    numbers: &Numbers,
    sentences: &[Sentence],
    entities: bool,
) -> Result<Measures> {
    let (mut found, mut right, mut words) = (Entities::default(), 0, 0);
    let graph = |model: &Model, sentence: &Sentence| f.graph(model, &numbers.of(sentence));
    infer(trainer, sentences, graph, |run, sentence, vertices| {
        let gold: Vec<&str> = sentence.iter().map(|(_, tag)| tag.as_str()).collect();
        let mut said = Vec::with_capacity(gold.len());
        for vertex in vertices {
            said.push(numbers.tags.best(run.output(&f.tag, vertex)?.logits.iter().copied()));
        }
        right += gold.iter().zip(&said).filter(|(gold, said)| gold == said).count();
        words += gold.len();
        found.observe(said, gold);
        Ok(())
    })?;
    let accuracy = ("accuracy", right as f64 / words as f64);
    Ok(if entities { vec![("f1", found.all().f1()), accuracy] } else { vec![accuracy] })
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let options = &cli.options;
    let (splits, entities) = read(&cli.source)?;
    let splits = splits.filled()?;
    let numbers = Numbers::new(&splits.train, cli.min_count);
    let (default, epochs) = if cli.source.data.is_some() { (128, 8) } else { (32, 40) };
    let sizes = numbers.sizes(cli.chars, options.hidden.unwrap_or(default));
    let Sizes { words, tags, .. } = sizes;
    println!("{} sentences to train on, {words} words, {tags} tags", splits.train.len());

    let mut builder = ModelBuilder::new();
    let f = Tagger::new(&mut builder, sizes);
    let model = builder.build(options.seed)?;
    let recipe = Recipe { epochs, batch: 32, rate: 4e-3, decay: true, falls: false };
    recipe.run(
        options,
        model,
        &splits,
        |model, sentence, _| f.graph(model, &numbers.of(sentence)).0,
        |trainer, sentences| measure(&f, trainer, &numbers, sentences, entities),
    )
}

#[cfg(test)]
mod tests {
    use edb::Element;

    use super::*;
    use support::learns::{Sample, learns};

    struct Sentences {
        chars: bool,
    }

    impl Sample for Sentences {
        fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
            let lines = ["the|D cat|N sat|V", "sat|V", "the|D new|A caf\u{e9}|N"];
            let sentences = lines.map(|line| corpus::tagged(line).unwrap());
            let numbers = Numbers::new(&sentences, 1);
            let mut builder = ModelBuilder::new();
            let f = Tagger::new(&mut builder, numbers.sizes(self.chars, 8));
            let model = builder.build(seed).unwrap();
            let graphs = sentences.iter().map(|s| f.graph(&model, &numbers.of(s)).0).collect();
            (model, graphs)
        }
    }

    #[test]
    fn it_learns() {
        learns(&Sentences { chars: false });
        learns(&Sentences { chars: true });
    }
}
