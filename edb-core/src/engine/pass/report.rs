//! The report of a run or a training step: its times and its memory.

use crate::engine::backend::Copies;
use std::fmt;
use std::time::Duration;

use edb_model::table::{Align, Table, bytes, grouped};
use edb_schedule::Proof;

/// Says where the time and the memory of the last run, or of the last training step, went.
///
/// Read it with [`Engine::report`](crate::engine::base::Engine::report), [`Run::report`](crate::engine::Run::report)
/// or `Trainer::report`. A report costs a few readings of the clock per run. If the device has a clock of its own,
/// that one is read; it measures only durations. If there is no `proof`,
/// [`Run::explain`](crate::engine::Run::explain) finds out whether fewer batches are possible, which takes longer.
///
/// ```
/// # extern crate edb_core as edb;
/// let report = edb::engine::StepReport::default();
/// println!("{report}"); // a table of times, then a table of batches and bytes
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// The time for the schedule, the numbers of rows and the layout of the arena.
    pub schedule: Duration,
    /// The time of the forward phases.
    pub forward: Duration,
    /// The time of the backward phases and the sums of the parameters' gradients.
    pub backward: Duration,
    /// The time of the trainer's operations on gradients, and of the optimiser. Zero without a trainer.
    pub update: Duration,
    /// The time to wait for the other ranks of a training step, and to sum gradients with them. Zero if there
    /// are no other ranks.
    pub exchange: Duration,
    /// How many batches have run. If a minibatch runs in parts, the batches of all parts are counted.
    pub batches: usize,
    /// How often graphs that grow were handed out.
    pub rounds: usize,
    /// Why no schedule has fewer batches, if that is known.
    pub proof: Option<Proof>,
    /// How many bytes of children's states were copied to where a kernel reads them, forward and
    /// backward. A gather that reads them in place copies nothing.
    pub copied_bytes: u64,
    /// How many calls copied these bytes: one for each batch and each field of a child.
    pub gather_kernels: u64,
    /// How many bytes of the vertices' own values were copied. They are copied because no record layout puts
    /// them where every call reads them.
    pub moved_bytes: u64,
    /// How many calls only copied these bytes.
    pub memory_kernels: u64,
    /// The size of the arena that the run needed.
    pub arena_bytes: usize,
    /// How noisy the gradient of a training step is, if this was measured.
    pub noise_scale: Option<NoiseScale>,
}

/// The gradient noise scale of a step (McCandlish et al., 2018, "An empirical model of large-batch
/// training", equation 2.9 and appendix A.1). Its two parts are unbiased estimates, but noisy. Average each of
/// them over many steps before you divide them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoiseScale {
    /// The trace of the covariance of the graphs' gradients.
    pub trace: f64,
    /// The square of the norm of the true gradient. If the norm is small, this estimate can be negative.
    pub square: f64,
}

impl NoiseScale {
    /// The noise scale of a step over `graphs` graphs. `squares` is the sum of the squared 2-norms of their
    /// gradients, and `square_of_sum` is the squared 2-norm of the sum of their gradients. `None` for fewer
    /// than two graphs.
    pub fn new(graphs: usize, squares: f64, square_of_sum: f64) -> Option<Self> {
        let count = graphs as f64;
        let square_of_mean = square_of_sum / (count * count);
        let trace = (squares - count * square_of_mean) / (count - 1.0);
        (graphs > 1).then(|| Self { trace, square: square_of_mean - trace / count })
    }

    /// About how many graphs a minibatch should have: with more graphs, a step improves only a little. Infinite if
    /// the gradient cannot be told from noise.
    pub fn graphs(&self) -> f64 {
        if self.square > 0.0 { self.trace / self.square } else { f64::INFINITY }
    }
}

impl StepReport {
    /// The total time.
    pub fn total(&self) -> Duration {
        self.schedule + self.forward + self.backward + self.update + self.exchange
    }

    /// Adds the report of another minibatch of the same step. The minibatches run one after the other in one
    /// arena, so the size of the larger arena counts.
    pub fn add(&mut self, other: &Self) {
        self.schedule += other.schedule;
        self.forward += other.forward;
        self.backward += other.backward;
        self.update += other.update;
        self.exchange += other.exchange;
        self.batches += other.batches;
        self.rounds += other.rounds;
        self.proof = self.proof.filter(|proof| Some(*proof) == other.proof);
        self.copied_bytes += other.copied_bytes;
        self.gather_kernels += other.gather_kernels;
        self.moved_bytes += other.moved_bytes;
        self.memory_kernels += other.memory_kernels;
        self.arena_bytes = self.arena_bytes.max(other.arena_bytes);
    }

