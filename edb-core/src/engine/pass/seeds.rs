//! Seeds: gradients of outputs, which the caller gives to a backward pass.

use derive_where::derive_where;

use crate::engine::backend::Backend;
use crate::engine::error::EngineError;
use crate::engine::layout::Layout;
use crate::engine::layout::find::{AnyFunction, check_no_list, find, find_at, output_field};
use edb_kernels::element::Element;
use edb_model::graph::FlatBatch;
use edb_model::model::bound::BoundFunction;
use edb_model::model::{BoundModel, Function};
use edb_vertex::function::{Vertex, VertexFunction, place_of};
use edb_vertex::port::FieldKind;

/// Gradients of outputs, for [`Run::backward_with`](crate::engine::Run::backward_with).
///
/// A gradient that is not given is zero. Several gradients of one field are added up. Losses count
/// as well, each with gradient 1. Give unscaled gradients, also if the device has a [loss
/// scale](crate::engine::LossScale).
#[derive(Clone, Debug)]
#[derive_where(Default)]
pub struct Seeds<T = f32> {
    seeds: Vec<Seed<T>>,
}

#[derive(Clone, Debug)]
struct Seed<T> {
    graph: Of,
    vertex: usize,
    /// The number of the item, if the vertex pushes a list.
    item: Option<usize>,
    field: String,
    values: Vec<T>,
}

/// Says in which graph a vertex is.
#[derive(Clone, Copy, Debug)]
enum Of {
    /// The graph with this id, which a handle has, and the function that the vertex must be of.
    Id(u64, AnyFunction),
    /// The graph at this place in the minibatch.
    Place(usize),
    /// No graph: the vertex or section is given by its number in the minibatch.
    None,
}

/// A seed that fits, and the vertex or section that pushes its field.
struct Found<'s, T> {
    seed: &'s Seed<T>,
    function: &'s BoundFunction,
    field: u16,
    vertex: u32,
}

impl<T: Element> Seed<T> {
    /// Finds the section that pushes the field: the one of its item, or the last section of its vertex.
    fn pushing(
        &self,
        model: &BoundModel,
        batch: &FlatBatch,
        vertex: u32,
    ) -> Result<u32, EngineError> {
        let function = model.as_added(batch.functions()[vertex as usize]);
        let Some(item) = self.item else {
            return check_no_list(function).map(|()| batch.last(vertex));
        };
        let items = batch.items(model, vertex);
        items.get(item).copied().ok_or_else(|| EngineError::UnknownItem {
            function: function.name.clone(),
            vertex: self.vertex,
            item,
            found: items.len(),
        })
    }
}

impl<T: Element> Seeds<T> {
    /// Whether no gradient was given.
    pub fn is_empty(&self) -> bool {
        self.seeds.is_empty()
    }

    /// No gradients yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives the gradient of a field that `vertex` pushes, in row-major order.
    pub fn push<F: VertexFunction>(
        &mut self,
        function: &Function<F>,
        vertex: Vertex<F::State>,
        field: &str,
        gradient: &[T],
    ) {
        self.add(function, vertex, None, field, gradient);
    }

    /// Gives the gradient of a field of one item of the list that `vertex` pushes, in row-major order. `item` is
    /// the number of the item, counted from 0.
    pub fn push_nth<F: VertexFunction>(
        &mut self,
        function: &Function<F>,
        vertex: Vertex<F::State>,
        item: usize,
        field: &str,
        gradient: &[T],
    ) {
        self.add(function, vertex, Some(item), field, gradient);
    }

    fn add<F: VertexFunction>(
        &mut self,
        function: &Function<F>,
        vertex: Vertex<F::State>,
        item: Option<usize>,
        field: &str,
        gradient: &[T],
    ) {
        let graph = Of::Id(place_of(&vertex).0, AnyFunction::of(function));
        let (field, values) = (field.into(), gradient.to_vec());
        self.seeds.push(Seed { graph, vertex: vertex.number(), item, field, values });
    }

    /// Gives the gradient of a field that a vertex pushes. `graph` is the place of the graph in the minibatch,
    /// `vertex` the number of the vertex in the graph.
    pub fn push_at(&mut self, graph: usize, vertex: usize, field: &str, gradient: &[T]) {
        let (field, values) = (field.into(), gradient.to_vec());
        self.seeds.push(Seed { graph: Of::Place(graph), vertex, item: None, field, values });
    }

