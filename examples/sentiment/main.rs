//! Sentiment of sentences and of all their phrases: the binary Tree-LSTM, or another cell, on the Stanford
//! Sentiment Treebank (Socher et al., 2013), without pretrained vectors.

pub mod cell;
#[path = ""]
pub mod cells {
    #[path = "../cells/mv_rnn.rs"]
    pub mod mv_rnn;
    #[path = "../cells/tree_gru.rs"]
    pub mod tree_gru;
}
pub mod model;
#[path = "../support/mod.rs"]
pub mod support;
pub mod tree;
pub mod treebank;

use std::path::PathBuf;
use std::time::Instant;

use clap::{Parser, ValueEnum};
use edb::Element;
use edb::prelude::*;

use model::{Cell, MvRnn, Sizes, TreeGru, TreeLstm};
use support::vocabulary::Vocabulary;
use support::{Options, Result, best, progress, shuffled, table};
use tree::{LABELS, Tree, TreeKind};
use treebank::Treebank;

#[derive(Parser)]
#[command(about = "Trains a binary Tree-LSTM on the Stanford Sentiment Treebank")]
struct Cli {
    #[command(flatten)]
    options: Options,
    /// The folder with train.txt, dev.txt and test.txt (plain or .gz); without it, small trees are
    /// generated
    #[arg(long)]
    data: Option<PathBuf>,
    /// What happens at a phrase
    #[arg(long, value_enum, default_value_t = Name::TreeLstm)]
    cell: Name,
    /// The size of a word's vector
    #[arg(long, default_value_t = 128)]
    embedding: usize,
    /// Rarer words are read as one unknown word
    #[arg(long, default_value_t = 2)]
    min_count: usize,
}

/// The cells.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Name {
    /// Tree-LSTM (Tai et al., 2015)
    TreeLstm,
    /// Tree-GRU (Chen et al., 2015)
    TreeGru,
    /// A vector and a matrix for every phrase (Socher et al., 2012)
    MvRnn,
    /// Tree-LSTM with phrases of two types, by whether their first part is a word
    #[value(name = "tree-lstm-2type")]
    TreeLstm2Type,
}

/// A tree as a graph; the vertex that judges the whole sentence is the last.
fn graph<C: Cell, T: Element>(
    cell: &C,
    model: &Model<T>,
    words: &Vocabulary,
    tree: &Tree,
) -> (Graph<T>, Vertex<()>) {
    let mut g = model.graph();
    let mut phrases: Vec<Vertex<C::State>> = Vec::new();
    let mut root = None;
    for vertex in tree.vertices() {
        let phrase = match vertex.kind {
            TreeKind::Leaf { word } => cell.word(&mut g, words.id(&tree.words()[word]).into()),
            TreeKind::Inner { left, right } => {
                let is_word = matches!(tree.vertices()[left].kind, TreeKind::Leaf { .. });
                cell.phrase(&mut g, [phrases[left], phrases[right]], usize::from(is_word))
            }
        };
        phrases.push(phrase);
        root = Some(cell.judge(&mut g, phrase, vertex.label.into()));
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

fn accuracy<C: Cell>(
    f: &C,
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
            let logits = f.scores(&run, root)?;
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
    let data = match &cli.data {
        Some(folder) => Treebank::read(folder)?,
        None => Treebank::generated(),
    };
    let words =
        Vocabulary::new(data.train.iter().flat_map(Tree::words).map(String::as_str), cli.min_count);
    println!("{} sentences to train on, {} words", data.train.len(), words.size());

    let sizes = Sizes {
        words: words.size(),
        embedding: cli.embedding,
        hidden: options.hidden.unwrap_or(if let Name::MvRnn = cli.cell { 24 } else { 128 }),
        classes: usize::from(LABELS),
    };
    let mut builder = ModelBuilder::new();
    match cli.cell {
        Name::TreeLstm => {
            run(options, &data, &words, TreeLstm::new(&mut builder, sizes, 1), builder)
        }
        Name::TreeLstm2Type => {
            run(options, &data, &words, TreeLstm::new(&mut builder, sizes, 2), builder)
        }
        Name::TreeGru => run(options, &data, &words, TreeGru::new(&mut builder, sizes), builder),
        Name::MvRnn => run(options, &data, &words, MvRnn::new(&mut builder, sizes), builder),
    }
}

/// Trains and measures a model.
fn run<C: Cell>(
    options: &Options,
    data: &Treebank,
    words: &Vocabulary,
    f: C,
    builder: ModelBuilder,
) -> Result<()> {
    let start = Instant::now();
    let mut model: Model = builder.build(options.seed)?;
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
                trees.map(|tree| graph(&f, trainer.model(), words, tree).0).collect();
            let batch = trainer.model().minibatch(&graphs)?;
            loss += trainer.step(&batch)?.loss;
            vertices += batch.vertex_count() / 2;
            bar.inc(1);
        }
        bar.finish_and_clear();
        let dev = accuracy(&f, &mut trainer, words, &data.dev)?;
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
            best_test = accuracy(&f, &mut trainer, words, &data.test)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use support::learns::{Sample, learns};

    impl Sample for Name {
        fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
            let mut builder = ModelBuilder::new();
            let sizes = Sizes { words: 4, embedding: 5, hidden: 6, classes: 5 };
            match self {
                Self::TreeLstm => {
                    let f = TreeLstm::new(&mut builder, sizes, 1);
                    graphs(&f, builder, seed)
                }
                Self::TreeLstm2Type => {
                    let f = TreeLstm::new(&mut builder, sizes, 2);
                    graphs(&f, builder, seed)
                }
                Self::TreeGru => {
                    let f = TreeGru::new(&mut builder, sizes);
                    graphs(&f, builder, seed)
                }
                Self::MvRnn => {
                    let f = MvRnn::new(&mut builder, sizes);
                    graphs(&f, builder, seed)
                }
            }
        }
    }

    fn graphs<C: Cell, T: Element>(
        cell: &C,
        builder: ModelBuilder,
        seed: u64,
    ) -> (Model<T>, Vec<Graph<T>>) {
        let model = builder.build(seed).unwrap();
        let lines =
            ["(4 (2 a) (4 (4 fine) (2 film)))", "(2 film)", "(3 (3 (2 a) (2 film)) (4 fine))"];
        let trees = lines.map(|line| line.parse::<Tree>().unwrap());
        let all = trees.iter().flat_map(Tree::words).map(String::as_str);
        let words = Vocabulary::new(all, 1);
        let graphs = trees.iter().map(|tree| graph(cell, &model, &words, tree).0).collect();
        (model, graphs)
    }

    #[test]
    fn all_cells_learn() {
        Name::value_variants().iter().for_each(learns);
    }
}
