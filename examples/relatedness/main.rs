//! How related two sentences are: the child-sum Tree-LSTM over the dependency trees of SICK.

pub mod cell;
pub mod sick;
#[path = "../support/mod.rs"]
pub mod support;
pub mod vectors;

use clap::Parser;
use edb::Element;
use edb::metrics::Correlation;
use edb::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use cell::{CLASSES, Gold, Memory, Relatedness, Word};
use sick::{Pair, Parse};
use support::fit::Recipe;
use support::lines::{self, LineError};
use support::source::Source;
use support::{Options, Result};
use vectors::Vectors;

#[derive(Parser)]
#[command(
    about = "Trains a child-sum Tree-LSTM on pairs of sentences, by default small generated ones"
)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    source: Source,
}

/// Three splits, and the vectors of words.
struct Data {
    splits: [Vec<Pair>; 3],
    vectors: Vectors,
}

impl Data {
    fn read(source: &Source) -> std::result::Result<Self, LineError> {
        let Some(folder) = &source.data else { return Ok(Self::generated()) };
        let split = |name: &str| {
            let path = lines::find(folder, &format!("{name}.tsv"))?;
            sick::read(&path, usize::MAX, source.malformed())
        };
        let vectors = lines::find(folder, "glove300_sick_vocab.txt")?;
        let vectors = Vectors::read(&vectors, source.malformed())?;
        Ok(Self { splits: [split("train")?, split("dev")?, split("test")?], vectors })
    }

    /// Pairs of sentences that share some of five words; that share is how related they are.
    fn generated() -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut pair = || {
            let (mut shared, mut sentences) = (0, [Vec::new(), Vec::new()]);
            for _ in 0..4 {
                let (a, b) = (rng.random_range(0..5), rng.random_range(0..5));
                let same = rng.random_bool(0.5);
                shared += usize::from(same || a == b);
                sentences[0].push(format!("w{a}"));
                sentences[1].push(format!("w{}", if same { a } else { b }));
            }
            // The first word is the head of all others.
            let tree = |words: Vec<String>| Parse::new(&words.join(" "), "0 1 1 1");
            let sentences = sentences.map(|words| tree(words).expect("this is a tree"));
            Pair { sentences, score: 1.0 + shared as f64 }
        };
        let splits = [1000, 100, 100].map(|count| (0..count).map(|_| pair()).collect());
        Self { splits, vectors: Vectors::one_hot((0..5).map(|word| format!("w{word}"))) }
    }
}

/// A pair as a graph, and the vertex that compares.
fn graph<T: Element>(
    f: &Relatedness,
    model: &Model<T>,
    vectors: &Vectors,
    pair: &Pair,
) -> (Graph<T>, Vertex<()>) {
    let mut g = model.graph();
    let roots = pair.sentences.each_ref().map(|sentence| {
        let mut states: Vec<Vertex<Memory>> = Vec::with_capacity(sentence.words.len());
        for (word, dependents) in sentence.bottom_up() {
            let children: Vec<_> = dependents.iter().map(|at| states[*at]).collect();
            let x = vectors.of(&sentence.words[word]).iter().map(|x| T::from_f64(*x));
            let x = g.tensor(&x.collect::<Vec<T>>());
            states.push(g.add(&f.word, &children, Word { x }));
        }
        states[states.len() - 1]
    });
    let p = g.tensor(&distribution(pair.score).map(T::from_f64));
    let vertex = g.add(&f.relate, roots, Gold { p });
    (g, vertex)
}

/// Two neighbouring classes share a score, so that it is their expectation (equation 16).
fn distribution(score: f64) -> [f64; CLASSES] {
    std::array::from_fn(|class| (1.0 - (score - (class + 1) as f64).abs()).max(0.0))
}

/// Pearson's correlation, and the mean squared error, of what the model expects and what people said.
fn measure(
    f: &Relatedness,
    trainer: &mut Trainer,
    vectors: &Vectors,
    pairs: &[Pair],
) -> Result<(f64, f64)> {
    let mut found = Correlation::default();
    for chunk in pairs.chunks(128) {
        let graphs = chunk.iter().map(|pair| graph(f, trainer.model(), vectors, pair));
        let (graphs, vertices): (Vec<_>, Vec<_>) = graphs.unzip();
        let batch = trainer.model().minibatch(&graphs)?;
        let run = trainer.infer(&batch)?;
        for (vertex, pair) in vertices.into_iter().zip(chunk) {
            let p = run.output(&f.relate, vertex)?.p;
            let expected: f64 = p.iter().zip(1..).map(|(p, r)| f64::from(*p) * f64::from(r)).sum();
            found.observe(expected, pair.score);
        }
    }
    Ok((found.pearson(), found.mse()))
}

fn main() -> Result<()> {
    let cli = Cli::parse();
    let options = &cli.options;
    let Data { splits: [train, dev, test], vectors } = Data::read(&cli.source)?;
    println!("{} pairs to train on, vectors of {}", train.len(), vectors.size());
    let (default, epochs) = if cli.source.data.is_some() { (150, 12) } else { (32, 40) };
    let hidden = options.hidden.unwrap_or(default);
    let mut builder = ModelBuilder::new();
    let f = Relatedness::new(&mut builder, vectors.size(), hidden);
    let model = builder.build(options.seed)?;
    let recipe = Recipe { epochs, batch: 25, rate: 1e-3, measure: "pearson r", falls: false };
    let sample = |model: &Model, at: usize, _| graph(&f, model, &vectors, &train[at]).0;
    let on_dev = |trainer: &mut Trainer| Ok(measure(&f, trainer, &vectors, &dev)?.0);
    let mut fitted = recipe.fit(options, model, train.len(), sample, on_dev)?;
    let (r, error) = measure(&f, fitted.trainer(), &vectors, &test)?;
    fitted.report(options, &[("pearson r", r), ("mse", error)]);
    Ok(())
}

#[cfg(test)]
mod tests;
