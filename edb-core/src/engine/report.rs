//! What a run, or a training step, took.

use std::time::Duration;

use crate::schedule::Proof;

/// Where the time and the memory of the last run went, or of the last training step.
///
/// Read with [`Engine::report`](super::Engine::report), [`Run::report`](super::Run::report) or
/// [`Trainer::report`](crate::trainer::Trainer::report). It is filled by a few readings of the
/// clock a run. How few batches there could have been costs more to know: ask
/// [`lower_bound`](crate::schedule::lower_bound()) about the
/// [type graph](super::Engine::type_graph).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepReport {
    /// The schedule, the numbering of rows and the layout of the arena.
    pub schedule: Duration,
    /// The forward phases.
    pub forward: Duration,
    /// The backward phases and the sums of the parameters' gradients.
    pub backward: Duration,
    /// What the trainer does to the gradients, and the optimiser. Zero outside of a trainer.
    pub update: Duration,
    /// The batches of the schedule.
    pub batches: usize,
    /// Why no schedule has fewer batches, if that is known.
    pub proof: Option<Proof>,
    /// How many bytes of children's states were copied to where a kernel reads them, forward and
    /// backward. A gather that is a view copies nothing.
    pub copied_bytes: u64,
    /// How many calls that were: one for each field of a child and batch.
    pub gather_kernels: u64,
    /// How many bytes of a vertex's own values were copied, since no record layout has them where
    /// every call wants them.
    pub moved_bytes: u64,
    /// How many calls did nothing but that.
    pub memory_kernels: u64,
    /// The size of the arena that the run needed.
    pub arena_bytes: usize,
}

impl StepReport {
    /// All of the time.
    pub fn total(&self) -> Duration {
        self.schedule + self.forward + self.backward + self.update
    }

    /// Adds what another minibatch of the same step took. They run one after the other, in one arena.
    pub(crate) fn add(&mut self, other: &Self) {
        self.schedule += other.schedule;
        self.forward += other.forward;
        self.backward += other.backward;
        self.update += other.update;
        self.batches += other.batches;
        self.proof = self.proof.filter(|proof| Some(*proof) == other.proof);
        self.copied_bytes += other.copied_bytes;
        self.gather_kernels += other.gather_kernels;
        self.moved_bytes += other.moved_bytes;
        self.memory_kernels += other.memory_kernels;
        self.arena_bytes = self.arena_bytes.max(other.arena_bytes);
    }
}
