//! Why a training step was not taken.

use edb_core::engine::{EngineError, GradientNotFinite, NotFinite};
use edb_core::graph::MinibatchError;
use edb_learn::collective::CollectiveError;
use edb_learn::learn::LearnError;
use edb_learn::secret::SecretError;

/// Why a training step was not taken; the parameters are as before.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// The minibatch did not run.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The device that holds the parameters could not take the step, or failed.
    #[error(
        "step {step}: {error}; {}",
        match kept == step {
            true => "the parameters are those from before it".into(),
            false => format!(
                "the parameters are lost: load a checkpoint (the host last had those from before step \
                 {kept})"
            ),
        }
    )]
    Device {
        /// The step, counted from 0.
        step: u64,
        /// How many steps had been taken when the host last had the parameters: `step`, unless the
        /// device is lost with newer ones.
        kept: u64,
        /// What is wrong with the device.
        #[source]
        error: EngineError,
    },
    /// The graphs do not form a minibatch.
    #[error(transparent)]
    Minibatch(#[from] MinibatchError),
    /// No minibatch was given.
    #[error("step {step}: there is no minibatch to take a step along")]
    Nothing {
        /// The step, counted from 0.
        step: u64,
    },
    /// There is nothing to minimise.
    #[error(
        "step {step}: no function of the model has a loss, so that nothing would be learned: call \
         `loss(..)` in one, or let graphs grow and give gradients with `GrowingStep::step_with`"
    )]
    NoLoss {
        /// The step, counted from 0.
        step: u64,
    },
    /// No loss reaches some parameters, and the trainer [refuses](super::Trainer::refuse_unreached) that.
    #[error(
        "no loss reaches these parameters, so that they would keep the values with which they begin: \
         {parameters}; share them with the function that learns (`dims! {{ .. }}.share(..)`), or freeze \
         them by a `Group`"
    )]
    Unreached {
        /// Their names.
        parameters: String,
    },
    /// Graphs cannot be split by the memory that they are going to take.
    #[error(
        "step {step}: how much memory the vertices of `{function}` need is known when they have run, since \
         they decide how they go on; so there can be no `memory_budget`: give fewer graphs to a step, or \
         minibatches of few graphs to `step_over`"
    )]
    Budget {
        /// The step, counted from 0.
        step: u64,
        /// The function.
        function: String,
    },
    /// A loss is not finite.
    #[error(
        "step {step}: the loss of vertex {vertex} of graph {graph} (`{function}`) is {loss}{}",
        origin.as_ref().map_or_else(String::new, |origin| format!("; first, {origin}"))
    )]
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
        /// Where the first value that is not finite arose, if that is known.
        origin: Option<Box<NotFinite>>,
    },
    /// A gradient is not finite.
    #[error(
        "step {step}: {error}{}",
        origin.as_ref().map_or_else(String::new, |origin| format!("; first, {origin}"))
    )]
    Gradient {
        /// The step, counted from 0.
        step: u64,
        /// The parameter whose gradient is not finite.
        #[source]
        error: Box<LearnError>,
        /// Where the first gradient that is not finite arose, if that is known.
        origin: Option<Box<GradientNotFinite>>,
    },
    /// All losses are finite, but their sum is not.
    #[error("step {step}: all losses are finite, but their sum is {sum}: scale them down")]
    SumOfLosses {
        /// The step, counted from 0.
        step: u64,
        /// The sum.
        sum: f64,
    },
    /// A loss or a gradient was not finite, but is finite when the device computes it again.
    #[error("step {step}: the device does not compute the same twice; is it sound?")]
    Unsteady {
        /// The step, counted from 0.
        step: u64,
    },
    /// The loss is divided by a number that tells something about the graphs.
    #[error(
        "step {step}: private training cannot divide the loss by the number of vertices, which depends on \
         the graphs: use `Reduction::MeanOfGraphs`"
    )]
    NotPrivate {
        /// The step, counted from 0.
        step: u64,
    },
    /// A sample is in a private step twice.
    #[error(
        "step {step}: graphs {first} and {second} are one sample, and private training clips the gradient \
         of each sample once: give a step each graph once"
    )]
    SampleTwice {
        /// The step, counted from 0.
        step: u64,
        /// The sample, by its place among the graphs of the step.
        first: usize,
        /// Where it is again.
        second: usize,
    },
    /// There is nothing to draw noise from.
    #[error("step {step}: {error}")]
    Secret {
        /// The step, counted from 0.
        step: u64,
        /// What is wrong.
        #[source]
        error: SecretError,
    },
    /// Graphs that grow are cut into shares before they do.
    #[error(
        "step {step}: where ranks train together, graphs grow in `Trainer::grow_each_shared` or `Trainer::grow_shared`"
    )]
    NotShared {
        /// The step, counted from 0.
        step: u64,
    },
    /// Another rank could not take the step, which then none takes.
    #[error("step {step}, rank {rank}: {reason}")]
    Rank {
        /// The step, counted from 0.
        step: u64,
        /// The rank that has the error.
        rank: usize,
        /// Its error.
        reason: String,
    },
    /// Ranks that are to train [together](crate::trainer::Trainer::together) do not train alike.
    #[error("rank {rank} cannot train together with rank 0: {}", differences.join("; "))]
    Differs {
        /// The first rank that differs from rank 0.
        rank: usize,
        /// How it differs.
        differences: Vec<String>,
    },
    /// The ranks could not go on together; where the step was taken by some, it was not by all.
    #[error("step {step}: {error}; continue from a checkpoint")]
    Collective {
        /// The step, counted from 0.
        step: u64,
        /// What is wrong.
        #[source]
        error: CollectiveError,
    },
    /// The gradient could not be applied.
    #[error("step {step}: {error}")]
    Learn {
        /// The step, counted from 0.
        step: u64,
        /// What is wrong with the gradient or the optimiser.
        #[source]
        error: LearnError,
    },
}

edb_kernels::debug_is_display!(TrainError);

impl TrainError {
    /// The error of running some of the graphs of a step, of which the first has this place: it
    /// names graphs by their places among all.
    pub(super) fn of_graphs_from(self, first: usize) -> Self {
        match self {
            Self::Engine(EngineError::Minibatch(error)) => {
                Self::Minibatch(error.of_graphs_from(first))
            }
            Self::Engine(error) => Self::Engine(error.of_graphs_from(first)),
            error => error,
        }
    }

    /// The same for the error of making a minibatch.
    pub(super) fn of_minibatch_from(self, first: usize) -> Self {
        match self {
            Self::Minibatch(error) => Self::Minibatch(error.of_graphs_from(first)),
            error => error,
        }
    }
}
