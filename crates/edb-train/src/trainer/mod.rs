//! Training: runs a model, an engine and an optimiser over minibatches.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `mod.rs` | the `Trainer`, and the result of a step, `Step` |
//! | `source.rs`, `step_graphs.rs` | what a step runs: minibatches, graphs, or graphs that grow |
//! | `step.rs`, `settings.rs` | how the parameters are updated |
//! | `each.rs`, `private.rs`, `ledger.rs` | steps that need the gradient of each graph, and the accounts of privacy |
//! | `growing.rs`, `grow_each.rs` | steps over graphs that grow |
//! | `distributed/`, `ranks.rs` | steps of several processes |
//! | `checkpoint/` | saves and resumes training runs |
//! | `reached.rs` | refuses parameters that no loss reaches, and a first step without any loss |
//! | `former.rs` | former names of methods |

mod checkpoint;
mod distributed;
mod each;
mod error;
mod former;
mod grow_each;
mod growing;
mod ledger;
mod policies;
mod private;
mod ranks;
mod reached;
mod settings;
mod source;
mod step;
mod step_graphs;
mod sums;

use smallvec::SmallVec;

pub use checkpoint::{
    Checkpoint, CheckpointError, Checkpoints, Resumed, Saved, SettingChange, Skipped,
};
pub use edb_learn::learn::Notes;
pub use error::{LargeParameter, TrainError};
pub use growing::GrowingStep;
pub use private::Private;

use checkpoint::lock::Locks;
use edb_core::engine::training::{self, check_owns};
use edb_core::engine::{Engine, EngineError, LossScale, Run, StepReport};
use edb_core::graph::{FlatBatch, Graph, Minibatch, MinibatchError};
use edb_core::model::Model;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_kernels::trace::TARGET;
use edb_learn::learn::{
    Accountant, Ema, GradientStatistics, Group, LearnError, Optimizer, Plateau, RateSchedule,
    StepOutcome,
};
use ledger::{Ledger, PrivateRun};
use ranks::Ranks;
use settings::Settings;
use step_graphs::StepGraphs;

/// Trains a model, minibatch by minibatch.
///
/// A step runs forward and backward, and updates the parameters with the gradient of the mean loss per graph, or
/// of another [`reduction`](Trainer::reduction). It clips the gradient if that is set. The manual equivalent is
/// [`Engine::forward`], [`Run::backward`], [`Gradients::scale`](edb_learn::learn::Gradients::scale),
/// [`Gradients::clip_norm`](edb_learn::learn::Gradients::clip_norm) and [`Optimizer::update`]. The trainer scales
/// and clips within the optimiser's pass over the parameters. Its step has the same bits as the manual step, unless
/// it clips a norm. Then there are two differences. The trainer multiplies a gradient once, by the product of two
/// factors, while the manual step rounds after each factor. And in small minibatches, gradients are kept as
/// [factors](edb_learn::learn::Gradient::Factors): the trainer computes the norm of the exact products, not of the
/// rounded products.
#[derive(Debug)]
pub struct Trainer<T = f32> {
    model: Model<T>,
    engine: Engine<T>,
    optimizer: Box<dyn Optimizer<T>>,
    settings: Settings,
    reduction: Reduction,
    ema: Option<Ema<T>>,
    /// The most bytes that the values of a minibatch may take.
    budget: Option<usize>,
    /// Memory for one part of a minibatch that is split. It is reused.
    part: Option<Minibatch<T>>,
    private: Option<Private>,
    /// The current run of private steps, if one has begun.
    private_run: Option<PrivateRun>,
    /// For how many steps minibatches may have been drawn already from the secret of `private`.
    drawn: u64,
    /// All steps by the run that took them. `accountant` has their privacy accounts.
    ledger: Ledger,
    accountant: Accountant,
    /// The gradient noise scale is measured once in every `noise_every` steps; never if it is 0.
    noise_every: u64,
    /// The ranks that train together, if this trainer is one of several ranks.
    distributed: Option<Ranks<T>>,
    /// Whether it resumes from checkpoints that were saved with other settings.
    accepts_changes: bool,
    /// The folders that it writes checkpoints to.
    locks: Locks,
    allows_unreached: bool,
    /// Whether a vertex of its first step may have had a loss.
    has_seen_loss: bool,
    steps: u64,
    report: StepReport,
}

