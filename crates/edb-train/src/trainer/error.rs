//! Why a training step was not taken.

use std::fmt;

use serde::{Deserialize, Serialize};

use edb_core::engine::{EngineError, GradientNotFinite, NotFinite};
use edb_core::graph::MinibatchError;
use edb_learn::collective::CollectiveError;
use edb_learn::learn::{LearnError, any_number};
use edb_learn::secret::SecretError;

/// Why a training step was not taken. The parameters have not changed.
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
        /// How many steps had been taken when the host last had the parameters. This is `step`, unless the device
        /// is lost with newer parameters.
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
    /// No function of the model has a loss, so there is nothing to minimise.
    #[error(
        "step {step}: no function of the model has a loss, so that nothing would be learned: call \
         `loss(..)` in one, or let graphs grow and give gradients with `GrowingStep::step_with`"
    )]
    NoLoss {
        /// The step, counted from 0.
        step: u64,
    },
    /// No vertex of the first step has a loss, so nothing would be learned from it, and the trainer does not
    /// [allow](super::Trainer::allow_unreached) this.
    #[error(
        "step {step}: no vertex of its graphs has a loss, so that nothing would be learned: are labels missing, \
         or the vertices that call `loss(..)`? `Trainer::allow_unreached` takes the step nevertheless"
    )]
    NoLabels {
        /// The step, counted from 0.
        step: u64,
    },
    /// No loss reaches some parameters, and the trainer does not [allow](super::Trainer::allow_unreached) this.
    #[error(
        "no loss reaches these parameters, so that they would keep the values with which they begin: \
         {parameters}; share them with the function that learns (`dims! {{ .. }}.share(..)`), freeze \
         them by a `Group`, or allow it by `Trainer::allow_unreached`"
    )]
    Unreached {
        /// The names of these parameters.
        parameters: String,
    },
    /// There is a memory budget, but it is not known before the graphs run how much memory they need.
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
        "step {step}: the loss of vertex {vertex} of graph {graph} (`{function}`) is {loss}{}{}",
        origin.as_ref().map_or_else(String::new, |origin| format!("; first, {origin}")),
        hint(large)
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
        /// The parameter with the largest values, if these are out of the ordinary.
        large: Option<Box<LargeParameter>>,
    },
    /// A gradient is not finite.
    #[error(
        "step {step}: {error}{}{}",
        origin.as_ref().map_or_else(String::new, |origin| format!("; first, {origin}")),
        hint(large)
    )]
    Gradient {
        /// The step, counted from 0.
        step: u64,
        /// The parameter whose gradient is not finite.
        #[source]
        error: Box<LearnError>,
        /// Where the first gradient that is not finite arose, if that is known.
        origin: Option<Box<GradientNotFinite>>,
        /// The parameter with the largest values, if these are out of the ordinary.
        large: Option<Box<LargeParameter>>,
    },
    /// All losses are finite, but their sum is not.
    #[error("step {step}: all losses are finite, but their sum is {sum}: scale them down")]
    SumOfLosses {
        /// The step, counted from 0.
        step: u64,
        /// The sum of the losses.
        sum: f64,
    },
    /// A loss or a gradient was not finite, but was finite when the device computed it again.
    #[error("step {step}: the device does not compute the same twice; is it sound?")]
    Unsteady {
        /// The step, counted from 0.
        step: u64,
    },
    /// Training is private, but the loss is divided by a number that tells something about the graphs.
    #[error(
        "step {step}: private training cannot divide the loss by the number of vertices, which depends on \
         the graphs: use `Reduction::MeanOfGraphs`"
    )]
    NotPrivate {
        /// The step, counted from 0.
        step: u64,
    },
    /// One sample is in a private step twice.
    #[error(
        "step {step}: graphs {first} and {second} are one sample, and private training clips the gradient \
         of each sample once: give a step each graph once"
    )]
    SampleTwice {
        /// The step, counted from 0.
        step: u64,
        /// The first place of the sample among the graphs of the step.
        first: usize,
        /// The second place of the sample.
        second: usize,
    },
    /// The operating system has no random numbers from which noise can be drawn.
    #[error("step {step}: {error}")]
    Secret {
        /// The step, counted from 0.
        step: u64,
        /// What is wrong.
        #[source]
        error: SecretError,
    },
    /// The method does not work for ranks that train together: their graphs are cut into shares before they grow.
    #[error(
        "step {step}: where ranks train together, graphs grow in `Trainer::grow_each_shared` or `Trainer::grow_shared`"
    )]
    NotShared {
        /// The step, counted from 0.
        step: u64,
    },
    /// Another rank could not take the step, so no rank takes it.
    #[error("step {step}, rank {rank}: {reason}")]
    Rank {
        /// The step, counted from 0.
        step: u64,
        /// The rank that has the error.
        rank: usize,
        /// Its error.
        reason: String,
    },
    /// Ranks that should train [together](crate::trainer::Trainer::distributed) do not train alike.
    #[error("rank {rank} cannot train together with rank 0: {}", differences.join("; "))]
    Differs {
        /// The first rank that differs from rank 0.
        rank: usize,
        /// How it differs.
        differences: Vec<String>,
    },
    /// The ranks cannot go on together. Some of them may have taken the step, but not all.
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

/// The magnitude beyond which values of a parameter are out of the ordinary: counts in a table may be thousands.
pub(super) const LARGE: f64 = 1e6;

/// The parameter with the largest values, where these are out of the ordinary: a loss or a gradient that is not finite
/// most often comes from steps that were too long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LargeParameter {
    /// Its name.
    pub parameter: String,
    /// The largest magnitude of its values that are not NaN.
    #[serde(with = "any_number")]
    pub magnitude: f64,
    /// Its learning rate in the step before; `None` if no step was taken. A parameter that is frozen, or whose rate is
    /// 0, is not named.
    #[serde(with = "any_number::option")]
    pub rate: Option<f64>,
}

impl fmt::Display for LargeParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { parameter, magnitude, rate } = self;
        write!(f, "the parameter `{parameter}` has values up to {magnitude:.0e}")?;
        match rate {
            Some(rate) => write!(f, ": was the learning rate ({rate:?}) too large?"),
            None => Ok(()),
        }
    }
}

fn hint(large: &Option<Box<LargeParameter>>) -> String {
    large.as_ref().map_or_else(String::new, |large| format!("; {large}"))
}

impl TrainError {
    /// Changes the places of graphs in this error. It came from running some graphs of a step, of which the first
    /// has the place `first` in the step. The error then names graphs by their places in the step.
    pub(super) fn of_graphs_from(self, first: usize) -> Self {
        match self {
            Self::Engine(EngineError::Minibatch(error)) => {
                Self::Minibatch(error.of_graphs_from(first))
            }
            Self::Engine(error) => Self::Engine(error.of_graphs_from(first)),
            error => error,
        }
    }

    /// Changes the places of graphs in an error of making a minibatch, as [`of_graphs_from`](Self::of_graphs_from)
    /// does.
    pub(super) fn of_minibatch_from(self, first: usize) -> Self {
        match self {
            Self::Minibatch(error) => Self::Minibatch(error.of_graphs_from(first)),
            error => error,
        }
    }
}
