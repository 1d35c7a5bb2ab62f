//! A thread pool whose threads stay awake for the length of a step.
//!
//! A step is hundreds of forks and joins of a few microseconds each; waking a thread takes as long
//! as such a piece of work. So helpers spin for a while before they sleep, and the caller works
//! with them and never waits for a helper that has not begun.
//!
//! In every job of the same number of pieces, a thread begins with the same pieces, and helps
//! others when these are done: so it multiplies with, sums and updates what it has packed, out of
//! its own cache.
//!
//! ```
//! use std::sync::atomic::{AtomicUsize, Ordering};
//!
//! let mut pool = edb_pool::Pool::new(2)?;
//! let sum = AtomicUsize::new(0);
//! pool.run(10, &|_thread, piece| {
//!     sum.fetch_add(piece, Ordering::Relaxed);
//! });
//! assert_eq!(sum.into_inner(), 45);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! A pool runs one job at a time, since [`Pool::run`] borrows it mutably: neither a piece nor a
//! second thread can run another job on it.
//!
//! ```compile_fail,E0501
//! let mut pool = edb_pool::Pool::new(2).unwrap();
//! pool.run(2, &|_, _| pool.run(2, &|_, _| {}));
//! ```

#![warn(missing_docs)]

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::PoisonError;
#[cfg(not(loom))]
use std::time::Duration;

use sync::{Arc, AtomicBool, AtomicU64, AtomicUsize, JoinHandle, Mutex, MutexGuard, Ordering};
use sync::{Builder, fence, park, spin_loop, yield_now};

/// Synchronisation primitives: the standard library's, or the model checker's version of them.
mod sync {
    #[cfg(loom)]
    pub(super) use loom::{
        hint::spin_loop,
        sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence},
        sync::{Arc, Mutex, MutexGuard},
        thread::{Builder, JoinHandle, park, yield_now},
    };
    #[cfg(not(loom))]
    pub(super) use std::{
        hint::spin_loop,
        sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence},
        sync::{Arc, Mutex, MutexGuard},
        thread::{Builder, JoinHandle, park, yield_now},
    };
}

/// The most threads of a pool: more than any machine has cores, and few enough to be started.
pub const MOST_THREADS: usize = 1024;

/// How long a helper spins, waiting for the next job, before it sleeps.
#[cfg(not(loom))]
const AWAKE: Duration = Duration::from_micros(500);
/// How long it spins before it starts to yield its core to other threads now and then.
#[cfg(not(loom))]
const ALERT: Duration = Duration::from_micros(50);

/// The low 16 bits of [`Shared::gate`]: how many helpers have joined the current job.
const JOINED: u64 = 0xffff;
const _: () = assert!(MOST_THREADS < JOINED as usize);
/// The bit of the gate that says whether the job can still be joined. Above it the gate counts
/// jobs, so that no helper joins one twice.
const OPEN: u64 = 1 << 16;

/// A job: called with the number of the thread and of the piece.
pub type Job<'a> = dyn Fn(usize, usize) + Sync + 'a;

/// The threads of a back end: the calling one, and helpers.
#[derive(Debug)]
pub struct Pool {
    shared: Arc<Shared>,
    helpers: Vec<JoinHandle<()>>,
    /// How many threads take part in jobs, the calling one included.
    active: usize,
    /// The process that started the helpers: a fork of it has a copy of the pool, but not the
    /// threads.
    process: u32,
}

