//! The public names of `edb` and their signatures are those of `face.txt`, so that no change of
//! them goes unseen: `EDB_BLESS=1 cargo test --test suite face` writes the file anew.
//!
//! The names are read from the sources. Items that macros generate, other than those of
//! `macro_rules` at the place where they are defined, are not listed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use quote::ToTokens;
use syn::{
    Attribute, Field, Fields, ImplItem, Item, Signature, TraitItem, Type, UseTree, Visibility,
};

/// The folders of the crates whose items `edb` exports.
const CRATES: [&str; 12] = [
    "crates/edb-gpu",
    "crates/edb-ir",
    "crates/edb-kernels",
    "crates/edb-learn",
    "crates/edb-model",
    "crates/edb-schedule",
    "crates/edb-serve",
    "crates/edb-train",
    "crates/edb-vertex",
    "edb-core",
    "edb-cuda",
    "edb-macros",
];

/// The name of the crate in a folder.
fn name_of(folder: &str) -> &str {
    folder.rsplit('/').next().unwrap_or(folder)
}

/// The path of a module, beginning with its crate.
type Module = Vec<String>;

/// The items of all modules.
#[derive(Default)]
struct Sources(BTreeMap<Module, Vec<Item>>);

impl Sources {
    fn read_folder(&mut self, folder: &Path, module: &[String]) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap().to_owned();
            let below = [module, std::slice::from_ref(&stem)].concat();
            if path.is_dir() {
                self.read_folder(&path, &below);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let file = syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap();
                let own = ["lib", "mod"].contains(&stem.as_str());
                self.add(if own { module.to_vec() } else { below }, file.items);
            }
        }
    }

    fn add(&mut self, module: Module, items: Vec<Item>) {
        for item in &items {
            if let Item::Mod(inner) = item
                && let Some((_, items)) = &inner.content
                && is_shown(&inner.attrs)
            {
                self.add([&module[..], &[inner.ident.to_string()]].concat(), items.clone());
            }
        }
        self.0.entry(module).or_default().extend(items);
    }

    /// The public names of a module, each with the path that it stands for.
    fn names(&self, module: &[String]) -> BTreeMap<String, Module> {
        let mut names = BTreeMap::new();
        for item in self.0.get(module).into_iter().flatten() {
            match item {
                Item::Use(item) if is_public(&item.vis) && is_shown(&item.attrs) => {
                    leaves(&item.tree, &[], &mut |name, path| {
                        names.entry(name).or_insert_with(|| absolute(module, path));
                    });
                }
                item => {
                    if let Some((name, visibility, attributes)) = described(item)
                        && is_public(visibility)
                        && is_shown(attributes)
                    {
                        names.insert(name.clone(), [module, &[name]].concat());
                    }
                }
            }
        }
        names
    }

    /// Where the item of a path is defined: what re-exports lead to.
    fn defined(&self, path: &[String]) -> Module {
        let (name, module) = path.split_last().unwrap();
        if self.0.contains_key(path) {
            return path.to_vec();
        }
        if module.len() > 1 && !self.0.contains_key(module) {
            let found = self.defined(module);
            return if found == module {
                path.to_vec()
            } else {
                self.defined(&[&found[..], std::slice::from_ref(name)].concat())
            };
        }
        let items = self.0.get(module).into_iter().flatten();
        if items.filter_map(described).any(|(own, ..)| own == *name) {
            return path.to_vec();
        }
        let mut found = None;
        for item in self.0.get(module).into_iter().flatten() {
            if let Item::Use(item) = item {
                leaves(&item.tree, &[], &mut |own, to| {
                    if own == *name {
                        found = Some(absolute(module, to));
                    }
                });
            }
        }
        match found {
            Some(found) if found != path => self.defined(&found),
            _ => path.to_vec(),
        }
    }

    /// Adds everything that a path shows to a face.
    fn show(&self, shown: &str, path: &[String], face: &mut Face) {
        let path = self.defined(path);
        if self.0.contains_key(&path) {
            for (name, to) in self.names(&path) {
                self.show(&format!("{shown}::{name}"), &to, face);
            }
            return;
        }
        let (name, module) = path.split_last().unwrap();
        let mut text = String::new();
        let items = self.0.get(module).into_iter().flatten();
        for item in items.filter(|item| described(item).is_some_and(|(own, ..)| own == *name)) {
            text += &signature(item);
        }
        let mut methods = BTreeSet::new();
        let of_crate = self.0.iter().filter(|(of, _)| of[0] == module[0]);
        for item in of_crate.flat_map(|(_, items)| items) {
            if let Item::Impl(item) = item
                && is_shown(&item.attrs)
                && matches!(&*item.self_ty, Type::Path(own) if own.path.segments.last().is_some_and(|of| of.ident == name))
            {
                if let Some((of, _)) = &item.trait_ {
                    methods.insert(format!("  impl {}\n", tidy(of)));
                    continue;
                }
                for of in &item.items {
                    if let ImplItem::Fn(of) = of
                        && is_public(&of.vis)
                        && is_shown(&of.attrs)
                    {
                        methods.insert(format!("  {}\n", function(&of.sig)));
                    }
                }
            }
        }
        methods.iter().for_each(|line| text += line);
        if !shown.starts_with("edb::prelude::") {
            face.texts.insert(shown.to_owned(), text);
            face.paths.entry(path.clone()).or_default().push(shown.to_owned());
        }
    }
}