/// How the losses of the vertices of a minibatch are reduced to the loss that is minimised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduction {
    /// The sum of the losses, divided by the number of graphs: a graph weighs as much as the sum of its losses.
    #[default]
    MeanOfGraphs,
    /// The sum of the losses, divided by the number of vertices that have had a loss. Each of these vertices has
    /// the same weight, and the size of a step does not grow with the size of the graphs. A vertex does not count
    /// if all of its losses are in branches that it has not taken.
    MeanOfVertices,
    /// The sum of the losses.
    Sum,
}

impl Reduction {
    /// The number by which the sum of the losses of a minibatch that has run is divided; 0 if it is not divided.
    fn terms<T: Element>(self, model: &Model<T>, batch: &FlatBatch) -> usize {
        match self {
            Self::MeanOfGraphs => batch.graph_count(),
            Self::MeanOfVertices => batch.vertices_with_loss(model.bound()),
            Self::Sum => 0,
        }
    }
}

/// The result of a training step.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The sum of the losses of all vertices, before the update.
    pub loss: f64,
    /// The number of graphs in this sum.
    pub graphs: usize,
    /// The number by which `loss` is divided to get the loss that is minimised. The
    /// [reduction](Trainer::reduction) decides: the number of graphs, the number of vertices with a loss, or 1.
    pub terms: usize,
    /// The 2-norm of the gradient of the loss that is minimised, before clipping, without frozen parameters.
    /// `None` if the step was skipped, or if neither clipping, nor the [guard](Trainer::skip_finite_check), nor a loss
    /// scale needed it.
    pub gradient_norm: Option<f64>,
    /// Whether the update was skipped, because a gradient overflowed under the
    /// [`loss_scale`](Trainer::loss_scale), which was then halved. This happens only in `f16`: mostly in the first
    /// steps, and then about once in [2000](LossScale::PATIENCE) steps. A skipped step counts in
    /// [`Trainer::steps`] and for schedules, but not for the optimiser.
    pub skipped: bool,
    /// The [`epsilon`](Trainer::epsilon) of all steps so far, if training is
    /// [private](Trainer::private).
    pub epsilon: Option<f64>,
    report: StepReport,
}

/// Compares results, not reports.
impl PartialEq for Step {
    fn eq(&self, other: &Self) -> bool {
        let sums = |step: &Self| (step.loss, step.graphs, step.terms);
        let result = |step: &Self| (sums(step), step.gradient_norm, step.skipped, step.epsilon);
        result(self) == result(other)
    }
}

impl Step {
    /// Where the time and the memory of the step went. It prints as a table.
    pub fn report(&self) -> StepReport {
        self.report
    }

    /// The loss that is minimised: the mean loss per graph, unless the trainer has another
    /// [reduction](Trainer::reduction).
    pub fn mean_loss(&self) -> f64 {
        self.loss / self.terms as f64
    }
}

impl<T: Element> Trainer<T> {
    /// A trainer that runs on the calling thread.
    pub fn new(model: Model<T>, optimizer: impl Optimizer<T> + 'static) -> Self {
        let engine = Engine::new();
        let settings = Settings::new(optimizer.learning_rate());
        Self {
            model,
            engine,
            optimizer: Box::new(optimizer),
            settings,
            reduction: Reduction::default(),
            ema: None,
            budget: None,
            part: None,
            private: None,
            private_run: None,
            drawn: 0,
            ledger: Ledger::default(),
            accountant: Accountant::new(),
            noise_every: 0,
            distributed: None,
            accepts_changes: false,
            locks: Locks::default(),
            allows_unreached: false,
            has_seen_loss: false,
            steps: 0,
            report: StepReport::default(),
        }
    }

    /// Runs on this engine, with its threads, policy and seed.
    #[must_use]
    pub fn engine(mut self, engine: Engine<T>) -> Self {
        self.engine = engine;
        self.keep_rows_apart();
        self
    }

    /// Chooses what is minimised: the mean loss per graph, which is the default, the mean per vertex, or the sum.
    #[must_use]
    pub fn reduction(mut self, reduction: Reduction) -> Self {
        self.reduction = reduction;
        self
    }

    /// Clips the gradient of the mean loss to this 2-norm (Pascanu et al., 2013). If the bound is not above 0,
    /// the first step returns an error before anything runs.
    #[must_use]
    pub fn clip_norm(mut self, max: f64) -> Self {
        self.settings.clip_norm = Some(max);
        self
    }

    /// Clips each value of the gradient of the mean loss to this magnitude. If the norm is clipped too, it is
    /// clipped first. If the bound is not above 0, the first step returns an error before anything runs.
    #[must_use]
    pub fn clip_value(mut self, max: f64) -> Self {
        self.settings.clip_value = Some(max);
        self
    }

