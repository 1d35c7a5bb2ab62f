//! The requests that wait, and which of them an engine takes.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use edb_core::element::Element;
use edb_core::graph::Minibatch;

use crate::counts::Counts;
use crate::error::ServeError;
use crate::request::{Answer, Request};

/// The most graphs, and the most vertices in them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Most {
    pub(crate) graphs: usize,
    pub(crate) vertices: usize,
}

/// Requests that an engine has taken, to run them together.
pub(crate) struct Taken<T: Element> {
    pub(crate) batches: Vec<Minibatch<T>>,
    pub(crate) answers: Vec<Answer<T>>,
}

/// The requests that wait, the first in front.
pub(crate) struct Queue<T: Element> {
    waiting: Mutex<Waiting<T>>,
    /// That requests have come, or that there will be none.
    news: Condvar,
    most: Most,
    max_minibatch: Most,
}

struct Waiting<T: Element> {
    requests: VecDeque<Request<T>>,
    vertices: usize,
    /// The engines that wait for requests.
    idle: usize,
    /// The workers that there are.
    workers: usize,
    closed: bool,
    counts: Counts,
}

impl<T: Element> Queue<T> {
    pub(crate) fn new(most: Most, max_minibatch: Most) -> Self {
        let waiting = Waiting {
            requests: VecDeque::new(),
            vertices: 0,
            idle: 0,
            workers: 0,
            closed: false,
            counts: Counts::default(),
        };
        Self { waiting: Mutex::new(waiting), news: Condvar::new(), most, max_minibatch }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting<T>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fails if there is no room for a request of so many vertices.
    pub(crate) fn check(&self, vertices: usize) -> Result<(), ServeError> {
        self.check_locked(&self.lock(), vertices)
    }

    fn check_locked(&self, waiting: &Waiting<T>, vertices: usize) -> Result<(), ServeError> {
        let most = self.most.vertices.min(self.max_minibatch.vertices);
        if waiting.closed {
            return Err(ServeError::Closed);
        }
        if vertices > most {
            return Err(ServeError::TooLarge { vertices, most });
        }
        let graphs = waiting.requests.len();
        if graphs == self.most.graphs || waiting.vertices + vertices > self.most.vertices {
            return Err(ServeError::Full { graphs, vertices: waiting.vertices });
        }
        Ok(())
    }

    /// Appends a request, unless there is no room for it.
    pub(crate) fn push(&self, request: Request<T>) -> Result<(), ServeError> {
        let vertices = request.batch.vertex_count();
        let mut waiting = self.lock();
        if let Err(error) = self.check_locked(&waiting, vertices) {
            // What the request drops may be a user's, and submit others.
            drop(waiting);
            request.answer.withdraw();
            return Err(error);
        }
        waiting.vertices += vertices;
        waiting.requests.push_back(request);
        if waiting.idle > 0 {
            self.news.notify_one();
        }
        Ok(())
    }

    /// Waits for requests, and takes those that are there: all, up to the bounds of a minibatch, or an
    /// even share if other engines wait, too. `None` once it is closed and empty.
    pub(crate) fn take(&self) -> Option<Taken<T>> {
        let mut waiting = self.lock();
        waiting.idle += 1;
        while waiting.requests.is_empty() && !waiting.closed {
            waiting = self.news.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        let share = waiting.requests.len().div_ceil(waiting.idle);
        waiting.idle -= 1;
        let taken = waiting.take(share.min(self.max_minibatch.graphs), self.max_minibatch);
        if waiting.idle > 0 && !waiting.requests.is_empty() {
            self.news.notify_one();
        }
        taken
    }

    /// There is one more worker.
    pub(crate) fn enter(&self) {
        self.lock().workers += 1;
    }

    /// There is one worker less. With the last one, the queue is closed, and what waits is lost.
    pub(crate) fn leave(&self) {
        let mut waiting = self.lock();
        waiting.workers -= 1;
        if waiting.workers > 0 {
            return;
        }
        waiting.closed = true;
        waiting.vertices = 0;
        let lost = std::mem::take(&mut waiting.requests);
        // What requests drop may be a user's, and submit others.
        drop(waiting);
        drop(lost);
    }

    /// Refuses requests from now on.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.news.notify_all();
    }

    /// Counts a request that was refused.
    pub(crate) fn count_refusal(&self, why: &ServeError) {
        let counts = &mut self.lock().counts;
        match why {
            ServeError::Closed => (),
            ServeError::Full { .. } => counts.refused_full += 1,
            _ => counts.refused_graphs += 1,
        }
    }

    /// What is counted here: all but the answers.
    pub(crate) fn counts(&self) -> Counts {
        let waiting = self.lock();
        Counts { queued: waiting.requests.len(), ..waiting.counts }
    }
}

impl<T: Element> Waiting<T> {
    fn take(&mut self, graphs: usize, most: Most) -> Option<Taken<T>> {
        let mut vertices = 0;
        let fits = |request: &&Request<T>| {
            vertices += request.batch.vertex_count();
            vertices <= most.vertices
        };
        let count = self.requests.iter().take(graphs).take_while(fits).count();
        let now = Instant::now();
        let waited = self.requests.iter().take(count).map(|request| now - request.submitted);
        waited.for_each(|time| self.counts.waited.add(time));
        let taken = self.requests.drain(..count);
        let (batches, answers): (Vec<_>, Vec<_>) =
            taken.map(|request| (request.batch, request.answer)).unzip();
        if batches.is_empty() {
            return None;
        }
        self.vertices -= batches.iter().map(Minibatch::vertex_count).sum::<usize>();
        self.counts.taken += batches.len() as u64;
        self.counts.minibatches += 1;
        Some(Taken { batches, answers })
    }
}