/// What a crate shows.
#[derive(Default)]
struct Face {
    /// The description of each public path, without those of the prelude.
    texts: BTreeMap<String, String>,
    /// The public paths of each item.
    paths: BTreeMap<Module, Vec<String>>,
}

impl Face {
    fn of_edb() -> Self {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let mut sources = Sources::default();
        for folder in CRATES {
            sources.read_folder(&root.join(folder).join("src"), &[name_of(folder).to_owned()]);
        }
        let lib = syn::parse_file(&fs::read_to_string(root.join("src/lib.rs")).unwrap()).unwrap();
        sources.add(vec!["edb".to_owned()], lib.items);
        let mut face = Self::default();
        sources.show("edb", &["edb".to_owned()], &mut face);
        face
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Whether an item is neither hidden from the documentation nor for tests.
fn is_shown(attributes: &[Attribute]) -> bool {
    !attributes.iter().any(|attribute| {
        let text = attribute.meta.to_token_stream().to_string();
        text == "doc (hidden)" || text == "cfg (test)" || text == "cfg (doctest)"
    })
}

/// The name, visibility and attributes of an item that can be exported.
fn described(item: &Item) -> Option<(String, &Visibility, &[Attribute])> {
    let (name, visibility, attributes) = match item {
        Item::Const(of) => (&of.ident, &of.vis, &of.attrs),
        Item::Enum(of) => (&of.ident, &of.vis, &of.attrs),
        Item::Fn(of) => (&of.sig.ident, &of.vis, &of.attrs),
        Item::Mod(of) => (&of.ident, &of.vis, &of.attrs),
        Item::Static(of) => (&of.ident, &of.vis, &of.attrs),
        Item::Struct(of) => (&of.ident, &of.vis, &of.attrs),
        Item::Trait(of) => (&of.ident, &of.vis, &of.attrs),
        Item::Type(of) => (&of.ident, &of.vis, &of.attrs),
        _ => return None,
    };
    Some((name.to_string(), visibility, attributes))
}

fn leaves(tree: &UseTree, before: &[String], found: &mut dyn FnMut(String, Module)) {
    let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => leaves(&path.tree, &with(&path.ident), found),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, before, found)),
        UseTree::Name(name) => found(name.ident.to_string(), with(&name.ident)),
        UseTree::Rename(rename) => found(rename.rename.to_string(), with(&rename.ident)),
        UseTree::Glob(_) => {}
    }
}

