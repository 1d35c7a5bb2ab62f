//! What `benches/peers/run.py --json FILE` has measured: other programs, and edb in the same
//! sitting.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use support::Result;

use crate::table::digits;

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

/// All that was measured.
#[derive(Clone, Debug, Default)]
pub struct Peers(Vec<Cell>);

impl Peers {
    pub fn read(path: &Path) -> Result<Self> {
        let read =
            || -> Result<Vec<Cell>> { Ok(serde_json::from_str(&std::fs::read_to_string(path)?)?) };
        read().map(Self).map_err(|error| {
            let path = path.display();
            format!("{path}: {error}: expected what `benches/peers/run.py --json` writes").into()
        })
    }

    /// The fastest peer and edb, each at its best size of minibatches; empty if nobody measured
    /// this.
    pub fn best(&self, workload: &str, mode: &str, hidden: usize) -> String {
        self.of(workload, mode, hidden, |_| true, |batch| format!(" (B{batch})"))
    }

    /// The fastest peer and edb at one size.
    pub fn at(&self, workload: &str, mode: &str, hidden: usize, batch: usize) -> String {
        self.of(workload, mode, hidden, |other| other == batch, |_| String::new())
    }

    fn of(
        &self,
        workload: &str,
        mode: &str,
        hidden: usize,
        batch: impl Fn(usize) -> bool,
        size: impl Fn(usize) -> String,
    ) -> String {
        let cells = self.0.iter().filter(|cell| {
            cell.workload == workload
                && cell.mode == mode
                && cell.hidden == hidden
                && batch(cell.batch)
        });
        let (own, others): (Vec<_>, Vec<_>) = cells
            .flat_map(|cell| cell.rates.iter().map(|(name, rates)| (cell.batch, name, rates)))
            .filter_map(|(batch, name, rates)| Some((batch, name, median(rates)?)))
            .partition(|(_, name, _)| name.starts_with("edb"));
        let (Some(own), Some(other)) = (fastest(own), fastest(others)) else {
            return String::new();
        };
        let [own, other] = [own, other]
            .map(|(batch, name, rate)| format!("{name} {}{}", digits(rate), size(batch)));
        format!("{other}; {own}")
    }
}

/// The highest rate, with its size and its program.
fn fastest(them: Vec<(usize, &String, f64)>) -> Option<(usize, &String, f64)> {
    them.into_iter().max_by(|(.., one), (.., other)| one.total_cmp(other))
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
