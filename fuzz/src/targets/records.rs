use std::sync::LazyLock;

use edb::graph::VertexRecord;
use edb::ndarray;
use edb::prelude::*;

use super::{bounded, say};
use crate::models::{all_cells, company};

/// A graph as JSON records: it is refused, or it runs forward and backward with the same bits alone
/// and beside other graphs. Records that can be read are written and read again without a change.
pub fn records(data: &[u8]) {
    static MODEL: LazyLock<Model> = LazyLock::new(all_cells);
    let model = &*MODEL;
    let read = || serde_json::from_slice::<Vec<VertexRecord>>(data);
    let Ok(records) = bounded(data.len(), read) else { return };
    let text = serde_json::to_vec(&records).expect("records are data");
    assert_eq!(serde_json::from_slice::<Vec<VertexRecord>>(&text).unwrap(), records);
    let graph = match bounded(data.len(), || model.graph_from_records(&records)) {
        Ok(graph) => graph,
        Err(error) => {
            assert!((error.vertex as usize) < records.len().max(1), "{}", say(&error));
            return;
        }
    };
    let alone = match model.minibatch([&graph]) {
        Ok(batch) => batch,
        Err(error) => {
            assert!(records.is_empty(), "{}", say(&error));
            return;
        }
    };
    let other = company(model);
    let together = model.minibatch([&other, &graph, &other]).expect("each graph is right");
    let expected = bits(model, &alone, 0, &records);
    assert_eq!(bits(model, &together, 1, &records), expected, "in company");
}

/// The bits of the states of a graph's vertices and of the gradients of their inputs.
fn bits(model: &Model, batch: &Minibatch, graph: usize, records: &[VertexRecord]) -> Vec<u32> {
    let mut engine = Engine::new();
    let mut run = engine.forward(model, batch, 1).expect("the minibatch fits into memory");
    drop(run.backward().expect("a run goes backward once"));
    let mut bits = Vec::new();
    // All NaNs count as equal: which one an operation returns depends on the order of its operands,
    // which the Rust compiler chooses.
    let bit = |x: &f32| if x.is_nan() { u32::MAX } else { x.to_bits() };
    let mut add = |row: ndarray::ArrayViewD<'_, f32>| bits.extend(row.iter().map(bit));
    for (vertex, record) in records.iter().enumerate() {
        for field in ["h", "c"] {
            if let Ok(Some(state)) = run.state_at(graph, vertex, field) {
                add(state);
            }
        }
        for field in record.input.keys() {
            if let Ok(Some(gradient)) = run.input_gradient_at(graph, vertex, field) {
                add(gradient);
            }
        }
    }
    bits
}
