use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use safetensors::{Dtype, SafeTensors, tensor::TensorView};

use super::one_parameter;
use edb::Element;
use edb::learn::{Difference, LearnError, Parameter, Parameters};
use edb_core::learn::checkpoint::{load, save};

/// A scalar, a vector, a matrix and an empty matrix; the values are exact in both types.
fn model<T: Element>(scale: f64) -> Parameters<T> {
    let mut parameters = Parameters::new();
    for (name, shape) in
        [("word.u", &[2, 3][..]), ("word.b", &[2]), ("α \"quoted\"\n", &[]), ("none", &[0, 4])]
    {
        let count = shape.iter().product::<usize>();
        let values = (0..count).map(|i| T::from_f64(scale * (i as f64 + 0.5))).collect();
        parameters.push(Parameter::new(name, shape, values).unwrap()).unwrap();
    }
    parameters
}

fn metadata() -> BTreeMap<String, String> {
    let pairs = [("model", "tree"), ("step", "12"), ("note", "a \"b\"\u{1}")];
    pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).into()
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn round_trip<S: Element, T: Element>() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    save(&model::<S>(1.0), &path, &metadata()).unwrap();
    let mut loaded = model::<T>(0.0);
    assert_eq!(load(&mut loaded, &path).unwrap(), metadata());
    assert_eq!(loaded, model::<T>(1.0));
    assert_eq!(files(folder.path()), ["model.safetensors"]);
}

#[test]
fn round_trips_within_and_across_types() {
    round_trip::<f32, f32>();
    round_trip::<f64, f64>();
    round_trip::<f32, f64>();
    round_trip::<f64, f32>();
}

#[test]
fn conversion_rounds_and_keeps_what_is_not_finite() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    let values = [0.1, 1e300, f64::NEG_INFINITY, f64::NAN, -0.0];
    let (double, _) = one_parameter::<f64>(&[5], &values);
    save(&double, &path, &BTreeMap::new()).unwrap();
    let (mut single, id) = one_parameter::<f32>(&[5], &[0.0; 5]);
    assert!(load(&mut single, &path).unwrap().is_empty());
    let values = single.get(id).values().unwrap();
    assert_eq!(values[..3], [0.1, f32::INFINITY, f32::NEG_INFINITY]);
    assert!(values[3].is_nan());
    assert_eq!(values[4].to_bits(), (-0.0_f32).to_bits());
}

#[test]
fn other_readers_can_read_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    let saved = model::<f32>(1.0);
    save(&saved, &path, &metadata()).unwrap();
    let bytes = fs::read(&path).unwrap();
    let (header, read) = SafeTensors::read_metadata(&bytes).unwrap();
    assert_eq!(header % 8, 0);
    assert_eq!(
        read.metadata().clone().unwrap().into_iter().collect::<BTreeMap<_, _>>(),
        metadata()
    );
    let tensors = SafeTensors::deserialize(&bytes).unwrap();
    assert_eq!(tensors.len(), saved.len());
    for (_, parameter) in saved.iter() {
        let tensor = tensors.tensor(parameter.name()).unwrap();
        assert_eq!((tensor.dtype(), tensor.shape()), (Dtype::F32, parameter.shape()));
        let values: Vec<_> = tensor.data().chunks_exact(4).map(f32::read_le).collect();
        assert_eq!(values, parameter.values().unwrap());
    }
}

#[test]
fn equal_parameters_give_equal_files() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a", "b"].map(|name| folder.path().join(name));
    for path in &paths {
        save(&model::<f32>(1.0), path, &metadata()).unwrap();
    }
    assert_eq!(fs::read(&paths[0]).unwrap(), fs::read(&paths[1]).unwrap());
}

