//! Tagging with adaptive computation time (Graves, 2016): about each word a vertex thinks as long as
//! the word needs, and the picture shows how long that was.

#[cfg(test)]
mod tests;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use edb::prelude::*;
use edb::schedule::Signature;
use serde_json::{Map, Value};

use cells::ponder::{Ponderer, Pondering};
use readers::corpus::{self, Numbers, Sentence};
use readers::source::Source;
use support::bars::bars;
use support::fit::Recipe;
use support::measure::Agreement;
use support::{Options, Result};

#[derive(Parser)]
#[command(
    about = "Trains a tagger that thinks longer about hard words, by default on generated sentences",
    after_help = "The folder of --data holds en_ewt-ud-train.conllu, -dev and -test \
        (Universal Dependencies), or train.txt and dev.txt of `word|TAG word|TAG ...` \
        (WikiNER), plain or gzip'd."
)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    source: Source,
    /// Rarer words are read as one unknown word
    #[arg(long, default_value_t = 2)]
    min_count: usize,
    /// Draw how long each word of a sentence took (.svg)
    #[arg(long)]
    picture: Option<PathBuf>,
}

/// The steps of thought of minibatches, and how they ran.
#[derive(Default)]
struct Steps {
    /// Rows of the loop's body that ran, and that were needed.
    computed: usize,
    needed: usize,
    /// Its batches, and those of a loop that is a barrier for the words of a place.
    body: usize,
    barrier: usize,
    words: usize,
}

/// How many steps each word of each sentence took, in each direction, from a run of their graphs.
fn steps(run: &Run<'_>, sentences: &[Pondering<f32>]) -> Result<Vec<[Vec<usize>; 2]>> {
    let of_sentence = |(place, sentence): (usize, &Pondering<f32>)| {
        let of = |vertices: &Vec<Vertex<_>>| {
            let of_word = |vertex: &Vertex<_>| run.sections_at(place, vertex.number());
            // Without what begins and what ends a word.
            vertices.iter().map(|word| Ok(of_word(word)? - 2)).collect::<Result<Vec<usize>>>()
        };
        let [forward, backward] = &sentence.thoughts;
        Ok([of(forward)?, of(backward)?])
    };
    sentences.iter().enumerate().map(of_sentence).collect()
}

impl Steps {
    /// Adds a minibatch that has run.
    fn add(
        &mut self,
        run: &Run<'_>,
        types: &Signature,
        sentences: &[Pondering<f32>],
    ) -> Result<()> {
        let steps = steps(run, sentences)?;
        self.needed += steps.iter().flatten().flatten().sum::<usize>();
        self.words += steps.iter().map(|[forward, _]| forward.len()).sum::<usize>();
        for direction in 0..2 {
            let longest = steps.iter().map(|sentence| sentence[direction].len()).max().unwrap_or(0);
            // The words of one place in the order in which they are read.
            let at = |place: usize| {
                steps.iter().filter_map(move |sentence| match direction {
                    0 => sentence[0].get(place),
                    _ => sentence[1].iter().rev().nth(place),
                })
            };
            self.barrier += (0..longest).filter_map(|place| at(place).max()).sum::<usize>();
        }
        let schedule = run.schedule();
        let is_body = |of: u16| types.types()[usize::from(of)].name.ends_with(".while");
        for batch in schedule.batches().iter().filter(|batch| is_body(batch.vertex_type)) {
            self.body += 1;
            self.computed += (batch.end - batch.start) as usize;
        }
        Ok(())
    }
}

/// Runs sentences in minibatches: the steps that they took, and how many ran in a second.
fn ponder(
    f: &Ponderer,
    numbers: &Numbers,
    trainer: &mut Trainer,
    sentences: &[Sentence],
    batch: usize,
) -> Result<(Steps, f64)> {
    let (mut found, mut seconds) = (Steps::default(), 0.0);
    let types = trainer.model().signature().clone();
    for chunk in sentences.chunks(batch) {
        let start = Instant::now();
        let model = trainer.model();
        let all: Vec<Pondering<f32>> =
            chunk.iter().map(|sentence| f.graph(model, &numbers.encode(sentence))).collect();
        let minibatch = model.minibatch(all.iter().map(|sentence| &sentence.graph))?;
        let run = trainer.infer(&minibatch)?;
        seconds += start.elapsed().as_secs_f64();
        found.add(&run, &types, &all)?;
    }
    Ok((found, sentences.len() as f64 / seconds))
}

