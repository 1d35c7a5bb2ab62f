//! The tables and figures of four papers, run again: edb's figures on this machine beside those
//! that the papers state.
//!
//! Programs of this repository measure, one process at a time; what this one does is to choose
//! them, to keep what they print until all is there, and to put it beside the papers.

pub mod cavs;
pub mod ed_batch;
pub mod figure;
pub mod item;
pub mod job;
pub mod machine;
pub mod matchbox;
pub mod peers;
pub mod pfor;
pub mod report;
pub mod rows;
pub mod store;
pub mod table;
#[cfg(test)]
pub mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread::available_parallelism;

use clap::Parser;
use indicatif::ProgressBar;

use item::{Found, Item, Paper, Scope, selected};
use job::{Job, Outcome, Programs};
use machine::Machine;
use peers::Peers;
use report::{Head, Measured, Report};
use rows::Rows;
use store::Store;
use support::{Result, progress_of};
use table::Table;

#[derive(Parser)]
#[command(about = "Runs the tables and figures of four papers again, beside what the papers state")]
pub struct Cli {
    /// Only these: items such as ed-batch/fig6, or all of a paper, such as cavs
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Print the items, and run nothing
    #[arg(long)]
    list: bool,
    /// Few sizes, each timed briefly: some minutes on two cores, beside the time to build
    #[arg(long)]
    quick: bool,
    /// A folder of data sets, laid out as the chapter "The papers' tables" says; what is not there
    /// is drawn
    #[arg(long)]
    data: Option<PathBuf>,
    /// What `benches/peers/run.py --json FILE` has written: other programs, beside edb
    #[arg(long, value_name = "FILE")]
    peers: Option<PathBuf>,
    /// Threads to run on [default: all]
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// Measure again what an interrupted run of the same revision has measured
    #[arg(long)]
    fresh: bool,
    /// Print objects of JSON, one a line: first what was measured on, then each table
    #[arg(long)]
    json: bool,
    /// Print tables again that --json has printed to this file, and run nothing
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["list", "quick", "data", "peers", "threads", "fresh"]
    )]
    from: Option<PathBuf>,
    /// Draw the figures into this folder, as SVG and PNG
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
}

fn main() -> ExitCode {
    support::main(run)
}

/// The papers, with their items.
pub const PAPERS: [Paper; 4] = [ed_batch::PAPER, cavs::PAPER, pfor::PAPER, matchbox::PAPER];

/// All items, paper by paper.
pub fn items() -> Vec<Item> {
    PAPERS.iter().flat_map(|paper| paper.items).copied().collect()
}

pub fn run(cli: &Cli) -> Result<()> {
    let items = selected(&items(), &cli.only)?;
    if let Some(folder) = &cli.plots {
        report::can_draw(folder, &items)?;
    }
    if let Some(file) = &cli.from {
        return again(cli, &items, file);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = folder()?;
    let threads = cli.threads.or_else(|| available_parallelism().ok());
    let scope = Scope {
        quick: cli.quick,
        data: cli.data.as_deref().map(data).transpose()?,
        threads: threads.map_or(1, NonZeroUsize::get),
        folder: folder.clone(),
    };
    if cli.list {
        for item in &items {
            println!("{:<24} {} ({} jobs)", item.name, item.title, (item.jobs)(&scope).len());
        }
        return Ok(());
    }
    let peers = cli.peers.as_deref().map(Peers::read).transpose()?.unwrap_or_default();
    pfor::prepare(&scope)?;
    let machine = Machine::this(&root);
    let head = Head::new(&machine, &scope);
    let mut runner = Runner::new(&root, &folder, machine, cli.fresh);
    runner.prepare(&items, &scope)?;
    let mut output = Output::new(cli, head)?;
    let mut failed = 0;
    for item in &items {
        let table = runner.table(item, &scope, &peers);
        let shown = |table| runner.bar.suspend(|| output.show(item, &table));
        if let Err(error) = table.and_then(shown) {
            failed += 1;
            runner.bar.suspend(|| eprintln!("error: {}: {error}", item.name));
        }
    }
    runner.bar.finish_and_clear();
    match failed {
        0 => Ok(()),
        failed => {
            Err(format!("{failed} of {} items have failed, as said above", items.len()).into())
        }
    }
}

/// Shows what was measured before.
fn again(cli: &Cli, items: &[Item], file: &Path) -> Result<()> {
    let report = Report::read(file, &self::items())?;
    let found: Vec<_> = items.iter().filter_map(|item| Some((item, report.table(item)?))).collect();
    if found.is_empty() {
        return Err(format!("{}: none of these items is there", file.display()).into());
    }
    let mut output = Output::new(cli, report.head.clone())?;
    found.into_iter().try_for_each(|(item, table)| output.show(item, table))
}

/// Where tables go.
struct Output<'a> {
    cli: &'a Cli,
    head: Head,
    /// The title of the paper that the item before is of.
    paper: &'static str,
}

