//! The batcher: what a server calls.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use edb_core::element::Element;
use edb_core::engine::{EngineError, GraphResults};
use edb_core::graph::Graph;
use edb_core::learn::Parameters;
use edb_core::model::Model;
use edb_kernels::compiled_here;

use crate::builder::BatcherBuilder;
use crate::counts::Counts;
use crate::error::{ServeError, caught};
use crate::pending::Pending;
use crate::queue::Queue;
use crate::request::{Answer, Request};
use crate::worker::{Shared, Worker, works_for};

/// Answers requests that come from many threads: whenever an engine is free, it runs all that wait as
/// one minibatch.
///
/// Nothing waits for others to come: while an engine runs one minibatch, the next one gathers. So one
/// request on an idle server runs at once and alone, and the busier the server, the larger its
/// minibatches.
///
/// A request is a graph of the [model](Self::model), and a function `read` that reads its answer from
/// what has run; this function is called on the thread of an engine and returns what it takes along. The
/// graph is checked at once, on the thread that submits it, so that a wrong one is refused by itself.
/// An answer has the same bits as alone, whichever requests ran with it.
///
/// ```
/// use edb::prelude::*;
/// use edb::serve::Batcher;
///
/// #[derive(Input)]
/// struct Word { id: Index }
///
/// #[derive(Output)]
/// struct Scores { logits: Tensor }
///
/// #[vertex_function]
/// fn score(#[param(V, C)] table: Tensor) {
///     let Word { id } = pull();
///     push(Scores { logits: table.row(id) });
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut builder = ModelBuilder::new();
/// let score = builder.add::<score>(dims! { V: 9, C: 2 });
/// let model: Model = builder.build(1)?;
/// let batcher = Batcher::builder(model).start()?;
///
/// // On any thread:
/// let mut g = batcher.model().graph();
/// let word = g.add(&score, (), Word { id: Index(3) });
/// let sum = batcher.ask(&g, move |results| Ok(results.output(&score, word)?.logits.sum()))?;
/// assert!(sum.is_finite());
/// # Ok(())
/// # }
/// ```
///
/// Dropping it is [closing](Self::close) it.
pub struct Batcher<T: Element = f32> {
    shared: Arc<Shared<T>>,
    workers: Mutex<Vec<JoinHandle<()>>>,
}

impl<T: Element> BatcherBuilder<T> {
    /// Starts the threads, and waits until their engines are ready.
    ///
    /// # Errors
    /// When a setting is zero, a thread cannot be started, an engine cannot be made, or the warm-up
    /// fails.
    pub fn start(self) -> Result<Batcher<T>, ServeError> {
        start(self)
    }
}

impl<T: Element> Batcher<T> {
    /// A batcher of this model, to be set up and [started](BatcherBuilder::start).
    pub fn builder(model: impl Into<Arc<Model<T>>>) -> BatcherBuilder<T> {
        BatcherBuilder::new(model.into())
    }

    /// The model, with the newest parameters: what the graphs of requests are made with.
    pub fn model(&self) -> Arc<Model<T>> {
        self.shared.model()
    }

    /// Waits for the answer of a graph: what `read` returns.
    ///
    /// # Errors
    /// When the graph is refused: it is wrong, too large, or the queue is full; or the batcher is
    /// closed. When its run fails, or `read` does. In a callback of this batcher, whose thread would
    /// wait for itself; or of another one, if all threads that could answer would wait for one another.
    /// A callback that waits for a thread which asks is not seen: use [`ask_then`](Self::ask_then) there.
    pub fn ask<A: Send + 'static>(
        &self,
        graph: &Graph<T>,
        read: impl FnOnce(GraphResults<'_, T>) -> Result<A, EngineError> + Send + 'static,
    ) -> Result<A, ServeError> {
        self.ask_later(graph, read)?.wait()
    }

    /// The same without waiting: returns an answer to be awaited by any executor, or waited for.
    ///
    /// # Errors
    /// When the graph is refused; the rest of what [`ask`](Self::ask) lists is in the answer.
    pub fn ask_later<A: Send + 'static>(
        &self,
        graph: &Graph<T>,
        read: impl FnOnce(GraphResults<'_, T>) -> Result<A, EngineError> + Send + 'static,
    ) -> Result<Pending<A>, ServeError> {
        let (later, slot) = Pending::new(self.shared.id);
        self.ask_then(graph, read, move |answer| slot.put(answer))?;
        Ok(later)
    }

    /// The same with a callback: `then` is called with the answer, once, on the thread of an engine,
    /// which meanwhile runs nothing. It may submit other requests. Its panics are logged, and harm no
    /// other request.
    ///
    /// # Errors
    /// When the graph is refused: then `then` is not called.
    pub fn ask_then<A>(
        &self,
        graph: &Graph<T>,
        read: impl FnOnce(GraphResults<'_, T>) -> Result<A, EngineError> + Send + 'static,
        then: impl FnOnce(Result<A, ServeError>) + Send + 'static,
    ) -> Result<(), ServeError> {
        let submitted = Instant::now();
        let answers = Arc::clone(&self.shared.answers);
        let give = move |results: Result<GraphResults<'_, T>, ServeError>| {
            let answer = results.and_then(|results| caught(|| Ok(read(results)?)));
            // Before anybody knows the answer, so that whoever has it finds it counted.
            answers.count(submitted, answer.is_ok());
            then(answer);
        };
        submit(&self.shared, graph, Answer::new(give), submitted)
    }