    /// Sets parameter groups, each with its own settings. The first step checks them.
    #[must_use]
    pub fn groups(mut self, groups: impl IntoIterator<Item = Group>) -> Self {
        self.settings.set_first_groups(groups.into_iter().collect());
        self
    }

    /// Replaces the groups from the next step on, for example to freeze or unfreeze parameters.
    pub fn set_groups(&mut self, groups: impl IntoIterator<Item = Group>) {
        self.settings.set_groups(groups.into_iter().collect());
    }

    /// Multiplies the optimiser's learning rate by a schedule.
    #[must_use]
    pub fn schedule(mut self, schedule: RateSchedule) -> Self {
        self.settings.schedule = Some(schedule);
        self
    }

    /// Lowers the learning rate when the scores that are [observed](Self::observe) stop improving.
    #[must_use]
    pub fn plateau(mut self, plateau: Plateau) -> Self {
        self.settings.plateau = Some(plateau);
        self
    }

    /// Keeps an exponential moving average of the parameters.
    ///
    /// # Errors
    /// When the decay is not in `[0, 1)`.
    pub fn ema(mut self, decay: f64) -> Result<Self, LearnError> {
        self.ema = Some(Ema::new(decay, self.model.parameters())?);
        Ok(self)
    }

    /// Splits the graphs of [`step_graphs`](Self::step_graphs) so that the values of each part take at most this
    /// many bytes: [`Engine::training_bytes`], plus [`Engine::each_bytes`] in steps that need the gradients of each
    /// graph. A graph is never split. Do not use it for models with functions that decide how they go on, for
    /// example by loops: how much memory they need is not known before they run.
    #[must_use]
    pub fn memory_budget(mut self, bytes: usize) -> Self {
        self.budget = Some(bytes);
        self
    }

    /// Does not check whether gradients are finite before they are used. Without norm clipping, this saves the only
    /// pass over the gradients besides the optimiser's pass. But a gradient that is not finite then changes the
    /// parameters. Losses are still checked. Gradients are still checked as long as there is a
    /// [loss scale](Self::loss_scale) of more than 1.
    #[must_use]
    pub fn skip_finite_check(mut self) -> Self {
        self.settings.guarded = false;
        self
    }

    /// Takes one step along the gradient of the minibatch's mean loss. On a device that stores values in `f16`, the
    /// step may be [skipped](Step::skipped).
    ///
    /// # Errors
    /// When a setting is out of range, no function of the model has a loss, the minibatch does not run, or a loss
    /// or a gradient is not finite. Then no parameter has changed.
    pub fn step(&mut self, batch: &Minibatch<T>) -> Result<Step, TrainError> {
        self.step_over([batch])
    }

