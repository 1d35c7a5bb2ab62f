//! Grammars with probabilities: how likely sentences are, how often each rule is used in all their trees, and the best tree.
//! The grammar is read off trees, and learned further by EM, whose expected counts are gradients (Baker, 1979).

mod grammar;
#[cfg(test)]
mod tests;

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use edb::prelude::*;
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use serde_json::json;

use cells::chart::{Grammar, Node};
use grammar::Rules;
use readers::derivation::{self, Derivation};
use readers::source::Source;
use support::splits::Splits;
use support::{Place, Result};

#[derive(Parser)]
#[command(
    about = "Reads a grammar off trees, and improves it by EM; by default on drawn sentences",
    after_help = "The folder of --data holds wsj_sample_bin.txt, a binary tree a line, plain or gzip'd. \
        Sentences are read as the labels of their leaves."
)]
struct Cli {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    source: Source,
    /// The symbols of the grammar: rarer ones are one symbol. Without --data, the sentences are those of a drawn grammar of
    /// half as many symbols and words
    #[arg(long, default_value_t = 20)]
    symbols: usize,
    /// Sentences of more words are left out
    #[arg(long, default_value_t = 20)]
    longest: usize,
    /// At most so many sentences to learn from
    #[arg(long, default_value_t = 400)]
    sentences: usize,
    /// Rounds of EM at most; it ends where the likelihood gains less than 0.01 %
    #[arg(long, default_value_t = 20)]
    rounds: usize,
    /// Sentences that run together
    #[arg(long, default_value_t = 32)]
    batch: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Draw the likelihood over the rounds (.svg or .png)
    #[arg(long)]
    plot: Option<std::path::PathBuf>,
    /// Print one final line of JSON
    #[arg(long)]
    json: bool,
}

/// A grammar as a model, and where it runs.
struct Charts {
    f: Grammar,
    model: Model<f64>,
    engine: Engine<f64>,
}

impl Charts {
    fn new(cli: &Cli, rules: &mut Rules) -> Result<Self> {
        let mut builder = ModelBuilder::new();
        let f = Grammar::new(&mut builder, rules.symbols.len(), rules.words.len());
        let mut model = builder.build_as(cli.seed)?;
        rules.write(&mut model)?;
        Ok(Self { f, model, engine: cli.place.engine(cli.seed)? })
    }

    fn batch(&self, sentences: &[Vec<u32>]) -> Result<Minibatch<f64>> {
        let graph = |words: &Vec<u32>| {
            let mut g = self.model.graph();
            self.f.lose(&mut g, words);
            g
        };
        Ok(self.model.minibatch(&sentences.iter().map(graph).collect::<Vec<_>>())?)
    }

    /// The logarithm of the likelihood of these sentences.
    fn likelihood(&mut self, sentences: &[Vec<u32>], size: usize) -> Result<f64> {
        let mut sum = 0.0;
        for some in sentences.chunks(size.max(1)) {
            let batch = self.batch(some)?;
            sum -= self.engine.infer(&self.model, &batch)?.loss()?;
        }
        Ok(sum)
    }

    /// The same, and how often each rule is expected to be used, in the lists of `counts`.
    fn expect(&mut self, sentences: &[Vec<u32>], size: usize, counts: &mut Rules) -> Result<f64> {
        counts.lists().into_iter().for_each(|(_, list)| list.fill(0.0));
        let mut sum = 0.0;
        for some in sentences.chunks(size.max(1)) {
            let batch = self.batch(some)?;
            let mut run = self.engine.forward(&self.model, &batch, 0)?;
            sum -= run.loss()?;
            let gradients = run.backward()?.to_vector();
            let mut rest = &gradients[..];
            for (_, parameter) in self.model.parameters().iter() {
                let (own, others) = rest.split_at(parameter.len());
                rest = others;
                for (_, list) in
                    counts.lists().into_iter().filter(|(name, _)| *name == parameter.name())
                {
                    list.iter_mut().zip(own).for_each(|(count, gradient)| *count -= gradient);
                }
            }
        }
        Ok(sum)
    }

    /// The best trees.
    fn parse(&mut self, sentences: &[Vec<u32>], size: usize) -> Result<Vec<Vec<Node>>> {
        let mut found = Vec::new();
        for some in sentences.chunks(size.max(1)) {
            let (mut graphs, mut charts) = (Vec::new(), Vec::new());
            for words in some {
                let mut g = self.model.graph();
                charts.push(self.f.best(&mut g, words));
                graphs.push(g);
            }
            let batch = self.model.minibatch(&graphs)?;
            let run = self.engine.infer(&self.model, &batch)?;
            for chart in &charts {
                found.push(self.f.parse(&run, chart)?);
            }
        }
        Ok(found)
    }
}

