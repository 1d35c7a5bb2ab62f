//! The settings of a run, as a checkpoint keeps them: what they were is told before a run goes on with
//! others.
//!
//! Invariant: everything that the next step's bits depend on is in a checkpoint either as state, which
//! is restored, or as a setting, which is compared; but for the program's graphs and the machine.

use super::changes::Texts;
use crate::trainer::settings::or_none;
use crate::trainer::{Private, Trainer};
use edb_core::engine::training;
use edb_kernels::element::Element;

impl<T: Element> Trainer<T> {
    /// Lets it resume from checkpoints that were saved with other settings: it goes on with its own, and
    /// [`Resumed::changed`](super::Resumed::changed) lists what they were. Without it, such a checkpoint
    /// is [refused](super::CheckpointError::Settings).
    ///
    /// Settings are those of the optimiser, the learning rate and its schedule, clipping, groups,
    /// reduction, moving averages and private training, and all others that the next step depends on.
    /// What the program has changed later ([`set_groups`](Self::set_groups), the learning rate of
    /// [`optimizer_mut`](Self::optimizer_mut)) is no setting, but restored, unless the trainer was made
    /// with another learning rate or with other groups.
    #[must_use]
    pub fn accept_changes(mut self) -> Self {
        self.accepts_changes = true;
        self
    }

    /// What is set for a whole run, apart from what is in [`Settings`](crate::trainer::settings::Settings).
    pub(in crate::trainer) fn settings_of_run(&self) -> Vec<(&'static str, String)> {
        let Self { model, engine, optimizer, reduction, budget, noise_every, .. } = self;
        let shares = self.together.as_ref().map_or(1, |together| together.shares);
        let own = [
            ("the number of shares", shares.to_string()),
            ("the settings of the optimiser", optimizer.settings()),
            ("the reduction", format!("{reduction:?}")),
            ("the memory budget", or_none(budget)),
            ("how often noise is measured", noise_every.to_string()),
            ("the decay of moving averages", or_none(&self.ema.as_ref().map(|ema| ema.decay()))),
        ];
        own.into_iter().chain(training::settings(engine, model)).collect()
    }

    /// The settings with which a run is resumed.
    pub(super) fn setting_texts(&self) -> Texts {
        let private = self.private.as_ref().map_or_else(
            || "none".to_owned(),
            |private| {
                let Private { clip, noise, minibatch, .. } = private;
                let rate = private.rate();
                format!(
                    "clip {clip}, noise {noise}, {minibatch} graphs, each with probability {rate}"
                )
            },
        );
        let all = self.settings_of_run().into_iter().chain([("private training", private)]);
        let all = all.chain(self.settings.lasting()).chain(self.settings.at_first());
        all.map(|(what, value)| (what.to_owned(), value)).collect()
    }
}
