//! Which run has taken which steps: what accounts are made of.

use rand::Rng;
use serde::{Deserialize, Serialize};

use edb_learn::learn::{Accountant, PrivateSteps};
use edb_learn::secret::{Secret, Use, draws};

/// All steps that are known to have been taken on the way to the parameters, or to those of a branch
/// that was left: by the run that took them.
///
/// A run takes one step after another, so of two accounts of the same run, the longer holds the other.
/// It ends where the trainer resumes from a checkpoint: what follows is a run of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Ledger(Vec<LedgerEntry>);

/// The steps of one kind of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LedgerEntry {
    /// The name of the run: empty for steps that were not private, and in files before version 3.
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
    /// What is known of what cannot be read: it may tell of any steps.
    pub(super) fn unreadable() -> Self {
        let mut any = Self::default();
        any.enter_plain(1);
        any
    }

    /// All steps.
    pub(super) fn taken(&self) -> impl Iterator<Item = PrivateSteps> {
        self.0.iter().map(LedgerEntry::taken)
    }

    /// The accounts of all steps.
    pub(super) fn accountant(&self) -> Accountant {
        let mut accountant = Accountant::new();
        self.taken().for_each(|taken| accountant.enter(taken));
        accountant
    }

    /// How many steps there are.
    pub(super) fn steps(&self) -> u64 {
        self.0.iter().fold(0, |sum, entry| sum.saturating_add(entry.steps))
    }

    /// Whether it tells more than that so many steps were taken, of which none was private.
    pub(super) fn tells_more_than(&self, steps: u64) -> bool {
        self.steps() > steps || self.0.iter().any(|entry| entry.noise > 0.0)
    }

    /// The names of runs of private steps that have none, as in files before version 3.
    pub(super) fn missing_names(&mut self) -> impl Iterator<Item = &mut String> {
        let is_missing = |entry: &&mut LedgerEntry| entry.run.is_empty() && entry.noise > 0.0;
        self.0.iter_mut().filter(is_missing).map(|entry| &mut entry.run)
    }

    /// The steps of this kind of a run.
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

    /// Adds what another one knows.
    pub(super) fn merge(&mut self, other: &Self) {
        for entry in &other.0 {
            let steps = self.entry(&entry.run, entry.taken());
            *steps = entry.steps.max(*steps);
        }
    }
}

/// A run of private steps, from the first one, or from a checkpoint.
#[derive(Debug)]
pub(super) struct PrivateRun {
    /// Its name in the accounts.
    pub(super) name: String,
    /// What its noise is drawn from.
    pub(super) secret: Secret,
}

impl PrivateRun {
    pub(super) fn new(secret: Secret) -> Self {
        Self { name: format!("{:016x}", draws(&secret, Use::Run, 0).next_u64()), secret }
    }
}
