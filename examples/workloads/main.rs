//! The speed of edb: workloads are timed end to end, from parsed records to updated parameters, and
//! compared with the peak of multiply-adds that the machine reaches in the same process. On a GPU,
//! the times of the phases are by its own clock, and the peak is that of a large matrix product.
//!
//! A timed pass takes the first 256 instances in file order (64 if a minibatch is one instance) in
//! consecutive minibatches; it builds graphs, checks and merges them, schedules, runs forward and
//! backward and updates, and keeps nothing of a graph for the next pass. The pass with the median
//! time is reported.
//!
//! Graphs that grow are constructed in rounds, while they run. The lower bound of their batches is
//! that of what they have become, and knows no rounds.

pub mod bilstm;
pub mod drawn;
pub mod generate;
pub mod language_model;
pub mod lattice;
pub mod lattice_ner;
pub mod layers;
pub mod measure;
pub mod molecules;
pub mod moving;
pub mod name;
pub mod parser;
pub mod relatedness;
pub mod report;
pub mod sentiments;
pub mod tagger;
#[cfg(test)]
pub mod tests;
pub mod translate;
pub mod tree_fc;
pub mod tree_lstm;
pub mod workload;

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, ValueEnum};

use cells::binary_tree::{MvRnn, Routed, TreeGru, TreeLstm};
use cells::lattice_tagger::Cell;
use lattice::edbatch::EdBatch;
use lattice::gru::Gru;
use lattice::zhang_yang::ZhangYang;
use lattice_ner::Entities;
use layers::{LinearLayer, Perceptron};
use measure::{INSTANCES, Mode, Part, Scheduled, Setting, measure};
use name::Name;
use readers::lines::{Lines, Malformed};
use report::Row;
use sentiments::Sentiments;
use support::{Result, table};
use tagger::pondered::Pondered;
use translate::spoken::Spoken;
use workload::{Reading, Workload};

