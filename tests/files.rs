//! Files of a model: one is enough to make it, and what is wrong with one is said.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use edb::learn::{LearnError, Parameters};
use edb::model::{ModelError, ModelProblem, Notes};
use edb::prelude::*;
use edb::trainer::Checkpoints;
use edb_backend_suite::machine;
use edb_backend_suite::zoo::Sentiment;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Sizes {
    hidden: usize,
    words: Vec<String>,
    rate: Option<f64>,
}

fn sizes(hidden: usize) -> Sizes {
    Sizes {
        hidden,
        words: ["a", "\"quoted\" film\n", "ä\u{0}"].map(str::to_owned).into(),
        rate: None,
    }
}

/// A model of a file, with these sizes.
fn load<T: edb::Element>(path: &Path, hidden: usize) -> Result<Model<T>, ModelError> {
    let mut builder = ModelBuilder::new();
    Sentiment::new(&mut builder, hidden);
    builder.load_as(path)
}

fn bits<T: edb::Element>(parameters: &Parameters<T>) -> BTreeMap<String, Vec<u64>> {
    let bits = |of: &edb::learn::Parameter<T>| {
        of.values().unwrap().iter().map(|value| value.as_f64().to_bits()).collect()
    };
    parameters.iter().map(|(_, of)| (of.name().to_owned(), bits(of))).collect()
}

/// What is wrong with the file of a model that could not be made.
fn problem<T>(result: Result<Model<T>, ModelError>) -> LearnError {
    let mut problems = result.err().expect("the file is wrong").problems;
    match (problems.pop(), problems.pop()) {
        (Some(ModelProblem::Learn(error)), None) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_is_enough_to_make_its_model() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let (_, model) = Sentiment::model::<f32>(4, 1);
    model.save_with(&path, &Notes::new().with("sizes", &sizes(4)).score(0.5)).unwrap();
    let notes = Notes::load(&path).unwrap();
    assert_eq!(notes, Notes::new().with("sizes", &sizes(4)), "a score is of checkpoints");
    let read: Sizes = notes.get("sizes").unwrap();
    assert_eq!(read, sizes(4));
    assert_eq!(
        bits(load::<f32>(&path, read.hidden).unwrap().parameters()),
        bits(model.parameters())
    );
    assert_eq!(
        bits(load::<f64>(&path, read.hidden).unwrap().parameters()),
        bits(model.parameters())
    );
    // Another save has other notes, or none.
    model.save(&path).unwrap();
    assert_eq!(Notes::load(&path).unwrap(), Notes::new());
    assert_eq!(bits(load::<f32>(&path, 4).unwrap().parameters()), bits(model.parameters()));
}

#[vertex_function]
fn scale(#[param(N)] by: Tensor) {
    loss((by * by).sum());
}

/// An orthogonal vector cannot be made: a model is, where nothing is initialised.
#[test]
fn nothing_is_initialised() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let builder = |start: Option<Initializer>| {
        let mut builder = ModelBuilder::new();
        let dims = dims! { N: 3 };
        builder.add::<scale>(match start {
            Some(start) => dims.init("by", start),
            None => dims,
        });
        builder
    };
    let start = Some(Initializer::Orthogonal { gain: 1.0 });
    assert!(builder(start).build(1).is_err());
    let model: Model =
        builder(Some(Initializer::Constant(f64::from(f32::MIN_POSITIVE)))).build(1).unwrap();
    model.save(&path).unwrap();
    assert_eq!(builder(start).load(&path).unwrap().parameters(), model.parameters());
    // It can be saved, trained and loaded again.
    let mut again: Model = builder(None).load(&path).unwrap();
    again.load(&path).unwrap();
    let g = again.graph();
    assert!(again.minibatch([&g]).is_err(), "a graph without vertices");
}

#[test]
fn other_files_are_refused_with_all_differences() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let (_, model) = Sentiment::model::<f32>(4, 1);
    model.save(&path).unwrap();
    let error = problem(load::<f32>(&path, 5));
    let LearnError::Mismatch { path: named, differences } = &error else { panic!("{error}") };
    assert_eq!((named, differences.len()), (&path, 6));
    assert!(
        error.to_string().contains("`phrase.u` is [25, 10], but [20, 8] in the file"),
        "{error}"
    );
    let mut builder = ModelBuilder::new();
    builder.add::<scale>(dims! { N: 3 });
    let error = problem(builder.load(&path)).to_string();
    assert!(error.contains("`scale.by` [3] is missing from the file"), "{error}");
    assert!(error.contains("`word.w` [12, 5] in the file is no parameter"), "{error}");
    // What the builder was told comes first.
    let mut builder = ModelBuilder::new();
    builder.add::<scale>(dims! {});
    let error = builder.load(folder.path().join("none")).unwrap_err().to_string();
    assert!(error.contains("`scale` needs the dimension N"), "{error}");
}