#[test]
fn more_values_than_a_block_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    let values: Vec<_> = (0..20_000).map(f64::from).collect();
    let (saved, _) = one_parameter::<f32>(&[200, 100], &values);
    save(&saved, &path, &BTreeMap::new()).unwrap();
    let (mut loaded, _) = one_parameter::<f32>(&[200, 100], &vec![0.0; 20_000]);
    load(&mut loaded, &path).unwrap();
    assert_eq!(loaded, saved);
}

#[test]
fn all_differences_are_listed_and_nothing_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    let (wide, half) = ([0; 24], [0; 4]);
    let tensors = [
        ("a", TensorView::new(Dtype::F32, vec![1], &[0; 4]).unwrap()),
        ("wide", TensorView::new(Dtype::F32, vec![3, 2], &wide).unwrap()),
        ("half", TensorView::new(Dtype::BF16, vec![2], &half).unwrap()),
        ("z", TensorView::new(Dtype::F32, vec![], &[0; 4]).unwrap()),
        ("y", TensorView::new(Dtype::U8, vec![2], &[0; 2]).unwrap()),
    ];
    fs::write(&path, safetensors::serialize(tensors, None).unwrap()).unwrap();

    let mut parameters = Parameters::<f32>::new();
    for (name, shape) in [("a", &[1][..]), ("wide", &[2, 3]), ("gone", &[2]), ("half", &[2])] {
        let values = vec![1.0; shape.iter().product()];
        parameters.push(Parameter::new(name, shape, values).unwrap()).unwrap();
    }
    let before = parameters.clone();
    let error = load(&mut parameters, &path).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "checkpoint {} does not fit the parameters: \
             `wide` is [2, 3], but [3, 2] in the file; \
             `gone` [2] is missing from the file; \
             `half` [2] is BF16 in the file, not F32 or F64; \
             `y` [2] in the file is no parameter; \
             `z` [] in the file is no parameter",
            path.display()
        )
    );
    let LearnError::Mismatch { differences, .. } = error else { unreachable!() };
    assert!(
        matches!(&differences[1], Difference::Missing { parameter, .. } if parameter == "gone")
    );
    assert_eq!(parameters, before);
}

#[test]
fn saving_replaces_a_file_and_a_failure_leaves_none_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    save(&model::<f32>(1.0), &path, &BTreeMap::new()).unwrap();
    save(&model::<f32>(2.0), &path, &BTreeMap::new()).unwrap();
    let mut loaded = model::<f32>(0.0);
    load(&mut loaded, &path).unwrap();
    assert_eq!(loaded, model(2.0));

    // A folder that is not empty cannot be replaced by a file.
    let occupied = folder.path().join("folder");
    fs::create_dir(&occupied).unwrap();
    fs::write(occupied.join("file"), "").unwrap();
    let error = save(&model::<f32>(1.0), &occupied, &BTreeMap::new()).unwrap_err();
    assert!(matches!(&error, LearnError::Write { path, .. } if *path == occupied), "{error}");
    let mut left = files(folder.path());
    left.sort();
    assert_eq!(left, ["folder", "model"]);

    for path in [folder.path().join("absent").join("model"), folder.path().join("..")] {
        let error = save(&model::<f32>(1.0), &path, &BTreeMap::new()).unwrap_err();
        assert!(matches!(error, LearnError::Write { .. }), "{error}");
    }
}

#[test]
fn the_name_of_the_metadata_is_reserved() {
    let folder = tempfile::tempdir().unwrap();
    let mut parameters = Parameters::new();
    parameters.push(Parameter::new("__metadata__", &[], vec![0.0_f32]).unwrap()).unwrap();
    let error = save(&parameters, &folder.path().join("model"), &BTreeMap::new()).unwrap_err();
    assert!(matches!(error, LearnError::ReservedName { .. }), "{error}");
    assert!(files(folder.path()).is_empty());
}

#[test]
fn an_absent_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let error = load(&mut model::<f32>(1.0), &folder.path().join("model")).unwrap_err();
    assert!(matches!(error, LearnError::Io { .. }), "{error}");
}
