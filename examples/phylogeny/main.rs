//! How likely the letters of an alignment are on a tree of species, and the branches and rates that make them most
//! likely: Felsenstein's pruning as vertex functions, JC69 and GTR with four gamma rates, fitted by L-BFGS.
//!
//! Both models are reversible in time, so that of the two branches below the root only the sum can be known.

mod bound;
mod draw;
mod likelihood;
mod many;
mod rates;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use argmin::core::{Executor, State as _};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use clap::{Parser, ValueEnum};
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use serde_json::json;

use likelihood::{Fit, Likelihood, numbers};
use rates::Rates;
use readers::alignment::Alignment;
use readers::newick::{Tree, simulate};
use support::{Place, Result};

#[derive(Parser)]
#[command(
    about = "Fits the branches of a tree, and the rates of a model of substitution, to an alignment",
    after_help = "The folder of --data holds NAME.nwk, or murphy.nwk for brca1, and NAME.fasta, plain or gzip'd."
)]
struct Cli {
    #[command(flatten)]
    place: Place,
    /// A folder with trees and alignments; without it, letters are drawn along a random tree
    #[arg(long)]
    data: Option<PathBuf>,
    /// The alignment in the folder
    #[arg(long, default_value = "brca1")]
    set: String,
    #[arg(long, value_enum, default_value_t = Kind::Jc)]
    model: Kind,
    /// Start from these lengths, not from those of the tree
    #[arg(long)]
    start: Option<f64>,
    /// Steps of L-BFGS at most; with 0, the likelihood and its gradient are printed as they are
    #[arg(long, default_value_t = 1000)]
    steps: u64,
    /// At most this many sites are one vertex
    #[arg(long, default_value = "1024")]
    block: NonZeroUsize,
    /// Numbers are scaled above so many leaves
    #[arg(long, default_value_t = 16)]
    scale: usize,
    /// Take each site for itself, also where columns are equal
    #[arg(long)]
    no_patterns: bool,
    /// Compute the likelihood on so many random trees of these leaves, all at once and one by one
    #[arg(long, default_value_t = 0)]
    trees: usize,
    /// Compute the likelihood of so many alignments whose sites are drawn from this one (the bootstrap)
    #[arg(long, default_value_t = 0)]
    bootstrap: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Compare the time of a gradient with the least that this machine needs
    #[arg(long)]
    bound: bool,
    /// Draw the tree with its lengths (SVG)
    #[arg(long)]
    plot: Option<PathBuf>,
    /// Print one final line of JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Kind {
    Jc,
    Gtr,
}

/// Where GTR starts, and where it is looked at without a fit: five rates and three frequencies beside the last, and
/// the shape.
const GTR: [f64; 9] = [1.2, 3.1, 0.8, 0.9, 3.4, 1.0, 2.0 / 3.0, 2.0 / 3.0, 0.5];

impl Kind {
    fn rates(self, logs: &[f64]) -> Rates {
        if self == Self::Jc { Rates::JC } else { Rates::gtr(logs) }
    }

    fn start(self) -> Vec<f64> {
        if self == Self::Jc { Vec::new() } else { GTR.map(f64::ln).to_vec() }
    }
}

/// The least of three times.
fn timed(mut run: impl FnMut() -> Result<f64>) -> Result<(f64, Duration)> {
    let value = run()?;
    let mut times = Vec::new();
    for _ in 0..3 {
        let start = Instant::now();
        run()?;
        times.push(start.elapsed());
    }
    Ok((value, times.into_iter().min().unwrap_or_default()))
}

