//! Files that are damaged, or made to do damage.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::one_parameter;
use edb::learn::{LearnError, Parameters};
use edb_core::learn::checkpoint::{load, save};

/// Loads `bytes`; the parameters must not change, and the reason why the file is corrupt is
/// returned.
fn reason(folder: &Path, bytes: &[u8]) -> String {
    let path = folder.join("model");
    fs::write(&path, bytes).unwrap();
    let (mut parameters, _) = one_parameter::<f32>(&[2, 2], &[1.0; 4]);
    let before = parameters.clone();
    let error = load(&mut parameters, &path).unwrap_err();
    assert_eq!(parameters, before);
    match error {
        LearnError::Corrupt { path: named, reason } if named == path => reason,
        error => panic!("{error}"),
    }
}

/// A file of a header and four values.
fn file(header: &str) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(&[0; 16]);
    bytes
}

fn tensor(shape: &str, start: u64, end: u64) -> String {
    format!(r#"{{"dtype":"F32","shape":{shape},"data_offsets":[{start},{end}]}}"#)
}

fn valid(folder: &Path) -> (Parameters<f32>, Vec<u8>) {
    let (parameters, _) = one_parameter::<f32>(&[2, 2], &[0.5; 4]);
    let path = folder.join("valid");
    save(&parameters, &path, &BTreeMap::from([("k".to_owned(), "v".to_owned())])).unwrap();
    (parameters, fs::read(path).unwrap())
}

#[test]
fn every_truncation_and_extension_is_corrupt() {
    let folder = tempfile::tempdir().unwrap();
    let (_, bytes) = valid(folder.path());
    for length in 0..bytes.len() {
        reason(folder.path(), &bytes[..length]);
    }
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(
        reason(folder.path(), &longer),
        "its tensors take 16 bytes, but 17 bytes follow the header"
    );
}

#[test]
fn a_header_length_beyond_the_file_allocates_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for length in [u64::MAX, u64::MAX - 8, i64::MAX as u64, 100_000_001, 100_000_000, 17] {
        let bytes = [&length.to_le_bytes()[..], &[b' '; 16]].concat();
        let expected = format!("a header of {length} bytes in a file of 24 bytes");
        assert_eq!(reason(folder.path(), &bytes), expected);
    }
}

#[test]
fn a_file_of_torch_save_is_told_what_writes_tensors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.pt");
    fs::write(&path, b"PK\x03\x04\x00\x00\x08\x08\x00\x00").unwrap();
    let (mut parameters, _) = one_parameter::<f32>(&[2, 2], &[1.0; 4]);
    let error = load(&mut parameters, &path).unwrap_err();
    let expected = format!(
        "{} is no safetensors file: it begins like a zip archive, as files of `torch.save` do; save it in Python with \
         `safetensors.torch.save_file`",
        path.display()
    );
    assert_eq!(error.to_string(), expected);
    assert!(matches!(error, LearnError::Zip { path: named } if named == path));
}

#[test]
fn a_checkpoints_folder_is_told_its_file_of_tensors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let (mut parameters, _) = one_parameter::<f32>(&[2, 2], &[1.0; 4]);
    save(&parameters, &path, &BTreeMap::new()).unwrap();
    let error = load(&mut parameters, folder.path()).unwrap_err().to_string();
    let expected = format!("it is a folder: name the file in it, `{}`", path.display());
    assert!(error.ends_with(&expected), "{error}");
}

#[test]
fn tensors_beyond_the_file_allocate_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let end = 1_u64 << 60;
    let header = format!(r#"{{"p":{}}}"#, tensor(&format!("[{}]", end / 4), 0, end));
    let reason = reason(folder.path(), &file(&header));
    assert!(reason.starts_with("its tensors take 1152921504606846976 bytes"), "{reason}");
}

/// The ends of eight tensors of 2⁶¹ - 8 bytes come so close to 2⁶⁴ that adding the length of the
/// header overflows.
#[test]
fn the_end_of_the_last_tensor_may_not_overflow() {
    let folder = tempfile::tempdir().unwrap();
    let size = (1_u64 << 61) - 8;
    let tensors = (0..8).map(|i| {
        let shape = format!("[{}]", size / 4);
        format!(r#""p{i}":{}"#, tensor(&shape, i * size, (i + 1) * size))
    });
    let header = format!("{{{}}}", tensors.collect::<Vec<_>>().join(","));
    let reason = reason(folder.path(), &file(&header));
    assert!(reason.starts_with("its tensors take 18446744073709551552 bytes"), "{reason}");
}

#[test]
fn headers_that_lie_are_corrupt() {
    let folder = tempfile::tempdir().unwrap();
    let deep = "[".repeat(100_000);
    for header in [
        String::new(),
        "[]".to_owned(),
        deep,
        // The product of the dimensions overflows; the size does not match; the range is empty,
        // does not start at the end of the one before, or overlaps it.
        format!(r#"{{"p":{}}}"#, tensor("[18446744073709551615,2]", 0, 16)),
        format!(r#"{{"p":{}}}"#, tensor("[2,3]", 0, 16)),
        format!(r#"{{"p":{}}}"#, tensor("[2,2]", 16, 0)),
        format!(r#"{{"p":{}}}"#, tensor("[2,1]", 8, 16)),
        format!(r#"{{"p":{},"q":{}}}"#, tensor("[2,2]", 0, 16), tensor("[2,2]", 0, 16)),
        format!(r#"{{"p":{},"p":{}}}"#, tensor("[2]", 0, 8), tensor("[2]", 8, 16)),
        r#"{"p":{"dtype":"F31","shape":[2,2],"data_offsets":[0,16]}}"#.to_owned(),
        r#"{"p":{"dtype":"F32","shape":[-2,-2],"data_offsets":[0,16]}}"#.to_owned(),
        format!(r#"{{"__metadata__":3,"p":{}}}"#, tensor("[2,2]", 0, 16)),
    ] {
        reason(folder.path(), &file(&header));
    }
    let mut binary = file("{ }");
    binary[9] = 0xff;
    reason(folder.path(), &binary);
}

/// Shapes without elements, whose other dimensions are as large as can be written.
#[test]
fn empty_tensors_of_huge_shapes_allocate_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    for shape in [
        "[0,18446744073709551615,2]",
        "[18446744073709551615,0]",
        "[0]",
        "[4611686018427387904,0,4]",
    ] {
        let header = format!(r#"{{"p":{},"q":{}}}"#, tensor("[2,2]", 0, 16), tensor(shape, 16, 16));
        fs::write(&path, file(&header)).unwrap();
        let (mut parameters, _) = one_parameter::<f32>(&[2, 2], &[1.0; 4]);
        let before = parameters.clone();
        match load(&mut parameters, &path).unwrap_err() {
            LearnError::Corrupt { .. } | LearnError::Mismatch { .. } => {}
            error => panic!("{shape}: {error}"),
        }
        assert_eq!(parameters, before);
    }
}

proptest! {
    /// A damaged byte gives an error or other values, never a panic.
    #[test]
    fn a_damaged_byte_does_not_panic(position in any::<proptest::sample::Index>(), byte: u8) {
        let folder = tempfile::tempdir().unwrap();
        let (mut parameters, mut bytes) = valid(folder.path());
        let position = position.index(bytes.len());
        bytes[position] = byte;
        let path = folder.path().join("model");
        fs::write(&path, bytes).unwrap();
        let before = parameters.clone();
        if load(&mut parameters, &path).is_err() {
            prop_assert_eq!(parameters, before);
        }
    }
}
