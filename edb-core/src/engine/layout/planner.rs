//! A planner makes schedules with the policies of a scheduler. It decides whether the scheduler may learn from the
//! minibatches that it schedules.

use edb_schedule::{
    OnlinePolicy, Schedule, ScheduleError, Scheduler, Signature, TypeGraph, Unlearned,
};

/// A scheduler, and whether it may learn policies from the minibatches that it schedules.
#[derive(Debug)]
pub(crate) enum Planner<'a> {
    /// The scheduler may learn policies.
    Learning(&'a mut Scheduler),
    /// The scheduler learns nothing. Parts of minibatches run like this: their policy is known.
    Known(&'a Scheduler),
}

impl Planner<'_> {
    fn scheduler(&self) -> &Scheduler {
        match self {
            Self::Learning(scheduler) => scheduler,
            Self::Known(scheduler) => scheduler,
        }
    }

    /// See [`Scheduler::is_free`].
    pub(crate) fn is_free(&self) -> bool {
        self.scheduler().is_free()
    }

    /// See [`Scheduler::online`].
    pub(crate) fn online(&self, types: &Signature) -> Result<Option<OnlinePolicy>, ScheduleError> {
        self.scheduler().online(types)
    }

    /// See [`Scheduler::schedule`].
    pub(crate) fn schedule(
        &mut self,
        types: &Signature,
        graph: &TypeGraph,
    ) -> Result<Schedule, ScheduleError> {
        match self {
            Self::Learning(scheduler) => scheduler.schedule(types, graph),
            Self::Known(scheduler) => scheduler.schedule_by_known(types, graph),
        }
    }

    /// See [`Scheduler::schedule_later_wave`].
    pub(crate) fn schedule_later_wave(
        &self,
        types: &Signature,
        graph: &TypeGraph,
    ) -> Result<Schedule, ScheduleError> {
        self.scheduler().schedule_later_wave(types, graph)
    }

    /// See [`Scheduler::record`].
    pub(crate) fn record(
        &mut self,
        types: &Signature,
        unlearned: Unlearned,
        recorded: impl FnOnce() -> TypeGraph,
    ) -> Result<(), ScheduleError> {
        match self {
            Self::Learning(scheduler) => scheduler.record(types, unlearned, recorded),
            Self::Known(_) => Ok(()),
        }
    }
}