#[derive(Parser)]
#[command(about = "Times training and inference, as a fraction of what the machine can do")]
struct Cli {
    /// What to run
    #[arg(value_enum)]
    workload: Name,
    /// A file of instances, plain or gzip'd; without it, they are drawn
    #[arg(long)]
    data: Option<PathBuf>,
    /// Ids of words, letters and tags are taken modulo this, so that tables have no more rows: 256
    /// in ED-Batch's benchmark [default: all are different]
    #[arg(long)]
    ids_modulo: Option<NonZeroU32>,
    /// What is timed [default: train; with --sweep both]
    #[arg(long, value_enum, value_delimiter = ',')]
    mode: Vec<Mode>,
    /// Hidden units [default: 256; with --sweep 64,256,512]
    #[arg(long, value_delimiter = ',')]
    hidden: Vec<NonZeroUsize>,
    /// Instances in a minibatch [default: 32; with --sweep 1,32,256]
    #[arg(long, value_delimiter = ',')]
    batch: Vec<NonZeroUsize>,
    /// Threads to run on
    #[arg(long, value_delimiter = ',', default_values_t = [NonZeroUsize::MIN])]
    threads: Vec<NonZeroUsize>,
    /// Where to run: cpu or cpu,bf16, or with the feature `cuda` also cuda and cuda:N, behind it
    /// ,tf32, ,bf16 or ,f16, and ,tiled or ,graphs
    #[arg(long, default_value = "cpu")]
    device: String,
    /// How batches reach a GPU: single, tiled or graphs, one after the other [default: as --device
    /// says]
    #[arg(long, value_delimiter = ',')]
    launches: Vec<String>,
    /// The leaves of a tree of tree-fc: a list, or 32..1024 for 32, 64, ... 1024 [default: 256]
    #[arg(long)]
    leaves: Option<String>,
    /// Run a grid of sizes, smallest first
    #[arg(long)]
    sweep: bool,
    /// Leave something out, to see what it gains. Plans without it are made at run time and their
    /// kernels interpreted, so compare with `--disable compiled`
    #[arg(long, value_enum, value_delimiter = ',')]
    disable: Vec<Part>,
    /// By which policies minibatches are scheduled, one after the other. Graphs that grow, and vertices that
    /// decide, know only the default
    #[arg(long, value_enum, value_delimiter = ',', default_value = "default")]
    policy: Vec<Scheduled>,
    /// The fewest timed passes, unless fewer take 10 s
    #[arg(long, default_value_t = const { NonZeroUsize::new(5).unwrap() })]
    passes: NonZeroUsize,
    /// Time passes for at least so many seconds
    #[arg(long, default_value_t = 0.5)]
    seconds: f64,
    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one object of JSON a line
    #[arg(long)]
    json: bool,
    /// Print the instances that are drawn, as --data reads them, and time nothing
    #[arg(long, conflicts_with = "data")]
    print_instances: bool,
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    if cli.leaves.is_some() && cli.workload != Name::TreeFc {
        return Err("only tree-fc has --leaves".into());
    }
    if cli.device == "cpu" && !cli.launches.is_empty() {
        return Err("only a GPU has --launches: say --device cuda".into());
    }
    if cli.ids_modulo.is_some() && !cli.workload.has_ids() {
        return Err("this workload has no ids to be taken modulo anything".into());
    }
    if !cli.workload.reads() && (cli.data.is_some() || cli.print_instances) {
        let name = named(cli.workload);
        return Err(format!("{name} draws its instances, in no format that it could read").into());
    }
    if cli.print_instances {
        print!("{}", cli.workload.draw(cli.seed));
        return Ok(());
    }
    let rows = match cli.workload {
        Name::TreeLstm => grid(cli, &tree_lstm::Binary::read(reading(cli)?)?, None)?,
        Name::TreeLstmChildSum => grid(cli, &tree_lstm::ChildSum::read(reading(cli)?)?, None)?,
        Name::Sentiment => grid(cli, &Sentiments::<TreeLstm>::read(reading(cli)?, 1)?, None)?,
        Name::TreeLstm2Type => grid(cli, &Sentiments::<TreeLstm>::read(reading(cli)?, 2)?, None)?,
        Name::TreeGru => grid(cli, &Sentiments::<TreeGru>::read(reading(cli)?, 1)?, None)?,
        Name::MvRnn => grid(cli, &Sentiments::<MvRnn>::read(reading(cli)?, 1)?, None)?,
        Name::RoutedTree => grid(cli, &Sentiments::<Routed>::read(reading(cli)?, 1)?, None)?,
        Name::BilstmTagger => grid(cli, &bilstm::Sentences::read(reading(cli)?)?, None)?,
        Name::Tagger => grid(cli, &tagger::Tagged::read(reading(cli)?, false)?, None)?,
        Name::TaggerChars => grid(cli, &tagger::Tagged::read(reading(cli)?, true)?, None)?,
        Name::Ponder => grid(cli, &Pondered(tagger::Tagged::read(reading(cli)?, false)?), None)?,
        Name::LatticeLstm => grid(cli, &ZhangYang(lattice::read(reading(cli)?)?), None)?,
        Name::LatticeGru => grid(cli, &Gru(lattice::read(reading(cli)?)?), None)?,
        Name::LatticeEdbatch => grid(cli, &EdBatch(lattice::read(reading(cli)?)?), None)?,
        Name::LatticeNer => grid(cli, &Entities::read(reading(cli)?, Cell::LatticeLstm)?, None)?,
        Name::LatticeNerGru => grid(cli, &Entities::read(reading(cli)?, Cell::LatticeGru)?, None)?,
        Name::LanguageModel => grid(cli, &language_model::Sentences::read(reading(cli)?)?, None)?,
        Name::FixedLstm => grid(cli, &language_model::Sentences::cut(reading(cli)?)?, None)?,
        Name::Translate => grid(cli, &translate::Pairs::read(reading(cli)?)?, None)?,
        Name::TranslateGrow => grid(cli, &Spoken(translate::Pairs::read(reading(cli)?)?), None)?,
        Name::Parser => grid(cli, &parser::Sentences::read(reading(cli)?)?, None)?,
        Name::Generate => grid(cli, &generate::Trees::read(reading(cli)?)?, None)?,
        Name::Relatedness => grid(cli, &relatedness::Pairs::read(reading(cli)?)?, None)?,
        Name::Molecules => grid(cli, &molecules::Measured::read(reading(cli)?)?, None)?,
        Name::LinearLayer => grid(cli, &LinearLayer::draw(INSTANCES, cli.seed), None)?,
        Name::Perceptron => grid(cli, &Perceptron::draw(INSTANCES, cli.seed), None)?,
        Name::TreeFc => {
            let mut rows = Vec::new();
            for leaves in leaves(cli.leaves.as_deref().unwrap_or("256"))? {
                let trees = tree_fc::CompleteTrees::draw(leaves, INSTANCES, cli.seed)?;
                rows.extend(grid(cli, &trees, Some(leaves))?);
            }
            rows
        }
    };
    if !cli.json {
        let cells: Vec<_> = rows.iter().map(Row::cells).collect();
        print!("{}", table(&Row::HEADING, &cells));
    }
    Ok(())
}

