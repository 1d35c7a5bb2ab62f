//! Chooses whether weights are packed for products of few rows.
//!
//! Such products can read weights where they lie, which saves packing them after each update. But then each
//! thread reads only a part of each [line](edb_kernels::in_place). Some processors fetch these parts as fast as
//! panels, others only half as fast. Weights that one step has packed can be used by the next step, whatever
//! its size. So this is chosen for steps of all sizes together.

use std::time::Duration;

use edb_kernels::choice::{Effort, Retrials, TimedStep};
use edb_kernels::trace;

/// Whether training steps pack, and the trials of the other choice.
#[derive(Debug, Default)]
pub(super) struct Packing {
    packs: bool,
    trials: Retrials,
}

impl Packing {
    /// Returns whether the next step packs, and whether it is timed if it trains. A trial may begin only if
    /// `may_try`.
    pub(super) fn begin(&mut self, now: Duration, may_try: bool) -> (bool, bool) {
        // With `>`, trials of the number of threads, which use `>=`, come first right after a trial.
        if may_try && self.trials.due().is_some_and(|due| now > due) {
            self.trials.begin();
        }
        let (is_other, is_timed) = self.trials.next();
        (self.packs ^ is_other, is_timed)
    }

    /// Whether a trial runs.
    pub(super) fn tries(&self) -> bool {
        self.trials.are_running()
    }

    /// Takes a training step that has ended.
    pub(super) fn end(&mut self, step: &TimedStep, effort: Effort, now: Duration) {
        if self.trials.end(step, effort, effort.first, now) {
            self.packs = !self.packs;
            let packs = self.packs;
            let what = "steps are faster with weights packed, or not packed, for few rows";
            tracing::debug!(target: trace::TARGET, packs, "{what}");
        }
    }
}
