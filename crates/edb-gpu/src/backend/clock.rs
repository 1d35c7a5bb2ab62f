//! The times of the stages of a step, by the device's own clock.

use std::sync::Arc;
use std::time::Duration;

use edb_core::backend::DeviceTimes;

use crate::driver::{Driver, Mark};
use crate::error::GpuError;

/// The stages of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Forward,
    Backward,
    Update,
    /// No work of this back end.
    Idle,
}

/// The stages since the times were last taken, each with the mark at its start.
#[derive(Debug)]
pub(super) struct Clock {
    driver: Arc<dyn Driver>,
    stages: Vec<(Stage, Mark)>,
}

impl Clock {
    pub(super) fn new(driver: &Arc<dyn Driver>) -> Self {
        Self { driver: Arc::clone(driver), stages: Vec::new() }
    }

    /// Begins a stage, unless it is the current one.
    pub(super) fn enter(&mut self, stage: Stage) -> Result<(), GpuError> {
        let now = self.stages.last().map_or(Stage::Idle, |(stage, _)| *stage);
        if now != stage {
            self.stages.push((stage, self.driver.mark()?));
        }
        Ok(())
    }

    /// Discards all stages.
    pub(super) fn clear(&mut self) {
        self.stages.drain(..).for_each(|(_, mark)| self.driver.unmark(mark));
    }

    /// The times of the stages, if the device measures them. The caller has waited for the last
    /// one.
    pub(super) fn take(&mut self) -> Option<DeviceTimes> {
        let times = self.times();
        self.clear();
        times
    }

    fn times(&self) -> Option<DeviceTimes> {
        let mut times = DeviceTimes::default();
        for pair in self.stages.windows(2) {
            let [(stage, from), (_, to)] = [pair[0], pair[1]];
            let seconds = self.driver.seconds(from, to).ok()?;
            let total = match stage {
                Stage::Forward => &mut times.forward,
                Stage::Backward => &mut times.backward,
                Stage::Update => &mut times.update,
                Stage::Idle => continue,
            };
            *total += Duration::try_from_secs_f64(seconds).ok()?;
        }
        Some(times)
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        self.clear();
    }
}
