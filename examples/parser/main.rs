//! Dependency parsing with a transition-based parser. In training, too, it acts on its own
//! predictions, and a dynamic oracle says what is best then (Goldberg and Nivre, 2012, "A dynamic
//! oracle for arc-eager dependency parsing").

#[cfg(test)]
mod tests;

use std::process::ExitCode;
use std::time::Instant;

use edb::Element;
use edb::model::Notes;
use edb::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde_json::Map;

use cells::parser::{Guide, Parser, Parsing};
use cells::transitions::{Arc, Transition};
use readers::dependencies::{self, Numbers, Sentence};
use readers::source::Source;
use support::fit::Recipe;
use support::measure::Measures;
use support::{Options, Result};

#[derive(clap::Parser)]
#[command(
    about = "Trains a dependency parser, by default on small generated sentences",
    after_help = "The folder of --data holds en_ewt-ud-train.conllu, -dev and -test (Universal \
        Dependencies), plain or gzip'd."
)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    source: Source,
    /// Train with the dynamic oracle only, not first with a static one for comparison
    #[arg(long)]
    dynamic: bool,
}

/// Sentences before the first transition, and their graphs; `drops` is that of [`Numbers::encode`].
fn begin<'a, T: Element>(
    (f, model): (&Parser, &Model<T>),
    numbers: &Numbers,
    sentences: impl IntoIterator<Item = &'a Sentence>,
    mut drops: impl FnMut(f64) -> bool,
) -> Vec<(Graph<T>, Parsing)> {
    let begin = |sentence: &Sentence| {
        f.begin(model, &numbers.encode(sentence, &mut drops), numbers.arcs(sentence))
    };
    sentences.into_iter().map(begin).collect()
}

/// Parses sentences. Returns the arcs of all their words.
fn parse(
    f: &Parser,
    trainer: &mut Trainer,
    numbers: &Numbers,
    sentences: &[Sentence],
) -> Result<Vec<Arc>> {
    let mut arcs = Vec::new();
    for chunk in sentences.chunks(32) {
        let mut parses = begin((f, trainer.model()), numbers, chunk, |_| false);
        trainer.grow_each_infer(&mut parses, |g, parsing| f.turn(g, parsing, Guide::Parser))?;
        arcs.extend(parses.into_iter().flat_map(|(_, parsing)| parsing.parse.arcs));
    }
    Ok(arcs)
}

/// The shares of words with the right head and relation, and with the right head. As in the shared
/// task of CoNLL 2018, punctuation counts, too.
fn score(arcs: &[Arc], numbers: &Numbers, sentences: &[Sentence]) -> Measures {
    let [mut heads, mut both] = [0; 2];
    for ((head, relation), word) in arcs.iter().zip(sentences.iter().flatten()) {
        let is_right = *head == word.head;
        heads += u32::from(is_right);
        both += u32::from(is_right && numbers.relations.name(*relation) == word.relation);
    }
    let share = |right| f64::from(right) / arcs.len() as f64;
    vec![("las", share(both)), ("uas", share(heads))]
}

/// What is saved with a model: what its input means, and the names of the transitions, each at the place of
/// its number.
fn notes(numbers: &Numbers) -> Notes {
    let relation = |number| numbers.relations.name(number);
    let name = |number| match Transition::new(number) {
        Transition::Shift => "shift".to_owned(),
        Transition::Left(number) => format!("left {}", relation(number)),
        Transition::Right(number) => format!("right {}", relation(number)),
    };
    let count = Transition::count(numbers.relations.size());
    numbers.notes().with("actions", &(0..count).map(name).collect::<Vec<_>>())
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let (options, start) = (&cli.options, Instant::now());
    let splits = dependencies::read(&cli.source)?.filled()?;
    let numbers = Numbers::new(&splits.train);
    let (words, relations) = (numbers.words.size(), numbers.relations.size());
    println!("{} sentences to train on, {words} words, {relations} relations", splits.train.len());
    let (default, epochs) = if cli.source.data.is_some() { (128, 8) } else { (32, 10) };
    let hidden = options.hidden.unwrap_or(default);
    let recipe = Recipe { epochs, batch: 16, rate: 2e-3, decay: true, falls: false };
    let (mut results, mut rate) = (Map::new(), 0.0);
    for (name, is_dynamic) in [("static_", false), ("", true)] {
        if cli.dynamic && !is_dynamic {
            continue;
        }
        println!("\n{} oracle", if is_dynamic { "dynamic" } else { "static" });
        let mut builder = ModelBuilder::new();
        let f = Parser::new(&mut builder, &numbers, hidden);
        let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
        let found = recipe.run_steps(
            options,
            (builder.build(options.seed)?, notes(&numbers)),
            &splits,
            |trainer, sentences, epoch| {
                // Exploration begins when the parser has learned something (Goldberg and Nivre, 2012).
                let exploration = if epoch > 0 { 0.9 } else { 0.0 };
                let guide = if is_dynamic { Guide::Dynamic(exploration) } else { Guide::Static };
                // Rare words are read as unknown more often (Kiperwasser and Goldberg, 2016).
                let drops = |count| rng.random_bool(0.25 / (0.25 + count));
                let sentences = sentences.iter().copied();
                let mut parses = begin((&f, trainer.model()), &numbers, sentences, drops);
                let step =
                    trainer.grow_each(&mut parses, |g, parsing| f.turn(g, parsing, guide))?;
                Ok(step.loss)
            },
            |trainer, sentences| {
                let start = Instant::now();
                let arcs = parse(&f, trainer, &numbers, sentences)?;
                rate = sentences.len() as f64 / start.elapsed().as_secs_f64();
                Ok(score(&arcs, &numbers, sentences))
            },
            |_| Ok(Vec::new()),
        )?;
        println!("{rate:.1} sentences/s in parsing");
        results.extend(found.into_iter().map(|(key, value)| (format!("{name}{key}"), value)));
    }
    results.insert("sentences_per_s".into(), rate.into());
    results.insert("seconds".into(), start.elapsed().as_secs_f64().into());
    options.print(results);
    Ok(())
}
