//! Training that keeps its graphs private: DP-SGD (Abadi et al., 2016).

use std::collections::HashMap;

use super::error::TrainError;
use super::ledger::{Ledger, PrivateRun};
use super::step_graphs::StepGraphs;
use super::{Reduction, Trainer};
use crate::feed::Poisson;
use edb_core::engine::training;
use edb_core::graph::{FlatBatch, inside};
use edb_kernels::element::Element;
use edb_learn::collective::{Collective, CollectiveError};
use edb_learn::learn::error::check_setting;
use edb_learn::learn::privacy::{Grid, LEAST_DEVIATION, LEAST_NOISE_PER_GRAPH, MOST_DEVIATION};
use edb_learn::learn::{Accountant, LearnError, PrivateSteps};
use edb_learn::secret::{Secret, SecretError, from_bytes, of_run, same, to_bytes};

/// Private training: it bounds how much the parameters tell about any one training graph, even to someone who knows
/// everything else (Abadi et al., 2016, "Deep learning with differential privacy", algorithm 1).
///
/// In each step, the gradient of each graph is clipped to a norm, and Gaussian noise is added to the sum. Minibatches
/// must be those of [`poisson`](Self::poisson). Nothing else that is computed from the graphs may be published: the
/// book says what this includes.
///
/// It cannot be cloned, so that each training run has its own secret.
///
/// ```
/// # extern crate edb_train as edb;
/// use edb::trainer::Private;
///
/// // 8,544 graphs, 256 in a minibatch on average, and an epsilon of at most 3 after 1,000 steps.
/// let private = Private { clip: 0.5, ..Private::new(8544, 256)? }.for_epsilon(3.0, 1000)?;
/// assert!((private.noise - 1.53).abs() < 0.02);
/// let graphs_of_a_step: Vec<usize> = private.poisson().minibatch(0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Private {
    /// The 2-norm to which the gradient of each graph is clipped. It is the norm over all parameters together that
    /// are not frozen.
    pub clip: f64,
    /// The standard deviation of the noise, divided by `clip`.
    pub noise: f64,
    /// How many training graphs there are.
    pub graphs: usize,
    /// How many graphs are in a minibatch on average. Sums of gradients are divided by this number. The actual
    /// number of graphs in a minibatch is not used, since it would tell something about the graphs.
    pub minibatch: usize,
    /// The `delta` for which [`Step::epsilon`](super::Step::epsilon) is computed.
    pub delta: f64,
    /// The secret from which minibatches and noise are drawn. Two runs never draw the same noise.
    pub secret: Secret,
}

impl Private {
    /// Gradients are clipped to 1, the noise is 1, `delta` is `graphs^-1.1`, and the secret comes from the operating
    /// system.
    ///
    /// # Errors
    /// When the operating system has no random numbers.
    pub fn new(graphs: usize, minibatch: usize) -> Result<Self, SecretError> {
        let delta = (graphs.max(2) as f64).powf(-1.1);
        Ok(Self { clip: 1.0, noise: 1.0, graphs, minibatch, delta, secret: Secret::new()? })
    }

    /// Chooses the least noise with which `epsilon` is at most the given bound after `steps` steps.
    ///
    /// # Errors
    /// When a setting or `epsilon` is out of range, or no noise is enough.
    pub fn for_epsilon(self, epsilon: f64, steps: u64) -> Result<Self, LearnError> {
        self.check()?;
        let noise = Accountant::noise_for(epsilon, self.delta, self.rate(), steps)?;
        Ok(Self { noise, ..self })
    }

    /// Takes the secret of rank 0, for ranks that train [together](Trainer::distributed). The secret is sent like any
    /// other message, so whoever can read the messages can find out what was drawn.
    ///
    /// ```
    /// # mod edb { pub use edb_core::{*, graph::Graph, model::Model}; pub use edb_train::{*, trainer::Trainer}; }
    /// use edb::collective::Alone;
    /// use edb::trainer::Private;
    ///
    /// let private = Private::new(8544, 256)?.shared(&Alone)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the message does not arrive.
    pub fn shared(self, world: &dyn Collective) -> Result<Self, CollectiveError> {
        Ok(Self { secret: shared(world, &self.secret)?, ..self })
    }

    /// The minibatches of a private training run, step by step.
    pub fn poisson(&self) -> Poisson {
        Poisson::new(self.graphs, self.minibatch, same(&self.secret))
    }

    /// The probability with which a graph is in a minibatch.
    pub fn rate(&self) -> f64 {
        self.poisson().rate()
    }

    /// The grid to which gradients are rounded.
    pub(super) fn grid(&self) -> Grid {
        Grid::new(self.clip, self.noise)
    }

