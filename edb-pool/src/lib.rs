//! Threads that stay awake for the length of a step.
//!
//! A step is hundreds of forks and joins of a few microseconds each; waking a thread takes as long
//! as such a piece of work. So helpers wait actively for the next job for a while before they
//! sleep, and who calls works with them and never waits for one that has not begun.
//!
//! A thread begins with the pieces that it has in every job of so many, and helps others when these
//! are done: what it packed, it multiplies with, sums and updates, out of its own cache.

use std::any::Any;
use std::hint::spin_loop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a helper waits actively for the next job.
const AWAKE: Duration = Duration::from_micros(500);

/// Helpers that have joined the present job, in the low half of [`Shared::gate`].
const JOINED: u64 = 0xffff;
/// Whether the job can still be joined. Above this bit the gate counts jobs, so that no helper
/// joins one twice.
const OPEN: u64 = 1 << 16;

/// A job: called with the number of the thread and of the piece.
type Job<'a> = dyn Fn(usize, usize) + Sync + 'a;

/// The threads of a back end: the calling one, and helpers.
#[derive(Debug)]
pub(super) struct Pool {
    shared: Arc<Shared>,
    helpers: Vec<JoinHandle<()>>,
}

struct Shared {
    /// Jobs so far, whether the present one is open, and how many helpers have joined it.
    gate: AtomicU64,
    /// The present job. Written while the gate is shut and nobody has joined.
    job: Mutex<Option<*const Job<'static>>>,
    /// The pieces of the present job that each thread begins with.
    own: Vec<Own>,
    /// How many helpers sleep, or are about to.
    asleep: AtomicUsize,
    end: AtomicBool,
    /// What a piece has panicked with.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// The pieces that a thread begins with: the next one, and where they end. A cache line, and the one
/// that is fetched with it.
#[derive(Default)]
#[repr(align(128))]
struct Own {
    next: AtomicUsize,
    end: AtomicUsize,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("gate", &self.gate).finish_non_exhaustive()
    }
}

// SAFETY: the pointer in `job` is to something `Sync`; see `Pool::run` for how long it is used.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl Pool {
    /// A pool of so many threads, the calling one included.
    ///
    /// # Errors
    /// When one cannot be started.
    pub(super) fn new(threads: usize) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            gate: AtomicU64::new(0),
            job: Mutex::new(None),
            own: (0..threads.max(1)).map(|_| Own::default()).collect(),
            asleep: AtomicUsize::new(0),
            end: AtomicBool::new(false),
            panic: Mutex::new(None),
        });
        // A pool that is dropped on an error ends the helpers that were started.
        let mut pool = Self { shared, helpers: Vec::new() };
        for number in 1..threads {
            let shared = Arc::clone(&pool.shared);
            let thread = std::thread::Builder::new().name(format!("edb {number}"));
            pool.helpers.push(thread.spawn(move || shared.help(number))?);
        }
        Ok(pool)
    }

    /// How many threads there are.
    pub(super) fn threads(&self) -> usize {
        self.helpers.len() + 1
    }

    /// Runs pieces `0..pieces` of a job, in any order and on any of the threads.
    ///
    /// # Panics
    /// When a piece does, once no thread works any more.
    pub(super) fn run(&self, pieces: usize, job: &Job<'_>) {
        if pieces <= 1 || self.helpers.is_empty() {
            (0..pieces).for_each(|piece| job(0, piece));
            return;
        }
        let shared = &*self.shared;
        let pointer: *const Job<'_> = job;
        // SAFETY: only the lifetime changes. Helpers use the job while they have joined it, which
        // they can do until it is shut below; this function returns when none is left in it.
        let pointer: *const Job<'static> = unsafe { std::mem::transmute(pointer) };
        *lock(&shared.job) = Some(pointer);
        for (thread, own) in shared.own.iter().enumerate() {
            let first = |thread: usize| thread * pieces / shared.own.len();
            own.next.store(first(thread), Ordering::Relaxed);
            own.end.store(first(thread + 1), Ordering::Relaxed);
        }
        // Opens the gate for a new job; nobody is in the one before.
        let before = shared.gate.load(Ordering::Relaxed);
        shared.gate.store((before | JOINED | OPEN) + 1 + OPEN, Ordering::SeqCst);
        if shared.asleep.load(Ordering::SeqCst) > 0 {
            self.helpers.iter().for_each(|helper| helper.thread().unpark());
        }
        shared.work(0, job);
        shared.gate.fetch_and(!OPEN, Ordering::AcqRel);
        let mut spins = 0_u32;
        while shared.gate.load(Ordering::Acquire) & JOINED != 0 {
            spins = spins.wrapping_add(1);
            // On a busy machine the helper may need this very core.
            if spins.is_multiple_of(1 << 12) {
                std::thread::yield_now();
            }
            spin_loop();
        }
        if let Some(panic) = lock(&shared.panic).take() {
            resume_unwind(panic);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.end.store(true, Ordering::SeqCst);
        for helper in self.helpers.drain(..) {
            helper.thread().unpark();
            // It has caught what a job panicked with, and does nothing else that could.
            drop(helper.join());
        }
    }
}