struct Shared {
    /// Jobs so far, whether the current one is open, and how many helpers have joined it.
    gate: AtomicU64,
    /// The current job. Written while the gate is shut and no helper has joined.
    job: Mutex<Option<*const Job<'static>>>,
    /// The pieces of the current job that each thread begins with.
    own: Vec<Own>,
    /// How many threads may take part in the current job. Written before the gate is opened.
    threads: AtomicUsize,
    /// Which threads sleep, or are about to, by their number.
    asleep: Vec<AtomicBool>,
    end: AtomicBool,
    /// Whether there are more threads than cores, so that a spinning thread takes a core from a
    /// working one.
    crowded: bool,
    /// The payload of the first panic in a piece.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// The pieces that a thread begins with: the next one, and where they end. Aligned to two cache
/// lines, since the second is prefetched with the first.
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
    /// A pool of this many threads, the calling one included.
    ///
    /// # Errors
    /// When `threads` is more than [`MOST_THREADS`], or a thread cannot be started.
    pub fn new(threads: usize) -> std::io::Result<Self> {
        if threads > MOST_THREADS {
            let message = format!("{threads} were asked for, and {MOST_THREADS} are the most");
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, message));
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let shared = Arc::new(Shared {
            gate: AtomicU64::new(0),
            job: Mutex::new(None),
            own: (0..threads.max(1)).map(|_| Own::default()).collect(),
            threads: AtomicUsize::new(0),
            asleep: (0..threads.max(1)).map(|_| AtomicBool::new(false)).collect(),
            end: AtomicBool::new(false),
            crowded: threads > cores,
            panic: Mutex::new(None),
        });
        // A pool that is dropped on an error ends the helpers that were started.
        let process = std::process::id();
        let mut pool = Self { shared, helpers: Vec::new(), active: threads.max(1), process };
        for number in 1..threads {
            let shared = Arc::clone(&pool.shared);
            let thread = Builder::new().name(format!("edb {number}"));
            pool.helpers.push(thread.spawn(move || shared.help(number))?);
        }
        Ok(pool)
    }

    /// How many threads take part in jobs.
    pub fn threads(&self) -> usize {
        self.active
    }

    /// Lets so many threads take part in the jobs to come: at least one, at most all that there
    /// are. The others sleep.
    pub fn set_threads(&mut self, threads: usize) {
        self.active = threads.clamp(1, self.helpers.len() + 1);
    }

    /// Runs pieces `0..pieces` of a job, in any order and on any of the threads.
    ///
    /// # Panics
    /// When a piece panics, after all threads have stopped working; of several panics, this is the
    /// first.
    pub fn run(&mut self, pieces: usize, job: &Job<'_>) {
        if pieces <= 1 || self.active == 1 {
            (0..pieces).for_each(|piece| job(0, piece));
            return;
        }
        let shared = &*self.shared;
        let pointer: *const Job<'_> = job;
        // SAFETY: only the lifetime changes. Helpers use the job while they have joined it, which
        // they can do until it is shut below; this function returns when none is left in it.
        let pointer: *const Job<'static> = unsafe { std::mem::transmute(pointer) };
        *lock(&shared.job) = Some(pointer);
        shared.threads.store(self.active, Ordering::Relaxed);
        let (each, rest) = (pieces / self.active, pieces % self.active);
        for (thread, own) in shared.own[..self.active].iter().enumerate() {
            let first = |thread: usize| thread * each + thread.min(rest);
            own.next.store(first(thread), Ordering::Relaxed);
            own.end.store(first(thread + 1), Ordering::Relaxed);
        }
        // Opens the gate for a new job; no helper is in the previous one.
        let before = shared.gate.load(Ordering::Relaxed);
        shared.gate.store((before | JOINED | OPEN) + 1 + OPEN, Ordering::Release);
        // Pairs with the fence in `wait`: either a helper sees the job, or this thread sees that it
        // sleeps.
        fence(Ordering::SeqCst);
        for (helper, asleep) in self.helpers[..self.active - 1].iter().zip(&shared.asleep[1..]) {
            if asleep.load(Ordering::Relaxed) {
                helper.thread().unpark();
            }
        }
        shared.work(0, self.active, job);
        shared.gate.fetch_and(!OPEN, Ordering::AcqRel);
        let patience = if shared.crowded { 1 << 6 } else { 1 << 12 };
        let mut spins = 0_u32;
        while shared.gate.load(Ordering::Acquire) & JOINED != 0 {
            spins = spins.wrapping_add(1);
            // On a busy machine the helper may need the core of this thread.
            if spins.is_multiple_of(patience) {
                yield_now();
            }
            spin_loop();
        }
        let panic = lock(&shared.panic).take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            // In a fork there are no helpers to wait for.
            std::mem::forget(std::mem::take(&mut self.helpers));
            return;
        }
        self.shared.end.store(true, Ordering::Release);
        for helper in self.helpers.drain(..) {
            helper.thread().unpark();
            // A helper catches the panics of jobs, and does nothing else that could panic.
            drop(helper.join());
        }
    }
}

