//! How related two sentences are: the child-sum Tree-LSTM over the dependency trees of SICK.

pub mod cell;
#[path = "../data/sick.rs"]
pub mod sick;
#[path = "../support/mod.rs"]
pub mod support;
#[path = "../data/vectors.rs"]
pub mod vectors;

use std::process::ExitCode;

use clap::Parser;
use edb::metrics::Correlation;
use edb::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use cell::Relatedness;
use sick::{Pair, Parse};
use support::fit::{Measures, Recipe, infer};
use support::lines::LineError;
use support::source::{Source, Splits};
use support::{Options, Result};
use vectors::Vectors;

#[derive(Parser)]
#[command(
    about = "Trains a child-sum Tree-LSTM on pairs of sentences, by default small generated ones",
    after_help = "The folder of --data holds train.tsv, dev.tsv, test.tsv and \
        glove300_sick_vocab.txt, plain or gzip'd."
)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    source: Source,
}

fn read(source: &Source) -> std::result::Result<(Splits<Pair>, Vectors), LineError> {
    let Some(folder) = &source.data else { return Ok(generated()) };
    let split = |name: &str| sick::read(source.open(folder, &format!("{name}.tsv"))?, usize::MAX);
    let vectors = Vectors::read(source.open(folder, "glove300_sick_vocab.txt")?)?;
    Ok((Splits::read(["train", "dev", "test"], split)?, vectors))
}

/// Pairs of sentences, four of five words each: how many they share is how related they are. The first, which is the
/// head of all others, is shared with the first only.
fn generated() -> (Splits<Pair>, Vectors) {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let pair = || {
        let words: [(usize, usize); 4] = std::array::from_fn(|_| {
            let (a, b) = (rng.random_range(0..5), rng.random_range(0..5));
            (a, if rng.random_bool(0.5) { a } else { b })
        });
        let sentences = [words.map(|(a, _)| a), words.map(|(_, b)| b)];
        let count =
            |sentence: &[usize; 4], word| sentence[1..].iter().filter(|w| **w == word).count();
        let shared = (0..5).map(|word| count(&sentences[0], word).min(count(&sentences[1], word)));
        let shared = shared.sum::<usize>() + usize::from(sentences[0][0] == sentences[1][0]);
        let tree = |words: [usize; 4]| {
            Parse::new(&words.map(|word| format!("w{word}")).join(" "), "0 1 1 1")
        };
        let sentences = sentences.map(|words| tree(words).expect("this is a tree"));
        Pair { sentences, score: 1.0 + shared as f64 }
    };
    let words = (0..5).map(|word| format!("w{word}"));
    (Splits::draw([1000, 100, 100], pair), Vectors::one_hot(words))
}

/// Pearson's correlation, and the mean squared error, of what the model expects and what people said.
fn measure(
    f: &Relatedness,
    trainer: &mut Trainer,
    vectors: &Vectors,
    pairs: &[Pair],
) -> Result<Measures> {
    let mut found = Correlation::default();
    let graph = |model: &Model, pair: &Pair| f.graph(model, vectors, pair);
    infer(trainer, pairs, graph, |run, pair, vertex| {
        let p = run.output(&f.relate, vertex)?.p;
        let expected: f64 = p.iter().zip(1..).map(|(p, r)| f64::from(*p) * f64::from(r)).sum();
        found.observe(expected, pair.score);
        Ok(())
    })?;
    Ok(vec![("pearson r", found.pearson()), ("mse", found.mse())])
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let options = &cli.options;
    let (splits, vectors) = read(&cli.source)?;
    let splits = splits.filled()?;
    println!("{} pairs to train on, vectors of {}", splits.train.len(), vectors.size());
    let (hidden, epochs) = if cli.source.data.is_some() { (150, 12) } else { (32, 40) };
    let mut builder = ModelBuilder::new();
    let f = Relatedness::new(&mut builder, vectors.size(), options.hidden.unwrap_or(hidden));
    let model = builder.build(options.seed)?;
    let recipe = Recipe { epochs, batch: 25, rate: 1e-3, decay: true, falls: false };
    recipe.run(
        options,
        model,
        &splits,
        |model, pair, _| f.graph(model, &vectors, pair).0,
        |trainer, pairs| measure(&f, trainer, &vectors, pairs),
    )
}

#[cfg(test)]
mod tests {
    use edb::Element;

    use super::*;
    use cell::distribution;
    use support::learns::{Sample, learns};

    struct Pairs;

    impl Sample for Pairs {
        fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
            let mut builder = ModelBuilder::new();
            let f = Relatedness::new(&mut builder, 5, 6);
            let model = builder.build(seed).unwrap();
            let vectors =
                Vectors::one_hot(["a", "dog", "barks", "cat", "it"].map(String::from).into_iter());
            let parse = |words, heads| Parse::new(words, heads).unwrap();
            let pairs = [
                (parse("a dog barks", "2 3 0"), parse("a cat barks", "2 3 0"), 3.4),
                (parse("it", "0"), parse("a dog barks unheard", "2 3 0 3"), 1.0),
                (parse("it barks", "2 0"), parse("it barks", "2 0"), 5.0),
            ];
            let pairs = pairs.map(|(a, b, score)| Pair { sentences: [a, b], score });
            let graphs = pairs.iter().map(|pair| f.graph(&model, &vectors, pair).0).collect();
            (model, graphs)
        }
    }

    #[test]
    fn it_learns() {
        learns(&Pairs);
    }

    #[test]
    fn a_score_is_the_expectation() {
        assert_eq!(distribution(5.0), [0.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(distribution(1.25), [0.75, 0.25, 0.0, 0.0, 0.0]);
    }
}
