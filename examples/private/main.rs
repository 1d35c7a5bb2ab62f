//! Private training: sentiment models on the Stanford Sentiment Treebank that tell next to nothing
//! about any one of the sentences that they were trained on (DP-SGD, Abadi et al., 2016), and what
//! that costs: accuracy and time.
//!
//! The unit is the sentence, with all the labels of its phrases. The vocabulary tells nothing about
//! the sentences, since it is none: words are hashed. What is *not* private here:
//!
//! - the number of training sentences, by which minibatches are sampled;
//! - the hyperparameters: the defaults were chosen by trying some on the treebank, without accounts
//!   of these trials. For data that has to stay secret, choose them on other data, or
//!   account for each trial;
//! - all models together: each is private by itself, while who sees all of them learns up to the sum
//!   of their epsilons, and from the one that is trained without privacy anything;
//! - the times of steps, since a larger minibatch takes longer;
//! - with `--seed`, anything: who knows the seed knows the noise.
//!
//! No training loss is printed: it, too, is computed from the sentences.

#[cfg(test)]
mod tests;
mod train;

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use serde_json::json;

use readers::source::Source;
use readers::treebank;
use support::chart::{Axis, Chart, Look, Scale, Series};
use support::{Place, Result, plot, table};
use train::{Found, train};

#[derive(Parser)]
#[command(
    about = "Trains sentiment models privately, and shows what privacy costs",
    after_help = "The folder of --data holds train.txt, dev.txt and test.txt, one tree `(3 \
        (2 a) (3 film))` a line, plain or gzip'd."
)]
struct Cli {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    source: Source,
    /// How private: a model is trained for each epsilon, and one without privacy
    #[arg(long, value_delimiter = ',', default_values_t = [1.0, 2.0, 4.0, 8.0])]
    epsilon: Vec<f64>,
    /// Training steps
    #[arg(long, default_value = "400")]
    steps: NonZeroU64,
    /// Sentences in a minibatch, on average [default: an eighth of the training sentences]
    #[arg(long)]
    minibatch: Option<NonZeroUsize>,
    /// The norm to which the gradient of a sentence is clipped
    #[arg(long, default_value_t = 0.5)]
    clip: f64,
    /// Learning rate of the first step; it falls to zero
    #[arg(long, default_value_t = 6e-2)]
    lr: f64,
    /// Hidden units
    #[arg(long, default_value_t = 16)]
    hidden: usize,
    /// The size of a word's vector
    #[arg(long, default_value_t = 16)]
    embedding: usize,
    /// How many vectors there are: words are hashed to them
    #[arg(long, default_value = "8192")]
    buckets: NonZeroU32,
    /// Repeats a run: draws are those of this seed, and NOT SECRET [default: a secret of the
    /// operating system for each model]
    #[arg(long)]
    seed: Option<u64>,
    /// Save the model of the smallest epsilon here, as one file that the command `edb` opens
    #[arg(long)]
    save: Option<PathBuf>,
    /// Draw accuracy by epsilon (.svg or .png)
    #[arg(long)]
    plot: Option<PathBuf>,
    /// Print a line of JSON for each model
    #[arg(long)]
    json: bool,
}

/// The chart of accuracy by epsilon.
fn chart(found: &[Found]) -> Chart {
    let private = || found.iter().filter_map(|found| Some((found.epsilon?, found)));
    let ends = [private().next(), private().next_back()].into_iter().flatten();
    let plain = found.iter().find(|found| found.epsilon.is_none());
    let mut series = Vec::new();
    for name in ["binary", "fine-grained"] {
        let of = |found: &Found| if name == "binary" { found.binary } else { found.fine };
        let points = private().map(|(epsilon, found)| (epsilon, of(found))).collect();
        series.push(Series { name: name.to_owned(), points, look: Look::Marked });
        if let Some(plain) = plain {
            // Without privacy there is no epsilon: a level from end to end.
            let points = ends.clone().map(|(epsilon, _)| (epsilon, of(plain))).collect();
            let name = format!("{name}, not private");
            series.push(Series { name, points, look: Look::Line });
        }
    }
    let x = Axis { name: "epsilon".to_owned(), scale: Scale::Doubling, ..Axis::default() };
    let y = Axis { name: "test accuracy".to_owned(), ..Axis::default() };
    Chart { title: "What privacy costs".to_owned(), x, y, series, ..Chart::default() }
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    if let Some(path) = &cli.plot {
        plot::format(path)?;
    }
    let splits = treebank::read(&cli.source)?.filled()?;
    let mut epsilons = cli.epsilon.clone();
    epsilons.sort_by(f64::total_cmp);
    let mut found = Vec::new();
    for (number, epsilon) in epsilons.into_iter().map(Some).chain([None]).enumerate() {
        let one = train(cli, &splits, epsilon, number as u64)?;
        if cli.json {
            let Found { epsilon, fine, binary, step_ratio, .. } = one;
            // Without privacy, epsilon is null.
            println!(
                "{}",
                json!({ "epsilon": epsilon, "test_fine": fine, "test_binary": binary,
                    "step_ratio": step_ratio })
            );
        }
        found.push(one);
    }
    if !cli.json {
        let heading = ["epsilon", "noise", "test fine", "test binary", "test loss", "step ratio"];
        let rows: Vec<Vec<String>> = found.iter().map(Found::cells).collect();
        print!("{}", table(&heading, &rows));
    }
    match &cli.plot {
        Some(path) => plot::charts(path, &[chart(&found)]),
        None => Ok(()),
    }
}
