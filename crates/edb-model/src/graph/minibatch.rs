//! Minibatches, as users hold them.

use std::ops::Range;

use super::error::MinibatchError;
use super::flat::{FlatBatch, OwnSchedule, place_for};
use edb_kernels::element::Element;
use edb_schedule::Schedule;
use edb_vertex::tensor::Tensor;

/// Many graphs, put together, over which a model runs.
///
/// [`Blueprint::minibatch`](crate::model::Blueprint::minibatch) makes it, and checks everything that can be wrong with
/// a graph. Vertices are numbered graph by graph.
#[derive(Clone, Debug)]
pub struct Minibatch<T = f32> {
    pub(super) lists: FlatBatch,
    /// The numbers of all tensors that are pulled.
    pub(super) data: Vec<T>,
}

impl<T: Element> Minibatch<T> {
    /// The number of graphs.
    pub fn graph_count(&self) -> usize {
        self.lists.graph_count()
    }

    /// The number of vertices, over all graphs.
    pub fn vertex_count(&self) -> usize {
        self.lists.vertex_count()
    }

    /// Where the vertices of each graph begin, in the order of graphs, and at the end where those of the last one end.
    #[inline]
    pub fn graph_offsets(&self) -> &[u32] {
        &self.lists.graph_offsets
    }

    /// The graph of each vertex, by its place in the minibatch.
    #[inline]
    pub fn graphs(&self) -> &[u32] {
        &self.lists.graphs
    }

    /// The vertices of a graph, without the sections with which they went on.
    pub fn vertices_of(&self, graph: usize) -> impl Iterator<Item = u32> + '_ {
        self.lists.vertices_of(graph)
    }

    /// The children of a vertex, by their numbers in the minibatch, in the order in which the vertex reads them.
    ///
    /// # Panics
    /// When there is no such vertex.
    pub fn children(&self, vertex: u32) -> &[u32] {
        self.lists.children(vertex)
    }

    /// The schedule that it runs by, if one was searched for.
    #[inline]
    pub fn schedule(&self) -> Option<&Schedule> {
        self.lists.schedule()
    }

    /// Makes the minibatch run by this schedule, for example one that was read from a file. The schedule is
    /// checked at every run: the run fails unless each vertex is in one batch, after the vertices that it
    /// reads. If vertices decide how they go on, no schedule can contain what they will run, so every run fails. Then
    /// run the minibatch without a schedule first, and set a schedule for its result, `run.minibatch()`.
    pub fn set_schedule(&mut self, schedule: Schedule) {
        self.lists.schedule = Some(OwnSchedule { schedule, is_vouched_for: false });
    }

    /// Replaces the numbers of a tensor that [`Graph::tensor`](super::Graph::tensor) made, for every vertex that pulls
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
        self.set_tensors(&[tensor], values)
    }

    /// The same for several tensors: `values` has the elements of one behind those of the other, as an optimiser
    /// of one vector has them. Of a tensor that is given twice, the last values stay.
    ///
    /// # Errors
    /// As [`Minibatch::set_tensor`]; the length is that of all tensors together.
    pub fn set_tensors(&mut self, tensors: &[Tensor], values: &[T]) -> Result<(), MinibatchError> {
        let place = |tensor: &Tensor| {
            self.lists.place_of_tensor(*tensor).ok_or(MinibatchError::ForeignTensor)
        };
        let places = tensors.iter().map(place).collect::<Result<Vec<_>, _>>()?;
        let expected = places.iter().map(Range::len).sum();
        if values.len() != expected {
            return Err(MinibatchError::TensorLength { expected, found: values.len() });
        }
        if let Some(element) = values.iter().position(|value| !value.is_finite()) {
            let value = values[element].as_f64();
            return Err(MinibatchError::NotFinite { element, value });
        }
        let mut rest = values;
        for place in places {
            let (own, others) = rest.split_at(place.len());
            self.data[place].copy_from_slice(own);
            rest = others;
        }
        Ok(())
    }

    /// A minibatch without graphs, to be filled by [`Minibatch::refill`]. It cannot run before that.
    pub fn hollow(&self) -> Self {
        Self { lists: self.lists.hollow(), data: Vec::new() }
    }

    /// Makes this the minibatch of some graphs of `whole`, given by their places there, and reuses the memory
    /// of this one. So a large minibatch can run part by part. Before, this may have been a minibatch of
    /// another model.
    ///
    /// # Panics
    /// When `whole` has no such graphs.
    pub fn refill(&mut self, whole: &Self, graphs: Range<usize>) {
        let numbers = self.lists.refill(&whole.lists, graphs);
        self.data.clear();
        self.data.extend_from_slice(&whole.data[numbers]);
        self.data.extend_from_slice(whole.behind_graphs());
    }

    /// Joins several minibatches of one model to one, with the graphs one after the other. If vertices decide
    /// what they run, either all of the minibatches must have run, or none. If all of them have a schedule, the
    /// result runs by these schedules [side by side](Schedule::side_by_side). But a policy schedules the result if
    /// a function has vertices in two of the minibatches, and only in one of these a vertex of the function feeds
    /// another vertex or is fed by one.
    ///
    /// # Errors
    /// [`MinibatchError::TooLarge`]; [`MinibatchError::Unlike`] if a part cannot be joined with the first.
    pub fn joined(parts: &[&Self]) -> Result<Self, MinibatchError> {
        let first = parts.first().map_or(&[][..], |first| first.behind_graphs());
        let numbers = parts.iter().map(|part| part.lists.of_graphs() as usize).sum();
        place_for(numbers, first.len(), "numbers of input")?;
        let lists: Vec<&FlatBatch> = parts.iter().map(|part| &part.lists).collect();
        let lists = FlatBatch::joined(&lists)?;
        if let Some(part) = parts.iter().position(|part| part.behind_graphs() != first) {
            return Err(MinibatchError::Unlike { part });
        }
        let of_graphs = parts.iter().map(|part| &part.data[..part.lists.of_graphs() as usize]);
        let data = of_graphs.chain([first]).flatten().copied().collect();
        Ok(Self { lists, data })
    }

    /// The numbers that all graphs read. They come after the graphs' own numbers.
    fn behind_graphs(&self) -> &[T] {
        &self.data[self.lists.of_graphs() as usize..]
    }
}

impl FlatBatch {
    /// The lists of a minibatch.
    #[inline]
    pub fn of<T>(batch: &Minibatch<T>) -> &Self {
        &batch.lists
    }
}
