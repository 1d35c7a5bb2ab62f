//! The gradients of the losses of single vertices.
//!
//! The values of a graph are copied once for each of its vertices that has a loss. In each copy, only the loss of one
//! vertex counts. So the gradient of a copy is the gradient of the loss of one vertex.

use super::each::GraphGradients;
use super::tangent::follow;
use crate::engine::base::Engine;
use crate::engine::error::EngineError;
use crate::engine::pass::seeds::Seeds;
use crate::engine::results::graph_copies::blocks;
use crate::engine::results::run::Run;
use edb_kernels::element::Element;
use edb_model::graph::{FlatBatch, Minibatch, inside};
use edb_model::model::derived::Derived;
use edb_model::model::{Model, VertexLosses};

/// A vertex that has a loss: the place of its graph in the minibatch, and its number in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LossOf {
    /// The place of the graph in the minibatch.
    pub graph: usize,
    /// The number of the vertex in the graph.
    pub vertex: usize,
}

/// A vertex that has a loss, and where its losses are.
#[derive(Debug)]
struct Target {
    of: LossOf,
    /// The losses of the vertex. Each is given by the section that has it, counted from the first vertex of the
    /// graph, and by its field.
    losses: Vec<(u32, String)>,
}

impl<T: Element> Engine<T> {
    /// Runs a minibatch of a model forward, and then backward separately for the loss of each vertex. Calls `read`
    /// once for each block of vertices whose copies fit into memory, in the order of the vertices. `read` gets the
    /// vertices of the block and their gradients. `step` and the engine's seed decide what is drawn, as in
    /// [`Engine::forward`].
    ///
    /// ```
    /// # extern crate edb_core as edb;
    /// # use edb::engine::{Engine, EngineError};
    /// # use edb::graph::Minibatch;
    /// # use edb::model::{Model, VertexLosses};
    /// # fn norms(
    /// #     model: &Model, losses: &mut VertexLosses, batch: &Minibatch,
    /// # ) -> Result<(), EngineError> {
    /// let mut engine = Engine::new();
    /// engine.vertex_gradients(losses, model, batch, 0, |vertices, each| {
    ///     for (of, norm) in vertices.iter().zip(each.norms()?) {
    ///         println!("graph {}, vertex {}: {norm}", of.graph, of.vertex);
    ///     }
    ///     Ok(())
    /// })?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When `losses` or the minibatch belong to another model, the device scales losses, memory does not suffice,
    /// or `read` fails.
    pub fn vertex_gradients(
        &mut self,
        losses: &mut VertexLosses<T>,
        model: &Model<T>,
        batch: &Minibatch<T>,
        step: u64,
        mut read: impl FnMut(&[LossOf], &mut GraphGradients<'_, '_, T>) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        let derived = Derived::of_losses(losses);
        follow(derived, model, batch)?;
        let batch = inside::of_derived(batch, derived)?;
        let mut run = self.forward(derived.model(), &batch, step)?;
        for (part, graphs) in run.part_graphs().into_iter().enumerate() {
            run.in_part(part, |run| of_part(run, graphs.start, &mut read))?;
        }
        Ok(())
    }
}

/// Runs copies of the graphs of a part backward. The first graph of the part has the place `first_graph` in the
/// minibatch.
fn of_part<T: Element>(
    run: &mut Run<'_, T>,
    first_graph: usize,
    read: &mut impl FnMut(&[LossOf], &mut GraphGradients<'_, '_, T>) -> Result<(), EngineError>,
) -> Result<(), EngineError> {
    let step = run.tape()?;
    let targets = targets(run.model, run.batch());
    let graphs: Vec<u32> = targets.iter().map(|target| target.of.graph as u32).collect();
    for block in blocks(run.batch(), &run.engine.layout, &graphs) {
        let (targets, graphs) = (&targets[block.clone()], &graphs[block]);
        let mut seeds = Seeds::new();
        let offsets = run.batch().graph_offsets();
        let mut first = 0;
        for (target, graph) in targets.iter().zip(graphs) {
            for (number, field) in &target.losses {
                seeds.push_row(first + number, field, &[T::one()]);
            }
            first += offsets[*graph as usize + 1] - offsets[*graph as usize];
        }
        let in_minibatch = |of: LossOf| LossOf { graph: first_graph + of.graph, ..of };
        let of: Vec<LossOf> = targets.iter().map(|target| in_minibatch(target.of)).collect();
        run.with_copies(graphs, &seeds, None, |run| {
            read(&of, &mut GraphGradients::new(run, step)?)
        })?;
    }
    Ok(())
}

/// The vertices that have a loss, in order.
fn targets<T: Element>(model: &Model<T>, batch: &FlatBatch) -> Vec<Target> {
    let functions = &model.bound().functions;
    let target = |vertex: u32| {
        let graph = batch.graphs()[vertex as usize] as usize;
        let first = batch.graph_offsets()[graph];
        let losses = batch.path(vertex).flat_map(|section| {
            let output = &functions[batch.functions()[section as usize]].output;
            let fields = (0..output.len()).map(edb_ir::losses::name);
            let known = |name: &String| output.iter().any(|field| field.name == *name);
            fields.take_while(known).map(move |field| (section - first, field))
        });
        let of = LossOf { graph, vertex: batch.number(vertex) as usize };
        Target { of, losses: losses.collect() }
    };
    batch.own_vertices().map(target).filter(|target| !target.losses.is_empty()).collect()
}
