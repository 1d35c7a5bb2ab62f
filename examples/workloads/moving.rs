//! How long numbers are moved: the time of the instructions that compute none, by the spans of
//! [`edb::trace`]. Each instruction is timed by itself, so whoever wants other times takes them of
//! another pass.

use std::cell::Cell;
use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use support::Result;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{Interest, set_global_default};
use tracing::{Event, Metadata, Subscriber};

/// The time of the instructions that move numbers, added up over threads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moving {
    pub forward: Duration,
    pub backward: Duration,
}

/// Runs something, and times what moves numbers meanwhile, on any thread of the process.
///
/// # Errors
/// When it fails, or the process has another subscriber of `tracing`.
pub fn timed<R>(run: impl FnOnce() -> Result<R>) -> Result<(R, Moving)> {
    /// None if the process has another subscriber.
    static CLOCK: OnceLock<Option<Arc<Clock>>> = OnceLock::new();
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let set = || {
        let clock = Arc::new(Clock::new(false));
        set_global_default(Arc::clone(&clock)).ok().map(|()| clock)
    };
    let Some(clock) = CLOCK.get_or_init(set) else {
        return Err("what moves numbers is not timed: the process has another subscriber".into());
    };
    clock.switch(true);
    let result = run();
    clock.switch(false);
    let moving = clock.take();
    Ok((result?, moving))
}

/// A subscriber that hears of nothing but instructions that move numbers.
struct Clock {
    runs: AtomicBool,
    /// Nanoseconds forward, and backward.
    sums: [AtomicU64; 2],
}

/// Spans by what they are, which is all that is kept of them.
const COMPUTES: u64 = 1;
const FORWARD: u64 = 2;
const BACKWARD: u64 = 3;

thread_local! {
    /// When the instruction that moves numbers began on this thread.
    static BEGUN: Cell<Option<Instant>> = const { Cell::new(None) };
}

impl Clock {
    fn new(runs: bool) -> Self {
        Self { runs: AtomicBool::new(runs), sums: Default::default() }
    }

    fn switch(&self, on: bool) {
        self.runs.store(on, Ordering::SeqCst);
        tracing::callsite::rebuild_interest_cache();
    }

    fn take(&self) -> Moving {
        let [forward, backward] =
            [0, 1].map(|sum| Duration::from_nanos(self.sums[sum].swap(0, Ordering::SeqCst)));
        Moving { forward, backward }
    }
}

impl Subscriber for Clock {
    fn register_callsite(&self, _: &'static Metadata<'static>) -> Interest {
        // Not `always`: the clock is stopped.
        Interest::sometimes()
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.fields().field("moves").is_some() && self.runs.load(Ordering::Relaxed)
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        let runs = self.runs.load(Ordering::Relaxed);
        Some(if runs { LevelFilter::TRACE } else { LevelFilter::OFF })
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut kind = Kind::default();
        span.record(&mut kind);
        Id::from_u64(match kind {
            Kind { moves: false, .. } => COMPUTES,
            Kind { is_backward: false, .. } => FORWARD,
            Kind { is_backward: true, .. } => BACKWARD,
        })
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, span: &Id) {
        if span.into_u64() != COMPUTES {
            BEGUN.set(Some(Instant::now()));
        }
    }

    fn exit(&self, span: &Id) {
        let Some(begun) = BEGUN.take() else { return };
        let nanoseconds = begun.elapsed().as_nanos() as u64;
        let sum = usize::from(span.into_u64() == BACKWARD);
        self.sums[sum].fetch_add(nanoseconds, Ordering::Relaxed);
    }
}

/// What a span says of its instruction.
#[derive(Default)]
struct Kind {
    moves: bool,
    is_backward: bool,
}

impl Visit for Kind {
    fn record_bool(&mut self, field: &Field, value: bool) {
        if field.name() == "moves" {
            self.moves = value;
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "phase" {
            let phase = format!("{value:?}");
            self.is_backward = phase.starts_with("Backward") || phase == "Accumulate";
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use edb::prelude::*;

    #[derive(State)]
    struct Memory {
        h: Tensor,
    }

    #[derive(Input)]
    struct Vector {
        x: Tensor,
    }

    #[vertex_function]
    fn read(#[dim(H)] size: Dim, #[param(H, H)] w: Tensor) {
        let Vector { x } = pull();
        let before = gather_or(0, Memory { h: zeros(size) });
        let h = (w.dot(before.h) + x).tanh();
        scatter(Memory { h });
        loss((h * h).mean());
    }

    /// What moves in a step of a chain, and in its inference, on the calling thread.
    fn moved(runs: bool) -> [Moving; 2] {
        let mut builder = ModelBuilder::new();
        let f = builder.add::<read>(dims! { H: 64 });
        let model: Model = builder.build(1).unwrap();
        let mut g = model.graph();
        let x = g.tensor(&[0.5; 64]);
        let first = g.add(&f, [None], Vector { x });
        g.add(&f, [Some(first)], Vector { x });
        let batch = model.minibatch([&g]).unwrap();
        let mut trainer = Trainer::new(model, Sgd::new(0.1));
        let clock = Arc::new(Clock::new(runs));
        tracing::subscriber::with_default(Arc::clone(&clock), || {
            trainer.step(&batch).unwrap();
            let trained = clock.take();
            trainer.infer(&batch).unwrap();
            [trained, clock.take()]
        })
    }

    #[test]
    fn what_is_pulled_and_handed_back_is_timed() {
        let [trained, inferred] = moved(true);
        assert!(trained.forward > Duration::ZERO && trained.backward > Duration::ZERO);
        assert!(inferred.forward > Duration::ZERO);
        assert_eq!(inferred.backward, Duration::ZERO);
        // A clock that stands hears nothing.
        assert_eq!(moved(false), [Moving::default(); 2]);
    }

    #[test]
    fn what_runs_may_fail_and_be_timed_again() {
        let error = timed(|| Err::<(), _>("it fails".into())).unwrap_err();
        assert_eq!(error.to_string(), "it fails");
        assert_eq!(timed(|| Ok(3)).unwrap().0, 3);
    }
}
