//! The ledger: which run has taken which steps. Privacy accounts are computed from it.

use rand::Rng;
use serde::{Deserialize, Serialize};

use edb_learn::learn::{Accountant, PrivateSteps};
use edb_learn::secret::{Secret, Use, draws};

/// All known steps, by the run that took them. It has the steps that led to the current parameters, and the steps of
/// branches that were left when a trainer went back to an earlier checkpoint.
///
/// A run takes one step after the other. So if there are two accounts of one run, the longer account includes the
/// shorter one. When the trainer resumes from a checkpoint, the run ends, and the next steps are another run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Ledger(Vec<LedgerEntry>);

/// The steps of a run that have one rate and one noise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LedgerEntry {
    /// The name of the run. It is empty for steps that were not private, and in files before version 3.
    #[serde(default)]
    run: String,
    rate: f64,
    noise: f64,
    steps: u64,
}

impl LedgerEntry {
    fn taken(&self) -> PrivateSteps {
        let Self { rate, noise, steps, .. } = *self;
        PrivateSteps { rate, noise, steps }
    }
}

impl Ledger {
    /// The ledger of a checkpoint that cannot be read. It may have had any steps, so one step counts that was not
    /// private.
    pub(super) fn unreadable() -> Self {
        let mut any = Self::default();
        any.enter_plain(1);
        any
    }

    /// All steps.
    pub(super) fn taken(&self) -> impl Iterator<Item = PrivateSteps> {
        self.0.iter().map(LedgerEntry::taken)
    }

    /// The privacy accounts of all steps.
    pub(super) fn accountant(&self) -> Accountant {
        let mut accountant = Accountant::new();
        self.taken().for_each(|taken| accountant.enter(taken));
        accountant
    }

    /// How many steps there are.
    pub(super) fn steps(&self) -> u64 {
        self.0.iter().fold(0, |sum, entry| sum.saturating_add(entry.steps))
    }

    /// Whether it has more than this many steps, or private steps.
    pub(super) fn tells_more_than(&self, steps: u64) -> bool {
        self.steps() > steps || self.0.iter().any(|entry| entry.noise > 0.0)
    }

    /// The empty names of private runs, which files before version 3 have.
    pub(super) fn missing_names(&mut self) -> impl Iterator<Item = &mut String> {
        let is_missing = |entry: &&mut LedgerEntry| entry.run.is_empty() && entry.noise > 0.0;
        self.0.iter_mut().filter(is_missing).map(|entry| &mut entry.run)
    }

    /// The number of steps of this run with this rate and noise.
    fn entry(&mut self, run: &str, PrivateSteps { rate, noise, .. }: PrivateSteps) -> &mut u64 {
        let same =
            |entry: &LedgerEntry| entry.run == run && (entry.rate, entry.noise) == (rate, noise);
        let place = self.0.iter().position(same).unwrap_or_else(|| {
            self.0.push(LedgerEntry { run: run.to_owned(), rate, noise, steps: 0 });
            self.0.len() - 1
        });
        &mut self.0[place].steps
    }

    /// Adds steps that a run has taken.
    pub(super) fn enter(&mut self, run: &str, taken: PrivateSteps) {
        let steps = self.entry(run, taken);
        *steps = steps.saturating_add(taken.steps);
    }

    /// Adds steps that were not private.
    pub(super) fn enter_plain(&mut self, steps: u64) {
        self.enter("", PrivateSteps::plain(steps));
    }

    /// Adds the steps of another ledger. If both have an entry for a run, rate and noise, the larger number counts.
    pub(super) fn merge(&mut self, other: &Self) {
        for entry in &other.0 {
            let steps = self.entry(&entry.run, entry.taken());
            *steps = entry.steps.max(*steps);
        }
    }
}

/// A run of private steps. It begins with the first step, or after a checkpoint was resumed.
#[derive(Debug)]
pub(super) struct PrivateRun {
    /// Its name in the accounts.
    pub(super) name: String,
    /// The secret from which its noise is drawn.
    pub(super) secret: Secret,
}

impl PrivateRun {
    pub(super) fn new(secret: Secret) -> Self {
        Self { name: format!("{:016x}", draws(&secret, Use::Run, 0).next_u64()), secret }
    }
}
