//! Reads the outputs or the states of many vertices at once.

use std::fmt::{self, Debug, Formatter};
use std::marker::PhantomData;

use derive_where::derive_where;
use edb_ir::{FunctionId, ValueId};
use ndarray::{Array1, ArrayD, IxDyn};
use smallvec::SmallVec;

use super::run::Run;
use crate::engine::error::EngineError;
use crate::engine::layout::Layout;
use crate::engine::layout::find::AnyFunction;
use edb_kernels::element::Element;
use edb_model::model::Function;
use edb_model::model::bound::BoundFunction;
use edb_vertex::function::{Vertex, VertexFunction, place_of};
use edb_vertex::port::{FieldKind, FieldView, Port};

/// The outputs or states of many vertices. It has one array for each tensor or index of the port `P`. An array has
/// the shape `[vertices, ..]`, where `..` is the shape of the field; an index adds nothing to it.
///
/// [`Run::outputs`] and [`Run::states`] copy the values once; [`Stacked::view`] reads the copy.
/// If there are no vertices, the arrays of tensors have the shape `[0, 0]`.
#[derive_where(Clone, PartialEq; T)]
pub struct Stacked<P, T = f32> {
    fields: SmallVec<[StackedField<T>; 2]>,
    vertices: usize,
    port: PhantomData<fn() -> P>,
}

/// The values of one field, for all vertices.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum StackedField<T> {
    Tensors(ArrayD<T>),
    Indices(ArrayD<u32>),
}

impl<P: Port, T: Debug> Debug for Stacked<P, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let names = P::FIELDS.iter().map(|field| field.name);
        f.debug_map().entries(names.zip(&self.fields)).finish()
    }
}

impl<P: Port, T: Element> Stacked<P, T> {
    /// Views of the fields, each of shape `[vertices, ..]`: `run.outputs(&judge)?.view().logits`.
    pub fn view(&self) -> P::View<'_, T> {
        let mut fields = self.fields.iter();
        P::view(&mut || match fields.next().expect("there is an array for each field") {
            StackedField::Tensors(tensors) => FieldView::Tensor(tensors.view()),
            StackedField::Indices(indices) => FieldView::Index(indices.view()),
        })
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.vertices
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.vertices == 0
    }
}