    /// Gives the gradient of a field that a vertex or section pushes. `vertex` is its number in the minibatch.
    pub(crate) fn push_row(&mut self, vertex: u32, field: &str, gradient: &[T]) {
        let (field, values) = (field.into(), gradient.to_vec());
        let vertex = vertex as usize;
        self.seeds.push(Seed { graph: Of::None, vertex, item: None, field, values });
    }

    /// Gives the gradient of a field of one item of the list that a vertex pushes. `graph` is the place of the
    /// graph in the minibatch, `vertex` the number of the vertex in the graph, `item` the number of the item,
    /// counted from 0.
    pub fn push_nth_at(
        &mut self,
        graph: usize,
        vertex: usize,
        item: usize,
        field: &str,
        gradient: &[T],
    ) {
        let (field, values, item) = (field.into(), gradient.to_vec(), Some(item));
        self.seeds.push(Seed { graph: Of::Place(graph), vertex, item, field, values });
    }

    /// Distributes the seeds of a minibatch that has run to its `parts` parts. `place` says in which part a
    /// vertex is, and its number there.
    pub(crate) fn of_parts(
        &self,
        model: &BoundModel,
        whole: &FlatBatch,
        parts: usize,
        place: impl Fn(u32) -> (usize, u32),
    ) -> Result<Vec<Self>, EngineError> {
        let mut of_parts = vec![Self::new(); parts];
        for Found { seed, vertex, .. } in self.found(model, whole)? {
            let (part, vertex) = place(vertex);
            let (graph, vertex) = (Of::None, vertex as usize);
            of_parts[part].seeds.push(Seed { graph, vertex, item: None, ..seed.clone() });
        }
        Ok(of_parts)
    }

    /// Checks the seeds, and finds the vertex and the field of each.
    fn found<'s>(
        &'s self,
        model: &'s BoundModel,
        batch: &FlatBatch,
    ) -> Result<Vec<Found<'s, T>>, EngineError> {
        let mut found = Vec::with_capacity(self.seeds.len());
        for seed in &self.seeds {
            let vertex = match seed.graph {
                Of::Id(graph, function) => {
                    let vertex = find(batch, graph, seed.vertex)?;
                    function.check(model, batch, vertex)?;
                    vertex
                }
                Of::Place(graph) => find_at(batch, graph, seed.vertex)?,
                Of::None => seed.vertex as u32,
            };
            let vertex = match seed.graph {
                Of::None => vertex,
                Of::Id(..) | Of::Place(_) => seed.pushing(model, batch, vertex)?,
            };
            let function = &model.functions[batch.functions()[vertex as usize]];
            let field = output_field(function, &seed.field)?;
            if field.kind != FieldKind::Tensor {
                return Err(EngineError::IsIndex { field: field.name.clone() });
            }
            let width = function.value(field.value).width;
            if seed.values.len() != width {
                return Err(EngineError::SeedLength {
                    function: function.name.clone(),
                    field: seed.field.clone(),
                    expected: width,
                    found: seed.values.len(),
                });
            }
            found.push(Found { seed, function, field: field.program_field, vertex });
        }
        Ok(found)
    }

    /// Checks the seeds, makes room for them in the arena, and writes them there, multiplied by the loss scale
    /// `scale`.
    pub(crate) fn place(
        &self,
        model: &BoundModel,
        batch: &FlatBatch,
        layout: &mut Layout,
        backend: &mut dyn Backend<T>,
        scale: f64,
    ) -> Result<(), EngineError> {
        let found = self.found(model, batch)?;
        let before = layout.size;
        for seeds in layout.types.raw.iter_mut().map(|layout| &mut layout.seeds) {
            seeds.fill(None);
        }
        for Found { function, field, .. } in &found {
            layout.place_seed(function, *field);
        }
        if found.is_empty() {
            return Ok(());
        }
        let (size, scale) = (layout.size, T::from_f64(scale));
        backend.extend(size)?;
        backend.write(before..size, &mut |seeds| {
            seeds.fill(T::zero());
            for Found { seed, function, field, vertex } in &found {
                let width = seed.values.len();
                let start = layout.place_seed(function, *field)
                    + layout.rows[*vertex as usize] as usize * width;
                let row = &mut seeds[start - before..][..width];
                row.iter_mut().zip(&seed.values).for_each(|(sum, &value)| *sum += value * scale);
            }
        })
    }
}