/// The source of the workload's instances.
fn reading(cli: &Cli) -> Result<Reading> {
    let lines = match &cli.data {
        Some(path) => Lines::open(path, Malformed::Stop)?,
        None => Lines::of("what was drawn", cli.workload.draw(cli.seed)),
    };
    Ok(Reading { lines, most: INSTANCES, modulo: cli.ids_modulo })
}

/// A workload as the command line names it.
fn named(workload: Name) -> String {
    workload.to_possible_value().map_or_else(String::new, |value| value.get_name().into())
}

/// Measures a workload at all requested sizes.
fn grid<W: Workload>(cli: &Cli, workload: &W, leaves: Option<usize>) -> Result<Vec<Row>> {
    let name = named(cli.workload);
    let sizes = |requested: &[NonZeroUsize], default: usize, sweep: [usize; 3]| match (
        requested, cli.sweep,
    ) {
        ([], true) => sweep.to_vec(),
        ([], false) => vec![default],
        (requested, _) => requested.iter().map(|size| size.get()).collect(),
    };
    let modes = match (&cli.mode[..], cli.sweep) {
        ([], true) => &[Mode::Infer, Mode::Train][..],
        ([], false) => &[Mode::Train],
        (requested, _) => requested,
    };
    let time = Duration::try_from_secs_f64(cli.seconds)?;
    let mut rows = Vec::new();
    for &mode in modes {
        for hidden in sizes(&cli.hidden, 256, [64, 256, 512]) {
            for batch in sizes(&cli.batch, 32, [1, 32, 256]) {
                for threads in cli.threads.iter().map(|threads| threads.get()) {
                    let runs = devices(cli).into_iter().flat_map(|device| {
                        cli.policy.iter().map(move |policy| (device.clone(), *policy))
                    });
                    for (device, policy) in runs {
                        let setting = Setting {
                            mode,
                            hidden,
                            batch,
                            threads,
                            device,
                            passes: cli.passes.get(),
                            time,
                            seed: cli.seed,
                            disable: cli.disable.clone(),
                            policy,
                        };
                        let row = Row { leaves, ..measure(&name, workload, &setting)? };
                        if cli.json {
                            println!("{}", serde_json::to_string(&row)?);
                        }
                        rows.push(row);
                    }
                }
            }
        }
    }
    Ok(rows)
}

/// The devices, one for each requested launch mode.
fn devices(cli: &Cli) -> Vec<String> {
    match &cli.launches[..] {
        [] => vec![cli.device.clone()],
        ways => ways.iter().map(|way| format!("{},{way}", cli.device)).collect(),
    }
}

/// Parses a list such as `32,64`, or a range such as `32..1024` by doubling.
fn leaves(text: &str) -> std::result::Result<Vec<usize>, String> {
    let number = |text: &str| {
        let number = text.trim().parse::<usize>().ok().filter(|number| *number > 0);
        number.ok_or_else(|| format!("expected a number of leaves, found `{text}`"))
    };
    let Some((first, last)) = text.split_once("..") else {
        return text.split(',').map(number).collect();
    };
    let (first, last) = (number(first)?, number(last)?);
    if first > last {
        return Err(format!("{text} has no numbers: it begins behind its end"));
    }
    Ok(std::iter::successors(Some(first), |n| n.checked_mul(2))
        .take_while(|n| *n <= last)
        .collect())
}