impl<T: Element> Run<'_, T> {
    /// The outputs of all vertices of a function. They are in the order of the minibatch: graph by graph, and in
    /// each graph in the order in which the vertices were added. If a vertex pushes a list, all of its items
    /// follow in the order in which it pushed them. To read a hundred vertices like this takes one pass over
    /// memory; to read them [one by one](Run::output) takes a look-up for each.
    ///
    /// # Errors
    /// When the function is of another model, or the device has failed.
    pub fn outputs<F: VertexFunction>(
        &self,
        function: &Function<F>,
    ) -> Result<Stacked<F::Output, T>, EngineError> {
        self.outputs_among(function, self.batch().own_vertices())
    }

    /// The outputs of those among `vertices` that are of this function.
    pub(crate) fn outputs_among<F: VertexFunction>(
        &self,
        function: &Function<F>,
        vertices: impl Iterator<Item = u32>,
    ) -> Result<Stacked<F::Output, T>, EngineError> {
        let function = AnyFunction::of(function).within(self.batch())?;
        let (bound, batch) = (self.model.bound(), self.batch());
        let of = |vertex: &u32| {
            bound.functions[batch.functions()[*vertex as usize]].as_added() == function
        };
        let vertices = vertices.filter(of);
        self.stack_outputs(function, vertices.flat_map(|of| batch.items(bound, of)).collect())
    }

    /// The outputs of one vertex. If its function pushes in a loop, these are the items of the list, in the order
    /// in which the vertex pushed them.
    ///
    /// # Errors
    /// When the vertex is not in the minibatch, or of another function, or the device has failed.
    pub fn outputs_of<F: VertexFunction>(
        &self,
        function: &Function<F>,
        vertex: Vertex<F::State>,
    ) -> Result<Stacked<F::Output, T>, EngineError> {
        self.items_of(function, self.find_as(function, vertex)?)
    }

    /// The outputs of one vertex of the minibatch. The caller has checked that it is of this function.
    pub(crate) fn items_of<F: VertexFunction>(
        &self,
        function: &Function<F>,
        vertex: u32,
    ) -> Result<Stacked<F::Output, T>, EngineError> {
        let items = self.batch().items(self.model.bound(), vertex);
        self.stack_outputs(function.key().1, items.into_vec())
    }

    /// The outputs of these sections, which belong to vertices of this function.
    fn stack_outputs<P: Port>(
        &self,
        function: FunctionId,
        vertices: Vec<u32>,
    ) -> Result<Stacked<P, T>, EngineError> {
        let fields = self.stack_fields(function, &vertices)?;
        Ok(Stacked { fields, vertices: vertices.len(), port: PhantomData })
    }

    /// What these sections, which belong to vertices of this function, have pushed: an array for each field.
    pub(super) fn stack_fields(
        &self,
        function: FunctionId,
        vertices: &[u32],
    ) -> Result<SmallVec<[StackedField<T>; 2]>, EngineError> {
        let output = self.model.bound().pushing(function).output.iter().enumerate();
        output
            .map(|(place, field)| {
                // A section that pushes nothing has no fields.
                let pushed = |of: &BoundFunction| Some(of.output.get(place)?.value);
                let of_function = |of: &BoundFunction| of.as_added() == function;
                self.stack(vertices, field.kind, |of| pushed(of).filter(|_| of_function(of)))
            })
            .collect()
    }

    /// The states of these vertices, in the order given: for example, of the roots of all graphs, or of all words
    /// of a sentence. The vertices may be of different functions.
    ///
    /// # Errors
    /// When a vertex is not in the minibatch, or the device has failed.
    pub fn states<S: Port>(&self, vertices: &[Vertex<S>]) -> Result<Stacked<S, T>, EngineError> {
        let handles = vertices.iter().map(|vertex| (place_of(vertex).0, vertex.number()));
        let found = self.batch().find_all(handles).zip(vertices).map(|(found, vertex)| {
            found.ok_or(EngineError::UnknownVertex { vertex: vertex.number() })
        });
        self.states_among(found)
    }

    /// The states of these vertices of the minibatch.
    pub(crate) fn states_among<S: Port>(
        &self,
        vertices: impl Iterator<Item = Result<u32, EngineError>>,
    ) -> Result<Stacked<S, T>, EngineError> {
        let found = vertices.map(|found| found.map(|found| self.batch().last(found)));
        let found: Vec<u32> = found.collect::<Result<_, _>>()?;
        let fields = (S::FIELDS.iter())
            .map(|field| self.stack(&found, field.kind, |of| of.state_value(field.name)))
            .collect::<Result<_, _>>()?;
        Ok(Stacked { fields, vertices: found.len(), port: PhantomData })
    }

    /// Copies one value of each of these vertices, row by row. `value` says which value this is in each function
    /// of the model. It must have the same shape in all of these functions; the builder checks this for states.
    fn stack(
        &self,
        vertices: &[u32],
        kind: FieldKind,
        value: impl Fn(&BoundFunction) -> Option<ValueId>,
    ) -> Result<StackedField<T>, EngineError> {
        let of_layout = |layout: &Layout| {
            let functions = self.model.bound().functions.iter();
            let of_function = |function: &BoundFunction| {
                let id = value(function)?;
                Some((layout.rows_of(function, id)?, function.value(id).sizes.clone()))
            };
            functions.map(of_function).collect::<SmallVec<[_; 8]>>()
        };
        let kept: SmallVec<[_; 1]> = self.layouts().map(of_layout).collect();
        let function = |vertex: u32| self.batch().functions()[vertex as usize].index();
        let of = |vertex: u32| {
            let seen = self.seen(vertex);
            Some((kept[seen.part][function(vertex)].as_ref()?, seen))
        };
        if kind == FieldKind::Index {
            let mut found = Vec::with_capacity(vertices.len());
            for ((rows, _), seen) in vertices.iter().filter_map(|vertex| of(*vertex)) {
                found.push(seen.indices()?[rows.of(seen.layout, seen.vertex).start]);
            }
            return Ok(StackedField::Indices(Array1::from_vec(found).into_dyn()));
        }
        let first = vertices.first().and_then(|first| of(*first));
        let sizes = first.map_or(&[0][..], |((_, sizes), _)| sizes);
        let mut data = Vec::with_capacity(vertices.len() * sizes.iter().product::<usize>());
        for ((rows, _), seen) in vertices.iter().filter_map(|vertex| of(*vertex)) {
            data.extend_from_slice(seen.row(rows)?);
        }
        let shape: SmallVec<[usize; 3]> =
            std::iter::once(vertices.len()).chain(sizes.iter().copied()).collect();
        let stacked = ArrayD::from_shape_vec(IxDyn(&shape), data);
        Ok(StackedField::Tensors(stacked.expect("all rows have as many elements as the shape")))
    }
}