    /// Adds the copies that a back end has made.
    pub(crate) fn add_copies(&mut self, copies: Copies) {
        self.copied_bytes += copies.gathered;
        self.gather_kernels += copies.gathers;
        self.moved_bytes += copies.moved;
        self.memory_kernels += copies.moves;
    }

    /// Scales the times of the stages so that their sum is `time`. Several threads ran the stages side by side,
    /// which took `time` by the clock. Each stage gets the share of `time` that it has of the work of all threads.
    pub(crate) fn in_time(self, time: Duration) -> Self {
        let total = self.total().as_secs_f64();
        let factor = if total > 0.0 { time.as_secs_f64() / total } else { 0.0 };
        let of_time = |stage: Duration| stage.mul_f64(factor);
        Self {
            schedule: of_time(self.schedule),
            forward: of_time(self.forward),
            backward: of_time(self.backward),
            ..self
        }
    }
}

impl fmt::Display for StepReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.total().as_secs_f64();
        let mut times =
            Table::new(&[("time", Align::Left), ("ms", Align::Right), ("%", Align::Right)]);
        let parts = [
            ("schedule", self.schedule),
            ("forward", self.forward),
            ("backward", self.backward),
            ("update", self.update),
            ("exchange", self.exchange),
            ("all", self.total()),
        ];
        // Most training runs have one rank, so the row is left out if it is zero.
        let parts = parts.iter().filter(|part| part.0 != "exchange" || !part.1.is_zero());
        for (name, time) in parts {
            let seconds = time.as_secs_f64();
            let share = if all > 0.0 { 100.0 * seconds / all } else { 0.0 };
            times.row([(*name).into(), format!("{:.3}", 1e3 * seconds), format!("{share:.1}")]);
        }
        writeln!(f, "{times}")?;
        let bound = match self.proof {
            Some(_) => "no schedule has fewer",
            None => "whether fewer would do is not known",
        };
        let calls = |bytes: String, calls: u64| match calls {
            0 => "nothing".into(),
            1 => format!("{bytes} in 1 call"),
            _ => format!("{bytes} in {} calls", grouped(calls)),
        };
        let mut rest = Table::new(&[("what", Align::Left), ("how much", Align::Left)]);
        rest.row(["batches".into(), format!("{}; {bound}", grouped(self.batches as u64))]);
        if self.rounds > 0 {
            rest.row(["rounds".into(), grouped(self.rounds as u64)]);
        }
        rest.row(["gathered".into(), calls(bytes(self.copied_bytes), self.gather_kernels)]);
        rest.row(["moved".into(), calls(bytes(self.moved_bytes), self.memory_kernels)]);
        rest.row(["arena".into(), bytes(self.arena_bytes as u64)]);
        if let Some(scale) = self.noise_scale {
            rest.row(["noise scale".into(), format!("{:.1} graphs", scale.graphs())]);
        }
        write!(f, "{rest}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_a_table() {
        let ms = |ms: f64| Duration::from_secs_f64(ms / 1e3);
        let report = StepReport {
            schedule: ms(0.125),
            forward: ms(4.5),
            backward: ms(7.0),
            update: ms(0.875),
            exchange: Duration::ZERO,
            batches: 1034,
            rounds: 0,
            proof: Some(Proof::Levels),
            copied_bytes: 1_234_567,
            gather_kernels: 70,
            moved_bytes: 512,
            memory_kernels: 1,
            arena_bytes: 20_100_000,
            noise_scale: None,
        };
        let expected = "\
time          ms      %
schedule   0.125    1.0
forward    4.500   36.0
backward   7.000   56.0
update     0.875    7.0
all       12.500  100.0

what      how much
batches   1,034; no schedule has fewer
gathered  1.2 MB in 70 calls
moved     512 bytes in 1 call
arena     20.1 MB
";
        assert_eq!(report.to_string(), expected);
        let grown = StepReport { rounds: 12, ..report }.to_string();
        assert!(grown.contains("rounds    12\n"), "{grown}");
        let noise_scale = NoiseScale::new(4, 40.0, 64.0);
        let measured = StepReport { noise_scale, ..report }.to_string();
        assert!(measured.contains("noise scale  4.0 graphs\n"), "{measured}");
        assert_eq!(NoiseScale::new(2, 2.0, 0.0).map(|scale| scale.graphs()), Some(f64::INFINITY));
        assert_eq!(NoiseScale::new(1, 2.0, 2.0), None);
        let nothing = StepReport::default().to_string();
        assert!(nothing.contains("all       0.000  0.0\n"), "{nothing}");
        assert!(nothing.contains("batches   0; whether fewer would do is not known"), "{nothing}");
    }
}
