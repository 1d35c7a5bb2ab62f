//! The curvature of a training loss in all directions: the spectrum of its Hessian, before and after
//! training, for a small Tree-LSTM on trees of the Stanford Sentiment Treebank.
//!
//! The Hessian is never written down: its products with vectors are enough for Lanczos' method, which
//! gives its least and greatest eigenvalues and, from a few random vectors, the density of all of them
//! (`lanczos.rs`). All is computed in `f64`, of the mean loss of all phrases of the training
//! sentences, without dropout.

mod curvature;
mod lanczos;
#[cfg(test)]
mod tests;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use edb::model::Plan;
use edb::prelude::*;
use serde_json::{Map, Value, json};

use cells::binary_tree::{Functions, PlainTreeLstm, Sizes};
use curvature::Curvature;
use lanczos::Spectrum;
use readers::source::Source;
use readers::tree::{LABELS, Tree};
use readers::treebank;
use support::chart::{Axis, Chart, Scale, Series};
use support::vocabulary::Vocabulary;
use support::{Place, Result, plot, progress, shuffled};

#[derive(Parser)]
#[command(
    about = "Shows the spectrum of the Hessian of a training loss, before and after training",
    after_help = "The folder of --data holds train.txt, dev.txt and test.txt, one tree `(3 \
        (2 a) (3 film))` a line, plain or gzip'd."
)]
struct Cli {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    source: Source,
    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The first training sentences, whose loss it is
    #[arg(long, default_value = "256")]
    sentences: NonZeroUsize,
    /// Words that are rarer among them are read as one unknown word
    #[arg(long, default_value_t = 3)]
    min_count: usize,
    /// The size of a word's vector
    #[arg(long, default_value_t = 8)]
    embedding: usize,
    /// Hidden units
    #[arg(long, default_value_t = 8)]
    hidden: usize,
    /// Passes over the sentences
    #[arg(long, default_value_t = 40)]
    epochs: usize,
    /// Sentences in a minibatch of training
    #[arg(long, default_value = "16")]
    batch: NonZeroUsize,
    /// Learning rate of the first step; it falls to zero
    #[arg(long, default_value_t = 1e-2)]
    lr: f64,
    /// Which second derivatives
    #[arg(long, value_enum, default_value_t = Matrix::Hessian)]
    matrix: Matrix,
    /// Lanczos steps from each random vector: products with the matrix
    #[arg(long, default_value = "80")]
    steps: NonZeroUsize,
    /// Random vectors
    #[arg(long, default_value = "4")]
    vectors: NonZeroUsize,
    /// How many eigenvalues to print at each end
    #[arg(long, default_value_t = 5)]
    show: usize,
    /// Draw the density of the eigenvalues, on a scale of decades (.svg or .png)
    #[arg(long)]
    plot: Option<PathBuf>,
    /// Print one final line of JSON
    #[arg(long)]
    json: bool,
}

/// A matrix of second derivatives.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Matrix {
    /// All of them
    Hessian,
    /// Those of the losses by what they are of, as if that were linear: none is negative
    GaussNewton,
}

impl Matrix {
    fn compile(self) -> fn(&Plan) -> std::result::Result<Plan, String> {
        match self {
            Self::Hessian => edb_compiler::tangent,
            Self::GaussNewton => edb_compiler::gauss_newton,
        }
    }
}

/// The sentences that run together, since what has run has to fit into memory.
const MINIBATCH: usize = 256;
/// Places at which a density is drawn, and how far eigenvalues are smeared, by the width of the
/// spectrum.
const PLACES: usize = 800;
const SMEAR: f64 = 0.004;
/// Lower densities are not drawn.
const LEAST: f64 = 1e-6;

/// The spectrum of the model as it is.
fn spectrum(
    cli: &Cli,
    model: &Model<f64>,
    graphs: &[Graph<f64>],
    losses: usize,
) -> Result<Spectrum> {
    let batches = graphs.chunks(MINIBATCH).map(|chunk| model.minibatch(chunk));
    let batches = batches.collect::<std::result::Result<Vec<_>, _>>()?;
    let engine = cli.place.engine(cli.seed)?;
    let mut curvature = Curvature::new(model, engine, &batches, losses, cli.matrix.compile())?;
    let size = curvature.size();
    let (vectors, steps) = (cli.vectors.get(), cli.steps.get());
    Spectrum::of(|vector| curvature.product(vector), size, vectors, steps, cli.seed)
}