impl Shared {
    /// Takes pieces as long as there are any: its own, then those of the threads after it,
    /// cyclically.
    fn work(&self, thread: usize, threads: usize, job: &Job<'_>) {
        let (before, from) = self.own[..threads].split_at(thread);
        for own in from.iter().chain(before) {
            let end = own.end.load(Ordering::Relaxed);
            loop {
                let piece = own.next.fetch_add(1, Ordering::Relaxed);
                if piece >= end {
                    break;
                }
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| job(thread, piece))) {
                    let mut first = lock(&self.panic);
                    if first.is_none() {
                        *first = Some(panic);
                    } else {
                        drop(first);
                        discard(panic);
                    }
                    return;
                }
            }
        }
    }

    /// The loop of a helper thread.
    fn help(&self, thread: usize) {
        let mut seen = 0;
        while let Some(gate) = self.wait(thread, seen) {
            seen = gate & !JOINED;
            // The gate may have been shut meanwhile, or another helper may have joined.
            let join = self.gate.fetch_update(Ordering::AcqRel, Ordering::Acquire, |now| {
                (now & !JOINED == seen).then_some(now + 1)
            });
            if join.is_err() {
                continue;
            }
            let (job, threads) = (*lock(&self.job), self.threads.load(Ordering::Relaxed));
            if let Some(job) = job.filter(|_| thread < threads) {
                // SAFETY: this helper has joined; see `Pool::run`.
                self.work(thread, threads, unsafe { &*job });
            }
            self.gate.fetch_sub(1, Ordering::AcqRel);
        }
    }

    /// The gate, if it is open for a job that a helper has not seen and may take part in. How many
    /// threads may do so can be that of a later job; whoever joins looks again.
    fn news(&self, thread: usize, seen: u64) -> Option<u64> {
        let gate = self.gate.load(Ordering::Acquire);
        let is_new = gate & OPEN != 0 && gate & !JOINED != seen;
        (is_new && thread < self.threads.load(Ordering::Relaxed)).then_some(gate)
    }

    /// Waits for an open job that has not been seen; `None` when the pool is dropped.
    fn wait(&self, thread: usize, seen: u64) -> Option<u64> {
        let mut awake = Awake::new(self.crowded);
        loop {
            for _ in 0..Awake::SPINS {
                let news = self.news(thread, seen);
                if news.is_some() {
                    return news;
                }
                Awake::spin();
            }
            if self.end.load(Ordering::Acquire) {
                return None;
            }
            if awake.wait() {
                continue;
            }
            self.asleep[thread].store(true, Ordering::Relaxed);
            // Pairs with the fence in `run`.
            fence(Ordering::SeqCst);
            if self.news(thread, seen).is_none() && !self.end.load(Ordering::Acquire) {
                park();
            }
            self.asleep[thread].store(false, Ordering::Relaxed);
            awake = Awake::new(self.crowded);
        }
    }
}

/// How long a helper has been spinning.
#[cfg(not(loom))]
struct Awake {
    since: std::time::Instant,
    crowded: bool,
}

#[cfg(not(loom))]
impl Awake {
    /// How often the gate is read between two readings of the clock.
    const SPINS: usize = 64;

    fn spin() {
        spin_loop();
    }

    fn new(crowded: bool) -> Self {
        Self { since: std::time::Instant::now(), crowded }
    }

    /// Whether to keep spinning.
    fn wait(&mut self) -> bool {
        let waited = self.since.elapsed();
        if self.crowded || waited > ALERT {
            yield_now();
        }
        waited < AWAKE
    }
}

/// The model checker has no time: a helper reads the gate once, then sleeps. It must not yield
/// before it sleeps, since a thread that yields is not interrupted again until all others have
/// yielded.
#[cfg(loom)]
struct Awake;

#[cfg(loom)]
impl Awake {
    const SPINS: usize = 1;

    fn spin() {}

    fn new(_: bool) -> Self {
        Self
    }

    fn wait(&mut self) -> bool {
        false
    }
}

