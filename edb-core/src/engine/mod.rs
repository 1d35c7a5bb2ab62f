//! The engine: schedule, rows and arena of a minibatch, and the order in which phases run.
//!
//! Invariants:
//!
//! - Every function that takes a model and a minibatch calls `check_owns` before it uses numbers of
//!   functions or parameters as indices (`tests/refusals.rs` of `edb`).
//! - Before a batch runs, all that it touches has memory. Unless graphs grow, that of a run is
//!   computed from the schedule before anything runs.
//! - The engine knows whether what ran last has gone backward, since its memory is overwritten,
//!   whichever run asks.

mod append;
pub mod backend;
mod clip;
mod copies;
mod crew;
mod dependencies;
mod edges;
mod error;
mod find;
mod finite;
mod finite_gradient;
mod forward;
mod frame;
mod graph_gradients;
mod graph_results;
mod graph_sums;
mod grow_each;
mod growing;
mod growth;
mod host;
mod jacobian;
pub(crate) mod layout;
mod loss_scale;
mod losses;
mod measure;
mod online;
mod part_memory;
pub(crate) mod parts;
mod pass;
mod phases;
mod place;
mod planner;
mod precision;
mod ran;
mod report;
mod rows;
mod run;
mod run_memory;
mod runner;
mod seeds;
mod seen;
mod share_sums;
mod stacked;
mod stepper;
mod tangent;
mod training;
mod type_graph;
mod vertex_gradients;
mod wave_plan;

use std::borrow::Cow;

#[doc(hidden)]
pub use clip::Clip;
pub use error::EngineError;
#[doc(hidden)]
pub use find::check_owns;
pub use finite::NotFinite;
pub use finite_gradient::GradientNotFinite;
pub use graph_gradients::GraphGradients;
pub use graph_results::GraphResults;
pub use grow_each::RoundOutcome;
#[doc(hidden)]
pub use grow_each::{Growers, GrowsFor};
#[doc(hidden)]
pub use growing::Growing;
pub use growth::{GrowingGraph, Growth, Round};
pub use jacobian::JacobianOf;
pub use loss_scale::LossScale;
pub use precision::{Precision, UnknownPrecision};
pub use report::{NoiseScale, StepReport};
pub use run::Run;
pub use seeds::Seeds;
pub use stacked::Stacked;
pub use tangent::TangentRun;
pub use vertex_gradients::LossOf;

use backend::{Backend, BackendBox};
use dependencies::Dependencies;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_learn::learn::Gradients;
use edb_model::graph::Minibatch;
use edb_model::model::Model;
use edb_schedule::{self, Costs, Policy, Schedule, Scheduler, SearchOptions, Signature, TypeGraph};
use find::check_settled;
use host::HostSums;
use layout::Layout;
use part_memory::PartMemory;
use pass::Destination;
use planner::Planner;
use run_memory::RunMemory;
use runner::{Runner, Vouched};
use type_graph::whole_type_graph;

/// The most rounds of a graph that grows, unless the engine has another [bound](Engine::most_steps).
const MOST_STEPS: u32 = 10_000;

/// Runs minibatches of a model: forward, and backward.
///
/// An engine keeps its memory and its threads between runs. Results do not depend on the number of
/// threads, nor a vertex's values on the policy.
#[derive(Debug)]
pub struct Engine<T = f32> {
    backend: Box<dyn Backend<T>>,
    /// What kind of device it runs on.
    device: String,
    scheduler: Scheduler,
    seed: u64,
    /// The loss scale, where the device needs one.
    loss_scale: Option<LossScale>,
    layout: Layout,
    /// What runs leave for those that come next.
    memory: RunMemory,
    /// The most rounds of a graph that grows.
    most_steps: u32,
    report: StepReport,
    /// Whether what ran last has gone backward: then gradients have overwritten what was kept.
    spent: bool,
    /// Memory for the next gradients that the caller asks for.
    gradients: Option<Gradients<T>>,
    /// The losses and gradients of a training step, where the back end does not keep them.
    sums: HostSums<T>,
    /// What running minibatches in parts keeps.
    parts: PartMemory<T>,
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
    /// for the types [of graphs that grow](Signature::growing). By default it is learned as the
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
    /// [save](Policy::save) it with the types [of graphs that grow](Signature::growing).
    pub fn learned_growth(&self, model: &Model<T>) -> Option<Policy> {
        self.scheduler.learned(&model.bound().signature.growing())
    }

    /// What kind of device it runs on.
    #[doc(hidden)]
    pub fn device(&self) -> &str {
        &self.device
    }

    /// Sets whether policies are learned on the minibatches that run from now on.
    #[doc(hidden)]
    pub fn learn_policies(&mut self, learns: bool) {
        self.scheduler.listen(learns);
    }

