//! The gradients of each graph of a minibatch, from one backward pass.
//!
//! No edge connects two graphs, so each row belongs to one graph. The gradients of parameters are sums over rows, which
//! are computed after the backward pass. The gradient of a graph is the sum over its own rows, in the order of its
//! vertices. The rows of other graphs do not change it.

use std::ops::Range;

use smallvec::SmallVec;

use crate::engine::backend::frame::Frame;
use crate::engine::backend::graph_sums::{Factor, GraphRows, GraphSums};
use crate::engine::base::Engine;
use crate::engine::error::EngineError;
use crate::engine::pass::seeds::Seeds;
use crate::engine::results::run::Run;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_learn::learn::{Gradients, ParameterId, Workers};
use edb_model::graph::{FlatBatch, Minibatch};
use edb_model::model::Model;

/// The gradients of each graph of a run, from [`Run::backward_each`]. Each method sums them when it is called, and
/// again when it is called again.
///
/// If the run was on a GPU, its values are copied to the processor, which sums the gradients.
///
/// The bits of a graph's gradient do not depend on the other graphs, on the policy, or on the number of threads.
#[derive(Debug)]
pub struct GraphGradients<'r, 'a, T: Element> {
    run: &'r mut Run<'a, T>,
    /// The rows of the graphs of each part that has run.
    rows: SmallVec<[GraphRows; 1]>,
    step: u64,
}

impl<'a, T: Element> Run<'a, T> {
    /// Runs backward, to compute the gradients of each graph. They are the gradients of the sum of its losses.
    ///
    /// ```
    /// # extern crate edb_core as edb;
    /// # use edb::engine::Run;
    /// # fn clipped(run: &mut Run<'_>) -> Result<(), Box<dyn std::error::Error>> {
    /// let mut each = run.backward_each()?;
    /// let norms = each.norms()?;
    /// // The sum of all gradients, each clipped to a norm of at most 1.
    /// let clipped = each.weighted(|graph| (1.0 / norms[graph]).min(1.0))?;
    /// # let _ = clipped;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the run was forward only or has gone backward already, or when the device scales losses.
    pub fn backward_each(&mut self) -> Result<GraphGradients<'_, 'a, T>, EngineError> {
        self.backward_each_with(&Seeds::new())
    }

    /// Runs backward with gradients for outputs, to compute the gradients of each graph. The seeds of a graph's
    /// outputs count for this graph.
    ///
    /// # Errors
    /// As [`backward_each`](Self::backward_each), and when a seed does not fit.
    pub fn backward_each_with(
        &mut self,
        seeds: &Seeds<T>,
    ) -> Result<GraphGradients<'_, 'a, T>, EngineError> {
        let step = self.backward_rows(seeds)?;
        GraphGradients::new(self, step)
    }
}

impl<T: Element> Engine<T> {
    /// How many bytes of memory the gradients of each graph of a minibatch need on the processor, in addition to
    /// [`training_bytes`](Self::training_bytes). This is the memory of [`backward_each`](Run::backward_each) and of
    /// all norms. If the run is on a GPU, its values are copied to the processor for this.
    ///
    /// # Errors
    /// As [`training_bytes`](Self::training_bytes), and when there is not enough memory to count these bytes.
    pub fn each_bytes(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
    ) -> Result<usize, EngineError> {
        let lists = FlatBatch::of(batch);
        self.lay_out_training(model, batch)?;
        let rows = GraphRows::new(lists, &self.layout)?;
        let Self { backend, layout, seed, .. } = self;
        let frame = Frame::new(model, batch, layout, (*seed, None), 1.0);
        Ok(backend.graph_sums_bytes(frame, &rows).saturating_add(rows.bytes()))
    }
}

/// Calls [`GraphSums::add_whole_numbers`] for all graphs of a run.
///
/// # Errors
/// When there is not enough memory.
pub fn add_whole_numbers<T: Element>(
    each: &mut GraphGradients<'_, '_, T>,
    parameters: &[ParameterId],
    factor: &Factor<'_>,
    sums: &mut Gradients<f64>,
) -> Result<(), EngineError> {
    each.with_each(|of, frame, rows, graphs| {
        let added = of.add_whole_numbers(frame, rows, parameters, factor, sums);
        added.map_err(|error| error.of_graphs_from(graphs.start))
    })
}

impl<'r, 'a, T: Element> GraphGradients<'r, 'a, T> {
    pub(crate) fn new(run: &'r mut Run<'a, T>, step: u64) -> Result<Self, EngineError> {
        let rows = begin(run, step)?;
        Ok(Self { run, rows, step })
    }

    /// How many graphs there are.
    pub fn count(&self) -> usize {
        self.rows.iter().map(GraphRows::count).sum()
    }

