//! No file of a crate imports a file that imports it, directly or through others, and no folder one
//! that imports it. So every file can be understood with only the files below it.
//!
//! An import is a `use`, or a path in code that begins with `crate`, `super`, `self` or a module of
//! the file. A `pub use` of something below a file is only a re-export. Whoever imports by way of it
//! imports the file that defines the name, by one reading, or the file that exports it, by the other:
//! there is no circle by either. What a folder imports is what its files import, `mod.rs` included.
//! Test code may import anything. Calls of methods are not examined.
//!
//! And no folder has so many files that one cannot say what happens in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::Visit;
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree, Visibility};

/// The crates that are checked.
const CRATES: &[&str] = &[
    "crates/edb-cli",
    "crates/edb-compiler",
    "crates/edb-file",
    "crates/edb-gpu",
    "crates/edb-ir",
    "crates/edb-kernels",
    "crates/edb-learn",
    "crates/edb-model",
    "crates/edb-mpi",
    "crates/edb-picture",
    "crates/edb-pool",
    "crates/edb-python",
    "crates/edb-schedule",
    "crates/edb-serve",
    "crates/edb-train",
    "crates/edb-vertex",
    "edb-core",
    "edb-cuda",
    "edb-macros",
];

/// The most files of a folder.
const MOST_FILES: usize = 16;

/// The path of a module; empty for the crate itself.
type Module = Vec<String>;

/// What a file refers to.
#[derive(Default)]
struct Source {
    /// The paths that it imports or writes out.
    paths: Vec<Module>,
    /// The names that it re-exports, and their paths.
    reexports: BTreeMap<String, Module>,
}

impl Source {
    fn use_tree(&mut self, tree: &UseTree, before: &[String], is_reexport: bool) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.use_tree(&path.tree, &with(&path.ident), is_reexport),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.use_tree(tree, before, is_reexport));
            }
            UseTree::Glob(_) => self.paths.push(before.to_vec()),
            UseTree::Name(name) if name.ident == "self" => self.paths.push(before.to_vec()),
            UseTree::Name(name) => self.leaf(&name.ident, with(&name.ident), is_reexport),
            UseTree::Rename(rename) => self.leaf(&rename.rename, with(&rename.ident), is_reexport),
        }
    }

    fn leaf(&mut self, name: &syn::Ident, path: Module, is_reexport: bool) {
        if is_reexport {
            self.reexports.insert(name.to_string(), path);
        } else {
            self.paths.push(path);
        }
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    let is_test = |attribute: &Attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    };
    attributes.iter().any(is_test)
}

impl Visit<'_> for Source {
    fn visit_item_mod(&mut self, item: &ItemMod) {
        if !is_for_tests(&item.attrs) {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &ItemUse) {
        if !is_for_tests(&item.attrs) {
            self.use_tree(&item.tree, &[], !matches!(item.vis, Visibility::Inherited));
        }
    }

    fn visit_path(&mut self, path: &syn::Path) {
        if path.leading_colon.is_none() && path.segments.len() > 1 {
            let names = path.segments.iter().map(|segment| segment.ident.to_string());
            self.paths.push(names.collect());
        }
        syn::visit::visit_path(self, path);
    }
}

/// Reads the files below a folder by module, except those of tests.
fn sources(
    folder: &Path,
    module: &[String],
    found: &mut BTreeMap<Module, Source>,
) -> Result<(), Box<dyn std::error::Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
        if stem == "tests" {
            continue;
        }
        let below = [module, &[stem.to_owned()]].concat();
        if path.is_dir() {
            sources(&path, &below, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let file = syn::parse_file(&fs::read_to_string(&path)?)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            let mut source = Source::default();
            file.items.iter().for_each(|item: &Item| source.visit_item(item));
            let own = ["lib", "mod", "main"].contains(&stem);
            found.insert(if own { module.to_vec() } else { below }, source);
        }
    }
    Ok(())
}

/// From which file a name is taken that one file exports and another one defines.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Reading {
    Definer,
    Exporter,
}

/// The module from which the target of a path is taken, seen from `here`; `None` if it is in another
/// crate.
fn taken_from(
    sources: &BTreeMap<Module, Source>,
    here: &[String],
    path: &[String],
    reading: Reading,
) -> Option<Module> {
    let mut module = here.to_vec();
    let mut rest = path;
    match rest.first()?.as_str() {
        "crate" => {
            module.clear();
            rest = &rest[1..];
        }
        "self" | "super" => {
            while let Some("self" | "super") = rest.first().map(String::as_str) {
                if rest[0] == "super" {
                    module.pop();
                }
                rest = &rest[1..];
            }
        }
        name if sources.contains_key(&[here, &[name.to_owned()]].concat()) => {}
        _ => return None,
    }
    while let Some((first, others)) = rest.split_first() {
        let below = [module.as_slice(), std::slice::from_ref(first)].concat();
        if sources.contains_key(&below) {
            module = below;
            rest = others;
        } else if let Some(reexport) =
            sources.get(&module).and_then(|source| source.reexports.get(first))
        {
            if reading == Reading::Exporter {
                break;
            }
            let path = [reexport.as_slice(), others].concat();
            return taken_from(sources, &module, &path, reading);
        } else {
            break;
        }
    }
    Some(module)
}

