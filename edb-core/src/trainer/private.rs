//! Training that keeps its graphs private: DP-SGD (Abadi et al., 2016).

use super::{Reduction, TrainError, Trainer};
use crate::collective::{Collective, CollectiveError};
use crate::element::Element;
use crate::feed::Poisson;
use crate::learn::error::check_setting;
use crate::learn::{Accountant, LearnError, PrivateSteps};
use crate::secret::{Secret, SecretError};

/// Private training: what the parameters tell about any one training graph is bounded, whatever
/// else is known (Abadi et al., 2016, "Deep learning with differential privacy", algorithm 1).
///
/// In each step, the gradient of each graph is clipped to a norm; to their sum, noise of a Gaussian
/// is added. Minibatches must be those of [`poisson`](Self::poisson), and nothing else that is
/// computed from the graphs may be published: the book says what this includes.
///
/// ```
/// use edb_core::trainer::Private;
///
/// // 8,544 graphs, 256 in a minibatch on average, and an epsilon of at most 3 behind 1,000 steps.
/// let private = Private { clip: 0.5, ..Private::new(8544, 256)? }.for_epsilon(3.0, 1000)?;
/// assert!((private.noise - 1.53).abs() < 0.02);
/// let graphs_of_a_step: Vec<usize> = private.poisson().minibatch(0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Private {
    /// The 2-norm to which the gradient of each graph is clipped, of all parameters together that are
    /// not frozen.
    pub clip: f64,
    /// The deviation of the noise, by `clip`.
    pub noise: f64,
    /// How many training graphs there are.
    pub graphs: usize,
    /// How many of them are in a minibatch on average. Sums of gradients are divided by this number,
    /// since that of the graphs that are in a minibatch would tell something.
    pub minibatch: usize,
    /// The `delta` at which [`Step::epsilon`](super::Step::epsilon) is told.
    pub delta: f64,
    /// What the noise is drawn from.
    pub secret: Secret,
}

impl Private {
    /// Gradients clipped to 1, noise of 1, a `delta` of `graphs^-1.1`, and a secret of the operating
    /// system.
    ///
    /// # Errors
    /// When the operating system has no random numbers.
    pub fn new(graphs: usize, minibatch: usize) -> Result<Self, SecretError> {
        let delta = (graphs.max(2) as f64).powf(-1.1);
        Ok(Self { clip: 1.0, noise: 1.0, graphs, minibatch, delta, secret: Secret::new()? })
    }

    /// With the least noise that keeps `epsilon` within a bound for so many steps.
    ///
    /// # Errors
    /// When a setting or `epsilon` is out of range, or no noise is enough.
    pub fn for_epsilon(self, epsilon: f64, steps: u64) -> Result<Self, LearnError> {
        self.check()?;
        let noise = Accountant::noise_for(epsilon, self.delta, self.rate(), steps)?;
        Ok(Self { noise, ..self })
    }

    /// With the secret of rank 0, for ranks that train [together](Trainer::together): it travels as
    /// any message does, so that whoever can read these can tell what was drawn.
    ///
    /// ```
    /// use edb_core::collective::Alone;
    /// use edb_core::trainer::Private;
    ///
    /// let private = Private::new(8544, 256)?.shared(&Alone)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the message does not arrive.
    pub fn shared(self, world: &dyn Collective) -> Result<Self, CollectiveError> {
        let message = world.broadcast(self.secret.key().to_vec())?;
        let key = <[u8; 32]>::try_from(message).map_err(|message| CollectiveError::Message {
            rank: 0,
            what: format!("{} bytes in place of a secret", message.len()),
        })?;
        Ok(Self { secret: Secret::of(key), ..self })
    }

    /// The minibatches of a private training run, step by step.
    pub fn poisson(&self) -> Poisson {
        Poisson::new(self.graphs, self.minibatch, self.secret.clone())
    }

    /// The probability with which a graph is in a minibatch.
    pub fn rate(&self) -> f64 {
        self.poisson().rate()
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
        check("minibatch", minibatch as f64, "at least 1 and at most the number of graphs", within)
    }
}

impl<T: Element> Trainer<T> {
    /// Trains privately from the next step on, by DP-SGD: clips the gradient of each graph, adds
    /// noise, and keeps accounts of [`epsilon`](Self::epsilon). A setting that is out of range is an
    /// error of the first step, as is a [reduction](Self::reduction) by the number of vertices,
    /// which tells something about the graphs.
    ///
    /// A step may have no graph: give [`step_graphs`](Self::step_graphs) what
    /// [`poisson`](Private::poisson) gives.
    ///
    /// ```
    /// use edb_core::learn::{Adam, Optimizer};
    /// use edb_core::trainer::{Private, Trainer};
    /// # use edb_core::graph::Graph;
    /// # fn train(model: edb_core::model::Model, graphs: &[Graph]) -> Result<(), Box<dyn std::error::Error>> {
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
        self
    }

    /// The `epsilon` of all private steps so far, also of those before the
    /// [checkpoint](super::Checkpoint) that the trainer was resumed from, at the `delta` of the
    /// present [settings](Private); `None` if it does not train privately.
    pub fn epsilon(&self) -> Option<f64> {
        self.private.as_ref().map(|private| self.accountant.epsilon(private.delta))
    }

    /// The accounts of private training, to be asked at another `delta`.
    pub fn accountant(&self) -> &Accountant {
        &self.accountant
    }

    /// Checks the settings of private training, if there are some.
    pub(super) fn check_private(&self) -> Result<(), TrainError> {
        let Some(private) = &self.private else { return Ok(()) };
        let step = self.steps;
        private.check().map_err(|error| TrainError::Learn { step, error })?;
        match self.reduction {
            Reduction::MeanOfVertices => Err(TrainError::NotPrivate { step }),
            Reduction::MeanOfGraphs | Reduction::Sum => Ok(()),
        }
    }

    /// Enters a step into the accounts, if it was private.
    pub(super) fn account(&mut self) {
        if let Some(private) = &self.private {
            let (rate, noise) = (private.rate(), private.noise);
            self.accountant.add(PrivateSteps { rate, noise, steps: 1 });
        }
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
