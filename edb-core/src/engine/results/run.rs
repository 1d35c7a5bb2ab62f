//! A minibatch that has run: its results, and its backward pass.

use std::borrow::Cow;
use std::ops::Range;

use edb_ir::{Domain, FunctionId, Instruction, ValueId};
use ndarray::ArrayViewD;

use super::graph_copies::Copies;
use super::seen::RanParts;
use super::views::{nothing, port_view, shaped, tensor};
use crate::engine::backend::{Backend, Frame};
use crate::engine::base::Engine;
use crate::engine::error::EngineError;
use crate::engine::layout::dependencies::Dependencies;
use crate::engine::layout::find::{AnyFunction, check_no_list, find, find_at, output_field};
use crate::engine::layout::type_graph::whole_type_graph;
use crate::engine::pass::report::StepReport;
use crate::engine::pass::seeds::Seeds;
use edb_kernels::element::Element;
use edb_learn::learn::Gradients;
use edb_model::graph::{FlatBatch, Minibatch, inside};
use edb_model::model::bound::{BoundFunction, InputField};
use edb_model::model::{Function, Model};
use edb_schedule::{Explanation, Policy, Schedule, TypeGraph};
use edb_vertex::eager::Decision;
use edb_vertex::function::{Vertex, VertexFunction, place_of};
use edb_vertex::port::{FieldKind, FieldView, Port};

/// A minibatch that has run forward.
///
/// Results are views into the arena, valid while the run lives.
#[derive(Debug)]
pub struct Run<'a, T: Element = f32> {
    pub(crate) engine: &'a mut Engine<T>,
    pub(crate) model: &'a Model<T>,
    /// The minibatch that was given. If vertices decided how they go on, the minibatch that it has become,
    /// with the sections that have run.
    pub(crate) batch: Cow<'a, Minibatch<T>>,
    /// The training step, if a tape was kept for a backward pass.
    pub(crate) step: Option<u64>,
    /// The parts that have run side by side, if the minibatch was cut.
    pub(crate) parts: Option<RanParts>,
}

impl<'a, T: Element> Run<'a, T> {
    pub(crate) fn new(
        engine: &'a mut Engine<T>,
        model: &'a Model<T>,
        batch: Cow<'a, Minibatch<T>>,
        step: Option<u64>,
    ) -> Self {
        Self { engine, model, batch, step, parts: None }
    }

    /// The minibatch that has run, with its sections.
    pub(crate) fn batch(&self) -> &FlatBatch {
        FlatBatch::of(&self.batch)
    }

    /// The seed and the step of the random draws.
    pub(crate) fn draws(&self) -> Result<(u64, u64), EngineError> {
        Ok((self.engine.seed, self.step.ok_or(EngineError::NoTape)?))
    }

    /// The policy of the engine.
    pub(crate) fn policy(&self) -> Policy {
        self.engine.scheduler.policy().clone()
    }

    /// The number of a vertex of `batch` in the minibatch that has run: the number of its first section.
    /// `batch` is the minibatch that was given, or the one that has run.
    pub(crate) fn place_of(&self, batch: &FlatBatch, vertex: u32) -> u32 {
        if !batch.has_sections() && self.batch().has_sections() {
            let graph = batch.graphs()[vertex as usize] as usize;
            let place = self.batch().vertex(graph, batch.number(vertex) as usize);
            return place.expect("it is the same graph");
        }
        vertex
    }

    /// The minibatch that has run. If vertices decided how they go on, it has the sections that they have
    /// run. A clone of it runs the same sections again, even if its conditions have other values then.
    pub fn minibatch(&self) -> &Minibatch<T> {
        &self.batch
    }

    /// Runs backward, and returns the gradient of the sum of all losses.
    ///
    /// # Errors
    /// When the run was forward only, or has gone backward already.
    pub fn backward(&mut self) -> Result<Gradients<T>, EngineError> {
        self.backward_with(&Seeds::new())
    }