/// Draws the steps of the words of a sentence: both directions together.
fn draw(
    f: &Ponderer,
    numbers: &Numbers,
    trainer: &mut Trainer,
    sentence: &Sentence,
    path: &PathBuf,
) -> Result<()> {
    let graph = f.graph(trainer.model(), &numbers.encode(sentence));
    let minibatch = trainer.model().minibatch([&graph.graph])?;
    let run = trainer.infer(&minibatch)?;
    let [forward, backward] = &steps(&run, std::slice::from_ref(&graph))?[0];
    let words = sentence.iter().zip(forward.iter().zip(backward));
    let words: Vec<(&str, usize)> =
        words.map(|((word, _), (forward, backward))| (word.as_str(), forward + backward)).collect();
    fs::write(path, bars(&words))?;
    println!("{} shows how many steps each word took, in both directions", path.display());
    Ok(())
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let options = &cli.options;
    let (splits, _) = corpus::read(&cli.source)?;
    let splits = splits.filled()?;
    let numbers = Numbers::new(&splits.train, cli.min_count);
    let (default, epochs) = if cli.source.data.is_some() { (128, 6) } else { (32, 20) };
    let (words, tags) = (numbers.words.size(), numbers.tags.size());
    println!("{} sentences to train on, {words} words, {tags} tags", splits.train.len());
    let mut builder = ModelBuilder::new();
    let f = Ponderer::new(&mut builder, words, tags, options.hidden.unwrap_or(default));
    let recipe = Recipe { epochs, batch: 32, rate: 3e-3, decay: true, falls: false };
    let mut last: Map<String, Value> = Map::new();
    let found = recipe.run_steps(
        options,
        (builder.build(options.seed)?, numbers.notes()),
        &splits,
        |trainer, sentences, _| {
            let model = trainer.model();
            let graph = |sentence: &&Sentence| f.graph(model, &numbers.encode(sentence)).graph;
            let graphs: Vec<Graph> = sentences.iter().map(graph).collect();
            let minibatch = model.minibatch(&graphs)?;
            Ok(trainer.step(&minibatch)?.loss)
        },
        |trainer, sentences| {
            let found = Agreement::of(
                trainer,
                sentences,
                &numbers.tags,
                |model, sentence| {
                    let Pondering { graph, tags, .. } = f.graph(model, &numbers.encode(sentence));
                    (graph, tags)
                },
                |run, vertex| Ok(run.output(&f.decide, vertex)?.logits),
                |sentence| sentence.iter().map(|(_, tag)| tag.as_str()).collect(),
            )?;
            Ok(vec![("accuracy", found.accuracy())])
        },
        |trainer| {
            let batch = options.batch(recipe.batch);
            let (steps, rate) = ponder(&f, &numbers, trainer, &splits.test, batch)?;
            let Steps { computed, needed, body, barrier, words } = steps;
            println!(
                "{:.2} steps a word and direction; {computed} rows computed, {needed} needed; {body} \
                 batches of steps, {barrier} with a barrier at each place; {rate:.1} sentences/s",
                needed as f64 / (2 * words).max(1) as f64
            );
            for (key, value) in [
                ("rows_computed", computed),
                ("rows_needed", needed),
                ("body_batches", body),
                ("barrier_batches", barrier),
            ] {
                last.insert(key.into(), value.into());
            }
            last.insert("instances_per_s".into(), rate.into());
            let long = splits.test.iter().filter(|sentence| sentence.len() <= 16);
            let sentence = long.max_by_key(|sentence| sentence.len());
            if let (Some(path), Some(sentence)) = (&cli.picture, sentence) {
                draw(&f, &numbers, trainer, sentence, path)?;
            }
            Ok(Vec::new())
        },
    )?;
    options.print(found.into_iter().chain(last).collect());
    Ok(())
}
