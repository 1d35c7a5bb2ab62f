//! The settings of a run, as a checkpoint keeps them. If a run is resumed with other settings, the user is told.
//!
//! Invariant: everything on which the bits of the next step depend is in a checkpoint: either as state, which is
//! restored, or as a setting, which is compared. The only exceptions are the program's graphs and the machine.

use super::changes::Texts;
use crate::trainer::settings::or_none;
use crate::trainer::{Private, Trainer};
use edb_core::engine::training;
use edb_kernels::element::Element;

impl<T: Element> Trainer<T> {
    /// Allows this trainer to resume from checkpoints that were saved with other settings. It goes on with its own
    /// settings, and [`Resumed::changed`](super::Resumed::changed) lists the differences. Without this, such a
    /// checkpoint is [refused](super::CheckpointError::Settings).
    ///
    /// Settings are those of the optimiser, the learning rate and its schedule, clipping, groups, reduction, moving
    /// averages and private training, and all others on which the next step depends. If the program has changed
    /// groups ([`set_groups`](Self::set_groups)) or the learning rate ([`optimizer_mut`](Self::optimizer_mut))
    /// during training, the new values are not settings. They are restored, unless this trainer was made with other
    /// groups or another learning rate than the trainer that was saved.
    #[must_use]
    pub fn accept_changes(mut self) -> Self {
        self.accepts_changes = true;
        self
    }

    /// The settings of a whole run that are not in [`Settings`](crate::trainer::settings::Settings), as names and
    /// texts.
    pub(in crate::trainer) fn settings_of_run(&self) -> Vec<(&'static str, String)> {
        let Self { model, engine, optimizer, reduction, budget, noise_every, .. } = self;
        let shares = self.distributed.as_ref().map_or(1, |together| together.shares);
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

    /// All settings of a run, as names and texts.
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
