//! A request: a checked graph, and what is done with its answer.

use std::time::Instant;

use edb_core::element::Element;
use edb_core::engine::GraphResults;
use edb_core::graph::Minibatch;
use edb_core::trace::TARGET;

use crate::error::{ServeError, caught};

/// A graph that has been checked, as a minibatch of its own, and what is done with its answer.
pub(crate) struct Request<T: Element> {
    pub(crate) batch: Minibatch<T>,
    pub(crate) answer: Answer<T>,
    /// When it came.
    pub(crate) submitted: Instant,
}

type Give<T> = dyn FnOnce(Result<GraphResults<'_, T>, ServeError>) + Send;

/// What is done with an answer: it is called once, with [`ServeError::Lost`] if nothing else happens.
pub(crate) struct Answer<T: Element>(Option<Box<Give<T>>>);

impl<T: Element> Answer<T> {
    pub(crate) fn new(
        give: impl FnOnce(Result<GraphResults<'_, T>, ServeError>) + Send + 'static,
    ) -> Self {
        Self(Some(Box::new(give)))
    }

    pub(crate) fn give(mut self, results: Result<GraphResults<'_, T>, ServeError>) {
        self.give_once(results);
    }

    /// The request has been refused: nothing is called.
    pub(crate) fn withdraw(mut self) {
        self.0 = None;
    }

    fn give_once(&mut self, results: Result<GraphResults<'_, T>, ServeError>) {
        let Some(give) = self.0.take() else { return };
        let given = caught(|| {
            give(results);
            Ok(())
        });
        if let Err(error) = given {
            // Who listens may panic, too: nobody is left then who could be told.
            _ = caught(|| {
                tracing::warn!(target: TARGET, %error, "a callback has panicked");
                Ok(())
            });
        }
    }
}

impl<T: Element> Drop for Answer<T> {
    fn drop(&mut self) {
        self.give_once(Err(ServeError::Lost));
    }
}
