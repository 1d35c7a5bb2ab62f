//! Training: a model, an engine and an optimiser that go through minibatches.

use std::time::Instant;

use crate::element::Element;
use crate::engine::{Engine, EngineError, Run, StepReport};
use crate::graph::Minibatch;
use crate::learn::{Gradients, LearnError, Optimizer};
use crate::model::Model;

/// Trains a model, minibatch by minibatch.
///
/// A step runs forward and backward, scales the gradient of the summed loss to the mean over the
/// minibatch's graphs, clips it if asked to, and updates the parameters. The same by hand is
/// [`Engine::forward`], [`Run::backward`], [`Gradients::scale`], [`Gradients::clip_norm`] and
/// [`Optimizer::update`].
#[derive(Debug)]
pub struct Trainer<T = f32> {
    model: Model<T>,
    engine: Engine<T>,
    optimizer: Box<dyn Optimizer<T>>,
    clip: Option<f64>,
    steps: u64,
    report: StepReport,
}

/// What a training step came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The sum of the losses of all vertices, before the update.
    pub loss: f64,
    /// The number of graphs that it is a sum over.
    pub graphs: usize,
    /// The 2-norm of the gradient of the mean loss, before clipping.
    pub gradient_norm: f64,
}

impl Step {
    /// The mean loss of a graph.
    pub fn mean_loss(&self) -> f64 {
        self.loss / self.graphs as f64
    }
}

/// Why a training step was not taken; the parameters are as before.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// The minibatch did not run.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A loss is not finite.
    #[error("step {step}: the loss of vertex {vertex} of graph {graph} (`{function}`) is {loss}")]
    Loss {
        /// The step, counted from 0.
        step: u64,
        /// The graph, by its place in the minibatch.
        graph: usize,
        /// The vertex, by its number in its graph.
        vertex: usize,
        /// Its function.
        function: String,
        /// Its loss.
        loss: f64,
    },
    /// The gradient could not be applied.
    #[error("step {step}: {error}")]
    Learn {
        /// The step, counted from 0.
        step: u64,
        /// What is wrong with the gradient or the optimiser.
        error: LearnError,
    },
}

impl<T: Element> Trainer<T> {
    /// A trainer on the calling thread.
    pub fn new(model: Model<T>, optimizer: impl Optimizer<T> + 'static) -> Self {
        let engine = Engine::new();
        Self {
            model,
            engine,
            optimizer: Box::new(optimizer),
            clip: None,
            steps: 0,
            report: StepReport::default(),
        }
    }

    /// Runs on this engine: with its threads, its policy and its seed.
    pub fn engine(mut self, engine: Engine<T>) -> Self {
        self.engine = engine;
        self
    }

    /// Clips the gradient of the mean loss to this 2-norm (Pascanu et al., 2013).
    pub fn clip_norm(mut self, max: f64) -> Self {
        self.clip = Some(max);
        self
    }

    /// Takes one step along the gradient of the minibatch's mean loss per graph.
    ///
    /// # Errors
    /// When the minibatch does not run, or a loss or a gradient is not finite. No parameter has
    /// changed then.
    pub fn step(&mut self, batch: &Minibatch<T>) -> Result<Step, TrainError> {
        let mut run = self.engine.forward(&self.model, batch, self.steps)?;
        let forward = Instant::now();
        let loss = run.loss();
        if !loss.is_finite()
            && let Some((graph, vertex, function, loss)) = run.first_loss_not_finite()
        {
            return Err(TrainError::Loss { step: self.steps, graph, vertex, function, loss });
        }
        let summed = forward.elapsed();
        let mut gradients: Gradients<T> = run.backward()?;
        let mut report = run.report();
        report.forward += summed;
        let update = Instant::now();
        let learn = |error| TrainError::Learn { step: self.steps, error };
        let gradient_norm = gradients.scale_and_norm(1.0 / batch.graph_count() as f64);
        // A norm is finite if all gradients are, but for sums that exceed the range.
        if !gradient_norm.is_finite() {
            gradients.check_finite().map_err(learn)?;
        }
        if let Some(max) = self.clip {
            gradients.clip_from(gradient_norm, max);
        }
        self.optimizer.update(&mut self.model.parameters, &gradients).map_err(learn)?;
        self.engine.recycle(gradients);
        self.steps += 1;
        report.update = update.elapsed();
        self.report = report;
        Ok(Step { loss, graphs: batch.graph_count(), gradient_norm })
    }

    /// What the last training step took.
    pub fn report(&self) -> StepReport {
        self.report
    }

    /// Runs a minibatch forward, without dropout and without a tape.
    ///
    /// # Errors
    /// When the minibatch does not run.
    pub fn infer<'a>(&'a mut self, batch: &'a Minibatch<T>) -> Result<Run<'a, T>, EngineError> {
        self.engine.infer(&self.model, batch)
    }

    /// The model.
    pub fn model(&self) -> &Model<T> {
        &self.model
    }

    /// The model, to be changed.
    pub fn model_mut(&mut self) -> &mut Model<T> {
        &mut self.model
    }

    /// The model, for good.
    pub fn into_model(self) -> Model<T> {
        self.model
    }

    /// The optimiser, to change its learning rate.
    pub fn optimizer_mut(&mut self) -> &mut dyn Optimizer<T> {
        self.optimizer.as_mut()
    }

    /// How many steps have been taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}
