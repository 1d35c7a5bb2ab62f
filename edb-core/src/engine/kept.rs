//! Runs whose losses and gradients stay with a back end that takes optimiser steps itself.

use std::time::Instant;

use tracing::debug_span;

use super::backend::{DeviceTimes, Frame, Stepper};
use super::{Engine, EngineError};
use crate::element::Element;
use crate::graph::Minibatch;
use crate::model::Model;
use crate::trace;

impl<T: Element> Engine<T> {
    /// The [`Stepper`] of the back end, if it takes optimiser steps itself.
    pub(crate) fn stepper(&mut self) -> Option<&mut dyn Stepper<T>> {
        self.backend.stepper()
    }

    /// How long the phases of a step took by the device's own clock, if it has one.
    pub(crate) fn device_times(&mut self) -> Option<DeviceTimes> {
        self.backend.take_times()
    }

    /// Runs a minibatch forward and backward as part of training step `step`, and leaves its losses
    /// and gradients with the back end, which must have a [stepper](Self::stepper).
    pub(crate) fn run_kept(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
        step: u64,
    ) -> Result<(), EngineError> {
        self.run_forward(model, batch, Some(step), false)?;
        let start = Instant::now();
        let scale = self.loss_factor();
        let Self { backend, layout, seed, .. } = self;
        let frame = Frame::new(model, batch, layout, Some((*seed, step)), scale);
        let stepper = backend.stepper().expect(STEPPER);
        stepper.keep_losses(frame)?;
        {
            let _span = debug_span!(target: trace::TARGET, "backward").entered();
            super::run_backward_phases(backend.as_mut(), frame)?;
            backend.stepper().expect(STEPPER).keep_gradients(frame)?;
        }
        self.report_backward(start, false);
        Ok(())
    }
}

pub(crate) const STEPPER: &str = "the back end takes steps, or the trainer would not ask for it";
