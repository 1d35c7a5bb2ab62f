//! The fields of an engine, and its settings. The modules that run minibatches on an engine use this file; this
//! file does not use them.

use edb_kernels::element::Element;
use edb_kernels::trace::TARGET;
use edb_learn::learn::Gradients;
use edb_model::graph::{FlatBatch, Minibatch, inside};
use edb_model::model::Model;
use edb_schedule::{self, Costs, Policy, Schedule, Scheduler, SearchOptions, TypeGraph};

use crate::engine::backend::{Backend, BackendBox};
use crate::engine::error::EngineError;
use crate::engine::layout::Layout;
use crate::engine::layout::dependencies::Dependencies;
use crate::engine::layout::find::{check_owns, check_settled};
use crate::engine::layout::planner::Planner;
use crate::engine::layout::type_graph::whole_type_graph;
use crate::engine::pass::host::HostSums;
use crate::engine::pass::loss_scale::LossScale;
use crate::engine::pass::part_memory::PartMemory;
use crate::engine::pass::report::StepReport;
use crate::engine::pass::run_memory::RunMemory;
use crate::engine::pass::runner::{Runner, VOUCH};

/// The most rounds of a graph that grows, and the most sections of a vertex, unless the user sets another
/// [bound](Engine::most_steps).
const DEFAULT_MAX_ROUNDS: u32 = 10_000;

/// Runs minibatches of a model forward and backward.
///
/// An engine keeps its memory and its threads between runs. Results do not depend on the number of
/// threads. The values of a vertex do not depend on the policy.
#[derive(Debug)]
pub struct Engine<T = f32> {
    pub(super) backend: Box<dyn Backend<T>>,
    /// The kind of device that it runs on, and the precision.
    pub(super) device: String,
    pub(super) scheduler: Scheduler,
    pub(super) seed: u64,
    /// The loss scale, if the device needs one.
    pub(super) loss_scale: Option<LossScale>,
    pub(super) layout: Layout,
    /// What runs leave for the next runs.
    pub(super) memory: RunMemory,
    /// The most rounds of a graph that grows, and the most sections of a vertex.
    pub(super) most_steps: u32,
    pub(super) report: StepReport,
    /// Whether the last run has gone backward. If so, gradients have overwritten its tape.
    pub(super) spent: bool,
    /// Memory that the next gradients of the caller reuse.
    pub(super) gradients: Option<Gradients<T>>,
    /// The losses and gradients of a training step, if the back end does not keep them.
    pub(super) sums: HostSums<T>,
    /// The memory of the parts of minibatches, and of the threads that run them.
    pub(super) parts: PartMemory<T>,
}

impl<T: Element> Engine<T> {
    /// Makes an engine from a back end. `device` names the kind of device and the precision.
    pub(crate) fn with_backend(device: String, backend: BackendBox<T>) -> Self {
        let BackendBox(backend) = backend;
        Self {
            loss_scale: backend.scales_losses().then(LossScale::default),
            backend,
            device,
            scheduler: Scheduler::default(),
            seed: 0,
            layout: Layout::default(),
            memory: RunMemory::default(),
            most_steps: DEFAULT_MAX_ROUNDS,
            report: StepReport::default(),
            spent: false,
            gradients: None,
            sums: HostSums::default(),
            parts: PartMemory::default(),
        }
    }

