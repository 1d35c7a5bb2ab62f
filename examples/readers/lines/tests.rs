use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;

use super::*;

fn pack(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// What is read of a file with these bytes, an error without the file's name.
fn read(bytes: &[u8], malformed: Malformed) -> Result<Vec<String>, String> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("records");
    fs::write(&path, bytes).unwrap();
    let number = |line: &str| match line {
        "x" => Err("not this one"),
        line => Ok(line.to_owned()),
    };
    let found = Lines::open(&path, malformed).and_then(|mut lines| lines.records(9, number));
    found.map_err(|error| {
        let error = error.to_string();
        error.strip_prefix(&path.display().to_string()).unwrap().to_owned()
    })
}

fn strict(bytes: &[u8]) -> Result<Vec<String>, String> {
    read(bytes, Malformed::Stop)
}

fn words(line: &str) -> Result<Vec<String>, String> {
    Ok(line.split(' ').map(str::to_owned).collect())
}

#[test]
fn lines_end_in_any_way() {
    for text in ["a\nb\n", "a\r\nb\r\n", "a\nb", "\u{feff}a\n\n \t\r\nb", "\u{feff}a\r\nb"] {
        assert_eq!(strict(text.as_bytes()), words("a b"), "{text:?}");
        assert_eq!(strict(&pack(text.as_bytes())), words("a b"), "{text:?}");
    }
    assert_eq!(strict(b""), Ok(vec![]));
    assert_eq!(strict(&pack(b"")), Ok(vec![]));
    assert_eq!(strict(&[pack(b"a\n"), pack(b"b\n")].concat()), words("a b"));
    // The mark means something at the very beginning only, and a return before an end only.
    assert_eq!(strict("a\n\u{feff}b\n".as_bytes()), words("a \u{feff}b"));
    assert_eq!(strict(b"a\rb\n"), words("a\rb"));
    assert_eq!(strict(b"\x1f"), words("\x1f"));
}

#[test]
fn a_line_that_is_no_record_is_named_or_left_out() {
    for (bytes, expected) in [
        (&b"a\n\nx\nb\n"[..], ", line 3: not this one"),
        (b"a\n\xe9t\xe9\nb\n", ", line 2: it is no UTF-8 text: invalid utf-8 sequence"),
        (b"a\nc\0d\nb\n", ", line 2: it has a NUL in it, and is no text"),
    ] {
        let error = strict(bytes).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
        assert_eq!(read(bytes, Malformed::Report), words("a b"));
    }
}

#[test]
fn a_damaged_file_is_never_left_out() {
    let packed = pack(b"a\nb\nc\n");
    for malformed in [Malformed::Stop, Malformed::Report] {
        for cut in [3, packed.len() / 2, packed.len() - 1] {
            let error = read(&packed[..cut], malformed).unwrap_err();
            assert!(error.contains("cannot be read: "), "{error}");
        }
        let longest = [vec![b'a'; LONGEST], b"\nb".to_vec()].concat();
        assert_eq!(read(&longest, malformed).unwrap_err(), TOO_LONG);
        // A small file that is a large one when unpacked.
        assert_eq!(read(&pack(&longest), malformed).unwrap_err(), TOO_LONG);
        assert_eq!(read(&longest[1..], malformed).unwrap().len(), 2);
    }
}

const TOO_LONG: &str = ", line 1: cannot be read: it has 65536 bytes and more";

#[test]
fn files_are_found_plain_or_packed() {
    let folder = TempDir::new().unwrap();
    let error = find(folder.path(), "a.txt").unwrap_err().to_string();
    assert!(error.ends_with(": found neither `a.txt` nor `a.txt.gz`"), "{error}");
    for name in ["a.txt.gz", "a.txt"] {
        let path = folder.path().join(name);
        fs::write(&path, "").unwrap();
        assert_eq!(find(folder.path(), "a.txt").unwrap(), path);
    }
    let error = Lines::open(folder.path(), Malformed::Stop).err().unwrap().to_string();
    assert!(error.contains(": cannot be opened: "), "{error}");
}

#[test]
fn headings_are_checked() {
    let lines = |text: &str| Lines::of("text", text.to_owned());
    lines("id\ty\n").heading("id\t").unwrap();
    for text in ["", "7\t1\n"] {
        let error = lines(text).heading("id").unwrap_err().to_string();
        assert_eq!(error, "text, line 1: expected a heading that begins with `id`");
    }
}

#[test]
fn only_the_ascii_space_separates_items() {
    let line = " a\u{a0}b  c\u{3000}d\te ";
    assert_eq!(items(line).collect::<Vec<_>>(), ["a\u{a0}b", "c\u{3000}d\te"]);
}
