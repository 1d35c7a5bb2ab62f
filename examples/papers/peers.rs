//! What `benches/peers/run.py --json FILE` has measured: other programs, and edb
//! alternately with them.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use support::Result;

use crate::table::Table;

/// One size of a workload, with the instances per second of each program, round by round.
#[derive(Clone, Debug, Deserialize)]
struct Cell {
    workload: String,
    mode: String,
    hidden: usize,
    batch: usize,
    #[serde(flatten)]
    rates: BTreeMap<String, Vec<f64>>,
}

/// What a program reached at a size of minibatches: the median of its rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Rate {
    pub program: String,
    pub batch: usize,
    /// Instances per second.
    pub per_s: f64,
}

/// How `run.py` calls what it measures: behind these words stands what a program was run with.
pub const EDB: &str = "edb";
pub const DYNET: &str = "DyNet";
pub const PYTORCH: &str = "PyTorch";

impl Rate {
    fn is_of(&self, program: &str) -> bool {
        self.program.starts_with(program)
    }
}

/// All that was measured.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Peers {
    cells: Vec<Cell>,
}

impl Peers {
    pub fn read(path: &Path) -> Result<Self> {
        let read =
            || -> Result<Self> { Ok(serde_json::from_str(&std::fs::read_to_string(path)?)?) };
        read().map_err(|error| {
            let path = path.display();
            format!("{path}: {error}: expected what `benches/peers/run.py --json` writes").into()
        })
    }

    /// Says below a table which rows have another program beside them.
    pub fn say(&self, table: &mut Table) {
        table.note(match self.cells.is_empty() {
            true => "No other program was measured together with edb: `--peers` shows those that were.",
            false => {
                "Another program stands beside edb where `benches/peers/run.py` has measured both at the \
                 same size of the same workload."
            }
        });
    }

    /// The fastest peer and edb, each at its best size of minibatches; nothing if nobody measured
    /// this.
    pub fn best(&self, workload: &str, mode: &str, hidden: usize) -> Option<[Rate; 2]> {
        self.of(workload, mode, hidden, |_| true)
    }

    /// A program at its best size of minibatches, as it was run best.
    pub fn best_of(
        &self,
        program: &str,
        workload: &str,
        mode: &str,
        hidden: usize,
    ) -> Option<Rate> {
        fastest(self.rates(workload, mode, hidden, |_| true).filter(|rate| rate.is_of(program)))
    }

    /// A program at one size, as it was run best.
    pub fn at_of(
        &self,
        program: &str,
        workload: &str,
        mode: &str,
        hidden: usize,
        batch: usize,
    ) -> Option<Rate> {
        let rates = self.rates(workload, mode, hidden, |other| other == batch);
        fastest(rates.filter(|rate| rate.is_of(program)))
    }

    /// The fastest peer and edb at one size.
    pub fn at(&self, workload: &str, mode: &str, hidden: usize, batch: usize) -> Option<[Rate; 2]> {
        self.of(workload, mode, hidden, |other| other == batch)
    }

    fn of(
        &self,
        workload: &str,
        mode: &str,
        hidden: usize,
        batch: impl Fn(usize) -> bool,
    ) -> Option<[Rate; 2]> {
        let rates = self.rates(workload, mode, hidden, batch);
        let (own, others): (Vec<Rate>, Vec<Rate>) = rates.partition(|rate| rate.is_of(EDB));
        Some([fastest(others)?, fastest(own)?])
    }

    fn rates(
        &self,
        workload: &str,
        mode: &str,
        hidden: usize,
        batch: impl Fn(usize) -> bool,
    ) -> impl Iterator<Item = Rate> {
        let cells = self.cells.iter().filter(move |cell| {
            cell.workload == workload
                && cell.mode == mode
                && cell.hidden == hidden
                && batch(cell.batch)
        });
        let rate = |batch, (program, rates): (&String, &Vec<f64>)| {
            Some(Rate { program: program.clone(), batch, per_s: median(rates)? })
        };
        cells.flat_map(move |cell| {
            cell.rates.iter().filter_map(move |rates| rate(cell.batch, rates))
        })
    }
}

/// The columns of a peer and of edb beside it, in a unit.
pub fn columns(unit: &str) -> [String; 2] {
    ["fastest peer", "edb beside it"].map(|whose| format!("{whose}, {unit}"))
}

/// Their cells; empty if there are none.
pub fn cells(pair: Option<[Rate; 2]>, show: impl Fn(&Rate) -> String) -> [String; 2] {
    pair.map(|pair| pair.map(|rate| show(&rate))).unwrap_or_default()
}

fn fastest(them: impl IntoIterator<Item = Rate>) -> Option<Rate> {
    them.into_iter().max_by(|one, other| one.per_s.total_cmp(&other.per_s))
}

/// The median of some finite numbers.
fn median(numbers: &[f64]) -> Option<f64> {
    let mut sorted: Vec<f64> =
        numbers.iter().copied().filter(|number| number.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let upper = sorted.len() / 2;
    match (sorted.len() % 2, sorted.get(upper)) {
        (0, Some(number)) => Some((sorted[upper - 1] + number) / 2.0),
        (_, number) => number.copied(),
    }
}
