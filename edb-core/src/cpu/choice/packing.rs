//! Whether weights are packed for products of few rows.
//!
//! Such products can read weights where they lie, which saves packing them after each update. But
//! threads read a part of each [line](edb_kernels::in_place) then, which one processor fetches as fast
//! as panels, and another at half the speed. Weights that one step has packed are there for the next
//! one, whatever its size, so this is chosen for steps of all sizes at once.

use std::time::Duration;

use edb_kernels::choice::{Effort, Retrials, TimedStep};
use edb_kernels::trace;

/// Whether steps of training pack, and how that is tried.
#[derive(Debug, Default)]
pub(super) struct Packing {
    packs: bool,
    trials: Retrials,
}

impl Packing {
    /// Whether the next step packs, and whether it is timed if it trains; a trial begins only if it
    /// may.
    pub(super) fn begin(&mut self, now: Duration, may_try: bool) -> (bool, bool) {
        // Right after a trial, another one has precedence.
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

    /// Takes a step of training that has ended.
    pub(super) fn end(&mut self, step: &TimedStep, effort: Effort, now: Duration) {
        if self.trials.end(step, effort, effort.first, now) {
            self.packs = !self.packs;
            let packs = self.packs;
            let what = "steps are faster with weights packed, or not packed, for few rows";
            tracing::debug!(target: trace::TARGET, packs, "{what}");
        }
    }
}
