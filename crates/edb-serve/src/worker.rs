//! A thread with an engine, which runs and answers what it takes from the queue.

use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError};

use tracing::debug_span;

use edb_core::element::Element;
use edb_core::engine::{Engine, EngineError};
use edb_core::graph::Minibatch;
use edb_core::model::{Blueprint, Model};
use edb_core::trace::TARGET;

use crate::counts::Answers;
use crate::error::{ServeError, caught};
use crate::queue::{Queue, Taken};

/// How often the examples of a warm-up run: on so many minibatches a policy is learned.
const WARM_UP_RUNS: usize = 4;

/// Makes an engine.
pub(crate) type MakeEngine<T> = dyn Fn() -> Result<Engine<T>, EngineError> + Send + Sync;

/// What a batcher and its workers share.
pub(crate) struct Shared<T: Element> {
    /// The batcher's id.
    pub(crate) id: u64,
    /// How many workers it has.
    pub(crate) workers: usize,
    pub(crate) queue: Queue<T>,
    pub(crate) answers: Arc<Answers>,
    pub(crate) make_engine: Box<MakeEngine<T>>,
    pub(crate) blueprint: Blueprint<T>,
    /// The model, with the newest parameters.
    pub(crate) model: Mutex<Arc<Model<T>>>,
}

impl<T: Element> Shared<T> {
    pub(crate) fn model(&self) -> Arc<Model<T>> {
        Arc::clone(&self.model.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The batcher whose worker a thread is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Employer {
    /// Its id.
    pub(crate) id: u64,
    /// How many workers it has.
    pub(crate) workers: usize,
}

thread_local! {
    /// That of this thread, if it is a worker.
    static EMPLOYER: Cell<Option<Employer>> = const { Cell::new(None) };
}

/// The batcher whose worker this thread is.
pub(crate) fn employer() -> Option<Employer> {
    EMPLOYER.get()
}

/// Whether this thread is a worker of this batcher.
pub(crate) fn works_for(batcher: u64) -> bool {
    employer().is_some_and(|own| own.id == batcher)
}

/// Without the last worker nothing is answered: what waits is told so, and what comes is refused.
impl<T: Element> Drop for Worker<T> {
    fn drop(&mut self) {
        self.shared.queue.leave();
    }
}

/// A thread with an engine.
pub(crate) struct Worker<T: Element> {
    shared: Arc<Shared<T>>,
    /// `None` if a panic has left it as it should not be.
    engine: Option<Engine<T>>,
}

impl<T: Element> Worker<T> {
    /// The worker that this thread is from now on, after it has run some examples.
    pub(crate) fn new(
        shared: Arc<Shared<T>>,
        examples: Option<&Minibatch<T>>,
    ) -> Result<Self, ServeError> {
        EMPLOYER.set(Some(Employer { id: shared.id, workers: shared.workers }));
        let mut engine = (shared.make_engine)()?;
        let model = shared.model();
        for batch in examples.into_iter().cycle().take(WARM_UP_RUNS) {
            engine.infer(&model, batch)?;
        }
        shared.queue.enter();
        Ok(Self { shared, engine: Some(engine) })
    }

    /// Answers requests until there are no more. Whatever panics, it goes on: what it has taken then is
    /// lost, and told so.
    pub(crate) fn run(mut self) {
        while let Some(taken) = self.shared.queue.take() {
            let answered = caught(|| {
                self.answer(taken);
                Ok(())
            });
            if answered.is_err() {
                self.engine = None;
            }
        }
    }

    /// Runs requests together and answers them. Where that fails, halves of them run by themselves, and
    /// so on, until the one that fails is alone.
    fn answer(&mut self, taken: Taken<T>) {
        let mut left = vec![taken];
        while let Some(mut taken) = left.pop() {
            let Err(error) = caught(|| self.run_together(&mut taken)) else { continue };
            let half = taken.answers.len() / 2;
            if half == 0 {
                if let Some(answer) = taken.answers.pop() {
                    answer.give(Err(error));
                }
                continue;
            }
            let batches = taken.batches.split_off(half);
            let answers = taken.answers.split_off(half);
            left.extend([Taken { batches, answers }, taken]);
        }
    }

    /// Runs requests as one minibatch, and answers them; none of them if it fails.
    fn run_together(&mut self, taken: &mut Taken<T>) -> Result<(), ServeError> {
        let Taken { batches, answers } = taken;
        let joined;
        let batch = match &batches[..] {
            [alone] => alone,
            several => {
                joined = Minibatch::joined(&several.iter().collect::<Vec<_>>())?;
                &joined
            }
        };
        let (graphs, vertices) = (batch.graph_count(), batch.vertex_count());
        let _span = debug_span!(target: TARGET, "serve", graphs, vertices).entered();
        let model = self.shared.model();
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => (self.shared.make_engine)()?,
        };
        let ran = engine.infer(&model, batch).map(|run| {
            for (graph, answer) in answers.drain(..).enumerate() {
                answer.give(run.graph(graph).map_err(ServeError::from));
            }
        });
        // Not after a panic.
        self.engine = Some(engine);
        Ok(ran?)
    }
}
