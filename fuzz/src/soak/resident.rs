//! The memory that the process holds, over time.

use std::fmt;
use std::time::{Duration, Instant};
use std::{fs, thread};

use super::{Plan, failed};

/// The rows of the table, each of which shows the maximum of a part of the run.
const ROWS: usize = 12;

/// The resident memory over a run.
#[derive(Clone, Debug)]
pub struct Resident {
    /// When each row begins, and its maximum in bytes.
    pub rows: Vec<(Duration, u64)>,
}

/// Samples the memory of the process while `goes_on`.
pub(super) fn watch(plan: &Plan, goes_on: impl Fn() -> bool) -> Result<Resident, String> {
    let start = Instant::now();
    let mut samples: Vec<(Duration, u64)> = Vec::new();
    while goes_on() {
        samples.push((start.elapsed(), bytes()?));
        thread::sleep((plan.time / 500).clamp(Duration::from_millis(20), Duration::from_secs(2)));
    }
    let rows = samples.chunks(samples.len().div_ceil(ROWS).max(1));
    let most = |row: &[(Duration, u64)]| {
        let bytes = row.iter().map(|sample| sample.1).max();
        (row[0].0, bytes.unwrap_or(0))
    };
    Ok(Resident { rows: rows.map(most).collect() })
}

/// The resident memory of this process, as Linux reports it.
pub(super) fn bytes() -> Result<u64, String> {
    let text = fs::read_to_string("/proc/self/status").map_err(|e| failed("/proc")(&e))?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    number.map(|kilobytes| kilobytes << 10).ok_or("/proc/self/status has no VmRSS".into())
}

impl Resident {
    /// By how many bytes the maximum of the last quarter exceeds that of the quarter before.
    pub fn growth(&self) -> u64 {
        let half = &self.rows[self.rows.len() / 2..];
        let (third, last) = half.split_at(half.len() / 2);
        let most = |rows: &[(Duration, u64)]| rows.iter().map(|row| row.1).max().unwrap_or(0);
        most(last).saturating_sub(most(third))
    }

    pub(super) fn check(&self, bound: u64) -> Result<(), String> {
        match self.growth() {
            growth if growth <= bound => Ok(()),
            growth => {
                Err(format!("the last half grew by {growth} bytes, more than {bound}\n{self}"))
            }
        }
    }
}

impl fmt::Display for Resident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  seconds  resident MiB")?;
        for (time, bytes) in &self.rows {
            writeln!(f, "{:9.0}  {:12.1}", time.as_secs_f64(), *bytes as f64 / f64::from(1 << 20))?;
        }
        Ok(())
    }
}
