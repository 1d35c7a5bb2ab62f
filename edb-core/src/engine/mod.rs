//! The engine: schedule, rows and arena of a minibatch, and the order in which phases run.
//!
//! Invariants:
//!
//! - Every function that takes a model and a minibatch calls `Model::check_owns` before it uses
//!   numbers of functions or parameters as indices (`tests/refusals.rs` of `edb`).
//! - Before a batch runs, all that it touches has memory. Unless graphs grow, that of a run is
//!   computed from the schedule before anything runs.
//! - The engine knows whether what ran last has gone backward, since its memory is overwritten,
//!   whichever run asks.

mod append;
pub mod backend;
mod copies;
mod crew;
mod edges;
mod error;
mod find;
mod finite;
mod frame;
mod graph_gradients;
mod graph_sums;
mod growing;
mod growth;
mod host;
mod jacobian;
mod lanes;
pub(crate) mod layout;
mod loss_scale;
mod losses;
mod measure;
mod online;
mod parts;
mod place;
mod precision;
mod report;
mod rows;
mod run;
mod seeds;
mod share_sums;
mod stacked;
mod stepper;
mod tangent;
#[cfg(test)]
mod tests;
mod training;
mod type_graph;
mod vertex_gradients;
mod wave_plan;

use std::borrow::Cow;
use std::ops::Range;
use std::time::Instant;

use edb_ir::{FunctionId, Phase};
use tracing::{debug_span, field};

pub use error::EngineError;
#[doc(hidden)]
pub use find::check_owns;
pub use finite::NotFinite;
pub use graph_gradients::GraphGradients;
#[doc(hidden)]
pub use growing::Growing;
pub use growth::{GrowingGraph, Growth, Round};
pub use jacobian::JacobianOf;
pub use loss_scale::LossScale;
#[doc(hidden)]
pub use parts::Cuts;
pub use precision::{Precision, UnknownPrecision};
pub use report::{NoiseScale, StepReport};
pub use run::Run;
pub use seeds::Seeds;
pub use stacked::Stacked;
pub use tangent::TangentRun;
pub use vertex_gradients::LossOf;

use crate::spans;
use backend::{Backend, BackendBox, Frame};
use edb_kernels::element::{Each, Element, Family};
use edb_kernels::trace;
use edb_learn::learn::Gradients;
use edb_model::graph::Minibatch;
use edb_model::model::stack::RowCounts;
use edb_model::model::{BoundModel, Model};
use edb_schedule::{
    self, Costs, Policy, Proof, Schedule, Scheduler, SearchOptions, Signature, TypeGraph,
};
use find::check_settled;
use host::HostSums;
use lanes::Parts;
use layout::{Layout, entangled};
use rows::Order;
use type_graph::{batch_cost, needed, scheduled, type_graph, whole_type_graph};

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
    /// The layout of graphs that grow, or of what they have become: whichever is not in use.
    other_layout: Layout,
    /// The rows of each function that the last graphs that grew had, and their model.
    grown: Option<(u64, Vec<RowCounts>)>,
    /// The most rounds of a graph that grows.
    most_steps: u32,
    /// The functions in the order in which they run level by level, if the minibatch allows it.
    order: Vec<FunctionId>,
    /// The vertices to which the numbers in a schedule refer.
    scheduled: Vec<u32>,
    report: StepReport,
    /// Whether what ran last has gone backward: then gradients have overwritten what was kept.
    spent: bool,
    /// Memory for the next gradients that the caller asks for.
    gradients: Option<Gradients<T>>,
    /// The losses and gradients of a training step, where the back end does not keep them.
    sums: HostSums<T>,
    /// What running minibatches in parts keeps.
    parts: Parts<T>,
}

/// [`Engine::run_forward`].
struct Forward;

impl Family for Forward {
    type Member<T: Element> = fn(
        &mut Engine<T>,
        &Model<T>,
        &Minibatch<T>,
        Option<u64>,
        bool,
    ) -> Result<Option<Minibatch<T>>, EngineError>;
}

static FORWARD: Each<Forward> =
    Each { f32: Engine::run_forward_each, f64: Engine::run_forward_each };

