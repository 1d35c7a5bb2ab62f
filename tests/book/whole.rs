//! Checks of the whole book: chapters, links, included code, figures.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::*;

/// Figures that no test of this crate makes, since that takes too long or needs others, each with the
/// command that makes it, which the book states.
const BY_COMMAND: [(&str, &str); 3] = [
    (
        "listops.svg",
        "cargo run --release --features plots --example listops -- --train 4000 --test 500 \\\n    \
         --epochs 12 --plot book/src/figures/listops.svg",
    ),
    ("accuracy.md", "EDB_BLESS=1 cargo test --test engine accuracy"),
    ("papers.md", "EDB_BLESS=1 cargo test -p edb-example-papers"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// A page of the book or of the repository.
struct Page {
    path: PathBuf,
    text: String,
}

impl Page {
    fn read(path: PathBuf) -> Result<Self, Box<dyn Error>> {
        let text = fs::read_to_string(&path);
        let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self { path, text })
    }

    fn name(&self) -> String {
        self.path.strip_prefix(root()).unwrap_or(&self.path).display().to_string()
    }

    /// Resolves a path relative to this page.
    fn beside(&self, path: &str) -> PathBuf {
        self.path.parent().map_or_else(|| path.into(), |folder| folder.join(path))
    }

    /// The lines outside code blocks, without text in backquotes.
    fn prose(&self) -> String {
        let mut code = false;
        let mut prose = String::new();
        for line in self.text.lines() {
            if line.trim_start().starts_with("```") {
                code = !code;
                continue;
            }
            if !code {
                let outside = line.split('`').step_by(2);
                outside.for_each(|part| prose.push_str(part));
                prose.push('\n');
            }
        }
        prose
    }

    /// The targets of links and the sources of pictures.
    fn links(&self) -> Vec<String> {
        let prose = self.prose();
        let after = prose.split("](").skip(1);
        after.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())).collect()
    }

    /// The anchors of headings, as mdBook generates them.
    fn anchors(&self) -> BTreeSet<String> {
        let mut code = false;
        let mut anchors = BTreeSet::new();
        for line in self.text.lines() {
            code ^= line.trim_start().starts_with("```");
            let Some(heading) = line.strip_prefix('#').filter(|_| !code) else { continue };
            let heading = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = |c: char| match c {
                ' ' => Some('-'),
                '-' | '_' => Some(c),
                c => c.is_alphanumeric().then_some(c),
            };
            anchors.insert(heading.chars().filter_map(kept).collect());
        }
        anchors
    }
}

/// Collects the pages in a folder and its subfolders.
fn pages(folder: &Path, found: &mut Vec<Page>) -> Outcome {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            pages(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(Page::read(path)?);
        }
    }
    Ok(())
}