/// F1 of the phrases of more than one word, with their labels.
fn f1(rules: &Rules, trees: &[Derivation], parsed: &[Vec<Node>]) -> f64 {
    let (mut right, mut said, mut gold) = (0, 0, 0);
    for (tree, nodes) in trees.iter().zip(parsed) {
        let known = |label: &str| rules.symbols.iter().any(|symbol| symbol == label);
        let spans = derivation::spans(&tree.symbols).into_iter().filter(|span| !span.2);
        let mut of_tree: Vec<(usize, usize, String)> = spans
            .map(|(first, width, _, label)| {
                let label = if known(label) { label } else { "(rare)" };
                (first, first + width.0, label.to_owned())
            })
            .collect();
        gold += of_tree.len();
        for &(symbol, first, end) in nodes.iter().filter(|node| node.2 - node.1 > 1) {
            said += 1;
            let node = (first, end, rules.symbols[symbol].clone());
            if let Some(place) = of_tree.iter().position(|other| *other == node) {
                of_tree.swap_remove(place);
                right += 1;
            }
        }
    }
    2.0 * f64::from(right) / ((said + gold) as f64).max(1.0)
}

/// Trees to learn from and to test on.
fn read(cli: &Cli) -> Result<Splits<Derivation>> {
    if cli.source.data.is_some() {
        let mut splits = derivation::read(&cli.source, cli.longest)?.filled()?;
        splits.train.truncate(cli.sentences);
        return Ok(splits);
    }
    let mut rng = ChaCha8Rng::seed_from_u64(cli.seed);
    // Of the symbols that are read off, some are words.
    let drawn = cli.symbols.div_ceil(2);
    let rules = Rules::random(drawn, drawn, &mut rng);
    Ok(Splits::draw([cli.sentences.min(300), 50, 50], || rules.draw(cli.longest.min(10), &mut rng)))
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let Splits { train, test, .. } = read(cli)?;
    let mut rules = Rules::of_trees(&train, cli.symbols);
    let numbers: std::collections::HashMap<&str, u32> =
        rules.words.iter().zip(0..).map(|(word, number)| (word.as_str(), number)).collect();
    let encode = |tree: &Derivation| -> Option<Vec<u32>> {
        tree.words.iter().map(|word| numbers.get(word.as_str()).copied()).collect()
    };
    let sentences: Vec<Vec<u32>> = train.iter().filter_map(encode).collect();
    let (tests, test_words): (Vec<Derivation>, Vec<Vec<u32>>) =
        test.iter().filter_map(|tree| Some((tree.clone(), encode(tree)?))).unzip();
    drop(numbers);
    let (symbols, words) = (rules.symbols.len(), rules.words.len());
    println!("{} sentences, {symbols} symbols, {words} words", sentences.len());
    let mut charts = Charts::new(cli, &mut rules)?;
    let before = f1(&rules, &tests, &charts.parse(&test_words, cli.batch)?);
    let (mut counts, mut values, start) = (rules.clone(), Vec::new(), Instant::now());
    for round in 0..cli.rounds {
        let value = charts.expect(&sentences, cli.batch, &mut counts)?;
        println!("round {}: log likelihood {value:.3}", round + 1);
        let gain = values.last().map_or(f64::INFINITY, |last| value - last);
        values.push(value);
        if gain < 1e-4 * value.abs() {
            break;
        }
        counts.normalise();
        counts.write(&mut charts.model)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let after = f1(&rules, &tests, &charts.parse(&test_words, cli.batch)?);
    let mut time = |size: usize| -> Result<f64> {
        let some = &sentences[..sentences.len().min(32)];
        charts.likelihood(some, size)?;
        let start = Instant::now();
        charts.likelihood(some, size)?;
        Ok(start.elapsed().as_secs_f64() * 1e3)
    };
    let (together, one_by_one) = (time(32)?, time(1)?);
    println!("F1 of {} test trees: {before:.4} as read off, {after:.4} after EM", tests.len());
    println!("32 sentences: {together:.2} ms at once, {one_by_one:.2} ms one by one");
    if let Some(path) = &cli.plot {
        use support::chart::{Axis, Chart, Series};
        let points =
            values.iter().zip(1..).map(|(value, round)| (f64::from(round), *value)).collect();
        let x = Axis { name: "round of EM".to_owned(), whole: true, ..Axis::default() };
        let y = Axis { name: "log likelihood".to_owned(), ..Axis::default() };
        let series = vec![Series { points, ..Series::default() }];
        support::plot::charts(
            path,
            &[Chart {
                title: "likelihood of the sentences".to_owned(),
                x,
                y,
                series,
                ..Chart::default()
            }],
        )?;
    }
    if cli.json {
        let found = json!({ "log_likelihoods": values, "f1_read_off": before, "f1_after_em": after, "seconds": seconds,
            "at_once_ms": together, "one_by_one_ms": one_by_one, "symbols": symbols, "sentences": sentences.len() });
        println!("{found}");
    }
    Ok(())
}
