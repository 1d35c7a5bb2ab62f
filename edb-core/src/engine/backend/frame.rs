//! The frame: all data on which phases run.

use std::ops::Range;

use derive_where::derive_where;

use crate::engine::layout::Layout;
use edb_kernels::element::Element;
use edb_kernels::random::VertexKey;
use edb_learn::learn::Parameters;
use edb_model::graph::{FlatBatch, InputCell, Minibatch, inside};
use edb_model::model::{BoundModel, Model};

/// The data that does not change while a minibatch runs. Only the engine makes a frame, so model, minibatch and layout
/// always belong together. Back ends rely on this when they read and write memory.
#[derive(Debug)]
#[derive_where(Clone, Copy)]
pub struct Frame<'a, T> {
    /// The bound vertex functions.
    pub(crate) model: &'a BoundModel,
    /// The parameters as they are in this step.
    pub(crate) parameters: &'a Parameters<T>,
    /// The lists of the minibatch that runs, and the numbers of its input.
    pub(crate) batch: &'a FlatBatch,
    pub(crate) data: &'a [T],
    /// The layout of the minibatch.
    pub(crate) layout: &'a Layout,
    /// The seed of the random draws.
    pub(crate) seed: u64,
    /// The step of training; `None` in inference, where nothing is dropped and no noise is added.
    pub(crate) step: Option<u64>,
    /// The value of [`Leaf::LossScale`](edb_ir::Leaf::LossScale). It is 1, unless the back end [asks for
    /// a scale](crate::backend::Backend::scales_losses).
    pub(crate) loss_scale: f64,
}

impl<'a, T: Element> Frame<'a, T> {
    pub(crate) fn new(
        model: &'a Model<T>,
        batch: &'a Minibatch<T>,
        layout: &'a Layout,
        (seed, step): (u64, Option<u64>),
        loss_scale: f64,
    ) -> Self {
        let (model, parameters) = (model.bound(), model.parameters());
        let (batch, data) = (FlatBatch::of(batch), inside::data(batch));
        Self { model, parameters, batch, data, layout, seed, step, loss_scale }
    }

    /// The bound vertex functions.
    pub fn model(&self) -> &'a BoundModel {
        self.model
    }

    /// The parameters as they are in this step.
    pub fn parameters(&self) -> &'a Parameters<T> {
        self.parameters
    }

    /// The lists of the minibatch that runs.
    pub fn batch(&self) -> &'a FlatBatch {
        self.batch
    }

    /// The layout of the minibatch.
    pub fn layout(&self) -> &'a Layout {
        self.layout
    }

    /// The seed of the random draws.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The step of training; `None` in inference, where nothing is dropped and no noise is added.
    pub fn step(&self) -> Option<u64> {
        self.step
    }

    /// The value of [`Leaf::LossScale`](edb_ir::Leaf::LossScale). It is 1, unless the back end [asks for a
    /// scale](crate::backend::Backend::scales_losses).
    pub fn loss_scale(&self) -> f64 {
        self.loss_scale
    }

    /// A number that is unique to this model.
    pub fn model_id(&self) -> u64 {
        self.batch.model_id()
    }

    /// The input of a vertex in a field of its function's program. `vertex` is its number in the minibatch.
    pub fn input(&self, vertex: u32, field: u16) -> InputCell {
        let function = &self.model.functions[self.batch.functions()[vertex as usize]];
        self.batch.inputs(vertex)[function.input_fields[usize::from(field)]]
    }

    /// The index in a field of a vertex's input, as [`input`](Self::input). The field must be an index.
    pub fn index(&self, vertex: u32, field: u16) -> u32 {
        match self.input(vertex, field) {
            InputCell::Index(index) => index,
            _ => unreachable!("the minibatch was checked: the field holds an index"),
        }
    }

    /// The indices in a field of a vertex's input, as [`input`](Self::input). The field must be a bag of indices.
    pub fn bag(&self, vertex: u32, field: u16) -> &'a [u32] {
        let function = &self.model.functions[self.batch.functions()[vertex as usize]];
        let field = function.input_fields[usize::from(field)];
        self.batch.indices(&self.batch.inputs(vertex)[field])
    }

    /// The numbers of the input. [`InputCell::Data`] is a range of them.
    pub fn data(&self) -> &'a [T] {
        self.data
    }

    /// The elements of the arena that hold a field that a vertex pushes, for [`InputCell::Pushed`].
    pub fn pushed(&self, vertex: u32, field: u16) -> Option<Range<usize>> {
        let source = &self.model.functions[self.batch.functions()[vertex as usize]];
        self.layout.row_of(source, source.output[usize::from(field)].value, vertex)
    }

    /// The random key of a vertex, for its samples, and in training for its dropout and noise. In inference, samples
    /// are drawn as in step 0.
    pub fn vertex_key(&self, vertex: u32) -> VertexKey {
        let function = &self.model.functions[self.batch.functions()[vertex as usize]];
        self.batch.vertex_key(function.key, vertex, (self.seed, self.step.unwrap_or(0)))
    }
}
