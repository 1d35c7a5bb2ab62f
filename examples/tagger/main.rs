//! Tagging: parts of speech of the English Web Treebank, or named entities of WikiNER, with a
//! BiLSTM over words, and with `--chars` also over their letters.

#[cfg(test)]
mod tests;

use std::process::ExitCode;

use clap::Parser;
use edb::prelude::*;

use cells::word_tagger::{CrfTagger, Sizes, Tagger};
use readers::corpus::{self, Numbers, Sentence};
use readers::source::Source;
use support::fit::Recipe;
use support::measure::{Agreement, Measures};
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
    /// Decide on the tags of a sentence together, by a conditional random field
    #[arg(long)]
    crf: bool,
    /// Rarer words are read as one unknown word
    #[arg(long, default_value_t = 2)]
    min_count: usize,
}

/// The sizes of a model over words, and with `chars` also over their letters.
fn sizes(numbers: &Numbers, chars: bool, hidden: usize) -> Sizes {
    let Numbers { words, letters, tags } = numbers;
    let letters = chars.then(|| letters.size());
    Sizes { words: words.size(), letters, tags: tags.size(), hidden }
}

/// F1 of the entities, or the share of correct tags.
fn measure(
    f: &Tagger,
    trainer: &mut Trainer,
    numbers: &Numbers,
    sentences: &[Sentence],
    entities: bool,
) -> Result<Measures> {
    let found = Agreement::of(
        trainer,
        sentences,
        &numbers.tags,
        |model, sentence| f.graph(model, &numbers.encode(sentence)),
        |run, vertex| Ok(run.output(&f.tag, vertex)?.logits),
        gold,
    )?;
    Ok(measures(&found, entities))
}

/// The same of tags that are decided together.
fn measure_together(
    f: &CrfTagger,
    trainer: &mut Trainer,
    numbers: &Numbers,
    sentences: &[Sentence],
    entities: bool,
) -> Result<Measures> {
    let found = Agreement::of_sentences(
        trainer,
        sentences,
        &numbers.tags,
        |model, sentence| f.best(model, &numbers.encode(sentence)),
        |run, best| Ok(f.crf.tags(run, &best)?),
        gold,
    )?;
    Ok(measures(&found, entities))
}

fn gold(sentence: &Sentence) -> Vec<&str> {
    sentence.iter().map(|(_, tag)| tag.as_str()).collect()
}

fn measures(found: &Agreement, entities: bool) -> Measures {
    let accuracy = ("accuracy", found.accuracy());
    if entities { vec![("f1", found.f1()), accuracy] } else { vec![accuracy] }
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let options = &cli.options;
    let (splits, entities) = corpus::read(&cli.source)?;
    let splits = splits.filled()?;
    let numbers = Numbers::new(&splits.train, cli.min_count);
    let (default, epochs) = if cli.source.data.is_some() { (128, 8) } else { (32, 40) };
    let sizes = sizes(&numbers, cli.chars, options.hidden.unwrap_or(default));
    let Sizes { words, tags, .. } = sizes;
    println!("{} sentences to train on, {words} words, {tags} tags", splits.train.len());

    let notes = match cli.chars {
        true => numbers.notes().with("letters", &numbers.letters.words()),
        false => numbers.notes(),
    };
    let mut builder = ModelBuilder::new();
    let recipe = Recipe { epochs, batch: 32, rate: 4e-3, decay: true, falls: false };
    if cli.crf {
        let transitions = numbers.tags.transitions(splits.train.iter().map(gold));
        let f = CrfTagger::new(&mut builder, sizes, &transitions);
        return recipe.run(
            options,
            (builder.build(options.seed)?, notes),
            &splits,
            |model, sentence, _| f.graph(model, &numbers.encode(sentence)),
            |trainer, sentences| measure_together(&f, trainer, &numbers, sentences, entities),
        );
    }
    let f = Tagger::new(&mut builder, sizes);
    let model = builder.build(options.seed)?;
    recipe.run(
        options,
        (model, notes),
        &splits,
        |model, sentence, _| f.graph(model, &numbers.encode(sentence)).0,
        |trainer, sentences| measure(&f, trainer, &numbers, sentences, entities),
    )
}
