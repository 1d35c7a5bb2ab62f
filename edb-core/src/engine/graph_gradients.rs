//! The gradients of each graph of a minibatch, from one backward pass.
//!
//! No edge crosses graphs, so each row belongs to one of them, and the parameters' gradients are
//! sums over rows that are made behind the backward pass. The gradient of a graph is the sum over
//! its own rows, in the order of its vertices, whatever rows are beside them.

use edb_ir::{FunctionId, IdVec};

use super::backend::Frame;
use super::layout::Layout;
use super::{EngineError, Run};
use crate::element::Element;
use crate::graph::Minibatch;
use crate::learn::Gradients;

/// The rows of each graph of a minibatch, in the order of its vertices.
#[derive(Debug)]
pub struct GraphRows {
    types: IdVec<FunctionId, TypeRows>,
    graphs: usize,
}

/// The rows of one function.
#[derive(Debug)]
struct TypeRows {
    /// Where the rows of each graph begin, and the end.
    offsets: Vec<u32>,
    vertices: Vec<u32>,
    /// The same for the edges that enter them in loops over children.
    edge_offsets: Vec<u32>,
    edges: Vec<u32>,
}

impl GraphRows {
    pub(super) fn new<T: Element>(batch: &Minibatch<T>, layout: &Layout) -> Self {
        let empty = |_| TypeRows {
            offsets: vec![0],
            vertices: Vec::new(),
            edge_offsets: vec![0],
            edges: Vec::new(),
        };
        let mut types: IdVec<FunctionId, TypeRows> = layout.types.iter().map(empty).collect();
        for graph in batch.graph_offsets.windows(2) {
            for vertex in graph[0]..graph[1] {
                let function = batch.functions[vertex as usize];
                let (of, row) = (&mut types[function], layout.rows[vertex as usize]);
                let offsets = &layout.types[function].rest_offsets;
                of.vertices.push(row);
                of.edges.extend(offsets[row as usize]..offsets[row as usize + 1]);
            }
            for of in &mut types.raw {
                of.offsets.push(of.vertices.len() as u32);
                of.edge_offsets.push(of.edges.len() as u32);
            }
        }
        Self { types, graphs: batch.graph_count() }
    }

    /// How many graphs there are.
    pub fn count(&self) -> usize {
        self.graphs
    }

    /// The rows of a graph's vertices of a function.
    pub fn vertices(&self, function: FunctionId, graph: usize) -> &[u32] {
        let of = &self.types[function];
        &of.vertices[of.offsets[graph] as usize..of.offsets[graph + 1] as usize]
    }

    /// The edges that enter them in loops over children.
    pub fn edges(&self, function: FunctionId, graph: usize) -> &[u32] {
        let of = &self.types[function];
        &of.edges[of.edge_offsets[graph] as usize..of.edge_offsets[graph + 1] as usize]
    }
}

/// What sums the gradients of each graph: a part of a back end.
pub trait GraphSums<T: Element> {
    /// Is called once, when the minibatch has run backward.
    ///
    /// # Errors
    /// When there is not enough memory.
    fn begin_sums(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError>;

    /// Adds the parameters' gradients to others, each graph's times its weight.
    ///
    /// # Errors
    /// When there is not enough memory.
    fn add_weighted(
        &mut self,
        frame: Frame<'_, T>,
        weights: &[f64],
        gradients: &mut Gradients<T>,
    ) -> Result<(), EngineError>;

    /// Adds the gradients of one graph to others.
    ///
    /// # Errors
    /// When there is not enough memory.
    fn add_graph(
        &mut self,
        frame: Frame<'_, T>,
        rows: &GraphRows,
        graph: usize,
        gradients: &mut Gradients<T>,
    ) -> Result<(), EngineError>;

    /// For each graph, the sum of the squares of its gradient, of all parameters together.
    ///
    /// # Errors
    /// When there is not enough memory.
    fn squares(&mut self, frame: Frame<'_, T>, rows: &GraphRows) -> Result<Vec<f64>, EngineError>;
}

/// The gradients of each graph of a run: [`Run::backward_each`]. They are summed when they are asked
/// for, as often as they are.
///
/// The gradient of a graph has the same bits in any company, under every policy and on any number of
/// threads.
#[derive(Debug)]
pub struct GraphGradients<'r, 'a, T: Element> {
    run: &'r mut Run<'a, T>,
    rows: GraphRows,
    step: u64,
}

impl<'r, 'a, T: Element> GraphGradients<'r, 'a, T> {
    pub(super) fn new(run: &'r mut Run<'a, T>, step: u64) -> Result<Self, EngineError> {
        let rows = GraphRows::new(run.batch(), &run.engine().layout);
        let mut gradients = Self { run, rows, step };
        gradients.with(|sums, frame, _| sums.begin_sums(frame))?;
        Ok(gradients)
    }

    /// How many graphs there are.
    pub fn count(&self) -> usize {
        self.rows.count()
    }

    /// The 2-norm of each graph's gradient, of all parameters together.
    ///
    /// Most are computed without the gradient: `‖Σ_r y_r x_rᵀ‖² = Σ_rs ⟨y_r, y_s⟩⟨x_r, x_s⟩` (Goodfellow,
    /// 2015, "Efficient per-example gradient computations"), over all vertices of the graph that use
    /// the parameter.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn norms(&mut self) -> Result<Vec<f64>, EngineError> {
        let squares = self.with(|sums, frame, rows| sums.squares(frame, rows))?;
        Ok(squares.into_iter().map(f64::sqrt).collect())
    }

    /// The sum of all graphs' gradients, each times its weight: with weights of 1 that of
    /// [`backward`](Run::backward).
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn weighted(
        &mut self,
        weight: impl FnMut(usize) -> f64,
    ) -> Result<Gradients<T>, EngineError> {
        let weights: Vec<f64> = (0..self.count()).map(weight).collect();
        let mut gradients = self.run.spare_gradients();
        self.with(|sums, frame, _| sums.add_weighted(frame, &weights, &mut gradients))?;
        Ok(gradients)
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
        self.with(|sums, frame, rows| sums.add_graph(frame, rows, graph, &mut gradients))?;
        Ok(gradients)
    }

    /// For each graph, the inner product of its gradient with a direction: how fast its loss grows
    /// if the parameters move along it.
    ///
    /// # Errors
    /// When the direction is not one of this model's parameters, or there is not enough memory.
    pub fn dots(&mut self, direction: &Gradients<T>) -> Result<Vec<f64>, EngineError> {
        if !direction.fit(&self.run.model.parameters) {
            return Err(EngineError::Direction);
        }
        let mut gradients = self.run.spare_gradients();
        let mut dots = Vec::with_capacity(self.count());
        for graph in 0..self.count() {
            self.with(|sums, frame, rows| sums.add_graph(frame, rows, graph, &mut gradients))?;
            dots.push(gradients.dot(direction));
            gradients.reset();
        }
        Ok(dots)
    }

    fn with<R>(
        &mut self,
        work: impl FnOnce(&mut dyn GraphSums<T>, Frame<'_, T>, &GraphRows) -> Result<R, EngineError>,
    ) -> Result<R, EngineError> {
        let Self { run, rows, step } = self;
        run.with_frame(*step, |backend, frame| {
            let sums = backend.graph_sums().ok_or(EngineError::NoGraphSums)?;
            work(sums, frame, rows)
        })
    }
}
