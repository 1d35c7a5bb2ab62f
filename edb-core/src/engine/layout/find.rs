//! Finds what a caller names in a minibatch, such as the vertex of a handle or a field of its function, and checks
//! that it is of the right kind.

use edb_ir::FunctionId;

use crate::engine::error::EngineError;
use edb_kernels::element::Element;
use edb_model::graph::{FlatBatch, Minibatch, MinibatchError};
use edb_model::model::bound::{BoundFunction, OutputField};
use edb_model::model::{BoundModel, Function, Model};
use edb_vertex::function::VertexFunction;

/// Checks that the minibatch belongs to this model, and that the parameters do. Every function that takes a model
/// and a minibatch calls this first: the numbers of functions in a minibatch are valid only in its own model.
pub fn check_owns<T: Element>(model: &Model<T>, batch: &Minibatch<T>) -> Result<(), EngineError> {
    let batch = FlatBatch::of(batch);
    if batch.model_id() != model.bound().id {
        return Err(EngineError::ForeignMinibatch);
    }
    // A minibatch without graphs is memory for a part of another minibatch, and has not been filled.
    if batch.graph_count() == 0 {
        return Err(MinibatchError::NoGraphs.into());
    }
    if batch.schedule().is_some() && !batch.is_settled(model.bound()) {
        return Err(EngineError::NoScheduleYet { function: deciding(batch, model.bound()) });
    }
    Ok(model.check_parameters()?)
}

/// Checks that it is known which sections the vertices run.
pub(crate) fn check_settled(batch: &FlatBatch, model: &BoundModel) -> Result<(), EngineError> {
    if batch.is_settled(model) {
        return Ok(());
    }
    Err(EngineError::Undecided { function: deciding(batch, model) })
}

/// The first function whose vertices decide how they go on.
fn deciding(batch: &FlatBatch, model: &BoundModel) -> String {
    let mut functions = batch.functions().iter().map(|of| &model.functions[*of]);
    let going_on = functions.find(|function| !function.targets().is_empty());
    going_on.map_or_else(String::new, |function| function.name.clone())
}

/// Finds a vertex by the id of the graph that made its handle, and its number in that graph.
pub(crate) fn find(batch: &FlatBatch, graph: u64, number: usize) -> Result<u32, EngineError> {
    batch.find(graph, number).ok_or(EngineError::UnknownVertex { vertex: number })
}

/// Finds a vertex by the place of its graph in the minibatch, and its number in that graph.
pub(crate) fn find_at(batch: &FlatBatch, graph: usize, number: usize) -> Result<u32, EngineError> {
    batch.vertex(graph, number).ok_or_else(|| {
        let graphs = batch.graph_count();
        let vertices = batch.vertices_of(graph).count();
        EngineError::VertexRange { graph, vertex: number, graphs, vertices }
    })
}

/// A function of any model, without its Rust type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnyFunction {
    model: u64,
    id: FunctionId,
    name: &'static str,
}

impl AnyFunction {
    pub(crate) fn of<F: VertexFunction>(function: &Function<F>) -> Self {
        let (model, id) = function.key();
        Self { model, id, name: F::NAME }
    }

    /// The number of the function, if it belongs to the model of this minibatch.
    pub(crate) fn within(self, batch: &FlatBatch) -> Result<FunctionId, EngineError> {
        if self.model != batch.model_id() {
            return Err(EngineError::ForeignFunction { function: self.name.into() });
        }
        Ok(self.id)
    }

    /// Checks that this function belongs to the model of the minibatch, and that a vertex is of this function.
    pub(crate) fn check(
        self,
        model: &BoundModel,
        batch: &FlatBatch,
        vertex: u32,
    ) -> Result<(), EngineError> {
        let expected = self.within(batch)?;
        let found = model.as_added(batch.functions()[vertex as usize]);
        if found.id == expected {
            return Ok(());
        }
        Err(EngineError::Function {
            vertex: batch.number(vertex) as usize,
            expected: model.functions[expected].name.clone(),
            found: found.name.clone(),
        })
    }
}

/// Checks that a function pushes no list.
pub(crate) fn check_no_list(function: &BoundFunction) -> Result<(), EngineError> {
    match function.lists() {
        false => Ok(()),
        true => Err(EngineError::PushesList { function: function.name.clone() }),
    }
}

/// The output field `name` of a function.
pub(crate) fn output_field<'a>(
    function: &'a BoundFunction,
    name: &str,
) -> Result<&'a OutputField, EngineError> {
    function.output.iter().find(|field| field.name == name).ok_or_else(|| {
        let known: Vec<&str> = function.output.iter().map(|field| field.name.as_str()).collect();
        EngineError::UnknownOutput {
            function: function.name.clone(),
            field: name.into(),
            known: or_nothing(&known),
        }
    })
}

/// The names of the fields that a function pushes, as errors list them.
pub(crate) fn or_nothing(known: &[&str]) -> String {
    if known.is_empty() { "nothing".into() } else { known.join(", ") }
}
