//! The outputs of all vertices, with the names of functions and fields.

use ndarray::ArrayD;

use super::answer::{Numbers, Values};
use super::run::Run;
use super::stacked::StackedField;
use crate::engine::error::EngineError;
use edb_kernels::element::Element;

/// All that the vertices of a function have pushed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FunctionOutputs<T> {
    /// The name of the function.
    pub function: String,
    /// Whether each vertex pushes a list.
    pub lists: bool,
    /// For each output, the place of the graph in the minibatch, and the number of the vertex in the graph. A vertex that
    /// pushes a list is here once for each item.
    pub pushed_by: Vec<[usize; 2]>,
    /// The fields, with their names. The shape of each is `[outputs, ..]`, as in a [`Stacked`](super::stacked::Stacked).
    pub fields: Vec<(String, Numbers<T>)>,
}

impl<T: Clone> From<StackedField<T>> for Numbers<T> {
    fn from(field: StackedField<T>) -> Self {
        fn parts<N: Clone>(array: ArrayD<N>) -> (Vec<usize>, Vec<N>) {
            (array.shape().to_vec(), array.into_raw_vec_and_offset().0)
        }
        match field {
            StackedField::Tensors(array) => {
                let (shape, values) = parts(array);
                Self { shape, values: Values::Tensor(values) }
            }
            StackedField::Indices(array) => {
                let (shape, values) = parts(array);
                Self { shape, values: Values::Index(values) }
            }
        }
    }
}

impl<T: Element> Run<'_, T> {
    /// All that vertices have pushed, function by function: what [`outputs`](Self::outputs) returns for each, with the
    /// names of functions and fields. Functions that have pushed nothing are left out.
    ///
    /// # Errors
    /// When the device has failed.
    pub fn outputs_by_name(&self) -> Result<Vec<FunctionOutputs<T>>, EngineError> {
        let (bound, batch) = (self.model.bound(), self.batch());
        let mut vertices = vec![Vec::new(); bound.functions.len()];
        for vertex in batch.own_vertices() {
            let added = bound.functions[batch.functions()[vertex as usize]].as_added();
            vertices[added.index()].push(vertex);
        }
        let mut all = Vec::new();
        for (function, vertices) in bound.functions.iter().zip(vertices) {
            let pushing = bound.pushing(function.as_added());
            let (mut items, mut pushed_by) = (Vec::new(), Vec::new());
            for vertex in vertices {
                let graph = batch.graphs()[vertex as usize] as usize;
                for item in batch.items(bound, vertex) {
                    items.push(item);
                    pushed_by.push([graph, batch.number(vertex) as usize]);
                }
            }
            if items.is_empty() || pushing.output.is_empty() {
                continue;
            }
            let names = pushing.output.iter().map(|field| field.name.clone());
            let arrays = self.stack_fields(function.id, &items)?.into_iter().map(Numbers::from);
            let fields = names.zip(arrays).collect();
            let (name, lists) = (function.name.clone(), function.lists());
            all.push(FunctionOutputs { function: name, lists, pushed_by, fields });
        }
        Ok(all)
    }
}
