//! Tests of the pool under loom, which tries every interleaving of threads, and every value that
//! the memory model lets them see.
//!
//! Loom's cells stand for the data of jobs: it reports accesses that no happens-before relation
//! orders. A thread that waits for ever is reported as well.

use loom::cell::UnsafeCell;
use loom::model::Builder;

use super::*;

/// Tries all interleavings with at most this many preemptions.
fn check(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(model);
}

/// What the pieces of a job write, one cell each.
struct Cells(Vec<UnsafeCell<usize>>);

// SAFETY: loom reports an access to a cell that another thread is using.
unsafe impl Sync for Cells {}

impl Cells {
    fn new(pieces: usize) -> Self {
        Self((0..pieces).map(|_| UnsafeCell::new(0)).collect())
    }

    fn add(&self, piece: usize) {
        // SAFETY: as above.
        self.0[piece].with_mut(|cell| unsafe { *cell += 1 });
    }

    /// Checks the cells after the job, when they belong to the caller again.
    fn assert_all(&self, times: usize) {
        for cell in &self.0 {
            // SAFETY: as above.
            cell.with(|cell| assert_eq!(unsafe { *cell }, times));
        }
    }
}

/// Every piece runs once, and none after `run` has returned: the job is on the caller's stack.
#[test]
fn one_caller_runs_jobs_one_after_the_other() {
    check(3, || {
        let mut pool = Pool::new(2).unwrap();
        for pieces in [2, 3] {
            let cells = Cells::new(pieces);
            pool.run(pieces, &|_, piece| cells.add(piece));
            cells.assert_all(1);
        }
    });
}

#[test]
fn two_helpers_share_a_job() {
    check(2, || {
        let mut pool = Pool::new(3).unwrap();
        let cells = Cells::new(3);
        pool.run(3, &|_, piece| cells.add(piece));
        cells.assert_all(1);
    });
}

/// A thread that takes part again, having slept through a job or come late for it, works on no job
/// but the current one.
#[test]
fn threads_take_part_again() {
    check(1, || {
        let mut pool = Pool::new(3).unwrap();
        for threads in [3, 2, 3] {
            pool.set_threads(threads);
            let cells = Cells::new(2);
            pool.run(2, &|thread, piece| {
                assert!(thread < threads);
                cells.add(piece);
            });
            cells.assert_all(1);
        }
    });
}

/// A pool has one caller at a time, which need not be the one before.
#[test]
fn two_callers_have_the_pool_one_after_the_other() {
    check(2, || {
        let mut pool = Pool::new(2).unwrap();
        let cells = Arc::new(Cells::new(2));
        pool.run(2, &|_, piece| cells.add(piece));
        let own = Arc::clone(&cells);
        let second = loom::thread::spawn(move || {
            pool.run(2, &|_, piece| own.add(piece));
            own.assert_all(2);
        });
        second.join().unwrap();
        cells.assert_all(2);
    });
}

/// A second caller at the same time, or a piece that runs a job, has to have another pool.
#[test]
fn a_piece_runs_a_job_on_another_pool() {
    check(2, || {
        let mut outer = Pool::new(2).unwrap();
        let inner = Mutex::new(Pool::new(2).unwrap());
        let cells = Cells::new(2);
        outer.run(2, &|_, piece| {
            if piece == 0 {
                lock(&inner).run(2, &|_, piece| cells.add(piece));
            }
        });
        cells.assert_all(1);
    });
}

/// Each piece waits for the other, so that a helper that is not woken up is found.
#[test]
fn helpers_that_sleep_wake_up() {
    check(3, || {
        let mut pool = Pool::new(2).unwrap();
        let arrived = AtomicUsize::new(0);
        pool.run(2, &|_, _| {
            arrived.fetch_add(1, Ordering::SeqCst);
            while arrived.load(Ordering::SeqCst) < 2 {
                yield_now();
            }
        });
    });
}

#[test]
fn a_panic_reaches_the_caller_when_no_thread_works_any_more() {
    // The panic that is caught below is not printed for every interleaving.
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if panic.payload().downcast_ref::<&str>() != Some(&"piece one") {
            print(panic);
        }
    }));
    check(2, || {
        let mut pool = Pool::new(2).unwrap();
        let cells = Cells::new(2);
        let run = AssertUnwindSafe(|| {
            pool.run(2, &|_, piece| {
                cells.add(piece);
                assert!(piece != 1, "piece one");
            });
        });
        let panic = catch_unwind(run).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"piece one"));
        drop(cells);
        // And the pool lives on.
        let cells = Cells::new(2);
        pool.run(2, &|_, piece| cells.add(piece));
        cells.assert_all(1);
    });
}

/// Helpers end, whether they wait, sleep or have not begun.
#[test]
fn a_pool_ends_while_its_helpers_sleep() {
    check(3, || drop(Pool::new(3).unwrap()));
}
