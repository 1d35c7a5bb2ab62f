//! The interface with which a back end sums the parameters' gradients of each graph.

use edb_ir::{FunctionId, IdVec};

use super::frame::Frame;
use crate::engine::error::EngineError;
use crate::engine::layout::{Layout, TypeLayout};
use edb_kernels::element::Element;
use edb_kernels::room::room;
use edb_learn::learn::{Gradients, ParameterId};
use edb_model::graph::FlatBatch;

/// For each graph of a minibatch, its rows, in the order of its vertices.
#[derive(Debug)]
pub struct GraphRows {
    types: IdVec<FunctionId, TypeRows>,
    graphs: usize,
}

/// For each graph, the rows of one function.
#[derive(Debug)]
struct TypeRows {
    /// Where the rows of each graph begin in `vertices`; then the end of the last graph's rows.
    offsets: Vec<u32>,
    vertices: Vec<u32>,
    /// Where the edges of each graph begin in `edges`; these edges enter the rows in loops over children.
    edge_offsets: Vec<u32>,
    edges: Vec<u32>,
}

impl GraphRows {
    pub(crate) fn new(batch: &FlatBatch, layout: &Layout) -> Result<Self, EngineError> {
        let list = |count: usize| {
            let bytes = count.saturating_mul(size_of::<u32>());
            room(count).map_err(|reason| EngineError::Memory { bytes, reason })
        };
        let ends = batch.graph_count() + 1;
        let empty = |of: &TypeLayout| {
            let mut rows = TypeRows {
                offsets: list(ends)?,
                vertices: list(of.vertices.len())?,
                edge_offsets: list(ends)?,
                edges: list(of.rest.len())?,
            };
            rows.offsets.push(0);
            rows.edge_offsets.push(0);
            Ok(rows)
        };
        let types: Result<_, EngineError> = layout.types.iter().map(empty).collect();
        let mut types: IdVec<FunctionId, TypeRows> = types?;
        for graph in batch.graph_offsets().windows(2) {
            for vertex in graph[0]..graph[1] {
                let function = batch.functions()[vertex as usize];
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
        Ok(Self { types, graphs: batch.graph_count() })
    }

    /// How many bytes of memory these lists take.
    pub(crate) fn bytes(&self) -> usize {
        let lists = self.types.iter().map(|of| {
            of.offsets.len() + of.vertices.len() + of.edge_offsets.len() + of.edges.len()
        });
        lists.sum::<usize>() * size_of::<u32>()
    }

    /// How many graphs there are.
    pub fn count(&self) -> usize {
        self.graphs
    }

    /// The rows of the vertices of a function that are in this graph.
    pub fn vertices(&self, function: FunctionId, graph: usize) -> &[u32] {
        let of = &self.types[function];
        &of.vertices[of.offsets[graph] as usize..of.offsets[graph + 1] as usize]
    }

    /// The edges that enter these vertices in loops over children.
    pub fn edges(&self, function: FunctionId, graph: usize) -> &[u32] {
        let of = &self.types[function];
        &of.edges[of.edge_offsets[graph] as usize..of.edge_offsets[graph + 1] as usize]
    }
}

/// Computes the factor by which the gradient of a graph is multiplied. Its arguments are the norm of the gradient and
/// how many values the gradient has. Values that are certainly zero are not counted.
pub type Factor<'a> = dyn Fn(f64, usize) -> f64 + Sync + 'a;

/// Sums the gradients of each graph. A back end implements it.
pub trait GraphSums<T: Element> {
    /// Adds the gradients of all graphs to `gradients`, each multiplied by the weight of its graph.
    ///
    /// # Errors
    /// When there is not enough memory.
    fn add_weighted(
        &mut self,
        frame: Frame<'_, T>,
        weights: &[f64],
        gradients: &mut Gradients<T>,
    ) -> Result<(), EngineError>;

    /// Adds the gradients of one graph to `gradients`.
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

    /// For each graph, the 2-norm of its gradient, over these parameters together.
    ///
    /// # Errors
    /// When there is not enough memory.
    fn norms(
        &mut self,
        frame: Frame<'_, T>,
        rows: &GraphRows,
        parameters: &[ParameterId],
    ) -> Result<Vec<f64>, EngineError>;

    /// Multiplies the gradient of each graph by its factor, rounds it to whole numbers, and adds it to `sums`. Only
    /// these parameters count, which are in ascending order.
    ///
    /// The gradient of each graph is summed separately. Its factor is computed from the norm of exactly the numbers
    /// that are then multiplied by the factor. Sums of whole numbers below `2^53` are exact. So what a graph adds does
    /// not depend on other graphs, nor on the order of the graphs.
    ///
    /// # Errors
    /// [`EngineError::NotClipped`] for the first graph whose norm is not finite. Also when there is not enough memory.
    fn add_whole_numbers(
        &mut self,
        frame: Frame<'_, T>,
        rows: &GraphRows,
        parameters: &[ParameterId],
        factor: &Factor<'_>,
        sums: &mut Gradients<f64>,
    ) -> Result<(), EngineError>;
}
