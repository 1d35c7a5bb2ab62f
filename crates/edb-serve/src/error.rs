//! Why a request is not answered, or a batcher does not start.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use edb_core::engine::EngineError;
use edb_core::graph::{GraphError, MinibatchError};

/// Why a request is not answered, or a [`Batcher`](crate::Batcher) does not start.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The graph of a request has no vertices.
    #[error("the graph has no vertices: add some before it is submitted")]
    EmptyGraph,
    /// The graph of a request is of another model.
    #[error("the graph was made by another model: make it with `graph` of the batcher's model")]
    ForeignGraph,
    /// A vertex of a request breaks a rule.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The graph of a request has more vertices than one minibatch, or the queue, may have.
    #[error(
        "the graph has {vertices} vertices, and a request may have {most}: make it smaller, or allow \
         more with `max_minibatch` and `max_queued`"
    )]
    TooLarge {
        /// Its vertices.
        vertices: usize,
        /// The most that a request may have.
        most: usize,
    },
    /// The queue is full.
    #[error(
        "{graphs} requests of {vertices} vertices wait, and there is no room for this one: try again \
         later, or allow more with `max_queued`"
    )]
    Full {
        /// The requests that wait.
        graphs: usize,
        /// The vertices of their graphs.
        vertices: usize,
    },
    /// The batcher has been closed.
    #[error("the batcher is closed, and takes no more requests")]
    Closed,
    /// An answer was waited for on the thread that has to compute it.
    #[error(
        "a callback waits for an answer of the batcher that has called it, so that its engine never \
         gets to compute it: use `ask_then` there"
    )]
    OwnWorker,
    /// An answer was waited for on threads that all wait for one another.
    #[error(
        "callbacks of several batchers wait for one another's answers, and no worker is left that could \
         compute them: use `ask_then` in callbacks"
    )]
    Circle,
    /// A minibatch did not run, or a result is not what was asked for; or parameters do not fit.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The function that reads the answer has panicked, or what runs minibatches, such as a policy
    /// of one's own.
    #[error("a panic has ended this request: {message}")]
    Panicked {
        /// What the panic said.
        message: String,
    },
    /// The batcher has not started, since the function that makes its engines panicked, or a run to warm up did.
    #[error(
        "the batcher has not started, since the function of `engines` or a run to warm up has panicked: {message}"
    )]
    NotStarted {
        /// The message of the panic.
        message: String,
    },
    /// Nothing is left that could answer the request.
    #[error("the request was lost with the thread that had it: this is an error in edb")]
    Lost,
    /// A setting is zero.
    #[error("a batcher needs {what}: 0 were given")]
    Zero {
        /// What there must be one of, at least.
        what: &'static str,
    },
    /// A thread could not be started.
    #[error("a thread for an engine could not be started: {0}")]
    Threads(#[source] io::Error),
}

edb_kernels::debug_is_display!(ServeError);

impl From<MinibatchError> for ServeError {
    fn from(error: MinibatchError) -> Self {
        match error {
            MinibatchError::EmptyGraph { .. } => Self::EmptyGraph,
            MinibatchError::ForeignGraph { .. } => Self::ForeignGraph,
            MinibatchError::Graph { error, .. } => Self::Graph(error),
            error => Self::Engine(error.into()),
        }
    }
}

/// Does something that may panic.
pub(crate) fn caught<R>(work: impl FnOnce() -> Result<R, ServeError>) -> Result<R, ServeError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panicked(panic)))
}

#[cold]
fn panicked(panic: Box<dyn Any + Send>) -> ServeError {
    let message = match panic.downcast::<String>() {
        Ok(message) => *message,
        Err(panic) => match panic.downcast::<&'static str>() {
            Ok(message) => (*message).to_owned(),
            Err(panic) => {
                // Its destructor might panic, too.
                std::mem::forget(panic);
                "it says nothing".to_owned()
            }
        },
    };
    ServeError::Panicked { message }
}
