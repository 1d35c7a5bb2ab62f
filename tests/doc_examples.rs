//! Examples in the documentation show paths that users have: those of `edb`. Each crate's own tests
//! compile them, against a hidden line that gives its parts these paths; whether `edb` exports them is
//! checked here.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Crates whose items `edb` exports, so that users do not depend on them.
const PARTS: [&str; 10] = [
    "edb_core",
    "edb_cuda",
    "edb_kernels",
    "edb_learn",
    "edb_macros",
    "edb_model",
    "edb_mpi",
    "edb_schedule",
    "edb_train",
    "edb_vertex",
];

/// A line of an example that readers see.
struct Shown {
    file: PathBuf,
    line: usize,
    text: String,
}

/// The files of Rust in a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The shown lines of all examples in the documentation that are compiled.
fn shown() -> Vec<Shown> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<PathBuf> = ["src", "edb-core/src", "edb-cuda/src", "edb-macros/src"]
        .map(|folder| root.join(folder))
        .into();
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        folders.push(entry.unwrap().path().join("src"));
    }
    let mut files = Vec::new();
    folders.iter().for_each(|folder| sources(folder, &mut files));
    files.sort();
    let mut all = Vec::new();
    for file in files {
        // Within an example, whether it is one that compiles.
        let mut example: Option<bool> = None;
        for (line, text) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            let text = text.trim_start();
            let documented = text.strip_prefix("///").or_else(|| text.strip_prefix("//!"));
            let Some(text) = documented.map(str::trim) else { continue };
            if let Some(kind) = text.strip_prefix("```") {
                let is_rust = |kind: &str| {
                    kind.split(',').all(|part| ["", "rust", "no_run"].contains(&part.trim()))
                };
                example = match example {
                    None => Some(is_rust(kind)),
                    Some(_) => None,
                };
            } else if example == Some(true) && text != "#" && !text.starts_with("# ") {
                all.push(Shown { file: file.clone(), line: line + 1, text: text.to_owned() });
            }
        }
        assert_eq!(example, None, "an example of {} does not end", file.display());
    }
    all
}

/// The paths that a line names, groups of a `use` one by one.
fn paths(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("edb::") {
        if text[..at].ends_with(|before: char| before.is_alphanumeric() || ":_".contains(before)) {
            continue;
        }
        let is_path = |letter: char| letter.is_alphanumeric() || "_:".contains(letter);
        let path: String = text[at..].chars().take_while(|letter| is_path(*letter)).collect();
        let rest = &text[at + path.len()..];
        match rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            Some((group, _)) => {
                found.extend(group.split(',').map(|item| format!("{path}{}", item.trim())));
            }
            None => found.push(path),
        }
    }
    found
}

#[test]
fn examples_name_what_users_have() {
    let exported = fs::read_to_string("tests/face.txt").unwrap();
    let exported: BTreeSet<&str> =
        exported.lines().filter(|line| line.starts_with("edb")).collect();
    let all = shown();
    let mut wrong = Vec::new();
    let mut count = 0;
    for Shown { file, line, text } in &all {
        let at = format!("{}:{line}: {text}", file.display());
        let names_part = |part: &&str| text.contains(&format!("{part}::"));
        if PARTS.iter().any(names_part) {
            wrong.push(at);
            continue;
        }
        for path in paths(text) {
            count += 1;
            // A module, a glob of one, or an item, perhaps with an associated function.
            let path = path.trim_end_matches("::");
            let item = path.rsplit_once("::").map_or(path, |(item, _)| item);
            let is_module =
                |path: &str| exported.iter().any(|known| known.starts_with(&format!("{path}::")));
            let is_known = exported.contains(path)
                || exported.contains(item)
                || is_module(path)
                || path.starts_with("edb::prelude");
            if !is_known {
                wrong.push(format!("{at} (`{path}` is not exported)"));
            }
        }
    }
    assert!(count > 50, "only {count} paths were found");
    assert!(wrong.is_empty(), "examples that users cannot compile:\n{}", wrong.join("\n"));
}

#[test]
fn paths_are_found() {
    assert_eq!(paths("use edb::learn::{Adam, Sgd};"), ["edb::learn::Adam", "edb::learn::Sgd"]);
    assert_eq!(paths("let x = edb::Engine::new(edb::dims! {})"), ["edb::Engine::new", "edb::dims"]);
    assert_eq!(paths("use my::edb::prelude::*; my_edb::x"), Vec::<String>::new());
}