    /// For each graph, the 2-norm of its gradient, over all parameters together.
    ///
    /// Most norms are computed without computing the gradient: `‖Σ_r y_r x_rᵀ‖² = Σ_rs ⟨y_r, y_s⟩⟨x_r, x_s⟩`
    /// (Goodfellow, 2015, "Efficient per-example gradient computations"). The sums are over all vertices of the
    /// graph that use the parameter.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn norms(&mut self) -> Result<Vec<f64>, EngineError> {
        self.norms_of(|_| true)
    }

    /// For each graph, the 2-norm of its gradient, over those parameters together for which `counts` returns true.
    ///
    /// # Errors
    /// As [`norms`](Self::norms).
    pub fn norms_of(
        &mut self,
        mut counts: impl FnMut(ParameterId) -> bool,
    ) -> Result<Vec<f64>, EngineError> {
        let all = (0..self.run.model.parameters().len()).map(ParameterId::new);
        let parameters: Vec<ParameterId> = all.filter(|id| counts(*id)).collect();
        norms(self, &parameters)
    }

    /// The sum of the gradients of all graphs, each multiplied by its weight. If all weights are 1, it is the
    /// gradient that [`backward`](Run::backward) returns.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn weighted(
        &mut self,
        weight: impl FnMut(usize) -> f64,
    ) -> Result<Gradients<T>, EngineError> {
        let weights: Vec<f64> = (0..self.count()).map(weight).collect();
        weighted(self, &weights)
    }

    /// The gradient of one graph, given by its place in the minibatch.
    ///
    /// # Errors
    /// When there is no such graph, or not enough memory.
    pub fn gradient(&mut self, graph: usize) -> Result<Gradients<T>, EngineError> {
        if graph >= self.count() {
            return Err(EngineError::UnknownGraph { graph, graphs: self.count() });
        }
        let mut gradients = self.run.spare_gradients();
        add_graph(self, graph, &mut gradients)?;
        Ok(gradients)
    }

    /// For each graph, the inner product of its gradient with a direction. It says how fast the loss of the graph
    /// grows if the parameters move along the direction.
    ///
    /// # Errors
    /// When the direction is not one of this model's parameters, or there is not enough memory.
    pub fn dots(&mut self, direction: &Gradients<T>) -> Result<Vec<f64>, EngineError> {
        if !direction.fit(self.run.model.parameters()) {
            return Err(EngineError::Direction);
        }
        let mut gradients = self.run.spare_gradients();
        let mut dots = Vec::with_capacity(self.count());
        for graph in 0..self.count() {
            add_graph(self, graph, &mut gradients)?;
            dots.push(gradients.dot(direction));
            gradients.reset();
        }
        Ok(dots)
    }

    /// Calls `work` for each part that has run, with the rows and the places of its graphs.
    fn with_each(
        &mut self,
        mut work: impl FnMut(
            &mut dyn GraphSums<T>,
            Frame<'_, T>,
            &GraphRows,
            Range<usize>,
        ) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        let graphs = self.run.part_graphs();
        let mut parts = graphs.into_iter().enumerate();
        parts.try_for_each(|(part, graphs)| {
            self.with(part, |sums, frame, rows| work(sums, frame, rows, graphs))
        })
    }

    /// Calls `work` for one part that has run.
    fn with<R>(
        &mut self,
        part: usize,
        work: impl FnOnce(&mut dyn GraphSums<T>, Frame<'_, T>, &GraphRows) -> Result<R, EngineError>,
    ) -> Result<R, EngineError> {
        let Self { run, rows, step } = self;
        run.in_part(part, |run| {
            run.with_frame(*step, |backend, frame| match backend.graph_sums() {
                Some(sums) => work(sums, frame, &rows[part]),
                None => Err(EngineError::NoGraphSums),
            })
        })
    }
}

compiled_here! {
    /// Begins the sums of each part. Returns for each part the rows of its graphs.
    fn begin(
        run: &mut Run<'_, T>,
        step: u64,
    ) -> Result<SmallVec<[GraphRows; 1]>, EngineError> {
        let rows = (0..run.part_graphs().len()).map(|part| {
            run.in_part(part, |run| {
                run.with_frame(step, |backend, frame| backend.begin_graph_sums(frame))?;
                GraphRows::new(run.batch(), &run.engine.layout)
            })
        });
        rows.collect()
    }
}

compiled_here! {
    /// See [`GraphGradients::norms_of`].
    fn norms(
        of: &mut GraphGradients<'_, '_, T>,
        parameters: &[ParameterId],
    ) -> Result<Vec<f64>, EngineError> {
        let mut norms = Vec::with_capacity(of.count());
        of.with_each(|sums, frame, rows, _| {
            norms.append(&mut sums.norms(frame, rows, parameters)?);
            Ok(())
        })?;
        Ok(norms)
    }
}

compiled_here! {
    /// See [`GraphGradients::weighted`].
    fn weighted(
        of: &mut GraphGradients<'_, '_, T>,
        weights: &[f64],
    ) -> Result<Gradients<T>, EngineError> {
        let mut gradients = of.run.spare_gradients();
        let mut of_part = Gradients::new(of.run.model.parameters());
        of.with_each(|sums, frame, _, graphs| {
            let weights = &weights[graphs.clone()];
            if graphs.start == 0 {
                return sums.add_weighted(frame, weights, &mut gradients);
            }
            // The sum of each part is added as a whole, since a backward pass rounds in this way too.
            sums.add_weighted(frame, weights, &mut of_part)?;
            Ok(gradients.absorb(&mut of_part, &mut Workers::alone())?)
        })?;
        Ok(gradients)
    }
}

compiled_here! {
    /// Adds the gradient of one graph to `to`.
    fn add_graph(
        of: &mut GraphGradients<'_, '_, T>,
        graph: usize,
        to: &mut Gradients<T>,
    ) -> Result<(), EngineError> {
        let graphs = of.run.part_graphs();
        let part = graphs.partition_point(|graphs| graphs.end <= graph);
        let graph = graph - graphs[part].start;
        of.with(part, |sums, frame, rows| sums.add_graph(frame, rows, graph, to))
    }
}
