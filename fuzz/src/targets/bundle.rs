use edb::graph::{GraphRecord, VertexRecord};
use edb::model::Bundle;
use edb::prelude::*;

use super::{bounded, file, say};
use crate::bundles::around;

/// The most steps of a vertex: a damaged loop need not end.
const MOST_STEPS: u32 = 30;
/// No model is run with a dimension that is greater: whether it fits into memory is another question.
const LARGEST: usize = 1 << 10;

/// A file of a model, as it is, and as the text of its functions beside right parameters: it is refused by an error that
/// names it, or it opens, is written and read again as the same, and answers.
pub fn bundle(data: &[u8]) {
    open(data);
    if let Ok(text) = std::str::from_utf8(data) {
        open(&around(text));
    }
}

fn open(data: &[u8]) {
    let path = file("model.edb", data);
    let bundle = match bounded(data.len(), || Bundle::<f32>::open(&path)) {
        Ok(bundle) => bundle,
        Err(error) => {
            say(&error);
            let text = error.to_string();
            assert!(text.contains("model.edb"), "{text}");
            return;
        }
    };
    let Bundle { model, notes, policy, examples, .. } = &bundle;
    let again = path.with_extension("again");
    let mut writer = model.bundle().notes(notes.clone()).examples(examples.clone());
    if let Some(policy) = policy {
        writer = writer.policy(policy);
    }
    writer.save(&again).expect("what was read can be written");
    let written = Bundle::<f32>::open(&again).expect("what was written can be read");
    assert_eq!(written.model.summary(), model.summary());
    let functions = model.summary().functions;
    if functions.iter().flat_map(|of| &of.dims).any(|(_, size)| *size > LARGEST) {
        return;
    }
    let mut engine = Engine::new().most_steps(MOST_STEPS);
    drop(engine.replay(model, examples));
    // A vertex of each function that needs nothing, and one more above each of these.
    let mut record = GraphRecord::default();
    for function in &functions {
        record.vertices.push(VertexRecord::new(&function.signature.name));
        if model.graph_from_record(&record).is_err() {
            record.vertices.pop();
        }
    }
    let Ok(graph) = model.graph_from_record(&record) else { return };
    let Ok(batch) = model.minibatch([&graph]) else { return };
    drop(engine.infer(model, &batch).and_then(|run| run.answer(0)));
}