/// [`Engine::run_backward`].
struct Backward;

impl Family for Backward {
    type Member<T: Element> = fn(
        &mut Engine<T>,
        &Model<T>,
        &Minibatch<T>,
        u64,
        &Seeds<T>,
    ) -> Result<Gradients<T>, EngineError>;
}

static BACKWARD: Each<Backward> =
    Each { f32: Engine::run_backward_each, f64: Engine::run_backward_each };

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
            other_layout: Layout::default(),
            grown: None,
            most_steps: MOST_STEPS,
            order: Vec::new(),
            scheduled: Vec::new(),
            report: StepReport::default(),
            spent: false,
            gradients: None,
            sums: HostSums::default(),
            parts: Parts::default(),
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
    /// [save](Policy::save) it with the model's [types](Model::signature).
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
    pub fn listen(&mut self, listens: bool) {
        self.scheduler.listen(listens);
    }

    /// What must be the same on all ranks, so that they schedule alike.
    #[doc(hidden)]
    pub fn settings(&self, model: &Model<T>) -> [(&'static str, String); 4] {
        let Self { scheduler, seed, most_steps, .. } = self;
        [
            ("the seed", seed.to_string()),
            ("the most rounds of a graph that grows", most_steps.to_string()),
            ("the policy", scheduler.policies(model.signature())),
            ("the costs of schedules", format!("{:?}", scheduler.known_costs())),
        ]
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

    /// The policy that was learned for these types, or the minibatches that one is going to be learned
    /// on.
    #[doc(hidden)]
    pub fn known_policy(&self, types: &Signature) -> (Option<Policy>, Vec<TypeGraph>) {
        (self.scheduler.learned(types), self.scheduler.samples(types).to_vec())
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
        let entangled = entangled(model.bound().functions.len(), batch);
        Ok(whole_type_graph(model.bound(), batch, &entangled))
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
        batch.set_schedule(schedule.clone());
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
        let grown = self.run_forward(model, batch, None, true)?;
        Ok(Run::new(self, model, grown.map_or(Cow::Borrowed(batch), Cow::Owned), None))
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
        let grown = self.run_forward(model, batch, Some(step), true)?;
        Ok(Run::new(self, model, grown.map_or(Cow::Borrowed(batch), Cow::Owned), Some(step)))
    }

    /// Runs forward; waits for the results only if `wait`. Where vertices have sections that decide
    /// how they go on, returns what the minibatch has become: that is what has run.
    fn run_forward(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
        step: Option<u64>,
        wait: bool,
    ) -> Result<Option<Minibatch<T>>, EngineError> {
        FORWARD.of::<T>()(self, model, batch, step, wait)
    }

    fn run_forward_each(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
        step: Option<u64>,
        wait: bool,
    ) -> Result<Option<Minibatch<T>>, EngineError> {
        check_owns(model, batch)?;
        self.spent = false;
        if !batch.is_settled(model.bound()) {
            return Growing::run(self, model, batch, step).map(Some);
        }
        let start = Instant::now();
        let proof = {
            let span =
                debug_span!(target: trace::TARGET, "schedule", batches = field::Empty).entered();
            let entangled = entangled(model.bound().functions.len(), batch);
            let proof = self.lay_out(model.bound(), batch, &entangled, step.is_some())?;
            span.record("batches", self.layout.batches.len());
            proof
        };
        let size = self.layout.size;
        self.backend.reserve(size)?;
        let scheduled = Instant::now();
        let graphs = batch.graph_count();
        let _span = debug_span!(target: trace::TARGET, "forward", graphs).entered();

        let (draws, scale) = ((self.seed, step), self.loss_factor());
        let Self { backend, layout, .. } = self;
        let frame = Frame::new(model, batch, layout, draws, scale);
        run_forward(backend.as_mut(), frame)?;
        if wait {
            backend.finish()?;
        }
        let copies = backend.take_copies();
        self.report = StepReport {
            schedule: scheduled - start,
            forward: scheduled.elapsed(),
            batches: layout.batches.len(),
            proof,
            copied_bytes: copies.gathered,
            gather_kernels: copies.gathers,
            moved_bytes: copies.moved,
            memory_kernels: copies.moves,
            arena_bytes: size * backend.element_bytes(),
            ..StepReport::default()
        };
        if let Some(times) = wait.then(|| backend.take_times()).flatten() {
            self.report.forward = times.forward;
        }
        Ok(None)
    }

    /// Schedules a minibatch and lays it out. Returns why no schedule is shorter, if that is known.
    fn lay_out(
        &mut self,
        model: &BoundModel,
        batch: &Minibatch<T>,
        entangled: &[bool],
        training: bool,
    ) -> Result<Option<Proof>, EngineError> {
        let needed = needed(model, entangled);
        let free = batch.schedule().is_none() && self.scheduler.is_free();
        if free && batch.levels().order(&needed, &mut self.order) {
            // No schedule has fewer batches, so no policy is needed.
            let order = Order::Levels(&self.order);
            self.layout.lay_out(model, batch, order, entangled, training);
            return Ok(Some(Proof::Levels));
        }
        if let Some(schedule) = batch.schedule() {
            self.scheduled.clear();
            let all = 0..batch.functions().len() as u32;
            self.scheduled.extend(scheduled(batch, all, &needed));
            let order = Order::Schedule(schedule, &self.scheduled);
            self.layout.lay_out(model, batch, order, entangled, training);
            return Ok(schedule.proof());
        }
        let (graph, scheduled) = whole_type_graph(model, batch, entangled);
        self.weigh(model);
        let schedule = self.scheduler.schedule(&model.signature, &graph)?;
        let order = Order::Schedule(&schedule, &scheduled);
        self.layout.lay_out(model, batch, order, entangled, training);
        Ok(schedule.proof())
    }

    /// Tells the scheduler what a batch of this model costs; on a GPU, that is not known.
    fn weigh(&mut self, model: &BoundModel) {
        let is_cpu = self.backend.crew().is_some();
        self.scheduler.batch_cost(is_cpu.then(|| batch_cost(model)));
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
        let entangled = entangled(model.bound().functions.len(), batch);
        self.lay_out(model.bound(), batch, &entangled, true).map(drop)
    }

    /// Runs backward, and again as long as gradients overflow because of the loss scale, if there
    /// is one.
    fn run_backward(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
        step: u64,
        seeds: &Seeds<T>,
    ) -> Result<Gradients<T>, EngineError> {
        BACKWARD.of::<T>()(self, model, batch, step, seeds)
    }

    fn run_backward_each(
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
        let start = Instant::now();
        let _span = debug_span!(target: trace::TARGET, "backward").entered();
        let scale = self.loss_factor();
        seeds.place(model.bound(), batch, &mut self.layout, self.backend.as_mut(), scale)?;
        self.spent = true;
        let Self { backend, layout, seed, .. } = self;
        let frame = Frame::new(model, batch, layout, (*seed, Some(step)), scale);
        run_backward_phases(backend.as_mut(), frame)?;
        self.report_backward(start, true);
        Ok(())
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
        let start = Instant::now();
        let _span = debug_span!(target: trace::TARGET, "backward").entered();
        let scale = self.loss_factor();
        seeds.place(model.bound(), batch, &mut self.layout, self.backend.as_mut(), scale)?;
        self.spent = true;
        let Self { backend, layout, seed, .. } = self;
        let frame = Frame::new(model, batch, layout, (*seed, Some(step)), scale);
        run_backward_phases(backend.as_mut(), frame)?;
        let mut gradients = self.spare_gradients(model);
        let Self { backend, layout, seed, .. } = self;
        let frame = Frame::new(model, batch, layout, (*seed, Some(step)), scale);
        backend.accumulate(frame, &mut gradients)?;
        self.report_backward(start, true);
        Ok(gradients)
    }

    /// Adds a backward pass that began at `start` to the report; `waited` is whether it has
    /// finished.
    fn report_backward(&mut self, start: Instant, waited: bool) {
        let Self { backend, layout, report, .. } = self;
        report.backward += start.elapsed();
        if let Some(times) = waited.then(|| backend.take_times()).flatten() {
            report.backward = times.backward;
        }
        let copies = backend.take_copies();
        report.copied_bytes += copies.gathered;
        report.gather_kernels += copies.gathers;
        report.moved_bytes += copies.moved;
        report.memory_kernels += copies.moves;
        // The caller's gradients of outputs have made the arena larger.
        report.arena_bytes = layout.size * backend.element_bytes();
    }
}

/// Begins a minibatch and runs the forward phases.
fn run_forward<T: Element>(
    backend: &mut dyn Backend<T>,
    frame: Frame<'_, T>,
) -> Result<(), EngineError> {
    backend.begin(frame)?;
    let types = frame.layout.types.iter_enumerated();
    for (function, _) in types.filter(|(_, layout)| !layout.vertices.is_empty()) {
        run_phase(backend, frame, function, Phase::Prepare, 0..0)?;
    }
    run_all(backend, frame, Phase::Eager)?;
    run_batches(backend, frame)?;
    run_all(backend, frame, Phase::Lazy)
}

/// Runs the batches of the schedule.
fn run_batches<T: Element>(
    backend: &mut dyn Backend<T>,
    frame: Frame<'_, T>,
) -> Result<(), EngineError> {
    backend.begin_batches(frame, Phase::Recurrent)?;
    for (function, rows) in &frame.layout.batches {
        if frame.layout.types[*function].entangled {
            run_phase(backend, frame, *function, Phase::Eager, rows.clone())?;
        }
        run_phase(backend, frame, *function, Phase::Recurrent, rows.clone())?;
        if frame.layout.types[*function].entangled {
            run_phase(backend, frame, *function, Phase::Lazy, rows.clone())?;
        }
    }
    backend.end_batches(frame, Phase::Recurrent)
}

/// Runs the backward phases, except for the sums over all vertices.
fn run_backward_phases<T: Element>(
    backend: &mut dyn Backend<T>,
    frame: Frame<'_, T>,
) -> Result<(), EngineError> {
    run_backward_batches(backend, frame)?;
    run_all(backend, frame, Phase::BackwardLazy)
}

/// The same without what no other row waits for.
fn run_backward_batches<T: Element>(
    backend: &mut dyn Backend<T>,
    frame: Frame<'_, T>,
) -> Result<(), EngineError> {
    let layout = frame.layout;
    run_all(backend, frame, Phase::BackwardEager)?;
    backend.begin_batches(frame, Phase::BackwardRecurrent)?;
    for (function, rows) in layout.batches.iter().rev() {
        if layout.types[*function].entangled {
            run_phase(backend, frame, *function, Phase::BackwardEager, rows.clone())?;
        }
        run_phase(backend, frame, *function, Phase::BackwardRecurrent, rows.clone())?;
        if layout.types[*function].entangled {
            run_phase(backend, frame, *function, Phase::BackwardLazy, rows.clone())?;
        }
    }
    backend.end_batches(frame, Phase::BackwardRecurrent)
}

/// Runs a phase of a function over some of its rows, in a trace span.
fn run_phase<T: Element>(
    backend: &mut dyn Backend<T>,
    frame: Frame<'_, T>,
    id: FunctionId,
    phase: Phase,
    rows: Range<u32>,
) -> Result<(), EngineError> {
    let function = &frame.model.functions[id];
    let prepares = phase == Phase::Prepare;
    if function.instructions(phase).is_empty() || (rows.is_empty() && !prepares) {
        return Ok(());
    }
    let _span = spans::phase(&function.name, phase, rows.len());
    backend.run(frame, id, phase, rows)
}

/// Runs a phase over all vertices of every function that does not follow the schedule in it.
fn run_all<T: Element>(
    backend: &mut dyn Backend<T>,
    frame: Frame<'_, T>,
    phase: Phase,
) -> Result<(), EngineError> {
    for (function, layout) in frame.layout.types.iter_enumerated() {
        if !layout.entangled {
            run_phase(backend, frame, function, phase, 0..layout.vertices.len() as u32)?;
        }
    }
    Ok(())
}
