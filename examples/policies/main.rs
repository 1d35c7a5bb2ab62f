//! Compares batching policies: the number of batches of each, against the lower bound, and the cost
//! of scheduling and of learning.
//!
//! Policies learn on some minibatches and are reported on others: `--train FILE...` and
//! `--graph FILE...`, which are matched by folder; or on minibatches that are drawn, as the models of
//! papers and examples would be, or made of the examples of a corpus. Learning uses four of these, of
//! 32 examples each.

pub mod ratios;
pub mod report;
pub mod topologies;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::OsStr;
use std::iter::repeat_n;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use edb::schedule::{Costs, QOptions, SearchOptions, TypeGraph};

use readers::topology;
use report::{Contender, Of, Row, Settings, contenders, reason, rows};
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
    /// Make the graphs of --data after the examples in this file, plain or .gz: trees in the notation
    /// of SST, sentences of WikiNER, lines `source ||| translation`, or lattices of ED-Batch
    #[arg(long, value_name = "FILE", requires = "data")]
    corpus: Option<PathBuf>,
    /// Examples in a minibatch that is drawn
    #[arg(long, num_args = 1.., default_values_t = [1, 8, 32, 64, 256])]
    batch: Vec<usize>,
    /// How many minibatches of each size are drawn
    #[arg(long, default_value_t = NonZeroUsize::MIN)]
    minibatches: NonZeroUsize,
    /// The seeds of everything random: graphs are drawn by the first, policies learn by each
    #[arg(long, num_args = 1.., default_values_t = [1])]
    seed: Vec<u64>,
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
    /// Print a table in Markdown: batches divided by the lower bound, a mean over minibatches
    #[arg(long, conflicts_with = "json")]
    ratios: bool,
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let search = SearchOptions { width: cli.width, ..SearchOptions::default() };
    let q = QOptions { bootstrap: cli.bootstrap, ..QOptions::default() };
    let drawn = match (cli.data.is_empty(), cli.graph.is_empty()) {
        (true, true) => Topology::value_variants(),
        _ => &cli.data[..],
    };
    let mut all = Vec::new();
    for &seed in &cli.seed {
        let (search, q) = (search.clone(), q.clone());
        let settings = Settings { seed, repeats: cli.repeats, search, q };
        files(cli, &settings, &mut all)?;
        for topology in drawn {
            let value = topology.to_possible_value();
            let name = value.as_ref().map_or("", |value| value.get_name());
            draw(cli, *topology, name, &settings, &mut all)
                .map_err(|error| format!("{name}: {error}"))?;
        }
    }
    if cli.ratios {
        print!("{}", ratios::ratios(&all));
    } else if !cli.json {
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

/// Four minibatches to learn on, and those to report.
fn draw(
    cli: &Cli,
    topology: Topology,
    name: &str,
    settings: &Settings,
    all: &mut Vec<Row>,
) -> Result<()> {
    let (learned, sizes) = if topology.is_fixed() { (1, &[1][..]) } else { (32, &cli.batch[..]) };
    let mut wanted = vec![learned; 4];
    wanted.extend(sizes.iter().flat_map(|size| repeat_n(*size, cli.minibatches.get())));
    let seed = cli.seed.first().copied().unwrap_or_default();
    let graphs = topology.minibatches(&wanted, seed, cli.corpus.as_deref())?;
    let (train, reported) = graphs.split_at(4);
    let learned = learn(name, train, settings)?;
    for (number, (graph, &examples)) in reported.iter().zip(&wanted[4..]).enumerate() {
        let minibatch = (number % cli.minibatches).to_string();
        let of = Of { topology: name.into(), minibatch, examples };
        let costs = costs(cli, graph)?;
        emit(cli, rows(&of, graph, &learned, settings, costs.as_ref())?, all)?;
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
        let text = |name: Option<&OsStr>| name.unwrap_or_default().to_string_lossy().into_owned();
        let topology = text(path.parent().and_then(Path::file_name));
        let of = Of { topology, minibatch: text(path.file_name()), examples: minibatch.examples };
        let graph = &minibatch.graph;
        let costs = costs(cli, graph)?;
        emit(cli, rows(&of, graph, learned, settings, costs.as_ref())?, all)?;
    }
    Ok(())
}