/// Trains a model; returns it with its mean loss before and after.
fn train(
    cli: &Cli,
    model: Model<f64>,
    graphs: &[Graph<f64>],
    losses: usize,
) -> Result<(Model<f64>, [f64; 2])> {
    let steps = graphs.len().div_ceil(cli.batch.get()) * cli.epochs;
    let mut trainer = Trainer::new(model, Adam::new(cli.lr))
        .engine(cli.place.engine(cli.seed)?)
        .schedule(RateSchedule::linear(steps as u64, 1.0, 0.0))
        .clip_norm(5.0);
    let loss = |trainer: &mut Trainer<f64>| -> Result<f64> {
        let mut sum = 0.0;
        for chunk in graphs.chunks(MINIBATCH) {
            let batch = trainer.model().minibatch(chunk)?;
            sum += trainer.infer(&batch)?.loss()?;
        }
        Ok(sum / losses as f64)
    };
    let before = loss(&mut trainer)?;
    for epoch in 0..cli.epochs {
        let order = shuffled(graphs.len(), cli.seed, epoch);
        let bar = progress(epoch, order.len().div_ceil(cli.batch.get()));
        for chunk in order.chunks(cli.batch.get()) {
            trainer.step_graphs(chunk.iter().map(|number| &graphs[*number]))?;
            bar.inc(1);
        }
        bar.finish_and_clear();
    }
    let after = loss(&mut trainer)?;
    Ok((trainer.into_model(), [before, after]))
}

/// Prints what was found when `when`; returns it for JSON.
fn show(cli: &Cli, when: &str, loss: f64, spectrum: &Spectrum) -> Value {
    let (greatest, least) = (spectrum.greatest(cli.show), spectrum.least(cli.show));
    let trace = spectrum.trace();
    let list = |values: &[f64]| {
        values.iter().map(|value| format!("{value:.4}")).collect::<Vec<_>>().join(" ")
    };
    println!("\n{when} training: mean loss {loss:.4}");
    println!("greatest eigenvalues: {}", list(&greatest));
    println!("least eigenvalues: {}", list(&least));
    println!("sum of all, estimated: {trace:.3}");
    json!({ "loss": loss, "greatest": greatest, "least": least, "trace": trace })
}

/// The chart of the density. Before and after training, spectra have widths of their own.
fn chart(when: &str, spectrum: &Spectrum) -> Chart {
    let points = spectrum.density(PLACES, SMEAR).into_iter();
    let points = points.map(|(place, density)| (place, density.max(LEAST))).collect();
    let x = Axis { name: "eigenvalue".to_owned(), ..Axis::default() };
    let y = Axis { name: "density".to_owned(), scale: Scale::Decades, ..Axis::default() };
    let series = vec![Series { points, ..Series::default() }];
    Chart { title: format!("the spectrum {when} training"), x, y, series, ..Chart::default() }
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    if let Some(path) = &cli.plot {
        plot::format(path)?;
    }
    let splits = treebank::read(&cli.source)?.filled()?;
    let trees = &splits.train[..cli.sentences.get().min(splits.train.len())];
    let words = trees.iter().flat_map(Tree::words).map(String::as_str);
    let words = Vocabulary::new(words, cli.min_count);
    let sizes = Sizes {
        words: words.size(),
        embedding: cli.embedding,
        hidden: cli.hidden,
        classes: usize::from(LABELS),
    };
    let mut builder = ModelBuilder::new();
    let f = Functions::<PlainTreeLstm>::new(&mut builder, sizes, 1);
    let model: Model<f64> = builder.build_as(cli.seed)?;
    let graph = |tree| f.graph(&model, tree, |word| words.id(word)).0;
    let graphs: Vec<Graph<f64>> = trees.iter().map(graph).collect();
    let losses = trees.iter().map(|tree| tree.vertices().len()).sum();

    let before = spectrum(cli, &model, &graphs, losses)?;
    println!("{} sentences, {losses} losses, {} parameters", trees.len(), before.size);
    let (model, [loss_before, loss_after]) = train(cli, model, &graphs, losses)?;
    let after = spectrum(cli, &model, &graphs, losses)?;
    let mut found = Map::new();
    found.insert("parameters".into(), before.size.into());
    found.insert("before".into(), show(cli, "before", loss_before, &before));
    found.insert("after".into(), show(cli, "after", loss_after, &after));
    if let Some(path) = &cli.plot {
        plot::charts(path, &[chart("before", &before), chart("after", &after)])?;
    }
    if cli.json {
        println!("{}", Value::Object(found));
    }
    Ok(())
}
