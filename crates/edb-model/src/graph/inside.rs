//! Functions for a [`Graph`] or a [`Minibatch`] that only other crates of edb call.

use std::ops::Range;

use edb_kernels::element::Element;
use edb_kernels::vouch::Vouch;
use edb_schedule::Schedule;
use edb_vertex::function::VertexFunction;
use edb_vertex::tensor::Tensor;

use super::flat::OwnSchedule;
use super::{Graph, GraphProblem, InputCell, Minibatch};
use crate::model::bound::BoundFunction;
use crate::model::{BoundModel, Function};

pub use super::copies::{of_derived, repeated, with_tangents};
pub use super::records::{add_named, add_record};

/// Finds a function of the graph's model. If the function is of another model, this is reported in the graph.
pub fn function<'m, T: Element, F: VertexFunction>(
    graph: &mut Graph<T>,
    model: &'m BoundModel,
    function: &Function<F>,
) -> Option<&'m BoundFunction> {
    if function.model != graph.model {
        let next = graph.len() as u32;
        graph.report(next, GraphProblem::ForeignFunction { function: F::NAME.into() });
        return None;
    }
    Some(&model.functions[function.id])
}

/// The id of the graph, for a handle that is being given out.
pub fn id_for_handle<T>(graph: &mut Graph<T>) -> u64 {
    graph.lineage.id_for_handle()
}

/// Whether a handle is for a vertex of this graph. The handle is given by the id of its graph and its number
/// there.
pub fn is_vertex<T>(graph: &Graph<T>, of: u64, number: u32) -> bool {
    graph.lineage.has_vertex(of, number)
}

/// The input cells of a vertex.
pub fn inputs<T: Element>(graph: &Graph<T>, vertex: usize) -> &[InputCell] {
    graph.inputs(vertex)
}

/// The numbers of all tensors that the graphs of a minibatch pull. [`InputCell::Data`] is a range of them.
#[inline]
pub fn data<T>(batch: &Minibatch<T>) -> &[T] {
    &batch.data
}

/// Where the numbers of a tensor are among the [`data`] of a minibatch, if the tensor is of one of its graphs.
pub fn place_of_tensor<T>(batch: &Minibatch<T>, tensor: Tensor) -> Option<Range<usize>> {
    batch.lists.place_of_tensor(tensor)
}

/// Makes a minibatch run by a schedule that is known to be one of its vertices. It is not checked again.
///
/// # Vouch
/// The schedule contains each vertex once, after the vertices that it depends on, and in no batch with one of them.
pub fn set_known_schedule<T>(batch: &mut Minibatch<T>, schedule: Schedule, _: Vouch) {
    batch.lists.schedule = Some(OwnSchedule { schedule, is_vouched_for: true });
}

/// The ids under which the graph is known, each with the number of vertices: its own id, and the ids of the
/// graphs that it was cloned from, if no vertex has been added since then.
pub fn identities<T: Element>(graph: &Graph<T>) -> impl Iterator<Item = (u64, usize)> {
    let ancestors = graph.lineage.ancestors().iter();
    let same = ancestors.filter(|of| of.shared.vertices as usize == graph.len());
    let ids = std::iter::once(graph.lineage.id()).chain(same.map(|of| of.graph));
    ids.map(|id| (id, graph.len()))
}