    /// What was set by which minibatches of a model are scheduled, as text.
    #[doc(hidden)]
    pub fn settings(&self, model: &Model<T>) -> [(&'static str, String); 2] {
        let Self { scheduler, most_steps, .. } = self;
        [
            ("the most rounds of a graph that grows", most_steps.to_string()),
            ("the policy", scheduler.policies(model.signature())),
        ]
    }

    /// The costs by which batches are compared, where there are some, as text.
    #[doc(hidden)]
    pub fn schedule_costs(&self) -> String {
        format!("{:?}", self.scheduler.known_costs())
    }

    /// The seed of the draws.
    #[doc(hidden)]
    pub fn draw_seed(&self) -> u64 {
        self.seed
    }

    /// The minibatches that a policy for these types is going to be learned on: those of a model,
    /// or those of its graphs that grow.
    #[doc(hidden)]
    pub fn policy_samples(&self, types: &Signature) -> &[TypeGraph] {
        self.scheduler.samples(types)
    }

    /// Whether it is known by which policy minibatches of these types are scheduled.
    #[doc(hidden)]
    pub fn knows_policy(&self, types: &Signature) -> bool {
        self.scheduler.knows(types)
    }

    /// Whether it is known by which policy graphs of a model with these types grow.
    #[doc(hidden)]
    pub fn knows_growth(&self, types: &Signature) -> bool {
        self.scheduler.knows_growth(types)
    }

    /// Restores the seed of a saved engine.
    #[doc(hidden)]
    pub fn restore_seed(&mut self, seed: u64) {
        self.seed = seed;
        self.scheduler.seed(seed);
    }

    /// Restores, for these types, the policy that a saved engine had learned, or the minibatches
    /// that it was going to learn one on.
    #[doc(hidden)]
    pub fn restore_policy(
        &mut self,
        types: &Signature,
        learned: Option<Policy>,
        samples: Vec<TypeGraph>,
    ) {
        self.scheduler.restore(types, learned, samples);
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
        batch.set_known_schedule(schedule.clone(), Vouched);
        Ok(schedule)
    }

    /// Runs a minibatch forward, keeping nothing for a backward pass.
    ///
    /// # Errors
    /// When the minibatch is of another model, or memory does not suffice.
    pub fn infer<'a>(
        &'a mut self,
        model: &'a Model<T>,
        batch: &'a Minibatch<T>,
    ) -> Result<Run<'a, T>, EngineError> {
        self.begin_run(model, Cow::Borrowed(batch), None)
    }

    /// Runs a minibatch forward as part of training step `step`, so that it can be run backward.
    /// Dropout is on; its masks depend on the engine's seed, the step and the vertex.
    ///
    /// # Errors
    /// When the minibatch is of another model, or memory does not suffice.
    pub fn forward<'a>(
        &'a mut self,
        model: &'a Model<T>,
        batch: &'a Minibatch<T>,
        step: u64,
    ) -> Result<Run<'a, T>, EngineError> {
        self.begin_run(model, Cow::Borrowed(batch), Some(step))
    }

    /// What runs minibatches here, and what keeps sums on the host.
    fn runner(&mut self, step: Option<u64>) -> (Runner<'_, T>, &mut HostSums<T>) {
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

    /// How many bytes of memory a training step on a minibatch needs for values and their
    /// gradients, including those that exist only while a few rows are computed, but without the
    /// parameters and their gradients. What the gradients of each graph need in addition, as in
    /// private training, [`each_bytes`](Self::each_bytes) tells.
    ///
    /// # Errors
    /// When the minibatch is of another model, or its vertices decide how they go on.
    pub fn training_bytes(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
    ) -> Result<usize, EngineError> {
        self.lay_out_training(model, batch)?;
        let arena = self.layout.size.saturating_mul(self.backend.element_bytes());
        Ok(arena.saturating_add(self.backend.scratch_bytes(&self.layout)))
    }

    /// Lays out a minibatch as for a training step.
    fn lay_out_training(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
    ) -> Result<(), EngineError> {
        check_owns(model, batch)?;
        check_settled(batch, model.bound())?;
        let dependencies = Dependencies::of(model.bound(), batch);
        let (mut runner, _) = self.runner(None);
        runner.lay_out(model.bound(), batch, &dependencies, true).map(drop)
    }

    /// Gradients of zero, in memory of earlier ones if there are some.
    fn spare_gradients(&mut self, model: &Model<T>) -> Gradients<T> {
        let spare = self.gradients.take().filter(|spare| spare.fit(model.parameters()));
        spare.unwrap_or_else(|| Gradients::new(model.parameters()))
    }

    /// Runs backward once, with the present loss scale.
    fn run_backward_once(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
        step: u64,
        seeds: &Seeds<T>,
    ) -> Result<Gradients<T>, EngineError> {
        let mut gradients = self.spare_gradients(model);
        let (mut runner, _) = self.runner(Some(step));
        let destination = Destination::Gradients(&mut gradients);
        runner.pass(model, batch).backward(seeds, destination)?;
        Ok(gradients)
    }
}

compiled_here! {
    impl Engine {
        /// Runs forward; waits for the results only if `waits`. Where vertices have sections that
        /// decide how they go on, returns what the minibatch has become: that is what has run.
        fn run_forward(
            &mut self,
            model: &Model<T>,
            batch: &Minibatch<T>,
            step: Option<u64>,
            waits: bool,
        ) -> Result<Option<Minibatch<T>>, EngineError> {
            check_owns(model, batch)?;
            let is_settled = batch.is_settled(model.bound());
            let dependencies = is_settled.then(|| Dependencies::of(model.bound(), batch));
            self.runner(step).0.forward(model, batch, dependencies.as_ref(), waits)
        }

        /// Runs backward, and again as long as gradients overflow because of the loss scale, if
        /// there is one.
        fn run_backward(
            &mut self,
            model: &Model<T>,
            batch: &Minibatch<T>,
            step: u64,
            seeds: &Seeds<T>,
        ) -> Result<Gradients<T>, EngineError> {
            match self.loss_scale() {
                None => self.run_backward_once(model, batch, step, seeds),
                Some(_) => self.run_scaled_backward(model, batch, step, seeds),
            }
        }

        /// Runs backward, and sums no parameters' gradients.
        fn run_backward_rows(
            &mut self,
            model: &Model<T>,
            batch: &Minibatch<T>,
            step: u64,
            seeds: &Seeds<T>,
        ) -> Result<(), EngineError> {
            let (mut runner, _) = self.runner(Some(step));
            runner.pass(model, batch).backward(seeds, Destination::Rows)
        }
    }
}
