//! What an engine has, and how it is set up. What runs on it is in the rooms beside this file, each of
//! which may use the engine; nothing of them is used here.

use edb_kernels::element::Element;
use edb_kernels::trace::TARGET;
use edb_learn::learn::Gradients;
use edb_model::graph::Minibatch;
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

/// The most rounds of a graph that grows, unless the engine has another [bound](Engine::most_steps).
const MOST_STEPS: u32 = 10_000;

/// Runs minibatches of a model: forward, and backward.
///
/// An engine keeps its memory and its threads between runs. Results do not depend on the number of
/// threads, nor a vertex's values on the policy.
#[derive(Debug)]
pub struct Engine<T = f32> {
    pub(super) backend: Box<dyn Backend<T>>,
    /// What kind of device it runs on.
    pub(super) device: String,
    pub(super) scheduler: Scheduler,
    pub(super) seed: u64,
    /// The loss scale, where the device needs one.
    pub(super) loss_scale: Option<LossScale>,
    pub(super) layout: Layout,
    /// What runs leave for those that come next.
    pub(super) memory: RunMemory,
    /// The most rounds of a graph that grows.
    pub(super) most_steps: u32,
    pub(super) report: StepReport,
    /// Whether what ran last has gone backward: then gradients have overwritten what was kept.
    pub(super) spent: bool,
    /// Memory for the next gradients that the caller asks for.
    pub(super) gradients: Option<Gradients<T>>,
    /// The losses and gradients of a training step, where the back end does not keep them.
    pub(super) sums: HostSums<T>,
    /// What running minibatches in parts keeps.
    pub(super) parts: PartMemory<T>,
}

impl<T: Element> Engine<T> {
    /// An engine whose back end runs on this kind of device.
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
            most_steps: MOST_STEPS,
            report: StepReport::default(),
            spent: false,
            gradients: None,
            sums: HostSums::default(),
            parts: PartMemory::default(),
        }
    }

    /// Schedules with this policy. The default learns on the first minibatches of a model which
    /// policy needs the fewest batches: [`Policy::Auto`]. A vertex's values do not depend on the
    /// policy; the gradient of a parameter is summed in schedule order, so its last bits do.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.scheduler = std::mem::take(&mut self.scheduler).with_policy(policy);
        self
    }

    /// Graphs [grow](Self::grow) by this policy: a finite state machine or an order of types that is
    /// for the types [of graphs that grow](edb_schedule::Signature::growing). By default it is learned as the
    /// [policy](Self::policy) is, on the first runs in which graphs grow; until then, and where
    /// nothing is gained, all that the graphs have runs before any is handed out.
    #[must_use]
    pub fn grow_by(mut self, policy: Policy) -> Self {
        self.scheduler.grow_by(policy);
        self
    }

    /// Minimises the time that schedules take at these costs, [measured](Self::measure_costs) or
    /// supplied, instead of the number of batches: of the schedules of the available policies, the
    /// cheapest runs, which never costs more than that of the chosen policy.
    #[must_use]
    pub fn costs(mut self, costs: Costs) -> Self {
        self.scheduler.costs(costs);
        self
    }

    /// Sets the most rounds that a graph may grow in, after which the run ends with an error that
    /// names it; the default is 10,000.
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

    /// Takes gradients back that are not needed any more: the next backward pass over the same
    /// parameters then allocates nothing for its own.
    pub fn recycle(&mut self, mut gradients: Gradients<T>) {
        gradients.reset();
        self.gradients = Some(gradients);
    }

    /// The times and the memory of the last run.
    pub fn report(&self) -> StepReport {
        self.report
    }

    /// The policy that was learned for a model, if one has been: to look at it, or to
    /// [save](Policy::save) it with the model's [types](edb_model::model::Blueprint::signature).
    pub fn learned_policy(&self, model: &Model<T>) -> Option<Policy> {
        self.scheduler.learned(&model.bound().signature)
    }

    /// The policy by which graphs of a model grow, if one has been learned: to look at it, or to
    /// [save](Policy::save) it with the types [of graphs that grow](edb_schedule::Signature::growing).
    pub fn learned_growth(&self, model: &Model<T>) -> Option<Policy> {
        self.scheduler.learned(&model.bound().signature.growing())
    }

    /// What kind of device it runs on, and in which precision: `cpu, bf16`.
    pub fn device(&self) -> &str {
        &self.device
    }

    /// Which policy schedules the minibatches of a model, and why.
    pub fn policy_report(&self, model: &Model<T>) -> String {
        self.scheduler.report(&model.bound().signature)
    }

    /// The graph that is scheduled for a minibatch, to learn a policy on it or to explain a
    /// schedule: the vertices of the functions that follow the schedule, numbered anew; and for
    /// each of them, which vertex of the minibatch it is.
    ///
    /// # Errors
    /// When the minibatch is of another model, or its vertices decide how they go on.
    pub fn type_graph(
        &self,
        model: &Model<T>,
        batch: &Minibatch<T>,
    ) -> Result<(TypeGraph, Vec<u32>), EngineError> {
        check_owns(model, batch)?;
        check_settled(batch, model.bound())?;
        let Dependencies { scheduled, .. } = Dependencies::of(model.bound(), batch);
        Ok(whole_type_graph(model.bound(), batch, &scheduled))
    }

    /// Searches for a short schedule of a minibatch and keeps it with the minibatch, which then
    /// always runs by it: for minibatches that run many times. Returns the schedule: a short one
    /// or, if the options or else the engine have costs, one that takes little time.
    ///
    /// # Errors
    /// When the minibatch is of another model, or the costs are, or its vertices decide how they go
    /// on.
    pub fn search_schedule(
        &self,
        model: &Model<T>,
        batch: &mut Minibatch<T>,
        options: &SearchOptions,
    ) -> Result<Schedule, EngineError> {
        let (graph, _) = self.type_graph(model, batch)?;
        let learned = self.learned_policy(model);
        let policies = [learned.unwrap_or_else(|| self.scheduler.policy().clone())];
        let costs = options.costs.as_ref().or(self.scheduler.known_costs()).cloned();
        let options = SearchOptions { costs, ..options.clone() };
        let schedule = edb_schedule::search(&graph, &policies, &options)?;
        batch.set_known_schedule(schedule.clone(), VOUCH);
        Ok(schedule)
    }

    /// Begins with this loss scale, rounded down to a power of two, where the device needs one; the
    /// default is 2^15. With a smaller one, a model whose backward pass overflows with 2^15 reaches
    /// its scale in fewer steps.
    #[must_use]
    pub fn start_loss_scale(mut self, factor: f64) -> Self {
        self.loss_scale = self.loss_scale.map(|_| LossScale::new(factor));
        self
    }

    /// The loss scale of the next backward pass; `None` where the device needs none.
    pub fn loss_scale(&self) -> Option<LossScale> {
        self.loss_scale
    }

    /// The factor of the backward pass.
    pub(super) fn loss_factor(&self) -> f64 {
        self.loss_scale.map_or(1.0, LossScale::factor)
    }

    /// Whether gradients overflowed because of the loss scale, which is then halved for the next
    /// pass. `finite` returns whether they are finite, and is called only if there is a scale.
    pub(super) fn overflows(&mut self, finite: impl FnOnce() -> bool) -> bool {
        let overflows = self.loss_scale.as_mut().is_some_and(|scale| scale.overflows(finite()));
        if overflows {
            let loss_scale = self.loss_factor();
            tracing::info!(target: TARGET, loss_scale, "a gradient overflowed: the scale was halved");
        }
        overflows
    }

    /// What runs minibatches here, and what keeps sums on the host.
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