/// What each file or folder imports.
type Imports = BTreeMap<Module, BTreeSet<Module>>;

/// The files that each file imports.
fn imports(sources: &BTreeMap<Module, Source>, reading: Reading) -> Imports {
    let imports_of = |module: &Module, source: &Source| {
        let find = |path: &Module| taken_from(sources, module, path, reading);
        let written = source.paths.iter().filter_map(find);
        // A re-export of something beside or above the file is an import.
        let above = |path: &&Module| path[0] == "crate" || path[0] == "super";
        let passed = source.reexports.values().filter(above).filter_map(find);
        written.chain(passed).filter(|other| other != module).collect()
    };
    sources.iter().map(|(module, source)| (module.clone(), imports_of(module, source))).collect()
}

/// What the files and folders of a folder, by its path, import of one another.
fn imports_within(folder: &[String], files: &Imports) -> Imports {
    let child = |module: &Module| -> Option<Module> {
        let is_below = module.len() > folder.len() && module.starts_with(folder);
        is_below.then(|| module[..=folder.len()].to_vec())
    };
    let mut found = Imports::new();
    for (module, imported) in files {
        let Some(from) = child(module) else { continue };
        let others = imported.iter().filter_map(child).filter(|other| *other != from);
        let others: BTreeSet<Module> = others.collect();
        found.entry(from).or_default().extend(others);
    }
    found
}

/// A path of imports from a file or folder back to itself, if there is one.
fn circle(mut imports: Imports) -> Option<Vec<Module>> {
    // What has no imports left is on no circle.
    while let Some(module) =
        imports.iter().find(|(_, others)| others.is_empty()).map(|(module, _)| module.clone())
    {
        imports.remove(&module);
        imports.values_mut().for_each(|others| _ = others.remove(&module));
    }
    let mut way: Vec<Module> = vec![imports.keys().next()?.clone()];
    loop {
        let next = imports[way.last()?].first()?.clone();
        if let Some(position) = way.iter().position(|module| *module == next) {
            way.drain(..position);
            way.push(next);
            return Some(way);
        }
        way.push(next);
    }
}

#[test]
fn nothing_imports_what_imports_it() {
    for name in CRATES {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name).join("src");
        let mut found = BTreeMap::new();
        sources(&folder, &[], &mut found).unwrap();
        assert!(!found.is_empty(), "{} has no sources", folder.display());
        let show = |module: &Module| match module.is_empty() {
            true => "the crate's own file".to_owned(),
            false => module.join("::"),
        };
        for reading in [Reading::Definer, Reading::Exporter] {
            let files = imports(&found, reading);
            let folders = found.keys().map(|folder| imports_within(folder, &files));
            for imports in std::iter::once(files.clone()).chain(folders) {
                if let Some(way) = circle(imports) {
                    let way: Vec<String> = way.iter().map(show).collect();
                    panic!("{name}: these import each other ({reading:?}): {}", way.join(" -> "));
                }
            }
        }
    }
}

#[test]
fn a_folder_has_few_files() {
    fn check(folder: &Path) {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
        assert!(files.len() <= MOST_FILES, "{}: {} files", folder.display(), files.len());
        folders.iter().for_each(|folder| check(folder));
    }
    for name in CRATES {
        check(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name).join("src"));
    }
}

#[test]
fn circles_are_found() {
    let source = |text: &str| {
        let mut source = Source::default();
        syn::parse_file(text).unwrap().items.iter().for_each(|item| source.visit_item(item));
        source
    };
    let module = |name: &str| name.split("::").map(str::to_owned).collect::<Module>();
    let found = |leaf: &str| {
        let files = [
            (Vec::new(), source("mod leaf; mod tree; pub use tree::Tree;")),
            (module("leaf"), source(leaf)),
            (module("tree"), source("use crate::leaf::Leaf; pub struct Tree(Leaf);")),
        ];
        let files = BTreeMap::from(files);
        circle(imports(&files, Reading::Definer))
    };
    assert_eq!(found("pub struct Leaf;"), None);
    assert_eq!(found("#[cfg(test)] mod tests { use crate::Tree; }"), None);
    let whole = Some(vec![module("leaf"), module("tree"), module("leaf")]);
    assert_eq!(found("use crate::Tree;"), whole);
    assert_eq!(found("use super::{tree::Tree as T};"), whole);
    assert_eq!(found("pub struct Leaf(Option<Box<crate::tree::Tree>>);"), whole);
    assert_eq!(found("pub use crate::tree::Tree;"), whole);
}