impl<'a> Output<'a> {
    fn new(cli: &'a Cli, head: Head) -> Result<Self> {
        match cli.json {
            true => println!("{}", serde_json::to_string(&head)?),
            false => println!("# The papers' tables\n\n{}", head.markdown()),
        }
        Ok(Self { cli, head, paper: "" })
    }

    fn show(&mut self, item: &Item, table: &Table) -> Result<()> {
        if self.cli.json {
            println!("{}", serde_json::to_string(&Measured::new(item, table))?);
        } else {
            let of = |paper: &&Paper| paper.items.iter().any(|other| other.name == item.name);
            let paper = PAPERS.iter().find(of);
            if let Some(paper) = paper.filter(|paper| paper.title != self.paper) {
                self.paper = paper.title;
                println!("{}", report::paper(paper));
            }
            println!("{}", report::section(item, table));
        }
        match &self.cli.plots {
            Some(folder) => report::draw(folder, &self.head, item, table),
            None => Ok(()),
        }
    }
}

/// Where rows are kept: in the folder of what is built, of which this program is a part.
fn folder() -> Result<PathBuf> {
    let program = std::env::current_exe()?;
    let target = program.ancestors().nth(3).ok_or("this program is in no folder of cargo's")?;
    Ok(target.join("papers"))
}

/// The folder of data sets, for programs that run elsewhere.
fn data(folder: &Path) -> Result<PathBuf> {
    std::path::absolute(folder)
        .ok()
        .filter(|folder| folder.is_dir())
        .ok_or_else(|| format!("--data {}: there is no such folder", folder.display()).into())
}

/// Runs jobs, each once.
struct Runner<'a> {
    root: &'a Path,
    store: Store,
    machine: Machine,
    fresh: bool,
    programs: Programs,
    bar: ProgressBar,
    /// The jobs that have been run or found: on which day, and what they say, or why they failed.
    done: BTreeMap<Job, std::result::Result<(String, Outcome), String>>,
}

impl<'a> Runner<'a> {
    fn new(root: &'a Path, folder: &Path, machine: Machine, fresh: bool) -> Self {
        let store = Store::new(folder, machine.clone());
        let (programs, bar, done) = (Programs::default(), ProgressBar::hidden(), BTreeMap::new());
        Self { root, store, machine, fresh, programs, bar, done }
    }

    /// Finds the jobs that have been run before, and builds what the others need.
    fn prepare(&mut self, items: &[Item], scope: &Scope) -> Result<()> {
        let open = self.open(items, scope)?;
        self.programs = Programs::build(self.root, &open)?;
        self.bar = progress_of("papers".into(), open.len() as u64);
        Ok(())
    }

    /// The jobs that have to be run.
    fn open(&mut self, items: &[Item], scope: &Scope) -> Result<Vec<Job>> {
        let jobs: BTreeSet<Job> = items.iter().flat_map(|item| (item.jobs)(scope)).collect();
        let mut open = Vec::new();
        for job in jobs {
            match self.store.rows(&job)?.filter(|_| !self.fresh) {
                Some((date, rows)) => {
                    self.done.insert(job, Ok((date, Outcome::Rows(rows))));
                }
                None => open.push(job),
            }
        }
        Ok(open)
    }

    /// The table of an item, whose jobs are run where they have not been.
    fn table(&mut self, item: &Item, scope: &Scope, peers: &Peers) -> Result<Table> {
        let (mut rows, mut days) = (Rows::default(), BTreeSet::new());
        // What a program says that it lacks, and the first job for which it says so.
        let mut lacking = BTreeMap::new();
        for job in (item.jobs)(scope) {
            match self.outcome(&job).map_err(|error| format!("{job}: {error}"))? {
                (date, Outcome::Rows(found)) => {
                    rows.read(job.program, found).map_err(|error| format!("{job}: {error}"))?;
                    days.insert(date.clone());
                }
                (_, Outcome::Lacks(message)) => {
                    lacking.entry(message.clone()).or_insert(job);
                }
            }
        }
        let mut table = (item.table)(&Found { scope, rows: &rows, peers });
        for (message, job) in lacking {
            table.lacks(&job.to_string(), &message);
        }
        days.remove(&self.machine.date);
        for day in days {
            table.note(format!("Some of this was measured on {day}, of the same revision."));
        }
        Ok(table)
    }

    /// What a job says, from before or by running it.
    fn outcome(&mut self, job: &Job) -> std::result::Result<&(String, Outcome), &String> {
        if !self.done.contains_key(job) {
            self.bar.set_message(job.to_string());
            let outcome = job.run(&self.programs).and_then(|outcome| {
                // What a program lacks may be there as soon as it is built again.
                if let Outcome::Rows(rows) = &outcome {
                    self.store.keep(job, rows)?;
                }
                Ok((self.machine.date.clone(), outcome))
            });
            self.bar.inc(1);
            self.done.insert(job.clone(), outcome.map_err(|error| error.to_string()));
        }
        self.done[job].as_ref()
    }
}