fn book() -> Result<Vec<Page>, Box<dyn Error>> {
    let mut found = Vec::new();
    pages(&root().join("book/src"), &mut found)?;
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

#[test]
fn every_chapter_is_in_the_summary() -> Outcome {
    let source = root().join("book/src");
    let summary = Page::read(source.join("SUMMARY.md"))?;
    let chapters: BTreeSet<PathBuf> =
        summary.links().iter().map(|link| source.join(link)).collect();
    assert!(chapters.len() > 10, "SUMMARY.md names few chapters");
    for page in book()? {
        let part = page.path.starts_with(source.join("figures"));
        if !part && page.path != summary.path {
            assert!(chapters.contains(&page.path), "{} is not in SUMMARY.md", page.name());
        }
    }
    Ok(())
}

#[test]
fn every_link_leads_somewhere() -> Outcome {
    let mut all = book()?;
    pages(&root().join("book/md"), &mut all)?;
    for name in [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "PERFORMANCE.md",
        "CHANGELOG.md",
        "SECURITY.md",
    ] {
        all.push(Page::read(root().join(name))?);
    }
    pages(&root().join("docs"), &mut all)?;
    pages(&root().join("benches/log"), &mut all)?;
    let mut count = 0;
    for page in &all {
        for link in page.links().iter().filter(|link| !link.contains("://")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { page.path.clone() } else { page.beside(path) };
            assert!(target.exists(), "{}: {link} leads nowhere", page.name());
            if !anchor.is_empty() {
                let anchors = Page::read(target)?.anchors();
                assert!(anchors.contains(anchor), "{}: {link}: there is {anchors:?}", page.name());
            }
            count += 1;
        }
    }
    assert!(count > 20, "few links");
    Ok(())
}

/// What everyone reads first stays short: details are in the documentation of crates, in
/// `docs/decisions/` and in `benches/log/`.
#[test]
fn maps_are_short() -> Outcome {
    for (name, most) in [("ARCHITECTURE.md", 12_000), ("PERFORMANCE.md", 10_000)] {
        let length = Page::read(root().join(name))?.text.len();
        assert!(length <= most, "{name} has {length} bytes, more than {most}");
    }
    Ok(())
}

/// Every decision is in the list of decisions.
#[test]
fn every_decision_is_listed() -> Outcome {
    let folder = root().join("docs/decisions");
    let listed = Page::read(folder.join("README.md"))?.links();
    for file in fs::read_dir(folder)? {
        let name = file?.file_name().into_string().map_err(|_| "a name that is no text")?;
        assert!(name == "README.md" || listed.contains(&name), "{name} is not in README.md");
    }
    Ok(())
}

/// Whatever a page includes exists: a whole file, `{{#include path}}`, or the part between two
/// marks, `{{#include path:anchor}}`. Pages contain no Rust code of their own, since included code
/// is compiled and run by tests and examples.
#[test]
fn all_code_is_included() -> Outcome {
    let mut included = 0;
    for page in book()? {
        let name = page.name();
        for directive in page.text.split("{{#include ").skip(1) {
            let directive = directive.split("}}").next().unwrap_or_default();
            let (path, anchor) = directive.split_once(':').unwrap_or((directive, ""));
            let code = Page::read(page.beside(path)).map_err(|error| format!("{name}: {error}"))?;
            for mark in ["ANCHOR", "ANCHOR_END"].iter().filter(|_| !anchor.is_empty()) {
                let line = format!("// {mark}: {anchor}");
                let found = code.text.lines().filter(|known| known.trim() == line).count();
                assert_eq!(found, 1, "{name}: {path} has `{line}` {found} times");
            }
            included += 1;
        }
        let mut rust = false;
        for line in page.text.lines() {
            if line.starts_with("```") {
                rust = line.starts_with("```rust");
            } else if rust {
                let is_included = line.is_empty() || line.starts_with("{{#include ");
                assert!(is_included, "{name}: `{line}` is written by hand");
            }
        }
    }
    assert!(included > 50, "the book includes little code");
    Ok(())
}

#[test]
fn every_figure_is_shown_and_made() -> Outcome {
    let book = book()?;
    let mut makers = String::new();
    for file in fs::read_dir(root().join("tests/book"))? {
        makers += &fs::read_to_string(file?.path())?;
    }
    for entry in fs::read_dir(root().join("book/src/figures"))? {
        let name = entry?.file_name().into_string().map_err(|_| "a name that is no text")?;
        let shown = format!("figures/{name}");
        assert!(book.iter().any(|page| page.text.contains(&shown)), "no chapter shows {name}");
        let made = makers.contains(&format!("is_made(\"{name}\""));
        let command = BY_COMMAND.iter().find(|(of, _)| *of == name);
        let named =
            command.is_some_and(|(_, command)| book.iter().any(|page| page.text.contains(command)));
        assert!(made || named, "nothing makes {name}");
    }
    Ok(())
}

/// A reader who copies the code of the first chapter has the whole program.
#[test]
fn the_first_chapter_shows_a_whole_program() -> Outcome {
    let chapter = Page::read(root().join("book/src/first-steps.md"))?;
    let program = Page::read(root().join("examples/first_steps/main.rs"))?;
    let mut shown = BTreeSet::new();
    for directive in chapter.text.split("{{#include ../../examples/first_steps/main.rs:").skip(1) {
        shown.insert(directive.split("}}").next().unwrap_or_default());
    }
    let mut inside = None;
    for line in program.text.lines() {
        if let Some(anchor) = line.trim().strip_prefix("// ANCHOR: ") {
            inside = Some(anchor);
            assert!(shown.contains(anchor), "the chapter does not show `{anchor}`");
        } else if line.trim().starts_with("// ANCHOR_END") {
            inside = None;
        } else if !line.is_empty() && !line.starts_with("//!") {
            assert!(inside.is_some(), "`{line}` is in no part that the chapter shows");
        }
    }
    Ok(())
}
