//! No file is longer than a reader keeps in view, and no function without saying why: files have up to
//! 600 lines, functions up to 80. A function that is longer says why in the first line of its body, in
//! a comment that begins with `Long, since`.

use std::fs;
use std::path::{Path, PathBuf};

/// The most lines of a file.
const FILE: usize = 600;

/// The most lines of a function, from `fn` to the brace that ends it.
const FUNCTION: usize = 80;

/// How a comment begins that says why a function is longer.
const REASON: &str = "// Long, since ";

/// The folders with sources.
const FOLDERS: &[&str] = &[
    "benches",
    "crates",
    "edb-core",
    "edb-cuda",
    "edb-macros",
    "examples",
    "fuzz",
    "src",
    "testkit",
    "tests",
];

/// What other programs bring along.
const OTHERS: &[&str] = &["target"];

/// The sources below a folder, by their paths in the repository.
fn sources(root: &Path, folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(root.join(folder)).unwrap() {
        let path = folder.join(entry.unwrap().file_name());
        if OTHERS.iter().any(|other| path.ends_with(other)) {
            continue;
        }
        if root.join(&path).is_dir() {
            sources(root, &path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The name of the function that begins in a line.
fn function(line: &str) -> Option<&str> {
    let (_, rest) = line.trim_start().split_once("fn ").filter(|(before, _)| {
        let words = before.split_whitespace();
        before.ends_with(' ') != before.is_empty()
            && words.into_iter().all(|word| {
                let known = ["const", "async", "unsafe", "extern", "\"C\"", "$vis", "default"];
                word.starts_with("pub") || word == "in" || known.contains(&word)
            })
    })?;
    let end = rest.find(['(', '<'])?;
    Some(&rest[..end])
}

/// The functions of a text that are too long and do not say why: their names, first lines and lengths.
///
/// The sources are formatted, also within macros: a body begins behind the first line that ends with
/// a brace, and ends with the first brace that is as far to the right as `fn`.
fn too_long(text: &str) -> Vec<(String, usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (first, line) in lines.iter().enumerate() {
        let Some(name) = function(line) else { continue };
        let begins = lines[first..].iter().position(|line| line.ends_with(['{', ';', '}']));
        let Some(brace) = begins.map(|at| first + at) else { continue };
        if !lines[brace].ends_with('{') {
            continue;
        }
        let end = format!("{}}}", &line[..line.len() - line.trim_start().len()]);
        let Some(length) = lines[first..].iter().position(|line| *line == end) else { continue };
        let says_why = lines[brace + 1].trim_start().starts_with(REASON);
        if length + 1 > FUNCTION && !says_why {
            found.push((name.to_owned(), first + 1, length + 1));
        }
    }
    found
}

#[test]
fn files_and_functions_are_short_or_say_why_not() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    FOLDERS.iter().for_each(|folder| sources(root, Path::new(folder), &mut paths));
    assert!(paths.len() > 400, "{} sources", paths.len());
    paths.sort();
    let mut wrong = Vec::new();
    for path in paths {
        let text = fs::read_to_string(root.join(&path)).unwrap();
        let (name, count) = (path.display(), text.lines().count());
        if count > FILE {
            wrong.push(format!("{name}: {count} lines"));
        }
        for (function, line, length) in too_long(&text) {
            wrong.push(format!("{name}:{line}: `{function}` has {length} lines"));
        }
    }
    assert!(
        wrong.is_empty(),
        "files have at most {FILE} lines, functions at most {FUNCTION} (or begin with a comment \
         `{REASON}..`):\n{}",
        wrong.join("\n")
    );
}

#[test]
fn long_functions_are_found() {
    let text = |head: &str, first: &str, lines: usize| {
        format!("{head}\n    {first}\n{}}}\n", "    work();\n".repeat(lines))
    };
    let found = |head: &str, first: &str, lines: usize| too_long(&text(head, first, lines));
    let head = "pub(crate) fn long(a: u32) -> u32 {";
    assert_eq!(found(head, "work();", 77), []);
    assert_eq!(found(head, "work();", 78), [("long".to_owned(), 1, 81)]);
    assert_eq!(found(head, "// Long, since it is a table.", 78), []);
    assert_eq!(found("fn long(\n    a: u32,\n) {", "work();", 78).len(), 1);
    assert_eq!(found("unsafe fn long<T>(a: T) {", "work();", 78).len(), 1);
    assert_eq!(found("trait A {\n    fn short();\n", "const B: u32 = 1;", 78), []);
    assert_eq!(found("static A: fn(u32) = {", "work();", 78), []);
}