    /// Schedules with this policy. The default is [`Policy::Auto`]: it learns a machine on the first minibatches of a
    /// model, and runs it unless another policy takes less time. The values of a vertex do not depend on the policy. The
    /// gradient of a parameter is summed in the order of the schedule, so its last bits depend on the policy.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.scheduler = std::mem::take(&mut self.scheduler).with_policy(policy);
        self
    }

    /// Graphs [grow](Self::grow) by this policy. It must be a finite state machine or an order of types, made for
    /// the types [of graphs that grow](edb_schedule::Signature::growing). By default, the engine learns it on the
    /// first runs in which graphs grow, as it learns the [policy](Self::policy). Until then, and if a learned
    /// policy gains nothing, all vertices of all graphs run before any graph is handed out.
    #[must_use]
    pub fn grow_by(mut self, policy: Policy) -> Self {
        self.scheduler.grow_by(policy);
        self
    }

    /// Minimises the time of schedules instead of the number of batches. The costs are
    /// [measured](Self::measure_costs), or the caller supplies them. The engine makes a schedule with each
    /// available policy and runs the cheapest one, which never costs more than that of the chosen policy.
    #[must_use]
    pub fn costs(mut self, costs: Costs) -> Self {
        self.scheduler.costs(costs);
        self
    }

    /// Sets in how many rounds a graph may grow, and how many sections a vertex may run. If one needs more,
    /// the run returns an error that names it. The default is 10,000.
    #[must_use]
    pub fn most_steps(mut self, rounds: u32) -> Self {
        self.most_steps = rounds;
        self
    }

    /// Sets the seed for random draws (dropout) and for learning policies; the default is 0.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self.scheduler.seed(seed);
        self
    }

    /// Takes back gradients that the caller does not need any more. The next backward pass over the same
    /// parameters then reuses their memory and allocates nothing for gradients.
    pub fn recycle(&mut self, mut gradients: Gradients<T>) {
        gradients.reset();
        self.gradients = Some(gradients);
    }

    /// The times and the memory of the last run.
    pub fn report(&self) -> StepReport {
        self.report
    }

    /// The policy that the engine has learned for a model, if any. [Save](Policy::save) it with the model's
    /// [types](edb_model::model::Blueprint::signature).
    pub fn learned_policy(&self, model: &Model<T>) -> Option<Policy> {
        self.scheduler.learned(&model.bound().signature)
    }

    /// The policy that the engine has learned for graphs of a model that grow, if any. [Save](Policy::save) it
    /// with the types [of graphs that grow](edb_schedule::Signature::growing).
    pub fn learned_growth(&self, model: &Model<T>) -> Option<Policy> {
        self.scheduler.learned(&model.bound().signature.growing())
    }

    /// The kind of device that it runs on, and the precision: `cpu, bf16`.
    pub fn device(&self) -> &str {
        &self.device
    }

    /// Says which policy schedules the minibatches of a model, and why.
    pub fn policy_report(&self, model: &Model<T>) -> String {
        self.scheduler.report(&model.bound().signature)
    }

    /// The graph that is scheduled for a minibatch. Use it to learn a policy, or to explain a schedule. It has
    /// the vertices of the functions that follow the schedule, with new numbers. The list has, for each of them,
    /// its number in the minibatch.
    ///
    /// # Errors
    /// When the minibatch is of another model, or its vertices decide how they go on.
    pub fn type_graph(
        &self,
        model: &Model<T>,
        batch: &Minibatch<T>,
    ) -> Result<(TypeGraph, Vec<u32>), EngineError> {
        check_owns(model, batch)?;
        let batch = FlatBatch::of(batch);
        check_settled(batch, model.bound())?;
        let Dependencies { scheduled, .. } = Dependencies::of(model.bound(), batch);
        Ok(whole_type_graph(model.bound(), batch, &scheduled))
    }

    /// Searches for a short schedule of a minibatch, and keeps it with the minibatch, which from then on
    /// always runs by it. This is for minibatches that run many times. If the options or the engine have
    /// costs, the schedule minimises time instead; the costs of the options come first.
    ///
    /// # Errors
    /// When the minibatch or the costs belong to another model, or when vertices of the minibatch decide how
    /// they go on.
    pub fn search_schedule(
        &self,
        model: &Model<T>,
        batch: &mut Minibatch<T>,
        options: &SearchOptions,
    ) -> Result<Schedule, EngineError> {
        let (graph, _) = self.type_graph(model, batch)?;
        let policies = [self.scheduler.policy_for(model.signature())];
        let costs = options.costs.as_ref().or(self.scheduler.known_costs()).cloned();
        let options = SearchOptions { costs, ..options.clone() };
        let schedule = edb_schedule::search(&graph, &policies, &options)?;
        inside::set_known_schedule(batch, schedule.clone(), VOUCH);
        Ok(schedule)
    }

    /// Begins with this loss scale, rounded down to a power of two, if the device needs a loss scale. The
    /// default is 2^15. If the backward pass of a model overflows with 2^15, a smaller scale to begin with saves
    /// the steps in which the scale is halved.
    #[must_use]
    pub fn start_loss_scale(mut self, factor: f64) -> Self {
        self.loss_scale = self.loss_scale.map(|_| LossScale::new(factor));
        self
    }

    /// The loss scale of the next backward pass; `None` if the device needs none.
    pub fn loss_scale(&self) -> Option<LossScale> {
        self.loss_scale
    }

    /// The factor by which the backward pass is scaled; 1 without a loss scale.
    pub(super) fn loss_factor(&self) -> f64 {
        self.loss_scale.map_or(1.0, LossScale::factor)
    }

    /// Returns whether gradients overflowed because of the loss scale. If they did, the scale is halved for the
    /// next pass. `finite` says whether the gradients are finite; it is called only if there is a scale.
    pub(super) fn overflows(&mut self, finite: impl FnOnce() -> bool) -> bool {
        let overflows = self.loss_scale.as_mut().is_some_and(|scale| scale.overflows(finite()));
        if overflows {
            let loss_scale = self.loss_factor();
            tracing::info!(target: TARGET, loss_scale, "a gradient overflowed: the scale was halved");
        }
        overflows
    }

    /// Returns the runner of this engine, and the sums that it keeps on the host.
    pub(super) fn runner(&mut self, step: Option<u64>) -> (Runner<'_, T>, &mut HostSums<T>) {
        let loss_scale = self.loss_factor();
        let Self { backend, layout, memory, scheduler, spent, report, sums, .. } = self;
        let runner = Runner {
            backend: backend.as_mut(),
            layout,
            memory,
            planner: Planner::Learning(scheduler),
            draws: (self.seed, step),
            loss_scale,
            most_steps: self.most_steps,
            spent,
            report,
        };
        (runner, sums)
    }
}