    /// Takes one step along the gradient of the mean loss of several minibatches, which run one after the other.
    /// This is gradient accumulation. Up to rounding, the step is the same as with one minibatch of all graphs.
    ///
    /// # Errors
    /// As [`step`](Self::step), and when there is no minibatch.
    pub fn step_over<'b>(
        &mut self,
        batches: impl IntoIterator<Item = &'b Minibatch<T>>,
    ) -> Result<Step, TrainError> {
        let batches: SmallVec<[&Minibatch<T>; 1]> = batches.into_iter().collect();
        self.step_from(&mut StepGraphs::Minibatches(&batches))
    }

    /// Fails, before anything runs, if a step over these graphs cannot be taken.
    fn check_step(&self, step_graphs: &StepGraphs<'_, '_, T>) -> Result<(), TrainError> {
        if let StepGraphs::Minibatches(batches) = step_graphs {
            if step_graphs.count() == 0 && self.private.is_none() {
                return Err(TrainError::Nothing { step: self.steps });
            }
            self.check_private(step_graphs.count())?;
            self.check_samples(step_graphs)?;
            batches.iter().try_for_each(|batch| check_owns(&self.model, batch))?;
            return self.check_state();
        }
        self.check_samples(step_graphs)?;
        self.check_step_of(step_graphs.count())
    }

    /// Fails if a step over this many graphs, which are not in minibatches, cannot be taken.
    fn check_step_of(&self, graphs: usize) -> Result<(), TrainError> {
        if graphs == 0 && self.private.is_none() {
            return Err(MinibatchError::NoGraphs.into());
        }
        self.check_private(graphs)?;
        self.check_state()
    }

    /// Fails if the step has graphs, but no function of the model has a loss. (A private step may have no graph:
    /// it adds only noise.)
    fn check_losses_of(&self, graphs: usize) -> Result<(), TrainError> {
        match graphs == 0 || self.model.bound().has_losses() {
            true => Ok(()),
            false => Err(TrainError::NoLoss { step: self.steps }),
        }
    }

    /// Fails if no step can be taken, whatever its graphs are.
    fn check_state(&self) -> Result<(), TrainError> {
        let checks = || {
            self.settings.check()?;
            self.check_own_parameters()
        };
        checks().map_err(|error| TrainError::Learn { step: self.steps, error })
    }

    /// Fails if the parameters, or their moving averages, do not fit the model.
    fn check_own_parameters(&self) -> Result<(), LearnError> {
        self.model.check_parameters()?;
        self.ema.as_ref().map_or(Ok(()), |ema| ema.check_fits(self.model.parameters()))
    }

    /// The number by which a sum of losses with this many [terms](Reduction::terms) is divided.
    fn divisor(&self, terms: usize) -> usize {
        let terms = match (&self.private, self.reduction) {
            (Some(private), Reduction::MeanOfGraphs) => private.minibatch,
            _ => terms,
        };
        // Without terms, the sum is not divided.
        terms.max(1)
    }

    /// Counts a step that was taken or skipped, and returns its result.
    fn finish_step(
        &mut self,
        outcome: StepOutcome,
        report: StepReport,
        graphs: usize,
        terms: usize,
    ) -> Step {
        let StepOutcome { loss, norm: gradient_norm, taken } = outcome;
        if self.private.is_none() {
            self.account();
        }
        self.steps += 1;
        self.report = report;
        let epsilon = self.epsilon();
        let step = Step { loss, graphs, terms, gradient_norm, skipped: !taken, epsilon, report };
        let (mean_loss, batches) = (step.mean_loss(), report.batches);
        let came = if taken { "a step was taken" } else { "a step was skipped" };
        tracing::debug!(target: TARGET, mean_loss, graphs, batches, epsilon, "{came}");
        step
    }

    /// Takes one step along the gradient of the mean loss of these graphs. They run in as many minibatches as the
    /// [memory budget](Self::memory_budget) makes necessary.
    ///
    /// # Errors
    /// As [`step`](Self::step), and when the graphs do not form a minibatch.
    pub fn step_graphs<'g>(
        &mut self,
        graphs: impl IntoIterator<Item = &'g Graph<T>>,
    ) -> Result<Step, TrainError> {
        let graphs: Vec<&Graph<T>> = graphs.into_iter().collect();
        self.step_from(&mut StepGraphs::Graphs(&graphs))
    }

    /// Splits graphs into minibatches, in order. Each minibatch is within the budget, unless it has only one
    /// graph.
    fn split(
        &mut self,
        graphs: &[&Graph<T>],
        batches: &mut Vec<Minibatch<T>>,
    ) -> Result<(), TrainError> {
        let batch = self.model.minibatch(graphs.iter().copied())?;
        let parts = match self.budget {
            Some(budget) if graphs.len() > 1 => {
                let bytes = self.engine.training_bytes(&self.model, &batch);
                let mut bytes = bytes.map_err(|error| match error {
                    EngineError::Undecided { function } => {
                        TrainError::Budget { step: self.steps, function }
                    }
                    error => error.into(),
                })?;
                if self.sums_each() {
                    let each = self.engine.each_bytes(&self.model, &batch)?;
                    bytes = bytes.saturating_add(each);
                }
                bytes.div_ceil(budget.max(1)).clamp(1, graphs.len())
            }
            _ => 1,
        };
        if parts == 1 {
            batches.push(batch);
            return Ok(());
        }
        drop(batch);
        graphs.chunks(graphs.len().div_ceil(parts)).try_for_each(|part| self.split(part, batches))
    }

    /// Passes a score to the [plateau](Self::plateau), and returns the learning rate of the next step.
    ///
    /// # Errors
    /// As [`Plateau::observe`].
    pub fn observe(&mut self, score: f64) -> Result<f64, LearnError> {
        if let Some(plateau) = &mut self.settings.plateau {
            plateau.observe(score)?;
        }
        Ok(self.learning_rate())
    }

    /// The learning rate of the next step: the learning rate of the optimiser, times the factors of the schedule
    /// and the plateau.
    pub fn learning_rate(&self) -> f64 {
        self.optimizer.learning_rate() * self.settings.rate(self.steps)
    }

    /// Swaps the parameters with their [moving averages](Self::ema), for evaluation, or to save the averages with
    /// [`Model::save`]. A second call swaps them back; before it, steps and [checkpoints](Checkpoints::save)
    /// return an error. Returns whether there are averages.
    ///
    /// # Errors
    /// When the model's parameters have changed in name or shape.
    pub fn swap_averages(&mut self) -> Result<bool, LearnError> {
        let Some(ema) = &mut self.ema else { return Ok(false) };
        ema.swap(self.model.parameters_mut())?;
        Ok(true)
    }

    /// Tests whether the model can overfit a minibatch. Takes up to `steps` steps on it, until its mean loss is at
    /// most `target`, and returns all steps. If the loss stays higher, the model probably has a mistake, or the
    /// learning rate is too high. Use a separate trainer, since the test trains this one.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn overfit(
        &mut self,
        batch: &Minibatch<T>,
        steps: usize,
        target: f64,
    ) -> Result<Vec<Step>, TrainError> {
        let mut taken: Vec<Step> = Vec::new();
        while taken.len() < steps && taken.last().is_none_or(|step| step.mean_loss() > target) {
            taken.push(self.step(batch)?);
        }
        Ok(taken)
    }

    /// Statistics of the gradient of the minibatch's mean loss, parameter by parameter, before
    /// clipping. No step is taken.
    ///
    /// # Errors
    /// When the minibatch does not run, or a loss is not finite.
    pub fn gradient_statistics(
        &mut self,
        batch: &Minibatch<T>,
    ) -> Result<Vec<GradientStatistics>, TrainError> {
        check_owns(&self.model, batch)?;
        self.learn_policies_if_alone();
        let mut run = self.engine.forward(&self.model, batch, self.steps)?;
        if !run.loss()?.is_finite() {
            return Err(self.loss_not_finite(&[batch]));
        }
        let terms = self.reduction.terms(&self.model, FlatBatch::of(run.minibatch()));
        let mut gradients = run.backward()?;
        gradients.scale(1.0 / terms.max(1) as f64);
        let statistics = GradientStatistics::of(self.model.parameters(), &gradients);
        self.engine.recycle(gradients);
        statistics.map_err(|error| self.failed(error.into()))
    }

    /// The report of the last training step.
    pub fn report(&self) -> StepReport {
        self.report
    }

    /// Runs a minibatch forward without dropout, and keeps no tape for a backward pass.
    ///
    /// # Errors
    /// When the minibatch does not run.
    pub fn infer<'a>(&'a mut self, batch: &'a Minibatch<T>) -> Result<Run<'a, T>, EngineError> {
        self.learn_policies_if_alone();
        self.engine.infer(&self.model, batch)
    }

    /// Sets whether policies are learned from the next inference. They are, if this trainer is alone. Ranks that
    /// train together learn policies only in training steps.
    fn learn_policies_if_alone(&mut self) {
        training::scheduler_mut(&mut self.engine).listen(self.distributed.is_none());
    }

    /// The model.
    pub fn model(&self) -> &Model<T> {
        &self.model
    }

    /// The model, to be changed.
    pub fn model_mut(&mut self) -> &mut Model<T> {
        &mut self.model
    }

    /// Consumes the trainer, and returns the model.
    pub fn into_model(self) -> Model<T> {
        self.model
    }

    /// The optimiser, to change its learning rate.
    pub fn optimizer_mut(&mut self) -> &mut dyn Optimizer<T> {
        self.optimizer.as_mut()
    }

    /// The loss scale of the next step; `None` if the device needs none.
    pub fn loss_scale(&self) -> Option<LossScale> {
        self.engine.loss_scale()
    }

    /// How many steps have been taken or skipped.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}

compiled_here! {
    impl Trainer {
        /// Takes one step over these graphs.
        fn step_from(
            &mut self,
            step_graphs: &mut StepGraphs<'_, '_, T>,
        ) -> Result<Step, TrainError> {
            let number = self.steps;
            let _span = tracing::debug_span!(target: TARGET, "step", number).entered();
            if self.distributed.is_some() {
                return self.step_together(step_graphs);
            }
            self.check_step(step_graphs)?;
            self.check_losses_of(step_graphs.count())?;
            self.check_reached(false)?;
            self.begin_private()?;
            let decides = self.model.bound().has_sections();
            if let StepGraphs::Minibatches(batches) = step_graphs {
                return self.learn_if(decides, |trainer| trainer.step_alone(batches));
            }
            let batches = self.minibatches(step_graphs, 0..step_graphs.count())?;
            let batches: Vec<_> = batches.iter().map(|batch| &**batch).collect();
            self.learn_if(decides, |trainer| trainer.step_alone(&batches))
        }
    }
}