/// The path that begins with its crate, of one that is written in a module.
fn absolute(module: &[String], path: Module) -> Module {
    let (first, rest) = path.split_first().unwrap();
    let of_crate = first.replace('_', "-");
    match first.as_str() {
        "crate" => [&module[..1], rest].concat(),
        "self" => [module, rest].concat(),
        "super" => absolute(&module[..module.len() - 1], rest.to_vec()),
        _ if CRATES.iter().any(|folder| name_of(folder) == of_crate) => {
            [&[of_crate], rest].concat()
        }
        _ => [module, &path].concat(),
    }
}

/// The text of tokens, spaced as usual.
fn tidy(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    let changes = [
        (" :: ", "::"),
        (":: ", "::"),
        (" ::", "::"),
        (" < ", "<"),
        (" >", ">"),
        (" ,", ","),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        ("& ", "&"),
        ("' ", "'"),
        (" :", ":"),
        (" ;", ";"),
        ("[ ", "["),
        (" ]", "]"),
        ("fn(", "fn("),
        ("-> (", "-> ("),
        ("< ", "<"),
        ("* ", "*"),
        ("->(", "-> ("),
    ];
    for (from, to) in changes {
        text = text.replace(from, to);
    }
    text
}

fn function(signature: &Signature) -> String {
    tidy(signature)
}

fn fields(fields: &Fields, all: bool) -> String {
    let is_seen = |field: &&Field| is_shown(&field.attrs) && (all || is_public(&field.vis));
    let shown = fields.iter().filter(is_seen);
    let texts = shown.map(|field| match &field.ident {
        Some(name) => format!("{name}: {}", tidy(&field.ty)),
        None => tidy(&field.ty),
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// What an item is, and what of it is public.
fn signature(item: &Item) -> String {
    let mut text = String::new();
    match item {
        Item::Const(of) => writeln!(text, "  const: {}", tidy(&of.ty)),
        Item::Static(of) => writeln!(text, "  static: {}", tidy(&of.ty)),
        Item::Type(of) => writeln!(text, "  type{} = {}", tidy(&of.generics), tidy(&of.ty)),
        Item::Fn(of) => writeln!(text, "  {}", function(&of.sig)),
        Item::Struct(of) => {
            writeln!(text, "  struct{} {{ {} }}", tidy(&of.generics), fields(&of.fields, false))
        }
        Item::Enum(of) => {
            writeln!(text, "  enum{}", tidy(&of.generics)).unwrap();
            of.variants.iter().try_for_each(|variant| {
                writeln!(text, "    {} {{ {} }}", variant.ident, fields(&variant.fields, true))
            })
        }
        Item::Trait(of) => {
            writeln!(text, "  trait{}: {}", tidy(&of.generics), tidy(&of.supertraits)).unwrap();
            of.items.iter().try_for_each(|of| match of {
                TraitItem::Fn(of) if is_shown(&of.attrs) => {
                    let provided = if of.default.is_some() { " { .. }" } else { "" };
                    writeln!(text, "    {}{provided}", function(&of.sig))
                }
                TraitItem::Type(of) => writeln!(text, "    type {}", of.ident),
                TraitItem::Const(of) => writeln!(text, "    const {}: {}", of.ident, tidy(&of.ty)),
                _ => Ok(()),
            })
        }
        _ => Ok(()),
    }
    .unwrap();
    text
}

#[test]
fn public_names_are_those_of_the_file() {
    let mut text = String::new();
    for (path, described) in Face::of_edb().texts {
        write!(text, "{path}\n{described}").unwrap();
    }
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/face.txt");
    if std::env::var_os("EDB_BLESS").is_some() {
        fs::write(&file, &text).unwrap();
    }
    let expected = fs::read_to_string(&file).unwrap();
    let differs = text.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
    assert!(
        text == expected,
        "the public names of edb have changed, first in {differs:?}: if that is meant, write \
         tests/face.txt by EDB_BLESS=1 cargo test --test suite face"
    );
}

/// Outside of the prelude, each item has one path.
#[test]
fn every_item_has_one_path() {
    let paths = Face::of_edb().paths;
    assert!(paths.len() > 100, "{}", paths.len());
    let several: Vec<_> = paths.values().filter(|paths| paths.len() > 1).collect();
    assert!(several.is_empty(), "{several:#?}");
}
