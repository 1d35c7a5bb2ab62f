//! Sentiment of sentences and of all their phrases: the binary Tree-LSTM on the Stanford Sentiment
//! Treebank (Socher et al., 2013), without pretrained vectors.

pub mod cell;
#[path = "../support/mod.rs"]
pub mod support;
pub mod tree;
pub mod treebank;

use std::path::PathBuf;
use std::time::Instant;

use clap::Parser;
use edb::ModelError;
use edb::prelude::*;

use cell::{Gold, Word, phrase, sentiment, word};
use support::{Options, Result, best, progress, shuffled, table};
use tree::{LABELS, Tree, TreeKind};
use treebank::{Treebank, Vocabulary};

#[derive(Parser)]
#[command(about = "Trains a binary Tree-LSTM on the Stanford Sentiment Treebank")]
struct Cli {
    #[command(flatten)]
    options: Options,
    /// The folder with train.txt, dev.txt and test.txt (plain or .gz)
    #[arg(long)]
    data: PathBuf,
    /// The size of a word's vector
    #[arg(long, default_value_t = 128)]
    embedding: usize,
    /// Rarer words are read as one unknown word
    #[arg(long, default_value_t = 2)]
    min_count: usize,
}

/// The vertex functions of the model.
struct Functions {
    word: Function<word>,
    phrase: Function<phrase>,
    sentiment: Function<sentiment>,
}

fn model(
    words: usize,
    embedding: usize,
    hidden: usize,
    seed: u64,
) -> std::result::Result<(Functions, Model), ModelError> {
    let mut builder = ModelBuilder::new();
    let table = Initializer::Uniform { bound: 0.1 };
    let functions = Functions {
        word: builder.add::<word>(dims! { V: words, X: embedding, H: hidden }.init("table", table)),
        phrase: builder.add::<phrase>(dims! { H: hidden }),
        sentiment: builder.add::<sentiment>(dims! { C: usize::from(LABELS), H: hidden }),
    };
    Ok((functions, builder.build(seed)?))
}

/// A tree as a graph; the vertex that judges the whole sentence is the last.
fn graph(f: &Functions, model: &Model, words: &Vocabulary, tree: &Tree) -> (Graph, Vertex<()>) {
    let mut g = model.graph();
    let mut phrases: Vec<Vertex<cell::Node>> = Vec::new();
    let mut root = None;
    for vertex in tree.vertices() {
        let phrase = match vertex.kind {
            TreeKind::Leaf { word } => {
                let id = words.id(&tree.words()[word]).into();
                g.add(&f.word, (), Word { id })
            }
            TreeKind::Inner { left, right } => {
                g.add(&f.phrase, [phrases[left], phrases[right]], ())
            }
        };
        phrases.push(phrase);
        root = Some(g.add(&f.sentiment, [phrase], Gold { label: vertex.label.into() }));
    }
    (g, root.expect("a tree has at least one vertex"))
}

/// Accuracy at the roots: over five classes, and positive against negative (sentences labelled
/// neutral left out, as everyone does).
#[derive(Clone, Copy, Default)]
struct Accuracy {
    fine: f64,
    binary: f64,
}

fn accuracy(
    f: &Functions,
    trainer: &mut Trainer,
    words: &Vocabulary,
    trees: &[Tree],
) -> Result<Accuracy> {
    let (mut fine, mut binary, mut polar) = (0, 0, 0);
    for chunk in trees.chunks(128) {
        let (graphs, roots): (Vec<_>, Vec<_>) =
            chunk.iter().map(|tree| graph(f, trainer.model(), words, tree)).unzip();
        let batch = trainer.model().minibatch(&graphs)?;
        let run = trainer.infer(&batch)?;
        for (root, tree) in roots.into_iter().zip(chunk) {
            let gold = usize::from(tree.label());
            let logits = run.output(&f.sentiment, root)?.logits;
            fine += usize::from(best(logits.iter().copied()) == gold);
            if gold != 2 {
                // Which side has the greater probability.
                let weight = |class: usize| logits[class].exp();
                let positive = weight(3) + weight(4) > weight(0) + weight(1);
                binary += usize::from(positive == (gold > 2));
                polar += 1;
            }
        }
    }
    let share = |right: usize, of: usize| right as f64 / of.max(1) as f64;
    Ok(Accuracy { fine: share(fine, trees.len()), binary: share(binary, polar) })
}

fn main() -> Result<()> {
    let cli = Cli::parse();
    let options = &cli.options;
    let start = Instant::now();
    let data = Treebank::read(&cli.data)?;
    let words = Vocabulary::new(&data.train, cli.min_count);
    println!("{} sentences to train on, {} words", data.train.len(), words.size());

    let hidden = options.hidden.unwrap_or(128);
    let (f, mut model) = model(words.size(), cli.embedding, hidden, options.seed)?;
    if let Some(path) = &options.load {
        model.load(path)?;
    }
    let rate = options.lr.unwrap_or(2e-3);
    let mut trainer = Trainer::new(model, Adam::new(rate)).engine(options.engine()?).clip_norm(5.0);
    let mut rows = Vec::new();
    let mut best_dev = Accuracy::default();
    let mut best_test = Accuracy::default();
    for epoch in 0..options.epochs.unwrap_or(8) {
        let order = shuffled(data.train.len(), options.seed, epoch);
        let chunks = order.chunks(options.batch(32));
        let bar = progress(epoch, chunks.len());
        let (mut loss, mut vertices) = (0.0, 0);
        for chunk in chunks {
            let trees = chunk.iter().map(|at| &data.train[*at]);
            let graphs: Vec<Graph> =
                trees.map(|tree| graph(&f, trainer.model(), &words, tree).0).collect();
            let batch = trainer.model().minibatch(&graphs)?;
            loss += trainer.step(&batch)?.loss;
            vertices += batch.vertex_count() / 2;
            bar.inc(1);
        }
        bar.finish_and_clear();
        let dev = accuracy(&f, &mut trainer, &words, &data.dev)?;
        let loss = loss / vertices as f64;
        rows.push(vec![
            (epoch + 1).to_string(),
            format!("{loss:.4}"),
            format!("{:.4}", dev.fine),
            format!("{:.4}", dev.binary),
            format!("{:.1}", start.elapsed().as_secs_f64()),
        ]);
        println!(
            "epoch {}: loss {loss:.4}, dev {:.4} fine, {:.4} binary",
            epoch + 1,
            dev.fine,
            dev.binary
        );
        // The epoch that is best on dev is the one that is tested and saved.
        if dev.fine + dev.binary > best_dev.fine + best_dev.binary {
            best_dev = dev;
            best_test = accuracy(&f, &mut trainer, &words, &data.test)?;
            if let Some(path) = &options.save {
                trainer.model().save(path)?;
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    print!("\n{}", table(&["epoch", "loss", "dev fine", "dev binary", "seconds"], &rows));
    println!(
        "\ntest {:.4} fine-grained, {:.4} binary, after {seconds:.1} s",
        best_test.fine, best_test.binary
    );
    if options.json {
        println!(
            "{}",
            serde_json::json!({
                "test_fine": best_test.fine,
                "test_binary": best_test.binary,
                "dev_fine": best_dev.fine,
                "dev_binary": best_dev.binary,
                "seconds": seconds,
            })
        );
    }
    Ok(())
}
