use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;

use super::*;

fn pack(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).expect("memory is writable");
    encoder.finish().expect("memory is writable")
}

/// A directory with these files.
fn directory(files: &[(&str, &[u8])]) -> TempDir {
    let directory = TempDir::new().expect("a temporary directory");
    for (name, bytes) in files {
        fs::write(directory.path().join(name), bytes).expect("it is writable");
    }
    directory
}

/// What is read of a directory.
fn read_in(directory: &TempDir, skip_malformed: bool) -> Result<Splits<Tree>, LineError> {
    read(&Source { data: Some(directory.path().into()), skip_malformed })
}

/// The message for a directory with these files, less the directory's name.
fn error(files: &[(&str, &[u8])]) -> String {
    let directory = directory(files);
    let error = read_in(&directory, false).expect_err("the files are wrong").to_string();
    let name = directory.path().display().to_string();
    assert!(error.starts_with(&name), "{error}");
    error[name.len()..].replace(std::path::MAIN_SEPARATOR, "/")
}

fn trees(lines: &[&str]) -> Vec<Tree> {
    lines.iter().map(|line| line.parse().expect(line)).collect()
}

#[test]
fn reads_plain_and_packed_files() {
    let directory = directory(&[
        ("train.txt", b"(3 (2 a) (3 joy))\n(1 grim)\n"),
        ("dev.txt.gz", &pack("(2 so-so)\n")),
        // Written elsewhere, without a last line break; the plain file goes first.
        ("test.txt", b"\n(4 bliss)\r\n \t\n(0 tripe)"),
        ("test.txt.gz", &pack("(2 ignored)\n")),
    ]);
    assert_eq!(
        read_in(&directory, false).expect("the files are right"),
        Splits {
            train: trees(&["(3 (2 a) (3 joy))", "(1 grim)"]),
            dev: trees(&["(2 so-so)"]),
            test: trees(&["(4 bliss)", "(0 tripe)"]),
        }
    );
}

#[test]
fn a_missing_file_is_named_as_it_was_sought() {
    assert_eq!(error(&[]), ": found neither `train.txt` nor `train.txt.gz`");
    let files: [(&str, &[u8]); 2] = [("train.txt", b""), ("dev.txt", b"")];
    assert_eq!(error(&files), ": found neither `test.txt` nor `test.txt.gz`");
}

#[test]
fn a_wrong_line_is_named() {
    assert_eq!(
        error(&[("train.txt", b"(2 a)\n\n(2 b)\n(2 (9 c) (2 d))\n")]),
        "/train.txt, line 4: column 5: expected a label from 0 to 4, found `9`"
    );
    assert_eq!(
        error(&[("train.txt", b""), ("dev.txt.gz", &pack("(2 a) b\n"))]),
        "/dev.txt.gz, line 1: column 7: expected the end of the line, found `b`"
    );
}

#[test]
fn a_wrong_line_may_be_left_out() {
    let train: &[u8] = b"(2 a)\n(2 b\n(2 \xe9)\n(2 (9 c) (2 d))\n(1 grim)\n";
    let files: [(&str, &[u8]); 3] = [("train.txt", train), ("dev.txt", b""), ("test.txt", b"")];
    let found = read_in(&directory(&files), true).expect("the rest is right");
    assert_eq!(found.train, trees(&["(2 a)", "(1 grim)"]));
}

#[test]
fn generated_phrases_have_the_mean_of_their_words() {
    let trees = generated();
    assert_eq!([trees.train.len(), trees.dev.len(), trees.test.len()], [800, 100, 100]);
    for tree in &trees.test {
        let label = |word: &String| WORDS.iter().find(|(name, _)| name == word).unwrap().1 as f64;
        let sum: f64 = tree.words().iter().map(label).sum();
        let mean = sum / tree.words().len() as f64;
        assert_eq!(f64::from(tree.label()), (mean + 0.5).floor());
    }
}