/// The tree and its alignment.
fn read(cli: &Cli) -> Result<(Tree, Alignment)> {
    let mut rng = ChaCha8Rng::seed_from_u64(cli.seed);
    let Some(folder) = &cli.data else {
        let tree = Tree::random((1..=24).map(|leaf| format!("species {leaf}")).collect(), &mut rng);
        let letters = simulate(&tree, 600, &mut rng);
        return Ok((tree, Alignment::new(letters, !cli.no_patterns)?));
    };
    let name = if cli.set == "brca1" { "murphy" } else { &cli.set };
    let path = folder.join(format!("{name}.nwk"));
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let tree = Tree::newick(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let plain = folder.join(format!("{}.fasta", cli.set));
    let path = if plain.exists() { plain } else { folder.join(format!("{}.fasta.gz", cli.set)) };
    let alignment = Alignment::new(Alignment::read(&path)?, !cli.no_patterns)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    Ok((tree, alignment))
}

/// The place that L-BFGS finds, and its steps; with 0 of them, where it starts.
fn fitted(fit: &Fit<'_>, start: Vec<f64>, most: u64) -> Result<(Vec<f64>, u64)> {
    if most == 0 {
        return Ok((start, 0));
    }
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 12)
        .with_tolerance_grad(1e-7)?
        .with_tolerance_cost(1e-11)?;
    let found = Executor::new(fit, solver)
        .configure(|state| state.param(start.clone()).max_iters(most))
        .run()?;
    let state = found.state();
    Ok((state.get_best_param().cloned().unwrap_or(start), state.get_iter()))
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let (tree, alignment) = read(cli)?;
    let (branches, columns) = (tree.0.len() - 1, alignment.weights.len());
    println!("{} leaves, {branches} branches, {columns} different columns", branches / 2 + 1);
    if cli.trees + cli.bootstrap > 0 {
        return many::run(cli, tree, &alignment);
    }
    // Numbers of no pattern, where the tree says no lengths: 2654435761 is Knuth's multiplier.
    let missing = |branch: usize| {
        0.02 + 0.08 * ((branch as u64 * 2654435761 + 3000000019) % (1 << 32)) as f64
            / (1_u64 << 32) as f64
    };
    let lengths = match cli.start {
        Some(length) => vec![length; branches],
        None => tree.lengths(missing),
    };
    let start: Vec<f64> =
        lengths.iter().map(|length| length.max(1e-8).ln()).chain(cli.model.start()).collect();
    let of = RefCell::new(Likelihood::new(
        cli,
        &alignment,
        std::slice::from_ref(&tree),
        std::slice::from_ref(&alignment.weights),
    )?);
    let sites: f64 = alignment.weights.iter().sum();
    let fit = Fit { kind: cli.model, branches, sites, of: &of, last: RefCell::default() };
    let begun = Instant::now();
    let (place, steps) = fitted(&fit, start, cli.steps)?;
    let seconds = begun.elapsed().as_secs_f64();
    let (minus, slopes) = fit.at(&place)?;
    let lengths: Vec<f64> = place[..branches].iter().map(|log| log.exp().max(1e-8)).collect();
    let rates = cli.model.rates(&place[branches..]);
    // By the lengths, as programs are compared: the sum of cos(k) g_k, and of g_k².
    let slopes: Vec<f64> =
        slopes.iter().zip(&lengths).map(|(slope, length)| -slope / length).collect();
    let dot: f64 = slopes.iter().enumerate().map(|(k, slope)| slope * (k as f64).cos()).sum();
    let square: f64 = slopes.iter().map(|slope| slope * slope).sum();
    let given = numbers(&rates, &lengths);
    let (_, value_time) = timed(|| of.borrow_mut().value(&given))?;
    let (_, gradient_time) = timed(|| Ok(of.borrow_mut().value_and_gradient(&given)?.0))?;
    println!(
        "log likelihood {:.5} after {steps} steps in {seconds:.2} s; sum of lengths {:.4}",
        -minus,
        lengths.iter().sum::<f64>()
    );
    if cli.model == Kind::Gtr {
        println!(
            "rates {:.5?}, frequencies {:.5?}, shape {:.4}",
            rates.exchange,
            rates.frequencies,
            rates.shape.unwrap_or(f64::NAN)
        );
    }
    println!("value {value_time:.2?}, value and gradient {gradient_time:.2?}");
    let least = cli.bound.then(|| {
        let categories = if cli.model == Kind::Jc { 1 } else { 4 };
        let least = bound::least(4 * branches * columns * categories, cli.place.threads());
        let part = least / gradient_time.as_secs_f64();
        println!("this machine needs at least {:.2} ms ({part:.2})", 1e3 * least);
        1e3 * least
    });
    if let Some(path) = &cli.plot {
        std::fs::write(path, draw::svg(&tree, &lengths))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    if cli.json {
        let found = json!({ "log_likelihood": -minus, "seconds": seconds, "steps": steps,
            "value_ms": value_time.as_secs_f64() * 1e3, "gradient_ms": gradient_time.as_secs_f64() * 1e3,
            "gradient_dot": dot, "gradient_square": square, "columns": columns, "bound_ms": least });
        println!("{found}");
    }
    Ok(())
}
