//! A runner runs minibatches with a back end, its layouts and the policies. It belongs to the engine, or to a
//! thread that runs parts.

use super::Pass;
use super::report::StepReport;
use super::run_memory::RunMemory;
use crate::engine::backend::{Backend, Frame};
use crate::engine::error::EngineError;
use crate::engine::layout::Layout;
use crate::engine::layout::dependencies::Dependencies;
use crate::engine::layout::planner::Planner;
use crate::engine::layout::rows::Order;
use crate::engine::layout::type_graph::{run_cost, vertices_of, whole_type_graph};
use edb_kernels::element::Element;
use edb_kernels::vouch::Vouch;
use edb_model::graph::{FlatBatch, Minibatch};
use edb_model::model::{BoundModel, Model};
use edb_schedule::Proof;

// SAFETY: every schedule that is set with this key was made for the type graph of the same minibatch. Graphs that
// grow are handed out only in a `Round`, where all that they get is added through `Graph`. Sections follow the
// decisions that `Growing` and `Online` read. `Growing` settles as the minibatch that it runs.
/// The key with which the engine vouches for schedules, and for graphs that grow.
pub(crate) const VOUCH: Vouch = unsafe { Vouch::new() };

/// Runs minibatches: the back end, the layouts, the policies and the settings that a run needs.
#[derive(Debug)]
pub(crate) struct Runner<'a, T> {
    pub(crate) backend: &'a mut dyn Backend<T>,
    pub(crate) layout: &'a mut Layout,
    pub(crate) memory: &'a mut RunMemory,
    pub(crate) planner: Planner<'a>,
    /// The seed and the step of random draws; no step in inference.
    pub(crate) draws: (u64, Option<u64>),
    /// The factor by which a backward pass is scaled; 1 without a loss scale.
    pub(crate) loss_scale: f64,
    /// The most rounds of a graph that grows, and the most sections of a vertex.
    pub(crate) most_steps: u32,
    /// Whether the last run has gone backward.
    pub(crate) spent: &'a mut bool,
    pub(crate) report: &'a mut StepReport,
}

impl<T: Element> Runner<'_, T> {
    /// The back end, and the frame of a minibatch that is laid out.
    pub(crate) fn split<'s>(
        &'s mut self,
        model: &'s Model<T>,
        batch: &'s Minibatch<T>,
    ) -> (&'s mut dyn Backend<T>, Frame<'s, T>) {
        let Self { backend, layout, draws, loss_scale, .. } = self;
        (&mut **backend, Frame::new(model, batch, layout, *draws, *loss_scale))
    }

    /// Makes the pass of a minibatch that is laid out.
    pub(crate) fn pass<'s>(
        &'s mut self,
        model: &'s Model<T>,
        batch: &'s Minibatch<T>,
    ) -> Pass<'s, T> {
        let Self { backend, layout, draws, loss_scale, spent, report, .. } = self;
        let (draws, loss_scale) = (*draws, *loss_scale);
        Pass { backend: &mut **backend, layout, model, batch, draws, loss_scale, spent, report }
    }

    /// Tells the scheduler what batches and vertices of this model cost on the CPU. On a GPU, this is not known.
    pub(crate) fn weigh(&mut self, model: &BoundModel) {
        if let Planner::Learning(scheduler) = &mut self.planner {
            let is_cpu = self.backend.crew().is_some();
            let [batch, vertex] = run_cost(model);
            scheduler.batch_cost(is_cpu.then_some(batch));
            scheduler.vertex_cost(vertex);
        }
    }

    /// Schedules a minibatch and lays it out. Returns why no schedule has fewer batches, if that is known.
    pub(crate) fn lay_out(
        &mut self,
        model: &BoundModel,
        batch: &FlatBatch,
        dependencies: &Dependencies,
        training: bool,
    ) -> Result<Option<Proof>, EngineError> {
        let Dependencies { entangled, scheduled, levels } = dependencies;
        if let (None, true, Some(levels)) = (batch.schedule(), self.planner.is_free(), levels) {
            // No schedule has fewer batches than the levels, so no policy is needed.
            self.layout.lay_out(model, batch, Order::Levels(levels), entangled, training);
            return Ok(Some(Proof::Levels));
        }
        if let Some(schedule) = batch.schedule() {
            if !batch.is_vouched_for() {
                schedule.check(&whole_type_graph(model, batch, scheduled).0)?;
            }
            let vertices = &mut self.memory.scheduled;
            vertices.clear();
            vertices.extend(vertices_of(batch, 0..batch.functions().len() as u32, scheduled));
            let order = Order::Schedule(schedule, vertices);
            self.layout.lay_out(model, batch, order, entangled, training);
            return Ok(schedule.proof());
        }
        let (graph, vertices) = whole_type_graph(model, batch, scheduled);
        self.weigh(model);
        let schedule = self.planner.schedule(&model.signature, &graph)?;
        let order = Order::Schedule(&schedule, &vertices);
        self.layout.lay_out(model, batch, order, entangled, training);
        Ok(schedule.proof())
    }
}
