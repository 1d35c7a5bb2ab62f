//! The settings of a batcher.

use std::fmt;
use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use edb_core::element::Element;
use edb_core::engine::{Engine, EngineError};
use edb_core::graph::{Graph, Minibatch, MinibatchError};
use edb_core::model::Model;

use crate::queue::Most;
use crate::worker::MakeEngine;

/// A [`Batcher`](crate::Batcher) before it is started.
#[must_use]
pub struct BatcherBuilder<T: Element = f32> {
    pub(crate) model: Arc<Model<T>>,
    pub(crate) workers: usize,
    pub(crate) make_engine: Box<MakeEngine<T>>,
    pub(crate) max_queued: Most,
    pub(crate) max_minibatch: Most,
    /// What is run before the first request.
    pub(crate) examples: Option<Result<Minibatch<T>, MinibatchError>>,
}

impl<T: Element> BatcherBuilder<T> {
    pub(crate) fn new(model: Arc<Model<T>>) -> Self {
        Self {
            model,
            workers: thread::available_parallelism().map_or(1, NonZero::get),
            make_engine: Box::new(|| Engine::with_threads(1)),
            max_queued: Most { graphs: 1024, vertices: 1 << 20 },
            max_minibatch: Most { graphs: 256, vertices: 1 << 16 },
            examples: None,
        }
    }

    /// Sets how many engines run at the same time, each on a thread of its own, with its own memory and
    /// packed weights. By default these are as many as the machine has cores.
    pub fn workers(mut self, count: usize) -> Self {
        self.workers = count;
        self
    }

    /// Sets how each worker makes its engine, on its own thread: with more threads, on another device,
    /// with a policy or a seed. By default it has one thread. All engines should compute alike: any of
    /// them may answer a request.
    pub fn engines(
        mut self,
        make: impl Fn() -> Result<Engine<T>, EngineError> + Send + Sync + 'static,
    ) -> Self {
        self.make_engine = Box::new(make);
        self
    }

    /// Sets the most requests that run together, and the most vertices of their graphs; by default 256,
    /// and 65,536. A graph with more vertices is refused. This bounds the memory of an engine, and for
    /// how long a request waits for those that came at the same time.
    pub fn max_minibatch(mut self, graphs: usize, vertices: usize) -> Self {
        self.max_minibatch = Most { graphs, vertices };
        self
    }

    /// Sets the most requests that wait, and the most vertices of their graphs; by default 1,024, and
    /// 1,048,576. Where they are exceeded a request is refused at once, so that those that are accepted
    /// do not wait for ever.
    pub fn max_queued(mut self, graphs: usize, vertices: usize) -> Self {
        self.max_queued = Most { graphs, vertices };
        self
    }

    /// The former name of [`max_minibatch`](Self::max_minibatch).
    #[deprecated(since = "0.3.0", note = "it is called `max_minibatch` now")]
    pub fn most_in_minibatch(self, graphs: usize, vertices: usize) -> Self {
        self.max_minibatch(graphs, vertices)
    }

    /// The former name of [`max_queued`](Self::max_queued).
    #[deprecated(since = "0.3.0", note = "it is called `max_queued` now")]
    pub fn most_queued(self, graphs: usize, vertices: usize) -> Self {
        self.max_queued(graphs, vertices)
    }

    /// Has each engine run these graphs together a few times before the first request comes: this
    /// allocates memory, packs weights (arranges them as products read them), and learns the policy,
    /// unless the engines are given one. Take some that are like the requests to come.
    pub fn warm_up<'g>(mut self, graphs: impl IntoIterator<Item = &'g Graph<T>>) -> Self {
        self.examples = Some(self.model.minibatch(graphs));
        self
    }
}

impl<T: Element> fmt::Debug for BatcherBuilder<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { workers, max_queued, max_minibatch, .. } = self;
        f.debug_struct("BatcherBuilder")
            .field("workers", workers)
            .field("max_queued", max_queued)
            .field("max_minibatch", max_minibatch)
            .finish_non_exhaustive()
    }
}