impl Shared {
    /// Takes pieces as long as there are any: its own, and then those of the threads behind it.
    fn work(&self, thread: usize, job: &Job<'_>) {
        let (before, from) = self.own.split_at(thread);
        for own in from.iter().chain(before) {
            let end = own.end.load(Ordering::Relaxed);
            loop {
                let piece = own.next.fetch_add(1, Ordering::Relaxed);
                if piece >= end {
                    break;
                }
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| job(thread, piece))) {
                    *lock(&self.panic) = Some(panic);
                    return;
                }
            }
        }
    }

    /// What a helper does.
    fn help(&self, thread: usize) {
        let mut seen = 0;
        while let Some(gate) = self.wait(seen) {
            seen = gate & !JOINED;
            // The gate may have been shut meanwhile, or another helper may have joined.
            let join = self.gate.fetch_update(Ordering::AcqRel, Ordering::Acquire, |now| {
                (now & !JOINED == seen).then_some(now + 1)
            });
            if join.is_err() {
                continue;
            }
            let job = *lock(&self.job);
            if let Some(job) = job {
                // SAFETY: this helper has joined; see `Pool::run`.
                self.work(thread, unsafe { &*job });
            }
            self.gate.fetch_sub(1, Ordering::AcqRel);
        }
    }

    /// Waits for an open job that has not been seen; `None` at the end.
    fn wait(&self, seen: u64) -> Option<u64> {
        let mut since = Instant::now();
        loop {
            for _ in 0..64 {
                let gate = self.gate.load(Ordering::Acquire);
                if gate & OPEN != 0 && gate & !JOINED != seen {
                    return Some(gate);
                }
                spin_loop();
            }
            if self.end.load(Ordering::Acquire) {
                return None;
            }
            if since.elapsed() < AWAKE {
                continue;
            }
            // Either this thread sees the job that is published now, or the publisher sees that it
            // sleeps.
            self.asleep.fetch_add(1, Ordering::SeqCst);
            let gate = self.gate.load(Ordering::SeqCst);
            let new = gate & OPEN != 0 && gate & !JOINED != seen;
            if !new && !self.end.load(Ordering::SeqCst) {
                std::thread::park();
            }
            self.asleep.fetch_sub(1, Ordering::SeqCst);
            since = Instant::now();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_runs_once() {
        for threads in [1, 2, 3, 5] {
            let pool = Pool::new(threads).unwrap();
            for pieces in (0..400).map(|at| at % 23) {
                let runs: Vec<AtomicUsize> = (0..pieces).map(|_| AtomicUsize::new(0)).collect();
                pool.run(pieces, &|thread, piece| {
                    assert!(thread < threads);
                    runs[piece].fetch_add(1, Ordering::Relaxed);
                });
                assert!(runs.iter().all(|runs| runs.load(Ordering::Relaxed) == 1));
            }
        }
    }

    #[test]
    fn helpers_that_sleep_wake_up() {
        let pool = Pool::new(3).unwrap();
        for _ in 0..3 {
            std::thread::sleep(AWAKE * 20);
            // Each piece waits for the other: one thread alone would never come to an end.
            let arrived = AtomicUsize::new(0);
            pool.run(2, &|_, _| {
                arrived.fetch_add(1, Ordering::SeqCst);
                while arrived.load(Ordering::SeqCst) < 2 {
                    std::thread::yield_now();
                }
            });
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_pool_lives_on() {
        let pool = Pool::new(2).unwrap();
        for _ in 0..20 {
            let result = catch_unwind(AssertUnwindSafe(|| {
                pool.run(8, &|_, piece| assert!(piece != 5, "piece five"));
            }));
            assert_eq!(result.unwrap_err().downcast_ref::<&str>(), Some(&"piece five"));
            let sum = AtomicUsize::new(0);
            pool.run(10, &|_, piece| {
                sum.fetch_add(piece, Ordering::Relaxed);
            });
            assert_eq!(sum.into_inner(), 45);
        }
    }
}