    /// # Errors
    /// For the first setting that is out of range.
    fn check(&self) -> Result<(), LearnError> {
        let check =
            |setting, value, range, valid| check_setting("Private", setting, value, range, valid);
        let Self { clip, noise, graphs, minibatch, delta, .. } = *self;
        check("clip", clip, "positive and finite", clip > 0.0 && clip.is_finite())?;
        check("noise", noise, "finite and not negative", noise >= 0.0 && noise.is_finite())?;
        check("delta", delta, "in (0, 1)", delta > 0.0 && delta < 1.0)?;
        let within = (1..=graphs).contains(&minibatch);
        check(
            "minibatch",
            minibatch as f64,
            "at least 1 and at most the number of graphs",
            within,
        )?;
        let deviation = if noise > 0.0 { noise * clip } else { clip };
        let within = (LEAST_DEVIATION..=MOST_DEVIATION).contains(&deviation);
        check("clip times the noise", deviation, "at least 1e-250 and at most 1e250", within)?;
        self.check_graphs(minibatch)
    }

    /// Checks that a minibatch may have this many graphs.
    ///
    /// # Errors
    /// When there are fewer training graphs, or the sum of the gradients would not be exact.
    fn check_graphs(&self, count: usize) -> Result<(), LearnError> {
        let (owner, setting) = ("a private step", "number of graphs");
        let within = count <= self.graphs;
        check_setting(owner, setting, count as f64, "at most `Private::graphs`", within)?;
        let exact = self.noise == 0.0 || self.noise >= count as f64 * LEAST_NOISE_PER_GRAPH;
        let range = "0, or at least 2.4e-7 times the number of graphs of a minibatch";
        check_setting("Private", "noise", self.noise, range, exact)
    }
}

/// Returns the secret of rank 0 on all ranks. `own` is the secret of this rank.
fn shared(world: &dyn Collective, own: &Secret) -> Result<Secret, CollectiveError> {
    let message = world.broadcast(to_bytes(own))?;
    from_bytes(&message).ok_or_else(|| CollectiveError::Message {
        rank: 0,
        what: format!("{} bytes in place of a secret", message.len()),
    })
}