    /// Runs backward with gradients for outputs, and returns the gradient of `Σ losses + Σ ⟨seed, output⟩`. Then read
    /// the gradients of pulled tensors with [`Run::input_gradient`].
    ///
    /// # Errors
    /// When the run was forward only, has gone backward already, or a seed does not fit.
    pub fn backward_with(&mut self, seeds: &Seeds<T>) -> Result<Gradients<T>, EngineError> {
        let step = self.tape()?;
        let Self { engine, model, batch, parts, .. } = self;
        let Some(parts) = parts else {
            return engine.run_backward(model, batch, step, seeds);
        };
        let mut gradients = engine.spare_gradients(model);
        let batch = FlatBatch::of(batch);
        engine.backward_in_parts(model, batch, parts, step, seeds, Some(&mut gradients))?;
        Ok(gradients)
    }

    /// The training step. Fails if the run was forward only, or has gone backward already.
    pub(crate) fn tape(&self) -> Result<u64, EngineError> {
        match self.engine.spent {
            true => Err(EngineError::Spent),
            false => self.step.ok_or(EngineError::NoTape),
        }
    }

    /// Copies these graphs, runs the copies backward from the seeds, and calls `read` with a run of the copies.
    /// `inputs` are vertices, each given by its copy and number: `read` may only read the gradients of their
    /// inputs; with `None`, it may read everything. The values of this run stay as they are.
    pub(crate) fn with_copies<R>(
        &mut self,
        graphs: &[u32],
        seeds: &Seeds<T>,
        inputs: Option<Vec<(usize, usize)>>,
        read: impl FnOnce(&mut Run<'_, T>) -> Result<R, EngineError>,
    ) -> Result<R, EngineError> {
        let step = self.tape()?;
        let Self { engine, model, batch: of, .. } = self;
        let batch = inside::repeated(of, graphs, model.bound())?;
        let find = |(copy, vertex)| find_at(FlatBatch::of(&batch), copy, vertex);
        let pulling = inputs.map(|inputs| inputs.into_iter().map(find).collect());
        let pulling: Option<Vec<u32>> = pulling.transpose()?;
        let (of_lists, pulling) = (FlatBatch::of(of), pulling.as_deref());
        let copies = Copies { of: of_lists, graphs, batch: &batch, pulling };
        let ran = engine.run_copies(model, &copies, step, seeds);
        let result = ran.and_then(|()| {
            let mut run = Run::new(engine, model, Cow::Borrowed(&batch), Some(step));
            read(&mut run)
        });
        let ended = engine.end_copies(model, of, step);
        result.and_then(|result| ended.map(|()| result))
    }

    /// Runs backward without summing the gradients of parameters. Returns the step.
    pub(crate) fn backward_rows(&mut self, seeds: &Seeds<T>) -> Result<u64, EngineError> {
        let step = self.tape()?;
        let Self { engine, model, batch, parts, .. } = self;
        if engine.backend.scales_losses() {
            return Err(EngineError::NoGraphSums);
        }
        match parts {
            None => engine.run_backward_rows(model, batch, step, seeds),
            Some(parts) => {
                let batch = FlatBatch::of(batch);
                engine.backward_in_parts(model, batch, parts, step, seeds, None)
            }
        }?;
        Ok(step)
    }

    /// Returns gradients of zero. They reuse memory if possible.
    pub(crate) fn spare_gradients(&mut self) -> Gradients<T> {
        let model = self.model;
        self.engine.spare_gradients(model)
    }

    /// Calls `work` with the back end and with the frame of this run, which has gone backward in this step.
    pub(crate) fn with_frame<R>(
        &mut self,
        step: u64,
        work: impl FnOnce(&mut dyn Backend<T>, Frame<'_, T>) -> R,
    ) -> R {
        let Self { engine, model, batch, .. } = self;
        let scale = engine.loss_factor();
        let Engine { backend, layout, seed, .. } = engine;
        work(backend.as_mut(), Frame::new(model, batch, layout, (*seed, Some(step)), scale))
    }

    /// The sum of all losses, computed in `f64` in the order of the vertices. It is NaN if a vertex has
    /// decided on NaN by an argmax, a sample or a condition.
    ///
    /// # Errors
    /// When the device has failed.
    pub fn loss(&self) -> Result<f64, EngineError> {
        match &self.parts {
            Some(_) => self.losses_of_parts(),
            None => self.engine.sum_of_losses(self.model, &self.batch),
        }
    }

    /// The loss of one vertex, given by the place of its graph in the minibatch and its number in the graph.
    /// It is 0 if the vertex has no loss, and NaN if the vertex has decided on NaN.
    ///
    /// # Errors
    /// When there is no such vertex, or the device has failed.
    pub fn vertex_loss(&self, graph: usize, vertex: usize) -> Result<f64, EngineError> {
        let vertex = find_at(self.batch(), graph, vertex)?;
        let losses = self.batch().path(vertex).map(|section| self.loss_of(section));
        // The sum of an empty iterator is -0.0; adding 0.0 makes it 0.0.
        Ok(losses.sum::<Result<f64, EngineError>>()? + 0.0)
    }

    /// How many sections a vertex has run, given the place of its graph in the minibatch and its number in the
    /// graph. It is 1 for a function that decides nothing. Otherwise the first section is counted, each section
    /// that the vertex has decided to run, and the last.
    ///
    /// # Errors
    /// When there is no such vertex.
    pub fn sections_at(&self, graph: usize, vertex: usize) -> Result<usize, EngineError> {
        Ok(self.batch().path(find_at(self.batch(), graph, vertex)?).count())
    }

    /// Finds the first vertex whose loss is NaN or infinite. Returns the place of its graph in the minibatch, its
    /// number in the graph, the name of its function, and the loss; `None` if all losses are finite.
    ///
    /// # Errors
    /// When the device has failed.
    pub fn first_loss_not_finite(
        &self,
    ) -> Result<Option<(usize, usize, String, f64)>, EngineError> {
        for vertex in 0..self.batch().functions().len() as u32 {
            let loss = self.loss_of(vertex)?;
            if !loss.is_finite() {
                let graph = self.batch().graphs()[vertex as usize] as usize;
                let number = self.batch().number(vertex) as usize;
                return Ok(Some((graph, number, self.function(vertex).name.clone(), loss)));
            }
        }
        Ok(None)
    }

    /// The sum of the losses of one vertex or section; NaN if it has decided on NaN.
    pub(crate) fn loss_of(&self, vertex: u32) -> Result<f64, EngineError> {
        let function = self.function(vertex);
        let losses = function.plan.program.summed();
        losses.map(|id| Ok(self.row(vertex, id)?.map_or(0.0, |row| row[0].as_f64()))).sum()
    }

    pub(crate) fn function(&self, vertex: u32) -> &'a BoundFunction {
        &self.model.bound().functions[self.batch().functions()[vertex as usize]]
    }

    /// The row of a tensor at one vertex of the minibatch, if the tensor is kept.
    pub(crate) fn row(&self, vertex: u32, id: ValueId) -> Result<Option<&[T]>, EngineError> {
        let (function, seen) = (self.function(vertex), self.seen(vertex));
        if function.is_index(id) || seen.is_forgotten() {
            return Ok(None);
        }
        let rows = seen.layout.rows_of(function, id);
        rows.map(|rows| seen.row(&rows)).transpose()
    }

    pub(crate) fn view(&self, vertex: u32, id: ValueId) -> Result<ArrayViewD<'_, T>, EngineError> {
        let sizes = &self.function(vertex).value(id).sizes;
        Ok(shaped(self.row(vertex, id)?.unwrap_or(&[]), sizes))
    }

