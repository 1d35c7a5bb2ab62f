//! Compares batching policies: the number of batches of each, against the lower bound, and the cost
//! of scheduling and of learning.
//!
//! Policies learn on some minibatches and are reported on others: `--train FILE...` and
//! `--graph FILE...`, which are matched by folder; or on random minibatches of graphs like those of
//! the examples, where training uses four of 32 examples each.

pub mod report;
pub mod topologies;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use edb::schedule::{Costs, QOptions, SearchOptions, TypeGraph};

use readers::topology;
use report::{Contender, Row, Settings, contenders, reason, rows};
use support::{Result, table};
use topologies::Topology;

#[derive(Parser)]
#[command(about = "Compares batching policies by batches, time and training")]
struct Cli {
    /// Kinds of graphs to draw [default: all, unless there are files]
    #[arg(long, value_enum, num_args = 1..)]
    data: Vec<Topology>,
    /// Minibatches that policies learn on (JSON, plain or .gz)
    #[arg(long, value_name = "FILE", num_args = 1..)]
    train: Vec<PathBuf>,
    /// Minibatches to report, learned on the --train files of the same folder
    #[arg(long, value_name = "FILE", num_args = 1..)]
    graph: Vec<PathBuf>,
    /// Examples in a minibatch that is drawn
    #[arg(long, num_args = 1.., default_values_t = [1, 8, 32, 64, 256])]
    batch: Vec<usize>,
    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How often each policy is timed, each time behind an untimed run; the median counts
    #[arg(long, default_value_t = 15)]
    repeats: usize,
    /// States that the offline search keeps
    #[arg(long, default_value_t = SearchOptions::default().width)]
    width: usize,
    /// Let Q-values bootstrap from the state ten steps on, as Q-learning says; by default they are
    /// returns over ten steps, as in the ED-Batch that was released
    #[arg(long)]
    bootstrap: bool,
    /// What batches of each type cost (JSON, as `Costs::save` writes it): reports how long
    /// schedules take, and the cheapest of the default
    #[arg(long, value_name = "FILE")]
    costs: Option<PathBuf>,
    /// Print one object of JSON a line
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let search = SearchOptions { width: cli.width, ..SearchOptions::default() };
    let q = QOptions { bootstrap: cli.bootstrap, ..QOptions::default() };
    let settings = Settings { seed: cli.seed, repeats: cli.repeats, search, q };
    let mut all = Vec::new();
    files(cli, &settings, &mut all)?;
    let drawn = match (cli.data.is_empty(), cli.graph.is_empty()) {
        (true, true) => Topology::value_variants(),
        _ => &cli.data[..],
    };
    for &topology in drawn {
        draw(cli, topology, &settings, &mut all)?;
    }
    if !cli.json {
        let cells: Vec<_> = all.iter().map(Row::cells).collect();
        print!("{}", table(&Row::HEADING, &cells));
    }
    Ok(())
}

/// With --json, prints each row at once; otherwise rows are collected for the table.
fn emit(cli: &Cli, rows: Vec<Row>, all: &mut Vec<Row>) -> Result<()> {
    if cli.json {
        for row in &rows {
            println!("{}", serde_json::to_string(row)?);
        }
    }
    all.extend(rows);
    Ok(())
}

fn draw(cli: &Cli, topology: Topology, settings: &Settings, all: &mut Vec<Row>) -> Result<()> {
    // These seeds differ from those of the reported minibatches.
    let train = (1..=4).map(|number| topology.draw(32, cli.seed ^ number << 32));
    let train = train.collect::<std::result::Result<Vec<_>, _>>()?;
    let learned = learn(topology.name(), &train, settings)?;
    let sizes = if topology.is_fixed() { &[1][..] } else { &cli.batch[..] };
    for &batch in sizes {
        let graph = topology.draw(batch, cli.seed)?;
        let costs = costs(cli, &graph)?;
        let rows = rows(topology.name(), batch, &graph, &learned, settings, costs.as_ref())?;
        emit(cli, rows, all)?;
    }
    Ok(())
}

/// The costs for the types of a graph, if given.
fn costs(cli: &Cli, graph: &TypeGraph) -> Result<Option<Costs>> {
    let load = |path| Costs::load(path, graph.type_count());
    Ok(cli.costs.as_ref().map(load).transpose()?)
}

fn learn(name: &str, samples: &[TypeGraph], settings: &Settings) -> Result<Vec<Contender>> {
    let learned = contenders(samples, settings)?;
    if let Some(reason) = reason(&learned) {
        eprintln!("{name}: the default runs {reason}");
    }
    Ok(learned)
}

/// The folder of a file: files in the same folder belong to the same model.
fn folder(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).to_owned()
}

fn files(cli: &Cli, settings: &Settings, all: &mut Vec<Row>) -> Result<()> {
    for graph in &cli.graph {
        let same = |train: &&PathBuf| {
            let canonical = |path: &Path| std::fs::canonicalize(path).ok();
            *train == graph || canonical(train).is_some_and(|t| canonical(graph) == Some(t))
        };
        if cli.train.iter().any(|train| same(&train)) {
            let name = graph.display();
            return Err(format!("{name} is both learned on and reported").into());
        }
    }
    if cli.graph.is_empty() && !cli.train.is_empty() {
        return Err("--train needs --graph: minibatches to report".into());
    }
    let mut groups: BTreeMap<PathBuf, Vec<TypeGraph>> = BTreeMap::new();
    for path in &cli.train {
        groups.entry(folder(path)).or_default().push(topology::read(path)?.graph);
    }
    let mut learned: BTreeMap<Option<&PathBuf>, Vec<Contender>> = BTreeMap::new();
    for path in &cli.graph {
        let minibatch = topology::read(path)?;
        // If there is only one folder of training files, it serves all.
        let group = groups.get_key_value(&folder(path));
        let group = group.or_else(|| groups.iter().next().filter(|_| groups.len() == 1));
        if group.is_none() && !groups.is_empty() {
            return Err(format!("no --train file is in the folder of {}", path.display()).into());
        }
        let key = group.map(|(folder, _)| folder);
        let samples = group.map_or(&[][..], |(_, samples)| &samples[..]);
        if let Some(sample) = samples.first()
            && sample.type_count() != minibatch.graph.type_count()
        {
            let (name, types) = (path.display(), minibatch.graph.type_count());
            let message =
                format!("{name} has {types} types, those learned on {}", sample.type_count());
            return Err(message.into());
        }
        let learned = match learned.entry(key) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let name = key.map_or_else(String::new, |folder| folder.display().to_string());
                entry.insert(learn(&name, samples, settings)?)
            }
        };
        let name = path.display().to_string();
        let graph = &minibatch.graph;
        let costs = costs(cli, graph)?;
        let rows = rows(&name, minibatch.examples, graph, learned, settings, costs.as_ref())?;
        emit(cli, rows, all)?;
    }
    Ok(())
}
