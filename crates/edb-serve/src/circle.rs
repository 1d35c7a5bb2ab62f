//! Workers that wait for answers of other batchers, so that it is seen when all of them wait for one
//! another.
//!
//! A worker waits in a callback that asks another batcher. That is allowed: other threads answer it. But
//! where all workers of some batchers wait for answers of these batchers alone, nobody is left who could
//! answer. Whoever would complete such a circle is told so instead, and the others go on.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::bell::Bell;
use crate::error::ServeError;
use crate::worker::Employer;

/// A worker that waits.
struct Waiter {
    own: Employer,
    /// The batcher that it waits for, by its id.
    batcher: u64,
    /// What tells that the answer is there.
    bell: Arc<Bell>,
}

impl Waiter {
    /// Whether it still waits: it may have been told, and not have gone on yet.
    fn waits(&self) -> bool {
        !self.bell.has_rung()
    }
}

/// All workers that wait, of all batchers: few, and most of the time none.
static WAITERS: Mutex<Vec<Waiter>> = Mutex::new(Vec::new());

fn waiters() -> MutexGuard<'static, Vec<Waiter>> {
    WAITERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// That a worker waits, as long as this lives.
pub(crate) struct Waits(Arc<Bell>);

impl Waits {
    /// A worker of `own` waits for an answer of a batcher.
    ///
    /// # Errors
    /// [`ServeError::Circle`], if no worker is left that could answer.
    pub(crate) fn begin(own: Employer, batcher: u64, bell: &Arc<Bell>) -> Result<Self, ServeError> {
        let mut all = waiters();
        all.push(Waiter { own, batcher, bell: Arc::clone(bell) });
        if is_stuck(&all, batcher) {
            all.pop();
            return Err(ServeError::Circle);
        }
        Ok(Self(Arc::clone(bell)))
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        waiters().retain(|waiter| !Arc::ptr_eq(&waiter.bell, &self.0));
    }
}

/// Whether no worker of a batcher can go on: all wait for batchers of which none can.
fn is_stuck(all: &[Waiter], batcher: u64) -> bool {
    let waiting: Vec<&Waiter> = all.iter().filter(|waiter| waiter.waits()).collect();
    // At first all that have no free worker, then without those that wait for one that has.
    let mut stuck: Vec<Employer> = Vec::new();
    for waiter in &waiting {
        let of_own = waiting.iter().filter(|other| other.own.id == waiter.own.id).count();
        if of_own >= waiter.own.workers && stuck.iter().all(|of| of.id != waiter.own.id) {
            stuck.push(waiter.own);
        }
    }
    loop {
        let before = stuck.len();
        let ids: Vec<u64> = stuck.iter().map(|of| of.id).collect();
        stuck.retain(|of| {
            let mut own = waiting.iter().filter(|waiter| waiter.own.id == of.id);
            own.all(|waiter| ids.contains(&waiter.batcher))
        });
        if stuck.len() == before {
            return ids.contains(&batcher);
        }
    }
}
