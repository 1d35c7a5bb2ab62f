use edb::prelude::*;
use edb_core::learn::Values;

use super::{bounded, file, say};
use edb_backend_suite::zoo::Sentiment;

/// A file of parameters: it is refused by an error that names it and nothing changes, or it is
/// loaded, saved and read again as the same. Tensors of it can also be loaded where they fit, and
/// one can be an initial value.
pub fn safetensors(data: &[u8]) {
    let mut model = small();
    let before = bits(&model);
    let path = file("model.safetensors", data);
    let named = |error: &dyn std::fmt::Display| {
        let text = error.to_string();
        assert!(text.contains("model.safetensors"), "{text}");
    };
    match bounded(data.len(), || model.load(&path)) {
        Ok(()) => {
            let written = path.with_extension("again");
            model.save(&written).expect("the folder can be written");
            let mut again = small();
            again.load(&written).expect("what was saved can be read");
            assert_eq!(bits(&again), bits(&model));
        }
        Err(error) => {
            say(&error);
            named(&error);
            assert_eq!(bits(&model), before);
        }
    }
    let mut model = small();
    // Maps every parameter to a name that the original file has.
    match bounded(data.len(), || model.load_some(&path, |_| Some("phrase.b".into()))) {
        Ok(report) => assert!(report.loaded.len() + report.differing.len() > 0),
        Err(error) => {
            named(&error);
            assert_eq!(bits(&model), before);
        }
    }
    match bounded(data.len(), || Values::safetensors(&path, "phrase.b")) {
        Ok(values) => drop(values.fill::<f32>(&[10], "b")),
        Err(error) => named(&error),
    }
}

fn small() -> Model {
    Sentiment::model::<f32>(2, 1).1
}

fn bits(model: &Model) -> Vec<u32> {
    let values = model.parameters().iter().flat_map(|(_, parameter)| parameter.values().unwrap());
    values.map(|value| value.to_bits()).collect()
}