/// Drops the payload of a panic. Its destructor may panic in turn, which must not take this thread out of
/// a job before the others have left it; a payload that does so again and again is left alone.
fn discard(payload: Box<dyn Any + Send>) {
    const TURNS: usize = 4;
    let mut payload = Some(payload);
    for _ in 0..TURNS {
        let Some(panic) = payload.take() else { return };
        payload = catch_unwind(AssertUnwindSafe(|| drop(panic))).err();
    }
    std::mem::forget(payload);
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, loom))]
mod model;

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn every_piece_runs_once() {
        for threads in [1, 2, 3, 5] {
            let mut pool = Pool::new(threads).unwrap();
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
    fn some_threads_take_part() {
        let mut pool = Pool::new(5).unwrap();
        for threads in [2, 5, 1, 3, 0, 4, 2, 9, 3].repeat(20) {
            pool.set_threads(threads);
            assert_eq!(pool.threads(), threads.clamp(1, 5));
            let runs: Vec<AtomicUsize> = (0..17).map(|_| AtomicUsize::new(0)).collect();
            pool.run(17, &|thread, piece| {
                assert!(thread < threads.max(1));
                runs[piece].fetch_add(1, Ordering::Relaxed);
            });
            assert!(runs.iter().all(|runs| runs.load(Ordering::Relaxed) == 1));
        }
    }

    #[test]
    fn too_many_threads_are_refused() {
        for threads in [MOST_THREADS + 1, 70_000, usize::MAX] {
            let error = Pool::new(threads).unwrap_err();
            assert!(error.to_string().contains("1024 are the most"), "{error}");
        }
    }

    /// A fork has the memory of the pool, but none of its helpers.
    #[cfg(unix)]
    #[test]
    fn a_fork_runs_alone_and_ends() {
        let mut pool = Pool::new(3).unwrap();
        // SAFETY: the child does nothing but run a job, drop the pool and exit.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let runs = AtomicUsize::new(0);
            pool.run(7, &|_, _| {
                runs.fetch_add(1, Ordering::Relaxed);
            });
            drop(pool);
            // SAFETY: it ends the process, without running the parent's exit handlers.
            unsafe { libc::_exit(if runs.into_inner() == 7 { 0 } else { 1 }) };
        }
        let deadline = std::time::Instant::now() + Duration::from_secs(20);
        let mut status = -1;
        // SAFETY: `status` is valid for writes.
        while unsafe { libc::waitpid(child, &mut status, libc::WNOHANG) } == 0 {
            if std::time::Instant::now() > deadline {
                // SAFETY: it ends the child, which is this test's own.
                unsafe { libc::kill(child, libc::SIGKILL) };
                panic!("the child hangs");
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "status {status}");
    }

    #[test]
    fn helpers_that_sleep_wake_up() {
        let mut pool = Pool::new(3).unwrap();
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
        let mut pool = Pool::new(2).unwrap();
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

    /// The payload of a panic, whose destructor panics as well.
    struct Bomb;

    impl Drop for Bomb {
        fn drop(&mut self) {
            assert!(std::thread::panicking(), "a payload is dropped");
        }
    }

    #[test]
    fn all_have_stopped_when_several_panics_reach_the_caller() {
        let mut pool = Pool::new(3).unwrap();
        let (arrived, working) = (AtomicUsize::new(0), AtomicBool::new(false));
        let result = catch_unwind(AssertUnwindSafe(|| {
            pool.run(3, &|thread, _| {
                // Every thread has a piece.
                arrived.fetch_add(1, Ordering::SeqCst);
                while arrived.load(Ordering::SeqCst) < 3 {
                    std::thread::yield_now();
                }
                if thread < 2 {
                    while !working.load(Ordering::SeqCst) {
                        std::thread::yield_now();
                    }
                    std::panic::panic_any(Bomb);
                }
                working.store(true, Ordering::SeqCst);
                std::thread::sleep(AWAKE * 100);
                working.store(false, Ordering::SeqCst);
            });
        }));
        assert!(!working.load(Ordering::SeqCst), "a thread is left in the job");
        std::mem::forget(result.unwrap_err().downcast::<Bomb>().unwrap());
        let sum = AtomicUsize::new(0);
        pool.run(10, &|_, piece| {
            sum.fetch_add(piece, Ordering::Relaxed);
        });
        assert_eq!(sum.into_inner(), 45);
    }

    /// The payload of a panic that is counted when it is dropped, which panics with another one.
    struct Counted(Arc<AtomicUsize>);

    impl Drop for Counted {
        fn drop(&mut self) {
            if self.0.fetch_add(1, Ordering::SeqCst) == 1 {
                std::panic::panic_any(Counted(Arc::clone(&self.0)));
            }
        }
    }

    /// Fault C6: of several panics, all but the first leaked their payloads.
    #[test]
    fn payloads_are_dropped_once() {
        let mut pool = Pool::new(3).unwrap();
        let (arrived, dropped) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
        let result = catch_unwind(AssertUnwindSafe(|| {
            pool.run(3, &|_, _| {
                arrived.fetch_add(1, Ordering::SeqCst);
                while arrived.load(Ordering::SeqCst) < 3 {
                    std::thread::yield_now();
                }
                std::panic::panic_any(Counted(Arc::clone(&dropped)));
            });
        }));
        // Those of the other two threads, one of which leaves a third one.
        assert_eq!(dropped.load(Ordering::SeqCst), 3);
        drop(result.unwrap_err());
        assert_eq!((dropped.load(Ordering::SeqCst), Arc::strong_count(&dropped)), (4, 1));
    }

    #[test]
    fn threads_begin_with_pieces_of_their_own_however_many_there_are() {
        let mut pool = Pool::new(3).unwrap();
        let pieces = usize::MAX - 10;
        // Not a list behind a mutex: ThreadSanitizer does not see what waits in the standard library
        // (fault H of the third list).
        let begun = [const { AtomicUsize::new(usize::MAX) }; 3];
        let result = catch_unwind(AssertUnwindSafe(|| {
            pool.run(pieces, &|thread, piece| {
                begun[thread].store(piece, Ordering::SeqCst);
                panic!("enough");
            });
        }));
        assert!(result.is_err());
        let begun = begun.map(AtomicUsize::into_inner);
        assert!(begun.iter().any(|piece| *piece < pieces), "some piece has run");
        for (thread, piece) in begun.into_iter().enumerate().filter(|(_, piece)| *piece < pieces) {
            assert!(piece / (pieces / 3) == thread, "thread {thread} began with piece {piece}");
        }
    }
}