    /// A value that a port shows at one vertex of the minibatch.
    pub(super) fn field_view(
        &self,
        vertex: u32,
        id: ValueId,
    ) -> Result<FieldView<'_, T>, EngineError> {
        if !self.function(vertex).is_index(id) {
            return self.view(vertex, id).map(FieldView::Tensor);
        }
        let (function, seen) = (self.function(vertex), self.seen(vertex));
        let row = match seen.layout.rows_of(function, id) {
            Some(rows) => &seen.indices()?[rows.of(seen.layout, seen.vertex)],
            None => &[],
        };
        Ok(FieldView::Index(shaped(row, &function.value(id).sizes)))
    }

    /// A value that a port shows at one vertex of the minibatch, as numbers. An index is one number.
    pub(crate) fn numbers(&self, vertex: u32, id: ValueId) -> Result<Vec<f64>, EngineError> {
        Ok(match self.field_view(vertex, id)? {
            FieldView::Tensor(view) => view.iter().map(|number| number.as_f64()).collect(),
            FieldView::Index(view) => view.iter().map(|index| f64::from(*index)).collect(),
        })
    }

    /// The decisions of one vertex of the minibatch: the indices that it has computed from numbers.
    pub(crate) fn decisions(&self, vertex: u32) -> Result<Vec<Decision>, EngineError> {
        let mut decisions = Vec::new();
        for section in self.batch().path(vertex) {
            let before = self.batch().sites(section);
            let of_section = self.decisions_of_section(section)?.into_iter();
            let of_vertex = |made: Decision| Decision { site: before.before(made.site), ..made };
            decisions.extend(of_section.map(of_vertex));
        }
        Ok(decisions)
    }

    /// The decisions of one section. Their sites are counted from the beginning of the section.
    pub(crate) fn decisions_of_section(&self, vertex: u32) -> Result<Vec<Decision>, EngineError> {
        let mut decisions = Vec::new();
        let (function, seen) = (self.function(vertex), self.seen(vertex));
        if seen.is_forgotten() {
            return Ok(decisions);
        }
        let layout = seen.layout;
        let of_type = &layout.types[function.id];
        let row = layout.rows[seen.vertex as usize] as usize;
        for (_, instruction) in &function.plan.routine.instructions {
            let Instruction::Op { value, out: Some(out), .. } = instruction else { continue };
            // The index of the next section comes from conditions, and is not a decision of this kind.
            if function.plan.program.next == Some(*value) {
                continue;
            }
            let op = &function.plan.program.value(*value).op;
            let Some(site) = op.decision() else { continue };
            let Some(rows) = layout.rows_at(function, *out, *value) else { continue };
            let found = &seen.indices()?[rows.start..];
            let record = &function.routine.records[out.record];
            let places = match record.domain {
                Domain::Edge => {
                    let ends = [row, row + 1].map(|row| of_type.rest_offsets[row] as usize);
                    ends[0]..ends[1]
                }
                Domain::Step | Domain::Vertex => row..row + 1,
            };
            let made = found[places].iter().zip(0..);
            decisions.extend(made.map(|(&index, edge)| Decision { site, edge, index }));
        }
        Ok(decisions)
    }

    pub(super) fn gradient_view(
        &self,
        vertex: u32,
        id: ValueId,
    ) -> Result<ArrayViewD<'_, T>, EngineError> {
        let (function, seen) = (self.function(vertex), self.seen(vertex));
        let row = match seen.layout.rows_of(function, id) {
            Some(rows) => seen.gradient(&rows)?,
            None => &[],
        };
        Ok(shaped(row, &function.value(id).sizes))
    }

    fn find<S>(&self, vertex: Vertex<S>) -> Result<u32, EngineError> {
        find(self.batch(), place_of(&vertex).0, vertex.number())
    }

    pub(crate) fn find_as<F: VertexFunction>(
        &self,
        function: &Function<F>,
        vertex: Vertex<F::State>,
    ) -> Result<u32, EngineError> {
        let found = self.find(vertex)?;
        AnyFunction::of(function).check(self.model.bound(), self.batch(), found)?;
        Ok(found)
    }

    /// The section that pushes the output of a vertex. Fails if the vertex pushes a list.
    fn pushing(&self, vertex: u32) -> Result<u32, EngineError> {
        let function = self.model.bound().as_added(self.batch().functions()[vertex as usize]);
        check_no_list(function).map(|()| self.batch().last(vertex))
    }

    /// The output of a vertex, as views: `run.output(&sentiment, v)?.logits`.
    ///
    /// If the graph of the vertex is in the minibatch several times, its first occurrence is read. If the graph
    /// is not in the minibatch, the first clone of it that has the vertex is read.
    ///
    /// # Errors
    /// When the vertex is not in the minibatch, or of another function, or pushes a list. Read a list with
    /// [`outputs_of`](Self::outputs_of).
    pub fn output<F: VertexFunction>(
        &self,
        function: &Function<F>,
        vertex: Vertex<F::State>,
    ) -> Result<<F::Output as Port>::View<'_, T>, EngineError> {
        self.output_of::<F>(self.find_as(function, vertex)?)
    }

    /// The output of a vertex of the minibatch. The caller has checked that it is of this function.
    pub(crate) fn output_of<F: VertexFunction>(
        &self,
        vertex: u32,
    ) -> Result<<F::Output as Port>::View<'_, T>, EngineError> {
        let found = self.pushing(vertex)?;
        let fields = self.function(found).output.iter();
        let views = fields.map(|field| self.field_view(found, field.value));
        port_view::<F::Output, T>(views)
    }

    /// A tensor that a vertex has pushed. `graph` is the place of the graph in the minibatch, `vertex` the number
    /// of the vertex in the graph.
    ///
    /// # Errors
    /// When there is no such vertex, it pushes no such tensor, or it pushes a list.
    pub fn output_at(
        &self,
        graph: usize,
        vertex: usize,
        field: &str,
    ) -> Result<ArrayViewD<'_, T>, EngineError> {
        self.pushed_tensor(self.pushing(find_at(self.batch(), graph, vertex)?)?, field)
    }

    /// A tensor that a section has pushed.
    fn pushed_tensor(&self, section: u32, field: &str) -> Result<ArrayViewD<'_, T>, EngineError> {
        let field = output_field(self.function(section), field)?;
        tensor(self.field_view(section, field.value)?, &field.name)
    }

    /// A field of each item of the list that a vertex has pushed; one tensor if it pushes no list. The vertex is
    /// given as in [`output_at`](Self::output_at).
    ///
    /// # Errors
    /// When there is no such vertex, or the vertex pushes no such tensor.
    pub fn outputs_at(
        &self,
        graph: usize,
        vertex: usize,
        field: &str,
    ) -> Result<Vec<ArrayViewD<'_, T>>, EngineError> {
        let bound = self.model.bound();
        let found = find_at(self.batch(), graph, vertex)?;
        let of = output_field(bound.pushing(self.batch().functions()[found as usize]), field)?;
        let tensor = |item| self.pushed_tensor(item, &of.name);
        self.batch().items(bound, found).into_iter().map(tensor).collect()
    }

    /// An index that a vertex has pushed. The vertex is given as in [`output_at`](Self::output_at).
    ///
    /// # Errors
    /// When there is no such vertex, or it pushes no such index.
    pub fn index_at(&self, graph: usize, vertex: usize, field: &str) -> Result<u32, EngineError> {
        let found = self.pushing(find_at(self.batch(), graph, vertex)?)?;
        let field = output_field(self.function(found), field)?;
        match self.field_view(found, field.value)? {
            FieldView::Index(view) => Ok(view.iter().next().copied().unwrap_or(0)),
            FieldView::Tensor(_) => Err(EngineError::IsTensor { field: field.name.clone() }),
        }
    }

    /// The state that a vertex has scattered, as views: `run.state(root)?.h`.
    ///
    /// # Errors
    /// When the vertex is not in the minibatch.
    pub fn state<S: Port>(&self, vertex: Vertex<S>) -> Result<S::View<'_, T>, EngineError> {
        self.state_of::<S>(self.find(vertex)?)
    }

    /// The state that a vertex of the minibatch has scattered.
    pub(crate) fn state_of<S: Port>(&self, vertex: u32) -> Result<S::View<'_, T>, EngineError> {
        let found = self.batch().last(vertex);
        let function = self.function(found);
        port_view::<S, T>(S::FIELDS.iter().map(|field| match function.state_value(field.name) {
            Some(id) => self.field_view(found, id),
            None => Ok(nothing(field.kind)),
        }))
    }

    /// A field of the state that a vertex has scattered; `None` if it scatters no such field. The vertex is given
    /// as in [`output_at`](Self::output_at).
    ///
    /// # Errors
    /// When there is no such vertex, or the field is an index.
    pub fn state_at(
        &self,
        graph: usize,
        vertex: usize,
        field: &str,
    ) -> Result<Option<ArrayViewD<'_, T>>, EngineError> {
        let found = self.batch().last(find_at(self.batch(), graph, vertex)?);
        let id = self.function(found).state_value(field);
        id.map(|id| tensor(self.field_view(found, id)?, field)).transpose()
    }

    pub(crate) fn field(&self, vertex: u32, name: &str) -> Result<FieldView<'_, T>, EngineError> {
        match self.function(vertex).state_value(name) {
            Some(id) => self.field_view(vertex, id),
            None => Ok(nothing(FieldKind::Tensor)),
        }
    }

    /// The gradient of a vertex's input, after [`Run::backward`], as views of its tensor fields. The view of a
    /// field is empty if it is an index or if the function does not use it.
    ///
    /// # Errors
    /// Before the backward pass, or when the vertex is not in the minibatch or of another function.
    pub fn input_gradient<F: VertexFunction>(
        &self,
        function: &Function<F>,
        vertex: Vertex<F::State>,
    ) -> Result<<F::Input as Port>::View<'_, T>, EngineError> {
        if !self.engine.spent {
            return Err(EngineError::NotYet);
        }
        let found = self.find_as(function, vertex)?;
        let bound = self.function(found);
        let fields = bound.input.iter().enumerate();
        let fields = fields.filter(|(_, field)| field.kind != FieldKind::Indices);
        let view = |(number, field): (usize, &InputField)| match bound.input_gradient(number) {
            Some(id) => self.gradient_view(found, id).map(FieldView::Tensor),
            None => Ok(nothing(field.kind)),
        };
        port_view::<F::Input, T>(fields.map(view))
    }

    /// The gradient of a tensor field that a vertex has pulled, after the backward pass; `None` if the function
    /// of the vertex uses no such field. The vertex is given as in [`output_at`](Self::output_at).
    ///
    /// # Errors
    /// Before the backward pass, or when there is no such vertex.
    pub fn input_gradient_at(
        &self,
        graph: usize,
        vertex: usize,
        field: &str,
    ) -> Result<Option<ArrayViewD<'_, T>>, EngineError> {
        if !self.engine.spent {
            return Err(EngineError::NotYet);
        }
        let found = find_at(self.batch(), graph, vertex)?;
        let bound = self.function(found);
        let number = bound.input.iter().position(|input| input.name == field);
        let gradient = number.and_then(|number| bound.input_gradient(number));
        gradient.map(|id| self.gradient_view(found, id)).transpose()
    }

    /// The times and the memory of the run so far.
    pub fn report(&self) -> StepReport {
        self.engine.report
    }

    /// How many batches the schedule had. Functions without a recurrence are not scheduled.
    pub fn batch_count(&self) -> usize {
        match &self.parts {
            None => self.engine.layout.batches.len(),
            Some(_) => self.schedule().len(),
        }
    }

    /// The schedule of the run, with its proof, if it has one. Its vertices are numbered as in
    /// [`Engine::type_graph`]. If parts of the minibatch have run side by side, their schedules are merged: batches
    /// of one function that come next in several parts become one batch.
    pub fn schedule(&self) -> Schedule {
        if self.parts.is_some() {
            return self.batch().schedule().cloned().unwrap_or_else(|| {
                let of_parts: Vec<Schedule> =
                    self.layouts().map(|layout| layout.schedule(None)).collect();
                Schedule::side_by_side(&of_parts.iter().collect::<Vec<_>>())
            });
        }
        let Engine { layout, report, .. } = &*self.engine;
        let has_all = |(of, rows): &(FunctionId, Range<u32>)| {
            rows.end as usize <= layout.types[*of].vertices.len()
        };
        match self.batch().schedule() {
            // The layout has no rows of sections that were forgotten, so the record has the schedule.
            Some(record) if !layout.batches.iter().all(has_all) => record.clone(),
            _ => layout.schedule(report.proof),
        }
    }

    /// The graph that was scheduled, as in [`Engine::type_graph`].
    pub fn type_graph(&self) -> TypeGraph {
        let Dependencies { scheduled, .. } = Dependencies::of(self.model.bound(), self.batch());
        whole_type_graph(self.model.bound(), self.batch(), &scheduled).0
    }

    /// Explains why the schedule has as many batches as it has: it compares them with the lower bound, lists
    /// the edges that delayed vertices, and names the states in which a machine chose. Print the result.
    pub fn explain(&self) -> Explanation {
        let types = self.model.signature();
        let policy = self.engine.scheduler.policy_for(types);
        let explained = policy.explain(&self.schedule(), &self.type_graph(), types);
        explained.expect("what has run is a schedule of the minibatch")
    }

    /// How many elements the arena of the minibatch has.
    pub fn arena_len(&self) -> usize {
        self.layouts().map(|layout| layout.size).sum()
    }
}
