//! Whether weights are packed for products of few rows.
//!
//! Such products can read weights where they lie, which saves packing them after each update. But
//! threads read a part of each [line](edb_kernels::lines) then, which one processor fetches as fast
//! as panels, and another at half the speed. Weights that one step has packed are there for the next
//! one, whatever its size, so this is chosen for steps of all sizes at once.

use std::time::Duration;

use super::measured::{Effort, Step};
use super::trial::Trial;
use edb_kernels::trace;

/// Whether steps pack, and how that is tried.
#[derive(Debug, Default)]
pub(super) struct Packing {
    packs: bool,
    /// When the next trial begins; unknown before the first step of training has ended.
    next: Option<Duration>,
    trial: Option<Trial>,
}

impl Packing {
    /// Whether the next step packs, and whether it is timed; a trial begins only if it may.
    pub(super) fn begin(&mut self, trains: bool, now: Duration, may_try: bool) -> (bool, bool) {
        // Right after a trial, another one has precedence.
        if may_try && self.trial.is_none() && self.next.is_some_and(|next| now > next) {
            self.trial = Some(Trial::new());
        }
        let (is_other, is_timed) = self.trial.as_ref().map_or((false, false), Trial::next);
        (self.packs ^ is_other, trains && is_timed)
    }

    /// Whether a trial runs.
    pub(super) fn tries(&self) -> bool {
        self.trial.is_some()
    }

    /// Takes a step that has ended.
    pub(super) fn end(&mut self, step: &Step, effort: Effort, now: Duration) {
        if !step.trains {
            return;
        }
        if self.next.is_none() {
            self.next = Some(now + effort.first * (now - step.begun));
        }
        let outcome = self.trial.as_mut().and_then(|trial| trial.take(step, effort));
        let Some(outcome) = outcome else { return };
        self.trial = None;
        if outcome.is_faster {
            self.packs = !self.packs;
            let packs = self.packs;
            let what = "steps are faster with weights packed, or not packed, for few rows";
            tracing::debug!(target: trace::TARGET, packs, "{what}");
        }
        self.next = Some(now + outcome.pause);
    }
}
