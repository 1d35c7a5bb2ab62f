//! A small model as a file, and files that have its parameters and another text.

use std::sync::LazyLock;

use edb::prelude::*;
use edb_backend_suite::zoo::Sentiment;
use serde_json::Value;

/// Where a bundle has its functions.
const KEY: &str = "edb.bundle";

/// The file of a small model, with two answers.
pub static SMALL: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let (functions, model) = Sentiment::model::<f32>(2, 1);
    _ = functions;
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let path = folder.path().join("model.edb");
    model.bundle().policy(&Policy::Depth).save(&path).expect("the folder can be written");
    std::fs::read(path).expect("it was written")
});

/// The header of the file, and what follows it.
fn parts() -> (Value, &'static [u8]) {
    let (length, rest) = SMALL.split_first_chunk().expect("it has a header");
    let (header, numbers) = rest.split_at(u64::from_le_bytes(*length) as usize);
    (serde_json::from_slice(header).expect("it is JSON"), numbers)
}

/// The text of its functions.
pub fn small() -> String {
    let text = parts().0["__metadata__"][KEY].as_str().map(str::to_owned);
    text.expect("a bundle has this text")
}

/// The file with another text.
pub fn around(text: &str) -> Vec<u8> {
    let (mut header, numbers) = parts();
    header["__metadata__"][KEY] = text.into();
    let header = header.to_string();
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.as_bytes());
    file.extend(numbers);
    file
}
