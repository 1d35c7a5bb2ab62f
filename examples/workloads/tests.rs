//! What the tests of all workloads use, and the tests of measuring itself.

use std::path::{Path, PathBuf};
use std::time::Duration;

use edb::Element;
use edb::prelude::*;
use edb::testing::{Check, compiled_equals_eager};
use tempfile::TempDir;

use super::*;
use crate::support::lines::LineError;
use crate::tree_fc::CompleteTrees;
use crate::tree_lstm::Trees;

/// A file with this text, and the folder that holds it for as long as it lives.
pub fn file(text: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("records");
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

/// The message about a file with this text, less the file's name.
pub fn wrong<R>(text: &str, read: impl Fn(&Path) -> std::result::Result<R, LineError>) -> String {
    let (_folder, path) = file(text);
    let error = read(&path).err().unwrap().to_string();
    error.strip_prefix(&path.display().to_string()).unwrap().to_owned()
}

/// Holds all records of a workload, batched under every policy, against the eager functions.
pub fn agree<W: Workload>(workload: &W) {
    fn agree_in<T: Element, W: Workload>(workload: &W) {
        let mut builder = ModelBuilder::new();
        let functions = workload.functions(&mut builder, 3);
        let model: Model<T> = builder.build(3).unwrap();
        let graphs: Vec<Graph<T>> = (workload.records().iter())
            .map(|record| workload.graph(&functions, &model, record))
            .collect();
        let batch = model.minibatch(&graphs).unwrap();
        compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
    }
    agree_in::<f32, W>(workload);
    agree_in::<f64, W>(workload);
}

const TREES: &str = "(1 (3 (1 w7) (0 w2)) (2 w7))\n(4 w1)\n(0 (1 w0) (2 w1))\n";

fn setting(mode: Mode, batch: usize) -> Setting {
    let time = Duration::ZERO;
    Setting { mode, hidden: 8, batch, threads: 2, passes: 5, time, seed: 1, disable: Vec::new() }
}

#[test]
fn parts_of_a_pass_are_within_it() {
    let (_folder, path) = file(TREES);
    let trees = Trees::read(&path, INSTANCES).unwrap();
    for (mode, batch) in [(Mode::Train, 1), (Mode::Train, 2), (Mode::Infer, 256)] {
        let row = measure("tree-lstm", &trees, &setting(mode, batch)).unwrap();
        let before = row.construct_ms + row.schedule_ms + row.forward_ms;
        let parts = before + row.backward_ms + row.update_ms;
        assert!(before > 0.0 && parts <= row.ms_per_batch * 1.000_001, "{row:?}");
        assert_eq!(mode == Mode::Train, row.backward_ms > 0.0);
        assert_eq!(mode == Mode::Train, row.update_ms > 0.0);
        assert!(row.batches >= row.lower_bound && row.lower_bound > 0.0, "{row:?}");
        assert!(row.arena_bytes > 0);
        // Instances over time, whatever the size of the last minibatch.
        let minibatches = 3_usize.div_ceil(batch) as f64;
        let seconds = row.ms_per_batch * minibatches / 1e3;
        assert!((row.instances_per_s * seconds - 3.0).abs() < 1e-6);
        let passes = if mode == Mode::Train { 3.0 } else { 1.0 };
        let flops = 6.0 * 6.0 * 64.0 + 3.0 * 20.0 * 64.0 + 9.0 * 10.0 * 8.0;
        assert!((row.gflops * seconds * 1e9 - passes * flops).abs() < 1e-3, "{row:?}");
        assert!((row.fraction_of_peak * row.peak_gflops - row.gflops).abs() < 1e-9);
    }
}

#[test]
fn a_row_has_the_keys_that_scripts_read() {
    let trees = CompleteTrees::draw(4, 2, 1).unwrap();
    let row = measure("tree-fc", &trees, &setting(Mode::Train, 2)).unwrap();
    let keys = |row: &Row| {
        let value = serde_json::to_value(row).unwrap();
        value.as_object().unwrap().keys().cloned().collect::<std::collections::BTreeSet<_>>()
    };
    let expected = "workload, mode, hidden, batch, threads, instances_per_s, ms_per_batch, \
        construct_ms, schedule_ms, forward_ms, backward_ms, update_ms, batches, lower_bound, gflops, \
        peak_gflops, fraction_of_peak, copied_bytes, arena_bytes";
    assert_eq!(keys(&row), expected.split(", ").map(str::to_owned).collect());
    assert!(keys(&Row { leaves: Some(4), ..row.clone() }).contains("leaves"));
    assert_eq!(row.cells().len(), Row::HEADING.len());
}

#[test]
fn nothing_cannot_be_measured() {
    let trees = CompleteTrees::draw(4, 0, 1).unwrap();
    let error = measure("tree-fc", &trees, &setting(Mode::Train, 2)).unwrap_err();
    assert_eq!(error.to_string(), "there are no instances");
}

#[test]
fn leaves_are_lists_or_double() {
    assert_eq!(leaves("32..1024"), Ok(vec![32, 64, 128, 256, 512, 1024]));
    assert_eq!(leaves("32..100"), Ok(vec![32, 64]));
    assert_eq!(leaves("8,2"), Ok(vec![8, 2]));
    for text in ["", "0", "a", "8..", "..8", "-1", "8..2"] {
        let error = leaves(text).unwrap_err();
        assert!(
            error.contains("found `") || error == "8..2 has no numbers: it begins behind its end"
        );
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let (folder, path) = file("(1 w1)\n(2 \u{e9})\n");
    let read = |path: &Path| Trees::read(path, 9);
    assert_eq!(read(&path).unwrap().records().len(), 2);
    let name = |path: &Path| path.display().to_string();
    let none = folder.path().join("none");
    for path in [&none, folder.path()] {
        let error = read(path).err().unwrap().to_string();
        assert!(error.starts_with(&format!("{}: cannot be opened: ", name(path))), "{error}");
    }
    std::fs::write(&path, b"(1 w1)\n(2 \xe9)\n").unwrap();
    let error = read(&path).err().unwrap().to_string();
    assert!(error.starts_with(&format!("{}, line 2: cannot be read: ", name(&path))), "{error}");
}

#[test]
fn packed_files_are_known_by_their_beginning() {
    use std::io::Write;
    let (_folder, path) = file("");
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(TREES.as_bytes()).unwrap();
    let packed = packer.finish().unwrap();
    std::fs::write(&path, &packed).unwrap();
    assert_eq!(Trees::read(&path, 9).unwrap().records().len(), 3);
    std::fs::write(&path, &packed[..packed.len() - 9]).unwrap();
    assert!(Trees::read(&path, 9).err().unwrap().to_string().contains("cannot be read: "));
}
