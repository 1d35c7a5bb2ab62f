//! The book as it is read where the repository is browsed: `book/md/`, with all code in its place.
//! `EDB_BLESS=1 cargo test --test suite book` writes it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::*;

/// What a directive `{{#include path}}` or `{{#include path:anchor}}` of a chapter stands for,
/// without marks, and without the indentation that all of it has.
fn included(directive: &str) -> Result<String, Box<dyn Error>> {
    let (path, anchor) = directive.split_once(':').unwrap_or((directive, ""));
    let path = folder("src").join(path);
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let is_mark = |line: &&str| line.trim_start().starts_with("// ANCHOR");
    let (begin, end) = (format!("// ANCHOR: {anchor}"), format!("// ANCHOR_END: {anchor}"));
    let lines: Vec<&str> = match anchor {
        "" => text.lines().collect(),
        _ => {
            let behind = text.lines().skip_while(|line| line.trim() != begin).skip(1);
            behind.take_while(|line| line.trim() != end).collect()
        }
    };
    let lines: Vec<&str> = lines.into_iter().filter(|line| !is_mark(line)).collect();
    let full = lines.iter().filter(|line| !line.trim().is_empty());
    let indent = full.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let lines = lines.iter().map(|line| line.get(indent..).unwrap_or("").trim_end());
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("book").join(name)
}

/// A chapter with what it includes; figures stay where they are.
fn rendered(name: &str) -> Result<String, Box<dyn Error>> {
    let source = fs::read_to_string(folder("src").join(name))?;
    let mut text = format!(
        "<!-- Made from ../src/{name} by `cargo test`: see tests/book/rendered.rs. -->\n\n"
    );
    for line in source.lines() {
        match line.strip_prefix("{{#include ").and_then(|rest| rest.strip_suffix("}}")) {
            Some(directive) => text += &included(directive)?,
            None => {
                text +=
                    &line.replace(",noplayground", "").replace("](figures/", "](../src/figures/")
            }
        }
        text.push('\n');
    }
    Ok(text)
}

#[test]
fn the_book_is_rendered() -> Outcome {
    let mut made = BTreeSet::new();
    for entry in fs::read_dir(folder("src"))? {
        let source = entry?.file_name().into_string().map_err(|_| "a name that is no text")?;
        if !source.ends_with(".md") {
            continue;
        }
        // What is shown of a folder is its README.
        let name = if source == "SUMMARY.md" { "README.md".into() } else { source.clone() };
        let (path, text) = (folder("md").join(&name), rendered(&source)?);
        assert!(!text.contains("{{#"), "{source}: a directive is not at the beginning of a line");
        if std::env::var_os("EDB_BLESS").is_some() {
            fs::create_dir_all(folder("md"))?;
            fs::write(&path, &text)?;
        }
        let found =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        assert!(found == text, "book/md/{name} is another now: EDB_BLESS=1 makes it anew");
        made.insert(name);
    }
    for entry in fs::read_dir(folder("md"))? {
        let name = entry?.file_name().into_string().map_err(|_| "a name that is no text")?;
        assert!(made.contains(&name), "book/md/{name} is of no chapter: remove it");
    }
    Ok(())
}

/// The names that begin with a capital letter in a line of code, without comments and texts, each with
/// what stands before it.
fn names(line: &str) -> Vec<(&str, &str)> {
    let line = line.split("//").next().unwrap_or("");
    let line = if line.contains('"') { line.split('"').next().unwrap_or("") } else { line };
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut names = Vec::new();
    let mut rest = 0;
    while let Some(begin) = line[rest..].find(is_name).map(|at| rest + at) {
        let end = line[begin..].find(|letter| !is_name(letter)).map_or(line.len(), |at| begin + at);
        if line[begin..end].starts_with(char::is_uppercase) {
            names.push((&line[..begin], &line[begin..end]));
        }
        rest = end;
    }
    names
}

/// Code that readers copy says where it has its names from: what is not in the prelude is imported above.
#[test]
fn code_imports_what_it_names() -> Outcome {
    let face = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/face.txt"))?;
    let paths: Vec<&str> = face.lines().filter(|line| line.starts_with("edb::")).collect();
    let exported: BTreeSet<&str> =
        paths.iter().filter_map(|path| path.rsplit("::").next()).collect();
    let prelude = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs"))?;
    let prelude = prelude.split_once("pub mod prelude {").ok_or("the prelude")?.1;
    let prelude = prelude.split_once("\n}").ok_or("its end")?.0;
    let in_prelude: BTreeSet<&str> =
        prelude.lines().flat_map(names).map(|(_, name)| name).collect();
    let mut missing = BTreeSet::new();
    let mut seen = 0;
    for entry in fs::read_dir(folder("src"))? {
        let chapter = entry?.file_name().into_string().map_err(|_| "a name that is no text")?;
        if !chapter.ends_with(".md") {
            continue;
        }
        let page = rendered(&chapter)?;
        let mut known = in_prelude.clone();
        let mut is_code = false;
        for line in page.lines() {
            if let Some(fence) = line.trim_start().strip_prefix("```") {
                // What is ignored shows a file of the examples, which has its imports.
                is_code = !is_code && fence.starts_with("rust") && !fence.contains("ignore");
                continue;
            }
            if !is_code {
                continue;
            }
            let code = line.trim_start();
            for (before, name) in names(line) {
                let before = before.trim_end();
                let declares = ["struct", "enum", "type", "trait", "fn", "const"];
                if code.starts_with("use ") || declares.iter().any(|word| before.ends_with(word)) {
                    known.insert(name);
                } else if !before.ends_with("::") && exported.contains(name) {
                    seen += 1;
                    if !known.contains(name) {
                        missing.insert(format!("{chapter}: {name}"));
                    }
                }
            }
        }
    }
    assert!(seen > 200, "only {seen} names were found");
    assert!(missing.is_empty(), "not imported: {missing:#?}");
    Ok(())
}