    /// Other parameters for all requests that no engine has taken yet, such as those of a newer
    /// checkpoint. An answer is of either the older or the newer ones.
    ///
    /// # Errors
    /// When they are not those of this model.
    pub fn replace(&self, parameters: Parameters<T>) -> Result<(), ServeError> {
        replace(&self.shared, parameters)
    }

    /// What has been asked, refused and answered so far, how long that took, and what waits now.
    pub fn counts(&self) -> Counts {
        // The answers first, so that there are never more of them than requests that were taken.
        let answers = self.shared.answers.get();
        Counts { failed: answers.failed, took: answers.took, ..self.shared.queue.counts() }
    }

    /// Answers all that waits, and ends the threads; requests that come now are refused. Called in a
    /// callback, it does not wait for that.
    pub fn close(&self) {
        close(&self.shared, &self.workers);
    }
}

compiled_here! {
    /// Checks a request, and has it wait for an engine.
    fn submit(
        shared: &Shared<T>,
        graph: &Graph<T>,
        answer: Answer<T>,
        submitted: Instant,
    ) -> Result<(), ServeError> {
        // First what takes no time, since this is how an overloaded server refuses most requests.
        let checked = shared.queue.check(graph.len());
        let checked = checked.and_then(|()| Ok(shared.blueprint.minibatch([graph])?));
        let accepted = match checked {
            Ok(batch) => shared.queue.push(Request { batch, answer, submitted }),
            Err(error) => {
                answer.withdraw();
                Err(error)
            }
        };
        accepted.inspect_err(|error| shared.queue.count_refusal(error))
    }
}

compiled_here! {
    fn replace(shared: &Shared<T>, parameters: Parameters<T>) -> Result<(), ServeError> {
        let newer = shared.model().with_parameters(parameters).map_err(EngineError::from)?;
        let mut model = shared.model.lock().unwrap_or_else(PoisonError::into_inner);
        let older = std::mem::replace(&mut *model, Arc::new(newer));
        drop(model);
        drop(older);
        Ok(())
    }
}

compiled_here! {
    fn close(shared: &Shared<T>, workers: &Mutex<Vec<JoinHandle<()>>>) {
        shared.queue.close();
        if works_for(shared.id) {
            return;
        }
        // Whoever closes it at the same time waits here for the threads to end.
        let mut workers = workers.lock().unwrap_or_else(PoisonError::into_inner);
        workers.drain(..).for_each(|worker| _ = worker.join());
    }
}

compiled_here! {
    /// Starts the threads, and waits until all have an engine that has run the examples.
    fn start(builder: BatcherBuilder<T>) -> Result<Batcher<T>, ServeError> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let BatcherBuilder { model, workers, make_engine, max_queued, max_minibatch, examples } =
            builder;
        for (number, what) in [
            (workers, "a worker, or more"),
            (max_queued.graphs.min(max_queued.vertices), "room for a request in its queue"),
            (
                max_minibatch.graphs.min(max_minibatch.vertices),
                "room for a request in its minibatches",
            ),
        ] {
            if number == 0 {
                return Err(ServeError::Zero { what });
            }
        }
        let shared = Arc::new(Shared {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            workers,
            queue: Queue::new(max_queued, max_minibatch),
            answers: Arc::default(),
            make_engine,
            blueprint: model.blueprint(),
            model: Mutex::new(model),
        });
        let examples = Arc::new(examples.transpose()?);
        // If something fails, dropping it ends the threads.
        let batcher = Batcher { shared, workers: Mutex::new(Vec::new()) };
        let (tell, started) = mpsc::channel();
        for number in 0..workers {
            let (shared, examples) = (Arc::clone(&batcher.shared), Arc::clone(&examples));
            let tell = tell.clone();
            let work = move || {
                let worker = caught(|| Worker::new(shared, (*examples).as_ref()));
                let worker = worker.map_err(|error| match error {
                    ServeError::Panicked { message } => ServeError::NotStarted { message },
                    error => error,
                });
                drop(examples);
                match worker {
                    Ok(worker) => {
                        _ = tell.send(Ok(()));
                        drop(tell);
                        worker.run();
                    }
                    Err(error) => _ = tell.send(Err(error)),
                }
            };
            let thread = thread::Builder::new().name(format!("edb-serve-{number}"));
            let thread = thread.spawn(work).map_err(ServeError::Threads)?;
            batcher.workers.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        }
        drop(tell);
        started.iter().collect::<Result<(), ServeError>>()?;
        Ok(batcher)
    }
}

impl<T: Element> Drop for Batcher<T> {
    fn drop(&mut self) {
        self.close();
    }
}

impl<T: Element> fmt::Debug for Batcher<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batcher").field("counts", &self.counts()).finish_non_exhaustive()
    }
}
