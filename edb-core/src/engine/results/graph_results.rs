//! The results of one graph of a run.

use super::run::Run;
use super::stacked::Stacked;
use crate::engine::error::EngineError;
use crate::engine::layout::find::AnyFunction;
use edb_kernels::element::Element;
use edb_model::model::Function;
use edb_vertex::function::{Vertex, VertexFunction, place_of};
use edb_vertex::port::Port;

/// The results of one graph of a [run](Run::graph). They do not depend on the other graphs of the minibatch.
///
/// A handle means the vertex of this graph, even if other graphs of the minibatch are clones of it, or it is a
/// clone of one of them.
#[derive(Clone, Copy, Debug)]
pub struct GraphResults<'r, T: Element = f32> {
    pub(super) run: &'r Run<'r, T>,
    pub(super) graph: usize,
}

impl<T: Element> Run<'_, T> {
    /// The results of one graph, by its place in the minibatch.
    ///
    /// # Errors
    /// [`EngineError::UnknownGraph`].
    pub fn graph(&self, graph: usize) -> Result<GraphResults<'_, T>, EngineError> {
        let graphs = self.batch().graph_count();
        if graph >= graphs {
            return Err(EngineError::UnknownGraph { graph, graphs });
        }
        Ok(GraphResults { run: self, graph })
    }
}

impl<'r, T: Element> GraphResults<'r, T> {
    fn find<S>(&self, vertex: Vertex<S>) -> Result<u32, EngineError> {
        let found = self.run.batch().find_within(self.graph, place_of(&vertex).0, vertex.number());
        found.ok_or(EngineError::UnknownVertex { vertex: vertex.number() })
    }

    fn find_as<F: VertexFunction>(
        &self,
        function: &Function<F>,
        vertex: Vertex<F::State>,
    ) -> Result<u32, EngineError> {
        let found = self.find(vertex)?;
        let Run { model, .. } = self.run;
        AnyFunction::of(function).check(model.bound(), self.run.batch(), found)?;
        Ok(found)
    }

    /// The output of a vertex, as views: `results.output(&score, v)?.logits`.
    ///
    /// # Errors
    /// When the vertex is not in the graph, or of another function, or pushes a list. Read a list with
    /// [`outputs_of`](Self::outputs_of).
    pub fn output<F: VertexFunction>(
        &self,
        function: &Function<F>,
        vertex: Vertex<F::State>,
    ) -> Result<<F::Output as Port>::View<'r, T>, EngineError> {
        self.run.output_of::<F>(self.find_as(function, vertex)?)
    }

    /// The outputs of all vertices of a function, in the order in which they were added: for example, the tags of
    /// all words. If a vertex pushes a list, all of its items follow in the order in which it pushed them.
    ///
    /// # Errors
    /// When the function is of another model, or the device has failed.
    pub fn outputs<F: VertexFunction>(
        &self,
        function: &Function<F>,
    ) -> Result<Stacked<F::Output, T>, EngineError> {
        self.run.outputs_among(function, self.run.batch().vertices_of(self.graph))
    }

    /// The outputs of one vertex. If its function pushes in a loop, these are the items of the list, in the order
    /// in which the vertex pushed them.
    ///
    /// # Errors
    /// When the vertex is not in the graph, or of another function, or the device has failed.
    pub fn outputs_of<F: VertexFunction>(
        &self,
        function: &Function<F>,
        vertex: Vertex<F::State>,
    ) -> Result<Stacked<F::Output, T>, EngineError> {
        self.run.items_of(function, self.find_as(function, vertex)?)
    }

    /// The state that a vertex has scattered, as views: `results.state(root)?.h`.
    ///
    /// # Errors
    /// When the vertex is not in the graph, or the device has failed.
    pub fn state<S: Port>(&self, vertex: Vertex<S>) -> Result<S::View<'r, T>, EngineError> {
        self.run.state_of::<S>(self.find(vertex)?)
    }

    /// The states of these vertices, in the order given. The vertices may be of different functions.
    ///
    /// # Errors
    /// When a vertex is not in the graph, or the device has failed.
    pub fn states<S: Port>(&self, vertices: &[Vertex<S>]) -> Result<Stacked<S, T>, EngineError> {
        self.run.states_among(vertices.iter().map(|vertex| self.find(*vertex)))
    }

    /// The sum of the losses of the graph's vertices, in the order in which they were added. It is NaN if a vertex
    /// has decided on NaN.
    ///
    /// # Errors
    /// When the device has failed.
    pub fn loss(&self) -> Result<f64, EngineError> {
        let batch = self.run.batch();
        let sections = batch.vertices_of(self.graph).flat_map(|vertex| batch.path(vertex));
        let losses = sections.map(|section| self.run.loss_of(section));
        // The sum of an empty iterator is -0.0; adding 0.0 makes it 0.0.
        Ok(losses.sum::<Result<f64, EngineError>>()? + 0.0)
    }
}