#[test]
fn damaged_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let (_, model) = Sentiment::model::<f32>(2, 1);
    model.save_with(&path, &Notes::new().with("sizes", &sizes(2))).unwrap();
    let whole = fs::read(&path).unwrap();
    let header = 8 + u64::from_le_bytes(whole[..8].try_into().unwrap()) as usize;
    let refused = |error: LearnError| {
        let said = error.to_string();
        assert!(said.contains("model.safetensors"), "{said}");
        assert!(matches!(error, LearnError::Corrupt { .. }), "{said}");
    };
    for length in [0, 7, 8, header - 1, header, whole.len() - 1] {
        fs::write(&path, &whole[..length]).unwrap();
        refused(Notes::load(&path).unwrap_err());
        refused(problem(load::<f32>(&path, 2)));
    }
    // Each byte of the header, or every eighth: a model, another model or none, other notes or none, but no
    // panic.
    for byte in (0..header).step_by(if machine::all_cases() { 1 } else { 8 }) {
        let mut other = whole.clone();
        other[byte] ^= 1 << (byte % 8);
        fs::write(&path, &other).unwrap();
        if let Ok(notes) = Notes::load(&path) {
            let _ = notes.get::<Sizes>("sizes");
        }
        let _ = load::<f32>(&path, 2);
    }
    fs::remove_file(&path).unwrap();
    assert!(matches!(Notes::load(&path).unwrap_err(), LearnError::Io { .. }));
    assert!(matches!(problem(load::<f32>(&path, 2)), LearnError::Io { .. }));
    let error = Notes::load(folder.path()).unwrap_err().to_string();
    assert!(error.contains("cannot be read") || error.contains("corrupt"), "{error}");
}

#[test]
fn notes_say_what_is_there() {
    let notes = Notes::new().with("sizes", &sizes(4)).with("epoch", &3);
    let error = notes.get::<u32>("epochs").unwrap_err().to_string();
    assert_eq!(error, "there is no note `epochs`; there are `epoch`, `sizes`");
    let error = notes.get::<Sizes>("epoch").unwrap_err().to_string();
    assert!(error.starts_with("the note `epoch` is of another type: invalid type: integer `3`"));
    let error = Notes::new().get::<u32>("epoch").unwrap_err().to_string();
    assert_eq!(error, "there is no note `epoch`; there are no others");
}

/// What could not be read again is refused, and the file of before stays.
#[test]
fn notes_that_cannot_be_kept_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let (_, model) = Sentiment::model::<f32>(4, 1);
    model.save_with(&path, &Notes::new().with("kept", &1)).unwrap();
    let deep = (0..1000).fold(serde_json::json!(0), |inner, _| serde_json::json!([inner]));
    for notes in [Notes::new().with("lost", &f32::NAN), Notes::new().with("lost", &deep)] {
        let error = model.save_with(&path, &notes).unwrap_err().to_string();
        assert!(error.contains("the note `lost`"), "{error}");
        assert_eq!(Notes::load(&path).unwrap(), Notes::new().with("kept", &1));
    }
    // Names are free, also those that the format uses.
    let notes = Notes::new().with("__metadata__", &1).with("", &2).with("word.w", &"3");
    model.save_with(&path, &notes).unwrap();
    assert_eq!(Notes::load(&path).unwrap(), notes);
    assert_eq!(bits(load::<f32>(&path, 4).unwrap().parameters()), bits(model.parameters()));
}

/// The metadata of a file that another program has written.
#[test]
fn metadata_of_others_are_notes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let header =
        br#"{"__metadata__":{"format":"pt","sizes":"{\"hidden\": 4, \"words\": []}","n":"7"}}"#;
    fs::write(&path, [&(header.len() as u64).to_le_bytes()[..], header].concat()).unwrap();
    let notes = Notes::load(&path).unwrap();
    assert_eq!(notes.get::<String>("format").unwrap(), "pt");
    assert_eq!(notes.get::<Sizes>("sizes").unwrap().hidden, 4);
    assert_eq!(notes.get::<u8>("n").unwrap(), 7);
}

/// A server needs the best checkpoint's file only.
#[test]
fn the_file_of_a_checkpoint_is_enough() {
    let folder = tempfile::tempdir().unwrap();
    let (_, model) = Sentiment::model::<f32>(4, 1);
    let trainer = Trainer::new(model, Adam::new(0.1));
    let notes = Notes::new().with("sizes", &sizes(4));
    let checkpoints = Checkpoints::new(folder.path());
    checkpoints.save(&trainer, &notes.clone().score(0.5)).unwrap();
    let best = checkpoints.best().unwrap().unwrap().path.join("model.safetensors");
    let read: Sizes = Notes::load(&best).unwrap().get("sizes").unwrap();
    let model = load::<f32>(&best, read.hidden).unwrap();
    assert_eq!(bits(model.parameters()), bits(trainer.model().parameters()));
    let (_, other) = Sentiment::model::<f32>(4, 2);
    let resumed = checkpoints.resume(&mut Trainer::new(other, Adam::new(0.1))).unwrap().unwrap();
    assert_eq!(resumed.notes, notes.score(0.5));
}