impl<T: Element> Trainer<T> {
    /// Trains privately from the next step on, by DP-SGD: clips the gradient of each graph, adds noise, and keeps
    /// accounts of [`epsilon`](Self::epsilon). The first step returns an error if a setting is out of range, or if
    /// the [reduction](Self::reduction) divides by the number of vertices, which tells something about the graphs.
    /// Every step returns an error if a graph is in it twice, or a graph and a clone of it to which nothing was
    /// added.
    ///
    /// A step may have no graph: always pass the graphs of [`poisson`](Private::poisson) to
    /// [`step_graphs`](Self::step_graphs), even if there are none.
    ///
    /// ```
    /// # mod edb { pub use edb_core::{*, graph::Graph, model::Model}; pub use edb_train::{*, trainer::Trainer}; }
    /// use edb::learn::{Adam, Optimizer};
    /// use edb::Trainer;
    /// use edb::trainer::Private;
    /// # use edb::Graph;
    /// # fn train(model: edb::Model, graphs: &[Graph]) -> Result<(), Box<dyn std::error::Error>> {
    /// let private = Private { clip: 0.5, ..Private::new(graphs.len(), 256)? }.for_epsilon(3.0, 1000)?;
    /// let minibatches = private.poisson();
    /// let mut trainer = Trainer::new(model, Adam::new(1e-3)).private(private);
    /// while trainer.steps() < 1000 {
    ///     let minibatch = minibatches.minibatch(trainer.steps());
    ///     let step = trainer.step_graphs(minibatch.iter().map(|number| &graphs[*number]))?;
    ///     println!("epsilon {:.2}", step.epsilon.unwrap_or(0.0));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn private(mut self, private: Private) -> Self {
        self.private = Some(private);
        (self.private_run, self.drawn) = (None, 0);
        self.keep_rows_apart();
        if let Some(ranks) = &mut self.distributed {
            ranks.met = false;
        }
        self
    }

    /// In private training, no graph may change any bit of what other graphs add to a sum. Tells the back end so.
    pub(super) fn keep_rows_apart(&mut self) {
        if self.private.is_some() {
            training::keep_rows_apart(&mut self.engine);
        }
    }

    /// The `epsilon` of all steps so far, for the `delta` of the current [settings](Private); `None` if training is
    /// not private.
    ///
    /// It counts three kinds of steps: the steps of this trainer, the steps before the
    /// [checkpoint](super::Checkpoint) from which it was resumed, and the steps of branches that were left. Those are
    /// steps that the trainer had taken before it went back to an earlier checkpoint, and steps of other checkpoints
    /// in the same folder. `epsilon` is infinite if one of all these steps was not private. To begin with parameters
    /// that were trained on public data, load them into a new model
    /// ([`Model::load`](edb_core::model::Model::load)).
    ///
    /// A checkpoint also has the steps of the other checkpoints in its folder:
    /// [`Saved::epsilon`](super::Saved::epsilon) counts them all.
    pub fn epsilon(&self) -> Option<f64> {
        self.private.as_ref().map(|private| self.accountant.epsilon(private.delta))
    }

    /// The accounts of all steps. Use them to compute `epsilon` for another `delta`. Steps that were not private have
    /// a noise of 0 there.
    pub fn accountant(&self) -> &Accountant {
        &self.accountant
    }

    /// If training is private, checks its settings for a step of this many graphs.
    pub(super) fn check_private(&self, graphs: usize) -> Result<(), TrainError> {
        let Some(private) = &self.private else { return Ok(()) };
        let step = self.steps;
        let checked = private.check().and_then(|()| private.check_graphs(graphs));
        checked.map_err(|error| TrainError::Learn { step, error })?;
        match self.reduction {
            Reduction::MeanOfVertices => Err(TrainError::NotPrivate { step }),
            Reduction::MeanOfGraphs | Reduction::Sum => Ok(()),
        }
    }

    /// Checks that no sample is in a private step twice: its two gradients would be clipped separately, and
    /// `epsilon` would be too small. A sample is a graph. A clone of it is the same sample, as long as nothing is
    /// added to the clone. Two graphs with equal content are two samples, and so are two graphs that grow.
    pub(super) fn check_samples(&self, graphs: &StepGraphs<'_, '_, T>) -> Result<(), TrainError> {
        if self.private.is_none() {
            return Ok(());
        }
        let mut first = HashMap::new();
        let mut check = |place: usize, identity: (u64, usize)| match first.insert(identity, place) {
            Some(first) if first != place => {
                Err(TrainError::SampleTwice { step: self.steps, first, second: place })
            }
            _ => Ok(()),
        };
        match graphs {
            StepGraphs::Minibatches(batches) => {
                let mut before = 0;
                for batch in *batches {
                    let mut identities = FlatBatch::of(batch).identities();
                    identities.try_for_each(|(place, of)| check(before + place, of))?;
                    before += batch.graph_count();
                }
                Ok(())
            }
            StepGraphs::Graphs(graphs) => {
                (graphs.iter().enumerate()).try_for_each(|(place, of)| {
                    inside::identities(of).try_for_each(|of| check(place, of))
                })
            }
            // Each graph is made for this step, so it is in it once.
            StepGraphs::Made { .. } => Ok(()),
        }
    }

    /// If training is private and no private run has begun, begins one. Rank 0 draws its secret for all ranks.
    pub(super) fn begin_private(&mut self) -> Result<(), TrainError> {
        let (Some(private), None) = (&self.private, &self.private_run) else { return Ok(()) };
        let step = self.steps;
        let own = of_run(&private.secret).map_err(|error| TrainError::Secret { step, error });
        let Some(ranks) = &mut self.distributed else {
            self.private_run = Some(PrivateRun::new(own?));
            return Ok(());
        };
        // Only rank 0 needs random numbers. If it has none, it sends an empty message instead of a secret, and no
        // rank goes on.
        let world = ranks.world.clone();
        let own = match (world.rank(), own) {
            (0, Err(error)) => {
                let told = world.broadcast(Vec::new());
                let what = "nothing in place of a secret".to_owned();
                ranks.broken = told.err().or(Some(CollectiveError::Message { rank: 0, what }));
                return Err(error);
            }
            (_, own) => own.unwrap_or_else(|_| same(&private.secret)),
        };
        let secret = shared(&*world, &own).map_err(|error| {
            ranks.broken = Some(error.clone());
            TrainError::Collective { step, error }
        })?;
        self.private_run = Some(PrivateRun::new(secret));
        Ok(())
    }

    /// Enters the step that is about to be taken into the accounts.
    pub(super) fn account(&mut self) {
        let (run, taken) = match (&self.private, &self.private_run) {
            (Some(private), Some(run)) => {
                // If the trainer went back, the minibatch of this step was drawn before and is used again. Then
                // the random choice of its graphs protects nothing, so the step counts with a rate of 1.
                let is_drawn = self.steps < self.drawn;
                let rate = if is_drawn { 1.0 } else { private.rate() };
                self.drawn = self.drawn.max(self.steps + 1);
                (run.name.as_str(), PrivateSteps { rate, noise: private.noise, steps: 1 })
            }
            _ => ("", PrivateSteps::plain(1)),
        };
        self.ledger.enter(run, taken);
        self.accountant.enter(taken);
    }

    /// Adds the steps of another ledger to the accounts.
    pub(super) fn know(&mut self, others: &Ledger) {
        self.ledger.merge(others);
        self.accountant = self.ledger.accountant();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_checked() {
        let good = || Private::new(100, 10).unwrap();
        good().check().unwrap();
        assert_eq!((good().rate(), good().delta), (0.1, 100_f64.powf(-1.1)));
        let wrong = [
            (
                Private { clip: 0.0, ..good() },
                "the clip of Private is 0; it must be positive and finite",
            ),
            (
                Private { noise: f64::NAN, ..good() },
                "the noise of Private is NaN; it must be finite and not negative",
            ),
            (Private { delta: 1.0, ..good() }, "the delta of Private is 1; it must be in (0, 1)"),
            (
                Private { minibatch: 101, ..good() },
                "the minibatch of Private is 101; it must be at least 1 and at most the number of graphs",
            ),
        ];
        for (private, expected) in wrong {
            assert_eq!(private.check().unwrap_err().to_string(), expected);
        }
    }
}
