//! Minibatches, as users hold them.

use std::ops::Range;

use super::Graph;
use super::error::MinibatchError;
use super::flat::{FlatBatch, of_graphs};
use crate::model::Blueprint;
use edb_kernels::element::Element;
use edb_schedule::Schedule;
use edb_vertex::tensor::Tensor;

/// Many graphs as one: what a model runs over.
///
/// Made by [`Blueprint::minibatch`], which checks everything that can be wrong with a graph. Vertices
/// are numbered graph by graph.
#[derive(Clone, Debug)]
pub struct Minibatch<T = f32>(FlatBatch<T>);

impl<T: Element> Blueprint<T> {
    /// A minibatch of graphs, validated.
    ///
    /// # Errors
    /// The first graph and vertex that break a rule. The graphs are untouched.
    pub fn minibatch<'g>(
        &self,
        graphs: impl IntoIterator<Item = &'g Graph<T>>,
    ) -> Result<Minibatch<T>, MinibatchError> {
        let graphs: Vec<&Graph<T>> = graphs.into_iter().collect();
        of_graphs(self.bound(), &graphs).map(Minibatch)
    }
}

impl<T: Element> Minibatch<T> {
    /// The number of graphs.
    pub fn graph_count(&self) -> usize {
        self.0.graph_count()
    }

    /// The number of vertices, over all graphs.
    pub fn vertex_count(&self) -> usize {
        self.0.vertex_count()
    }

    /// Where the vertices of each graph begin, in the order of graphs, and at the end where those of the last one end.
    #[inline]
    pub fn graph_offsets(&self) -> &[u32] {
        &self.0.graph_offsets
    }

    /// The graph of each vertex, by its place in the minibatch.
    #[inline]
    pub fn graphs(&self) -> &[u32] {
        &self.0.graphs
    }

    /// The vertices of a graph, without the sections that they went on with.
    pub fn vertices_of(&self, graph: usize) -> impl Iterator<Item = u32> + '_ {
        self.0.vertices_of(graph)
    }

    /// The children of a vertex, by their numbers in the minibatch, in the order in which the vertex reads them.
    ///
    /// # Panics
    /// When there is no such vertex.
    pub fn children(&self, vertex: u32) -> &[u32] {
        self.0.children(vertex)
    }

    /// The schedule that it runs by, if one was searched for.
    #[inline]
    pub fn schedule(&self) -> Option<&Schedule> {
        self.0.schedule()
    }

    /// Has it run by this schedule, such as one that was read from a file, which is checked whenever it runs:
    /// a run fails unless each vertex is in one batch, after the vertices that it reads.
    pub fn set_schedule(&mut self, schedule: Schedule) {
        self.0.set_schedule(schedule);
    }

    /// Replaces the numbers of a tensor that [`Graph::tensor`] made, for every vertex that pulls
    /// it: the next run reads the new ones. So one minibatch serves inputs that change while the
    /// graphs do not (lengths of branches, observations of each day), without repeating its checks
    /// and its search for a schedule.
    ///
    /// If the graph is in the minibatch several times, the first one is changed; if it is not, the
    /// first of its clones that has the tensor. The graph itself does not change, nor do the draws
    /// of dropout.
    ///
    /// # Errors
    /// When the tensor is not of this minibatch or has another length, or a number is NaN or
    /// infinite; nothing has changed then.
    pub fn set_tensor(&mut self, tensor: Tensor, values: &[T]) -> Result<(), MinibatchError> {
        self.0.set_tensor(tensor, values)
    }

    /// A minibatch of none of the graphs of this one, for [`Minibatch::refill`]. It does not run before
    /// that.
    pub fn hollow(&self) -> Self {
        Self(self.0.hollow())
    }

    /// Makes this the minibatch of some of the graphs of `whole`, by their places there, and reuses its
    /// memory: to run a large minibatch part by part. It may have been one of another model.
    ///
    /// # Panics
    /// When `whole` has no such graphs.
    pub fn refill(&mut self, whole: &Self, graphs: Range<usize>) {
        self.0.refill(&whole.0, graphs);
    }

    /// The minibatch of the graphs of several, one after the other. They are of one model, and either
    /// none or each of them has run already, where vertices decide what they run. It runs by their
    /// schedules, if all have one, [side by side](Schedule::side_by_side).
    ///
    /// # Errors
    /// [`MinibatchError::TooLarge`]; [`MinibatchError::Unlike`] where a part is not like the first.
    pub fn joined(parts: &[&Self]) -> Result<Self, MinibatchError> {
        let parts: Vec<&FlatBatch<T>> = parts.iter().map(|part| &part.0).collect();
        FlatBatch::joined(&parts).map(Self)
    }
}

impl<T> FlatBatch<T> {
    /// The lists of a minibatch.
    #[inline]
    pub fn of(batch: &Minibatch<T>) -> &Self {
        &batch.0
    }

    /// The lists of a minibatch, to change its schedule.
    #[inline]
    pub fn of_mut(batch: &mut Minibatch<T>) -> &mut Self {
        &mut batch.0
    }

    /// The minibatch of these lists, for users to hold.
    pub fn into_minibatch(self) -> Minibatch<T> {
        Minibatch(self)
    }
}
