//! The sum of the losses of a minibatch. It is NaN if a vertex has decided on NaN.

use edb_ir::FunctionId;
use smallvec::SmallVec;

use crate::engine::backend::Backend;
use crate::engine::backend::frame::Frame;
use crate::engine::error::EngineError;
use crate::engine::layout::append::FORGOTTEN_ROW;
use crate::engine::layout::{KeptRows, Layout};
use edb_kernels::element::Element;
use edb_kernels::sums::{CHAIN, RunningSum};
use edb_model::graph::FlatBatch;
use edb_model::model::BoundModel;
use edb_model::model::bound::BoundFunction;

/// For each function, where its losses are in the arena.
pub(crate) type LossRows = SmallVec<[SmallVec<[KeptRows; 2]>; 8]>;

/// Finds where the losses of each function are, once for all of its vertices.
pub(crate) fn rows(model: &BoundModel, layout: &Layout) -> LossRows {
    let of_function = |function: &BoundFunction| {
        let losses = function.plan.program.summed();
        losses.filter_map(|id| layout.rows_of(function, id)).collect()
    };
    model.functions.iter().map(of_function).collect()
}

/// The sum of all losses of a minibatch that has run forward. It is computed in `f64`, in the order of the
/// vertices.
pub(crate) fn sum<T: Element>(
    backend: &dyn Backend<T>,
    frame: Frame<'_, T>,
) -> Result<f64, EngineError> {
    let Frame { model, batch, layout, .. } = frame;
    let losses = rows(model, layout);
    sum_of(batch, |vertex, function, sum| {
        if layout.rows[vertex as usize] == FORGOTTEN_ROW {
            return Ok(());
        }
        for rows in &losses[function.index()] {
            *sum += backend.read(rows.all(), rows.of(layout, vertex))?[0].as_f64();
        }
        Ok(())
    })
}

/// Sums over all vertices of a minibatch, in their order. `add` is called with a vertex and its function, and adds
/// the losses of the vertex to the sum.
pub(crate) fn sum_of(
    batch: &FlatBatch,
    mut add: impl FnMut(u32, FunctionId, &mut f64) -> Result<(), EngineError>,
) -> Result<f64, EngineError> {
    let mut sum = RunningSum::default();
    for (chain, functions) in batch.functions().chunks(CHAIN).enumerate() {
        let mut of_chain = 0.0;
        for (vertex, function) in (chain * CHAIN..).zip(functions) {
            add(vertex as u32, *function, &mut of_chain)?;
        }
        sum.add(of_chain);
    }
    Ok(sum.value())
}
