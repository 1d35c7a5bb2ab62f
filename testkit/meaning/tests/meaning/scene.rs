//! What stands around a function: helpers, modules, imports, and functions that are called like others.

use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand::RngExt as _;

use crate::body::{Arguments, Body, Callable, Ty, macros};
use crate::layers::Fragment;

/// The names of macros: some are those of helpers, too.
pub(crate) const MACROS: [&str; 5] = ["define", "gate", "mse", "inner", "halo"];

/// The names of helpers.
const HELPERS: [&str; 5] = ["gate", "halo", "widened", "own", "a"];

const MODULES: [&str; 4] = ["one", "two", "gate", "mse"];

/// A name of which edb cannot know what it means, so that it has to refuse the program.
#[derive(Clone, Copy, PartialEq)]
enum Riddle {
    None,
    /// `cfg`s within bodies.
    Cfgs,
    /// A function of this program called as an op.
    Own,
    /// The same, imported.
    Imported,
    /// A helper of the name of an op, imported.
    Helper,
    /// An op imported by the name of another.
    Renamed,
    /// A module called as edb.
    Module,
    /// A function with a `cfg` that leaves its attribute out.
    NoHelper,
}

/// The items around a function.
pub(crate) struct Scene<'a> {
    pub(crate) rng: &'a mut ChaCha8Rng,
    /// The text of the items.
    pub(crate) items: Vec<String>,
    /// The functions that the function may call.
    pub(crate) callables: Vec<Callable>,
    /// Those that it has to call.
    pub(crate) called: Vec<Callable>,
    /// Whether bodies have `cfg`s.
    pub(crate) has_cfgs: bool,
    /// How many macros have been defined.
    defined: usize,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(rng: &'a mut ChaCha8Rng) -> Self {
        let (items, callables, called) = (Vec::new(), Vec::new(), Vec::new());
        let mut scene = Scene { rng, items, callables, called, has_cfgs: false, defined: 0 };
        let riddles = [
            Riddle::Cfgs,
            Riddle::Cfgs,
            Riddle::Own,
            Riddle::Imported,
            Riddle::Helper,
            Riddle::Renamed,
            Riddle::Module,
            Riddle::NoHelper,
        ];
        let riddle = if scene.chance(0.2) { *riddles.choose(scene.rng).unwrap() } else { Riddle::None };
        scene.has_cfgs = riddle == Riddle::Cfgs;
        scene.items.push("use edb::prelude::*;\nuse crate::ports::{Number, Told};".into());
        scene.callables.extend(["mse", "mae", "edb::prelude::mse", "::edb::prelude::mae"].map(op));
        scene.riddle(riddle);
        let mut names = HELPERS.to_vec();
        names.shuffle(scene.rng);
        for _ in 0..scene.rng.random_range(0..=1) {
            let name = names.pop().unwrap();
            let callables = scene.callables.clone();
            let (text, callable) = scene.helper(name, "", &callables);
            scene.items.push(text);
            scene.callables.push(callable);
        }
        scene.modules(&mut names);
        scene.decoy(&names);
        scene
    }

    fn chance(&mut self, probability: f64) -> bool {
        self.rng.random_bool(probability)
    }

    fn riddle(&mut self, riddle: Riddle) {
        let hides = |scene: &mut Self, name: &str| {
            scene.callables.retain(|callable| callable.path != name);
            scene.called.push(op(name));
        };
        match riddle {
            Riddle::None | Riddle::Cfgs => {}
            Riddle::Own => {
                hides(self, "mse");
                self.items.push("fn mse(a: Tensor, b: Tensor) -> Tensor { a - b * 3.0 }".into());
            }
            Riddle::Imported => {
                hides(self, "mae");
                self.items.push(
                    "mod hidden { use edb::prelude::*; pub fn mae(a: Tensor, b: Tensor) -> Tensor { a * b } }\n\
                     use hidden::mae;"
                        .into(),
                );
            }
            Riddle::Helper => {
                hides(self, "mse");
                self.items.push(
                    "mod hidden { use edb::prelude::*; #[vertex_helper] pub fn error(a: Tensor, b: Tensor) -> Tensor { \
                     a * b } }\nuse hidden::error as mse;"
                        .into(),
                );
            }
            Riddle::Renamed => {
                hides(self, "mse");
                self.items.push("use edb::prelude::mae as mse;".into());
            }
            Riddle::Module => {
                self.callables.retain(|callable| !callable.path.starts_with("edb"));
                self.called.push(op("edb::prelude::mse"));
                self.items[0] = "use ::edb::prelude::*;\nuse crate::ports::{Number, Told};\nmod edb { pub mod prelude { \
                     use ::edb::prelude::*; pub fn mse(a: Tensor, b: Tensor) -> Tensor { a * b } } }"
                    .into();
            }
            Riddle::NoHelper => {
                self.called.push(op("plain"));
                self.items.push(
                    "#[cfg_attr(any(), vertex_helper)]\nfn plain(a: Tensor, b: Tensor) -> Tensor { a * b }".into(),
                );
            }
        }
    }

    /// Modules with helpers, and imports of these.
    fn modules(&mut self, free: &mut Vec<&'static str>) {
        let mut globs: Vec<&str> = Vec::new();
        let count = *[0, 1, 2, 2].choose(self.rng).unwrap();
        let modules: Vec<&str> = MODULES.sample(self.rng, count).copied().collect();
        // What one macro writes in each module.
        let twice = if count == 2 && self.chance(0.5) { Some(self.both(&modules)) } else { None };
        for (number, module) in modules.into_iter().enumerate() {
            let mut text = "use edb::prelude::*;\n".to_owned();
            if self.items[0].contains("mod edb") {
                text = "use ::edb::prelude::*;\n".into();
            }
            let mut known = ["mse", "mae"].map(op).to_vec();
            known.extend(self.callables.iter().filter(|of| of.path.contains("::")).map(|of| {
                let outside = !of.path.contains("edb");
                let path = if outside { format!("super::{}", of.path) } else { format!("::{}", of.path.trim_start_matches(':')) };
                Callable { path, ..of.clone() }
            }));
            let mut names: Vec<&str> = HELPERS.sample(self.rng, 2).copied().collect();
            if let Some((text_of_both, callable)) = &twice {
                names.retain(|name| *name != callable.path);
                text.push_str(&text_of_both[number]);
                let path = format!("{module}::{}", callable.path);
                self.callables.push(Callable { path, ..callable.clone() });
            }
            for name in names {
                known.retain(|callable| callable.path != name);
                let visibility = *["pub ", "pub(super) ", "pub(crate) "].choose(self.rng).unwrap();
                let (helper, callable) = self.helper(name, visibility, &known);
                text.push_str(&helper);
                let path = format!("{module}::{name}");
                if let Some(import) = self.import(&path, name, free, &mut globs) {
                    self.callables.push(Callable { path: import, ..callable.clone() });
                }
                self.callables.push(Callable { path, ..callable.clone() });
                known.push(callable);
            }
            let cfg = if self.chance(0.1) { format!("#[cfg(any())]\nmod {module} {{}}\n#[cfg(all())]\n") } else { String::new() };
            self.items.push(format!("{cfg}mod {module} {{\n{text}}}"));
        }
    }

    /// Imports a helper, and returns the name by which it can be called then.
    fn import<'n>(
        &mut self,
        path: &str,
        name: &'n str,
        free: &mut Vec<&'static str>,
        globs: &mut Vec<&'n str>,
    ) -> Option<String> {
        match self.rng.random_range(0..5) {
            0 => {
                // By its own name.
                let place = free.iter().position(|free| *free == name)?;
                free.remove(place);
                self.items.push(format!("use {path};"));
                Some(name.to_owned())
            }
            1 => {
                let new = free.pop()?;
                self.items.push(format!("#[cfg(any())]\nuse self::missing as {new};\nuse self::{path} as {new};"));
                Some(new.to_owned())
            }
            // A function that hides what a glob imports is known to be open, so no other one gets its name.
            2 if globs.is_empty() && free.contains(&name) => {
                globs.push(name);
                free.retain(|free| *free != name);
                let module = path.split("::").next()?;
                self.items.push(format!("mod through {{ pub(super) use super::{module}::{name}; }}\nuse through::*;"));
                Some(name.to_owned())
            }
            _ => None,
        }
    }

    /// A function that no one calls, with the name of a helper.
    fn decoy(&mut self, free: &[&str]) {
        if let Some(name) = free.first().filter(|_| self.rng.random_bool(0.5)) {
            self.items.push(format!("fn {name}(a: Tensor) -> Tensor {{ a * 100.0 }}"));
        }
    }

    /// The names of macros that are new here.
    fn macro_names(&mut self, count: usize) -> Vec<String> {
        self.defined += 1;
        let number = self.defined;
        let names = (0..count).map(|level| match self.rng.random_bool(0.3) {
            true => MACROS[level].to_owned(),
            false => format!("make_{number}_{level}"),
        });
        names.collect()
    }

    /// A helper, and how it is called.
    fn helper(&mut self, name: &str, visibility: &str, known: &[Callable]) -> (String, Callable) {
        let macros = macros(self.rng);
        let names = self.macro_names(macros);
        let (definitions, call, mut callable) = self.written(name, visibility, known, macros, &names);
        if self.rng.random_bool(0.1) {
            let other = format!("#[cfg(any())]\n#[vertex_helper]\n{visibility}fn {name}() -> f64 {{ 7.0 }}\n");
            return (other + &definitions + &call + "\n", callable);
        }
        callable.path = name.to_owned();
        (definitions + &call + "\n", callable)
    }

    /// A helper that one macro writes in two modules, with other numbers: the text in each of them.
    fn both(&mut self, _modules: &[&str]) -> ([String; 2], Callable) {
        let macros = self.rng.random_range(1..3);
        let names = self.macro_names(macros);
        let (definitions, call, callable) = self.written("both", "pub(super) ", &[], macros, &names);
        self.items.push(definitions);
        let other = call.replace("0.5,", "0.75,").replace("2.0,", "2.5,").replace("1.0,", "1.25,");
        ([call + "\n", other + "\n"], callable)
    }

    fn written(
        &mut self,
        name: &str,
        visibility: &str,
        known: &[Callable],
        macros: usize,
        names: &[String],
    ) -> (String, String, Callable) {
        let has_cfgs = self.has_cfgs;
        let mut body = Body::new(self.rng, macros, known, has_cfgs);
        let (level, mut arguments) = (body.layers.top(), Arguments::default());
        let types: Vec<Ty> = match body.rng.random_range(0..6) {
            0 => vec![Ty::Tensor],
            1 => vec![Ty::Pair, Ty::Tensor],
            2 => vec![Ty::Number, Ty::Array],
            3 => vec![],
            _ => vec![Ty::Tensor, Ty::Tensor],
        };
        let result = if types.is_empty() { Ty::Number } else { Ty::Tensor };
        let mut written: Vec<String> =
            types.iter().map(|&ty| body.argument(ty, &mut arguments)).collect();
        if has_cfgs && body.chance(0.3) {
            written.push("#[cfg(any())] missing: Tensor".into());
        }
        body.declare(arguments);
        let text = match result {
            Ty::Number => body.expr(level, Ty::Number, 2),
            _ => {
                let statements = body.statements(level, 4);
                statements + &body.tail(level, 3)
            }
        };
        // So that each call of the macro may have a number of its own.
        let factor = body.layers.pass(0, level, Fragment::Literal, "0.5".into());
        let attribute = body.any(&["#[vertex_helper]", "#[cfg_attr(all(), vertex_helper)]"]);
        let name_there = match body.chance(0.3) {
            true => body.layers.pass(0, level, Fragment::Ident, name.to_owned()),
            false => name.to_owned(),
        };
        let item = format!(
            "{attribute}\n{visibility}fn {name_there}({}) -> {} {{\n({{ {text} }}) * {factor}\n}}",
            written.join(", "),
            result.text()
        );
        let nested = body.chance(0.3);
        let (definitions, call) = body.layers.write(names, item, nested);
        let callable = Callable { path: name.to_owned(), arguments: types, result };
        (definitions, call, callable)
    }
}

/// A function of two tensors.
fn op(path: &str) -> Callable {
    Callable { path: path.to_owned(), arguments: vec![Ty::Tensor; 2], result: Ty::Tensor }
}
