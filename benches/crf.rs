//! A conditional random field over chains of words, whose scores are rows of a table: value and gradient, from tagged words to
//! the gradients of all parameters.
//!
//! `cargo bench --bench crf -- FILE [THREADS] [--check]` reads sentences such as `w0|T8 w86|T10`, one a line, and prints a line
//! of JSON for each number of tags. With `--check` it prints, of the first eight sentences in `f64`, the loss of a sentence
//! and of each gradient `g` the sums of `g[k] cos k` and of `g[k]²`, where the parameters are given by a closed formula:
//! `0.4 sin(0.7 i + 1.3 j + 0.37 i j + q)`, with `q` from 1 to 4 for the table, the moves, the start and the stop.

use std::env;
use std::time::Instant;

use cells::crf::{Crf, Emission};
use edb::Element;
use edb::prelude::*;
use serde_json::json;

/// The rows of the table.
const WORDS: usize = 20_000;
/// Sentences in a minibatch.
const BATCH: usize = 32;

#[derive(Input)]
struct Word {
    id: Index,
}

#[vertex_function]
fn scored(#[param(V, K)] table: Tensor) {
    let Word { id } = pull();
    scatter(Emission { scores: table.row(id) });
}

type Sentence = Vec<(u32, u32)>;

struct Chains<T> {
    scored: Function<scored>,
    crf: Crf,
    model: Model<T>,
}

impl<T: Element> Chains<T> {
    fn new(tags: usize) -> Self {
        let mut builder = ModelBuilder::new();
        let table =
            dims! { V: WORDS, K: tags }.init("table", Initializer::Normal { deviation: 0.1 });
        let scored = builder.add::<scored>(table);
        let free = [tags, tags * tags, tags].map(|count| vec![0.0; count]);
        let crf = Crf::new(&mut builder, &free);
        Self { scored, crf, model: builder.build_as(1).unwrap() }
    }

    fn batch(&self, sentences: &[&Sentence]) -> Minibatch<T> {
        let graph = |sentence: &&Sentence| {
            let mut g = self.model.graph();
            g.reserve(2 * sentence.len() + 1);
            let items: Vec<Vertex<Emission>> = (sentence.iter())
                .map(|(word, _)| g.add(&self.scored, (), Word { id: (*word).into() }))
                .collect();
            let gold: Vec<u32> = sentence.iter().map(|(_, tag)| *tag).collect();
            self.crf.lose(&mut g, &items, &gold);
            g
        };
        self.model.minibatch(&sentences.iter().map(graph).collect::<Vec<_>>()).unwrap()
    }
}

fn check(sentences: &[Sentence]) {
    const TAGS: usize = 17;
    let mut chains = Chains::<f64>::new(TAGS);
    let names = ["scored.table", "next.moves", "first.start", "last.stop"];
    for (name, q) in names.iter().zip(1..) {
        let id = chains.model.parameters().find(name).unwrap();
        let length = chains.model.parameters().get(id).len();
        let value = |k: usize| {
            let (i, j) = ((k / TAGS) as f64, (k % TAGS) as f64);
            0.4 * (0.7 * i + 1.3 * j + 0.37 * i * j + f64::from(q)).sin()
        };
        let values: Vec<f64> = (0..length).map(value).collect();
        chains.model.parameters_mut().get_mut(id).set_values(&values).unwrap();
    }
    let first: Vec<&Sentence> = sentences[..8].iter().collect();
    let batch = chains.batch(&first);
    let mut engine = Engine::new();
    let mut run = engine.forward(&chains.model, &batch, 0).unwrap();
    let loss = run.loss().unwrap() / 8.0;
    let gradients = run.backward().unwrap().to_vector();
    println!("loss {loss:.12}");
    let mut rest = &gradients[..];
    for (_, parameter) in chains.model.parameters().iter() {
        let (own, others) = rest.split_at(parameter.len());
        rest = others;
        if names.contains(&parameter.name()) {
            let dot: f64 = own.iter().enumerate().map(|(k, g)| g / 8.0 * (k as f64).cos()).sum();
            let square: f64 = own.iter().map(|g| (g / 8.0).powi(2)).sum();
            println!("{} dot {dot:.12e} sq {square:.12e}", parameter.name());
        }
    }
}

fn time(sentences: &[Sentence], tags: usize, threads: usize) {
    let chains = Chains::<f32>::new(tags);
    let mut engine = Engine::with_threads(threads).unwrap();
    let tagged: Vec<Sentence> = (sentences.iter().take(256).filter(|sentence| sentence.len() > 1))
        .map(|sentence| sentence.iter().map(|(word, tag)| (*word, tag % tags as u32)).collect())
        .collect();
    let tagged: Vec<&Sentence> = tagged.iter().collect();
    let mut best = f64::INFINITY;
    for _ in 0..8 {
        let start = Instant::now();
        for some in tagged.chunks(BATCH) {
            let batch = chains.batch(some);
            let gradients = engine.forward(&chains.model, &batch, 0).unwrap().backward().unwrap();
            engine.recycle(gradients);
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    let row = json!({ "variant": "edb", "K": tags, "bs": BATCH, "threads": threads, "sentences_s": tagged.len() as f64 / best });
    println!("{row}");
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let Some(file) = arguments.iter().find(|arg| std::path::Path::new(arg).is_file()) else {
        return println!("cargo bench --bench crf -- FILE [THREADS] [--check]");
    };
    let parse = |item: &str| {
        let (word, tag) = item.split_once('|')?;
        Some((word.get(1..)?.parse().ok()?, tag.get(1..)?.parse().ok()?))
    };
    let text = std::fs::read_to_string(file).unwrap();
    let sentence = |line: &str| line.split(' ').map(|item| parse(item).expect("w0|T8")).collect();
    let sentences: Vec<Sentence> = text.lines().map(sentence).collect();
    if arguments.iter().any(|arg| arg == "--check") {
        return check(&sentences);
    }
    let threads = arguments.iter().find_map(|arg| arg.parse().ok()).unwrap_or(2);
    for tags in [17, 50] {
        time(&sentences, tags, threads);
    }
}
