//! Shared code of the examples: command line, training loop, progress bar and final table, and the
//! generator of ListOps expressions. File readers are in a separate library, `readers`, so that
//! examples that do not need them compile sooner.

pub mod bars;
pub mod bleu;
pub mod chart;
pub mod expression;
pub mod fit;
pub mod folder;
pub mod learns;
pub mod lists;
pub mod measure;
#[cfg_attr(not(feature = "plots"), path = "no_plot.rs")]
pub mod plot;
pub mod seeing;
pub mod splits;
pub mod vocabulary;
pub mod world;

pub use vocabulary::best;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;

use clap::{Args, Parser};
use edb::Element;
use edb::collective::Collective;
use edb::prelude::*;
use indicatif::{ProgressBar, ProgressStyle};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use serde_json::{Map, Value};

/// Any error: the examples report it and stop.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Runs a program with its command line; an error is printed to stderr.
pub fn main<C: Parser>(run: impl FnOnce(&C) -> Result<()>) -> ExitCode {
    let ran = run(&C::parse());
    world::close();
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // In one piece, since other processes may write, too.
            let line = format!("error: {error}\n");
            eprint!("{line}");
            ExitCode::FAILURE
        }
    }
}

/// Where an example runs.
#[derive(Args, Clone, Debug)]
pub struct Place {
    /// Threads to run on [default: all]
    #[arg(long)]
    pub threads: Option<NonZeroUsize>,
    /// Where to run: cpu or cpu,bf16, or with the feature `cuda` also cuda and cuda:N, behind it
    /// ,tf32, ,bf16 or ,f16, and ,tiled or ,graphs
    #[arg(long, default_value = "cpu")]
    pub device: String,
}

impl Place {
    /// How many threads there are to run on.
    pub fn threads(&self) -> usize {
        let threads = self.threads.or_else(|| available_parallelism().ok());
        threads.map_or(1, NonZeroUsize::get)
    }

    /// An engine there, which draws from this seed.
    pub fn engine<T: Element>(&self, seed: u64) -> Result<Engine<T>> {
        Ok(Engine::on(&device(&self.device)?.threads(self.threads()))?.seed(seed))
    }
}

/// The options of every example that trains one model.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub place: Place,
    /// Shares of a minibatch, for several processes: what is learned depends on it, and not on how
    /// many processes there are
    #[arg(long)]
    pub shares: Option<NonZeroUsize>,
    /// Passes over the training set
    #[arg(long)]
    pub epochs: Option<usize>,
    /// Hidden units
    #[arg(long)]
    pub hidden: Option<usize>,
    /// Examples in a minibatch
    #[arg(long)]
    pub batch: Option<NonZeroUsize>,
    /// Learning rate
    #[arg(long)]
    pub lr: Option<f64>,
    /// Save the model here, as one file that the command `edb` opens
    #[arg(long)]
    pub save: Option<PathBuf>,
    /// Start from these parameters (safetensors)
    #[arg(long)]
    pub load: Option<PathBuf>,
    /// Draw how training went (.svg or .png)
    #[arg(long)]
    pub plot: Option<PathBuf>,
    /// Write what the first steps do, and when (JSON, for ui.perfetto.dev)
    #[arg(long)]
    pub trace: Option<PathBuf>,
    /// Print one final line of JSON
    #[arg(long)]
    pub json: bool,
}

impl Options {
    /// An engine with the chosen threads and seed.
    pub fn engine(&self) -> Result<Engine> {
        self.place.engine(self.seed)
    }

    /// The trainer, together with the other processes that were started with this one.
    pub fn distributed(&self, trainer: Trainer) -> Result<Trainer> {
        let world = world::get()?;
        match self.shares {
            Some(shares) => Ok(trainer.distributed(world, shares.get())),
            None if world.ranks() == 1 => Ok(trainer),
            None => {
                Err("several processes need --shares N, at least as many as there are processes: \
                what is learned depends on this number, and not on that of processes"
                    .into())
            }
        }
    }

    /// Prints results as a line of JSON, if that was asked for.
    pub fn print(&self, results: Map<String, Value>) {
        if self.json && world::is_first() {
            println!("{}", Value::Object(results));
        }
    }

    /// The size of a minibatch.
    pub fn batch(&self, default: usize) -> usize {
        self.batch.map_or(default, NonZeroUsize::get)
    }
}

/// The device of this name, optionally followed by a precision and a GPU's launch mode:
/// `cpu,bf16`, `cuda:1,bf16,graphs`.
pub fn device(name: &str) -> Result<Device> {
    let (place, options) = name.split_once(',').unwrap_or((name, ""));
    let gpu: Option<usize> = match place.strip_prefix("cuda") {
        Some("") => None,
        Some(rest) => Some(rest.strip_prefix(':').unwrap_or(rest).parse()?),
        None if place == "cpu" && options.is_empty() => return Ok(Device::cpu()),
        None if place == "cpu" => return Ok(Device::cpu().precision(options.parse()?)),
        None => return Err(format!("there is no device `{name}`: say cpu, cuda or cuda:N").into()),
    };
    #[cfg(feature = "cuda")]
    {
        // Each of several processes on a machine has a GPU of its own, as far as there are so many.
        let gpu = match gpu {
            Some(gpu) => gpu,
            None => world::get()?.local_rank() % Device::cuda_count()?.max(1),
        };
        Ok(Device::cuda_with(gpu, cuda_options(options)?)?)
    }
    #[cfg(not(feature = "cuda"))]
    {
        let gpu = gpu.unwrap_or(0);
        Err(format!("cuda:{gpu} {options} needs edb's feature `cuda`: cargo run --features cuda")
            .into())
    }
}

/// The options after a GPU's name: a precision, a launch mode, or both.
#[cfg(feature = "cuda")]
fn cuda_options(text: &str) -> Result<CudaOptions> {
    let mut options = CudaOptions::new();
    for name in text.split(',').filter(|name| !name.is_empty()) {
        options = match (name.parse::<Precision>(), name.parse::<Launches>()) {
            (Ok(precision), _) => options.precision(precision),
            (_, Ok(launches)) => options.launches(launches),
            (Err(precision), Err(launches)) => {
                return Err(format!("{precision}; {launches}").into());
            }
        };
    }
    Ok(options)
}

/// The numbers below `count`, shuffled differently in every epoch.
pub fn shuffled(count: usize, seed: u64, epoch: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(epoch as u64 + 1);
    order.shuffle(&mut rng);
    order
}

/// A progress bar over the minibatches of an epoch, on stderr.
pub fn progress(epoch: usize, minibatches: usize) -> ProgressBar {
    progress_of(format!("epoch {}", epoch + 1), minibatches as u64)
}

/// A progress bar over the steps of something, on stderr.
pub fn progress_of(what: String, steps: u64) -> ProgressBar {
    if !world::is_first() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {eta} {msg}");
    ProgressBar::new(steps)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_prefix(what)
}

/// A table with a header and aligned columns.
pub fn table(heading: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].len());
        cells.chain([heading[column].len()]).max().unwrap_or(0)
    };
    let line = |cells: Vec<&str>| {
        let cells =
            cells.iter().enumerate().map(|(column, cell)| format!("{cell:>0$}", width(column)));
        cells.collect::<Vec<_>>().join("  ") + "\n"
    };
    let rows = rows.iter().map(|row| line(row.iter().map(String::as_str).collect()));
    line(heading.to_vec()) + &rows.collect::<String>()
}
