//! Tables and figures of papers, each as a value: what the paper measured, what has to be run here,
//! how a table comes of it, and how that is drawn.

use std::path::PathBuf;

use support::Result;
use support::chart::Picture;

use crate::job::{Job, Program};
use crate::peers::Peers;
use crate::rows::Rows;
use crate::table::Table;

/// A paper.
#[derive(Clone, Copy)]
pub struct Paper {
    /// The system that it is about.
    pub title: &'static str,
    /// Its own title, the authors, and where it appeared.
    pub reference: &'static str,
    pub items: &'static [Item],
}

/// A table or a figure of a paper.
#[derive(Clone, Copy)]
pub struct Item {
    /// `paper/table`.
    pub name: &'static str,
    pub title: &'static str,
    /// What the paper measured, in one sentence.
    pub measured: &'static str,
    /// What the paper measured it on, in one sentence.
    pub hardware: &'static str,
    /// What is measured here.
    pub here: &'static str,
    /// What has to be known to compare the figures: what the paper states of them and what it does
    /// not, and why those of edb differ.
    pub differs: &'static [&'static str],
    /// Why some rows, of a full run, stand alone: with neither a figure of the paper nor a reason why nothing was
    /// measured. `None` if there are no such rows.
    pub alone: Option<&'static str>,
    pub jobs: fn(&Scope) -> Vec<Job>,
    pub table: fn(&Found<'_>) -> Table,
    /// How the table is drawn, if the paper has a picture: of what stands in the table alone, so
    /// that both say the same.
    pub picture: Option<fn(&Table) -> Picture>,
}

impl Item {
    /// What has to be said below the table.
    pub fn said(&self) -> impl Iterator<Item = &'static str> {
        self.differs.iter().copied().chain(self.alone)
    }

    /// The name, where it has to be one word.
    pub fn word(&self) -> String {
        self.name.replace('/', "-")
    }
}

/// What an item's table is made of.
pub struct Found<'a> {
    pub scope: &'a Scope,
    /// The rows of the item's own jobs.
    pub rows: &'a Rows,
    pub peers: &'a Peers,
}

/// How much is run, and on what.
#[derive(Clone, Debug)]
pub struct Scope {
    /// Few sizes, and each timed briefly.
    pub quick: bool,
    /// A folder of data sets.
    pub data: Option<PathBuf>,
    pub threads: usize,
    /// A folder for instances that no data set has.
    pub folder: PathBuf,
}

/// Where the instances of a workload are in a folder of data sets.
const FILES: [(&[&str], &str); 5] = [
    (
        &["tree-lstm", "tree-lstm-child-sum", "tree-gru", "mv-rnn", "tree-lstm-2type"],
        "sst/train.txt.gz",
    ),
    (&["bilstm-tagger"], "wikiner/train.txt.gz"),
    (&["translate"], "edbatch/tst2012.en-vi.capped.gz"),
    (&["lattice-edbatch", "lattice-gru"], "edbatch/lattice/train.txt.gz"),
    (&["language-model", "fixed-lstm"], "ptb_lm/ptb.train.txt.gz"),
];

impl Scope {
    /// One of two, by how much is run.
    pub fn of<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }

    /// The instances of a workload, as a name in the folder of data sets; `None` if they are drawn.
    pub fn instances(&self, workload: &str) -> Option<&'static str> {
        let (_, file) = FILES.iter().find(|(workloads, _)| workloads.contains(&workload))?;
        self.data.as_ref()?.join(file).exists().then_some(*file)
    }

    /// The same, as a path.
    pub fn file(&self, workload: &str) -> Option<PathBuf> {
        Some(self.data.as_ref()?.join(self.instances(workload)?))
    }

    /// A job of `workloads`: `sizes` are further arguments, without spaces in them. Instances are
    /// of the folder of data sets, if it has them.
    pub fn workload(&self, workload: &str, mode: &str, sizes: &str) -> Job {
        let job = self.drawn(workload, mode, sizes);
        match self.file(workload) {
            Some(file) => job.with("--data", file.display()),
            None => job,
        }
    }

    /// The same, with drawn instances.
    pub fn drawn(&self, workload: &str, mode: &str, sizes: &str) -> Job {
        let time = self.of("--passes 3 --seconds 0.5", "--passes 2 --seconds 0");
        let threads = self.threads;
        let arguments =
            format!("{workload} --mode {mode} {sizes} --threads {threads} {time} --json");
        Job::new(Program::Workloads, &arguments)
    }
}

/// Numbers as a list of an option.
pub fn list(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
}

/// The items that are asked for, in the order of `all`; all, if none are named.
pub fn selected(all: &[Item], names: &[String]) -> Result<Vec<Item>> {
    let is_named = |item: &Item, name: &str| {
        item.name == name || item.name.split_once('/').is_some_and(|(paper, _)| paper == name)
    };
    for name in names {
        if !all.iter().any(|item| is_named(item, name)) {
            let likeness = |item: &&Item| strsim::jaro_winkler(item.name, name);
            let nearest = all.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
            let nearest = nearest.map_or("", |item| item.name);
            return Err(format!(
                "there is no item `{name}`; the nearest is `{nearest}`, and --list prints all"
            )
            .into());
        }
    }
    let is_selected =
        |item: &&Item| names.is_empty() || names.iter().any(|name| is_named(item, name));
    Ok(all.iter().filter(is_selected).copied().collect())
}
