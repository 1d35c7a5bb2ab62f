//! The sum of the losses of a minibatch, which is NaN where a vertex has decided on NaN.

use smallvec::SmallVec;

use super::append::FORGOTTEN;
use super::backend::Backend;
use super::error::EngineError;
use super::frame::Frame;
use super::layout::KeptRows;
use edb_kernels::element::Element;
use edb_kernels::sums::{CHAIN, RunningSum};

/// The sum of all losses of a minibatch that has run forward, added up in the order of the
/// vertices, in `f64`.
pub(super) fn sum<T: Element>(
    backend: &dyn Backend<T>,
    frame: Frame<'_, T>,
) -> Result<f64, EngineError> {
    let Frame { model, batch, layout, .. } = frame;
    // Their places are looked up once for all vertices of a function.
    let functions = model.functions.iter();
    let losses: SmallVec<[SmallVec<[KeptRows; 2]>; 8]> = functions
        .map(|function| {
            let losses = function.plan.program.summed();
            losses.filter_map(|id| layout.rows_of(function, id)).collect()
        })
        .collect();
    let mut sum = RunningSum::default();
    for (chain, functions) in batch.functions().chunks(CHAIN).enumerate() {
        let mut of_chain = 0.0;
        for (vertex, function) in (chain * CHAIN..).zip(functions) {
            if layout.rows[vertex] == FORGOTTEN {
                continue;
            }
            for rows in &losses[function.index()] {
                of_chain += backend.read(rows.all(), rows.of(layout, vertex as u32))?[0].as_f64();
            }
        }
        sum.add(of_chain);
    }
    Ok(sum.value())
}
