//! What is hidden from the documentation is in `hidden.txt`, each with its crate: generated code needs it, or
//! it is one of the few doors that CONTRIBUTING allows. `EDB_BLESS=1 cargo test --test suite hidden` writes
//! the file anew.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const ATTRIBUTE: &str = "#[doc(hidden)]";

/// Adds what is hidden in the sources below a folder, where a file is moved to does not matter.
fn add_hidden(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_hidden(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            let at = (0..lines.len()).filter(|line| lines[*line].contains(ATTRIBUTE));
            found.extend(at.map(|line| item(&lines[line..])));
        }
    }
}

/// What is hidden by the attribute in the first of these lines: its line, up to its arguments or its body.
fn item(lines: &[&str]) -> String {
    let (before, behind) = lines[0].split_once(ATTRIBUTE).unwrap();
    if !before.trim().is_empty() {
        return lines[0].trim().to_owned();
    }
    let rest = lines[1..].iter().map(|line| line.trim());
    let mut rest = std::iter::once(behind.trim()).chain(rest);
    let line = loop {
        let line = rest.next().unwrap();
        // Attributes, which may have several lines, and what stands for some in a macro.
        if line.starts_with("#[") && !line.ends_with(']') {
            rest.find(|line| line.ends_with(")]")).unwrap();
        } else if !line.is_empty()
            && !line.starts_with("#[")
            && !line.starts_with("//")
            && (!line.starts_with('#') || line.contains(' '))
        {
            break line;
        }
    };
    if line.starts_with("impl") {
        let end = lines[1..].iter().position(|line| *line == "}").unwrap();
        let methods = lines[..end].iter().filter(|line| line.contains("pub fn ")).count();
        return format!("{line} {methods} methods }}");
    }
    let end = if line.starts_with("pub use") { None } else { line.find(['(', '{', '=']) };
    line[..end.unwrap_or(line.len())].trim_end_matches([' ', ';', ',', ':']).to_owned()
}

/// What is hidden in each package that users can depend on.
fn hidden() -> BTreeMap<String, Vec<String>> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let others = ["edb-core", "edb-cuda", "edb-macros"].map(|name| root.join(name));
    let own = [("edb".to_owned(), root.clone())];
    let parts = crates
        .chain(others)
        .map(|folder| (folder.file_name().unwrap().to_string_lossy().into_owned(), folder));
    let mut hidden = BTreeMap::new();
    for (name, folder) in parts.chain(own) {
        let mut found = Vec::new();
        add_hidden(&folder.join("src"), &mut found);
        found.sort();
        if !found.is_empty() {
            hidden.insert(name, found);
        }
    }
    hidden
}

#[test]
fn what_is_hidden_is_in_the_file() {
    let mut text = String::new();
    for (name, items) in hidden() {
        writeln!(text, "{name}: {}", items.len()).unwrap();
        items.iter().for_each(|item| writeln!(text, "  {item}").unwrap());
    }
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/hidden.txt");
    if std::env::var_os("EDB_BLESS").is_some() {
        fs::write(&file, &text).unwrap();
    }
    let expected = fs::read_to_string(&file).unwrap();
    let differs = text.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
    assert!(
        text == expected,
        "what is hidden from the documentation has changed, first in {differs:?}: make it a documented item \
         of an inner crate, which `edb` does not list, or, if generated code needs it, write \
         tests/hidden.txt by EDB_BLESS=1 cargo test --test suite hidden"
    );
}
