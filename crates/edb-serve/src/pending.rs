//! An answer that is still to come.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use crate::bell::Bell;
use crate::circle::Waits;
use crate::error::ServeError;
use crate::worker::employer;

/// An answer that is still to come: [wait](Self::wait) for it, or await it as a future of any
/// executor. If it is dropped, the request runs all the same.
#[must_use]
pub struct Pending<A> {
    slot: Arc<Slot<A>>,
    /// The batcher that answers, by its id.
    batcher: u64,
}

/// Where an answer is put.
pub(crate) struct Slot<A> {
    answer: Mutex<Option<Result<A, ServeError>>>,
    bell: Arc<Bell>,
}

/// A thread that waits.
struct Waiting(Thread);

impl Wake for Waiting {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

impl<A> Pending<A> {
    /// An answer of a batcher, and where it is put.
    pub(crate) fn new(batcher: u64) -> (Self, Arc<Slot<A>>) {
        let slot = Arc::new(Slot { answer: Mutex::new(None), bell: Arc::default() });
        (Self { slot: Arc::clone(&slot), batcher }, slot)
    }

    /// Waits for the answer.
    ///
    /// # Errors
    /// As [`Batcher::ask`](crate::Batcher::ask).
    pub fn wait(self) -> Result<A, ServeError> {
        wait(&self.slot.bell, self.batcher)?;
        self.slot.take()
    }
}

impl<A> Slot<A> {
    pub(crate) fn put(&self, answer: Result<A, ServeError>) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        self.bell.ring();
    }

    fn take(&self) -> Result<A, ServeError> {
        let answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner).take();
        // A future that is polled again has given its answer away.
        answer.unwrap_or(Err(ServeError::Lost))
    }
}

/// Waits until a bell rings, unless this thread is one that has to ring it, or that waits for it.
fn wait(bell: &Arc<Bell>, batcher: u64) -> Result<(), ServeError> {
    let waker = Waker::from(Arc::new(Waiting(thread::current())));
    let mut waits = None;
    while !bell.poll(&waker) {
        if let (Some(own), None) = (employer(), &waits) {
            if own.id == batcher {
                return Err(ServeError::OwnWorker);
            }
            waits = Some(Waits::begin(own, batcher, bell)?);
            continue;
        }
        thread::park();
    }
    Ok(())
}

impl<A> Future for Pending<A> {
    type Output = Result<A, ServeError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.slot.bell.poll(context.waker()) {
            true => Poll::Ready(self.slot.take()),
            false => Poll::Pending,
        }
    }
}

impl<A> fmt::Debug for Pending<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending").finish_non_exhaustive()
    }
}
