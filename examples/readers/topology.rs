//! Graphs from files: JSON, plain or gzipped.
//!
//! A file is one minibatch: `n` vertices, `types` (the number of types), the `type` of each vertex,
//! its children `preds`, and optionally `instance`, the example that it belongs to. All else is
//! ignored.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use edb::schedule::{ScheduleError, TypeGraph};
use flate2::read::GzDecoder;
use serde::Deserialize;

/// The maximum bytes of JSON in a file: a graph of some ten million vertices.
const LARGEST: u64 = 1 << 30;

/// Why a file is not a graph.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct FileError {
    path: PathBuf,
    reason: Reason,
}

#[derive(Debug, thiserror::Error)]
enum Reason {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("holds more than {LARGEST} bytes")]
    TooLarge,
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("`n` is {n}, but `{field}` has {found} entries")]
    Count { n: usize, field: &'static str, found: usize },
    #[error("more than 2^32 children")]
    TooManyChildren,
    #[error(transparent)]
    Graph(#[from] ScheduleError),
}

/// A minibatch from a file.
pub struct Minibatch {
    pub graph: TypeGraph,
    /// The number of its examples.
    pub examples: usize,
}

#[derive(Deserialize)]
struct Record {
    n: usize,
    types: u16,
    #[serde(rename = "type")]
    vertex_types: Vec<u16>,
    /// The example of each vertex; optional.
    #[serde(default)]
    instance: Vec<u32>,
    preds: Vec<Vec<u32>>,
}

/// The minibatch in a file.
pub fn read(path: &Path) -> Result<Minibatch, FileError> {
    let error = |reason| FileError { path: path.to_owned(), reason };
    let bytes = contents(path).map_err(error)?;
    parse(&bytes).map_err(error)
}

fn contents(path: &Path) -> Result<Vec<u8>, Reason> {
    let file = File::open(path)?;
    let mut bytes = Vec::new();
    // Compression is detected from the first bytes, not from the name.
    let mut start = [0; 2];
    let read = file.take(2).read(&mut start)?;
    let file = File::open(path)?;
    let reader: Box<dyn Read> = match &start[..read] {
        [0x1f, 0x8b] => Box::new(GzDecoder::new(file)),
        _ => Box::new(file),
    };
    reader.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST { Err(Reason::TooLarge) } else { Ok(bytes) }
}

fn parse(bytes: &[u8]) -> Result<Minibatch, Reason> {
    let record: Record = serde_json::from_slice(bytes)?;
    let n = record.n;
    for (field, found) in [("type", record.vertex_types.len()), ("preds", record.preds.len())] {
        if found != n {
            return Err(Reason::Count { n, field, found });
        }
    }
    let mut offsets = vec![0];
    let mut children = Vec::new();
    for row in record.preds {
        children.extend(row);
        offsets.push(u32::try_from(children.len()).map_err(|_| Reason::TooManyChildren)?);
    }
    let examples = record.instance.iter().max().map_or(1, |&last| last as usize + 1);
    let graph = TypeGraph::new(record.types, record.vertex_types, offsets, children)?;
    Ok(Minibatch { graph, examples })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn message(bytes: &[u8]) -> String {
        parse(bytes).err().unwrap().to_string()
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert!(message(b"").contains("EOF"));
        assert!(message(b"[1, 2]").contains("invalid"));
        assert!(message(br#"{"n": 1, "types": 1, "type": [0]}"#).contains("missing field `preds`"));
        assert!(message(br#"{"n": -1, "types": 1, "type": [], "preds": []}"#).contains("-1"));
        let short = br#"{"n": 2, "types": 1, "type": [0], "preds": [[], []]}"#;
        assert_eq!(message(short), "`n` is 2, but `type` has 1 entries");
        let foreign = br#"{"n": 1, "types": 1, "type": [3], "preds": [[]]}"#;
        assert!(message(foreign).contains("vertex 0 is of type 3"));
        let beyond = br#"{"n": 1, "types": 1, "type": [0], "preds": [[7]]}"#;
        assert!(message(beyond).contains("child 0 of vertex 0 is 7"));
        let circle = br#"{"n": 2, "types": 1, "type": [0, 0], "preds": [[1], [0]]}"#;
        assert!(message(circle).contains("wait for each other"));
        let huge = br#"{"n": 18446744073709551615, "types": 1, "type": [], "preds": []}"#;
        assert!(message(huge).contains("`type` has 0 entries"));
    }

    #[test]
    fn plain_and_gzipped_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let json =
            br#"{"n": 2, "types": 2, "type": [1, 0], "instance": [0, 0], "preds": [[], [0]]}"#;
        let plain = folder.path().join("plain");
        std::fs::write(&plain, json).unwrap();
        let zipped = folder.path().join("zipped");
        let mut encoder = flate2::write::GzEncoder::new(
            File::create(&zipped).unwrap(),
            flate2::Compression::fast(),
        );
        encoder.write_all(json).unwrap();
        encoder.finish().unwrap();
        for path in [&plain, &zipped] {
            let Minibatch { graph, examples } = read(path).unwrap();
            assert_eq!(examples, 1);
            assert_eq!((graph.types(), graph.children(1)), (&[1, 0][..], &[0][..]));
        }
        std::fs::write(&zipped, [0x1f, 0x8b, 8, 0, 1]).unwrap();
        assert!(read(&zipped).is_err());
        assert!(read(&folder.path().join("none")).err().unwrap().to_string().contains("none"));
        assert!(read(folder.path()).is_err());
    }
}
