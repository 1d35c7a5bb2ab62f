//! What stands around a function: helpers, modules, imports, and functions that are called like others.

use rand::RngExt as _;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom as _, SliceRandom as _};

use crate::body::{Callable, Ty};
use crate::helper::Helpers;

/// The names of helpers, some of which are those of variables, too. A helper with the name of an op is refused.
const HELPERS: [&str; 5] = ["gate", "halo", "widened", "own", "a"];

const MODULES: [&str; 4] = ["one", "two", "gate", "mse"];

/// What edb cannot tell the meaning of, so that it has to refuse the program.
#[derive(Clone, Copy)]
struct Riddle {
    /// The items around the function.
    items: &'static str,
    /// A function of two tensors that it calls.
    called: Option<&'static str>,
    /// What its body begins with.
    beginning: &'static str,
    /// Whether bodies have `cfg`s.
    has_cfgs: bool,
}

const NONE: Riddle = Riddle { items: "", called: None, beginning: "", has_cfgs: false };

const RIDDLES: [Riddle; 10] = [
    Riddle { has_cfgs: true, ..NONE },
    Riddle { has_cfgs: true, ..NONE },
    // Functions called as ops: one of the module, and one imported there, or within the function.
    Riddle {
        items: "fn mse(a: Tensor, b: Tensor) -> Tensor { a - b * 3.0 }",
        called: Some("mse"),
        ..NONE
    },
    Riddle {
        items: "mod hidden { use ::edb::prelude::*; pub fn mae(a: Tensor, b: Tensor) -> Tensor { a * b } }\n\
                use hidden::mae;",
        called: Some("mae"),
        ..NONE
    },
    Riddle {
        items: "mod hidden { use ::edb::prelude::*; pub fn mae(a: Tensor, b: Tensor) -> Tensor { a * b } }",
        called: Some("mae"),
        beginning: "use self::hidden::mae;\n",
        ..NONE
    },
    // A helper, and an op, imported as another op.
    Riddle {
        items: "mod hidden { use ::edb::prelude::*; #[vertex_helper] pub fn error(a: Tensor, b: Tensor) -> Tensor { \
                a * b } }\nuse hidden::error as mse;",
        called: Some("mse"),
        ..NONE
    },
    Riddle { items: "use ::edb::prelude::mae as mse;", called: Some("mse"), ..NONE },
    // A module called as edb, with a function called as an op.
    Riddle {
        items: "mod edb { pub mod prelude { use ::edb::prelude::*; pub fn mse(a: Tensor, b: Tensor) -> Tensor { \
                a * b } } }",
        called: Some("edb::prelude::mse"),
        ..NONE
    },
    // Functions without the attribute of a helper.
    Riddle {
        items: "#[cfg_attr(any(), vertex_helper)]\nfn plain(a: Tensor, b: Tensor) -> Tensor { a * b }",
        called: Some("plain"),
        ..NONE
    },
    Riddle {
        items: "#[cfg(any())]\n#[vertex_helper]\nfn plain(a: Tensor, b: Tensor) -> Tensor { a * b }\n\
                #[cfg(all())]\nfn plain(a: Tensor, b: Tensor) -> Tensor { a - b }",
        called: Some("plain"),
        ..NONE
    },
];

/// The items around a function.
pub(crate) struct Scene<'a> {
    pub(crate) rng: &'a mut ChaCha8Rng,
    /// The text of the items.
    pub(crate) items: Vec<String>,
    /// The functions that the function may call.
    pub(crate) callables: Vec<Callable>,
    /// Those that it has to call.
    pub(crate) called: Vec<Callable>,
    /// What its body begins with.
    pub(crate) beginning: &'static str,
    /// Whether bodies have `cfg`s.
    pub(crate) has_cfgs: bool,
    helpers: Helpers,
    /// The names that no item has yet.
    free: Vec<&'static str>,
    /// Whether there is a glob import.
    has_glob: bool,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(rng: &'a mut ChaCha8Rng) -> Self {
        let riddle = if rng.random_bool(0.2) { *RIDDLES.choose(rng).unwrap() } else { NONE };
        let Riddle { items, called, beginning, has_cfgs } = riddle;
        let items = format!("use ::edb::prelude::*;\nuse crate::ports::{{Number, Told}};\n{items}");
        let mut ops = vec!["mse", "mae", "edb::prelude::mse", "::edb::prelude::mae"];
        // Nothing else calls it: the plan would be refused in any case.
        ops.retain(|op| Some(*op) != called);
        let mut free = HELPERS.to_vec();
        free.shuffle(rng);
        let mut scene = Scene {
            rng,
            items: vec![items],
            callables: ops.into_iter().map(op).collect(),
            called: called.into_iter().map(op).collect(),
            beginning,
            has_cfgs,
            helpers: Helpers::new(has_cfgs),
            free,
            has_glob: false,
        };
        if scene.rng.random_bool(0.5)
            && let Some(name) = scene.free.pop()
        {
            let known = scene.callables.clone();
            let (text, callable) = scene.helpers.one(scene.rng, ["", name], &known);
            scene.items.push(text);
            scene.callables.push(callable);
        }
        scene.modules();
        scene.decoy();
        scene
    }

    /// Modules with helpers.
    fn modules(&mut self) {
        let count = self.rng.random_range(0..=2);
        let modules: Vec<&str> = MODULES.sample(self.rng, count).copied().collect();
        let mut of_both = None;
        if count == 2 && self.rng.random_bool(0.5) {
            let (definitions, calls, callable) = self.helpers.both(self.rng);
            self.items.push(definitions);
            of_both = Some((calls, callable));
        }
        for (number, module) in modules.into_iter().enumerate() {
            let mut text = "use ::edb::prelude::*;\n".to_owned();
            if let Some((calls, callable)) = &of_both {
                text.push_str(&calls[number]);
                let path = format!("{module}::{}", callable.path);
                let callable = Callable { path, ..callable.clone() };
                self.callables.push(callable.clone());
                // Whether one is taken for the other shows only if both are called.
                self.called.push(callable);
            }
            text.push_str(&self.helpers_of(module));
            if self.rng.random_bool(0.1) {
                self.items.push(format!("#[cfg(any())]\nmod {module} {{}}\n#[cfg(all())]"));
            }
            self.items.push(format!("mod {module} {{\n{text}}}"));
        }
    }

    /// Helpers in a module, of which some are imported.
    fn helpers_of(&mut self, module: &str) -> String {
        let mut text = String::new();
        let mut known = ["mse", "mae", "::edb::prelude::mse"].map(op).to_vec();
        let outside =
            self.callables.iter().filter(|of| of.path.contains("::") && !of.path.contains("edb::"));
        known.extend(
            outside.map(|of| Callable { path: format!("super::{}", of.path), ..of.clone() }),
        );
        for &name in HELPERS.sample(self.rng, 2).collect::<Vec<_>>() {
            let visibility = *["pub ", "pub(super) ", "pub(crate) "].choose(self.rng).unwrap();
            let (helper, callable) = self.helpers.one(self.rng, [visibility, name], &known);
            text.push_str(&helper);
            if let Some(path) = self.import(module, name) {
                self.callables.push(Callable { path, ..callable.clone() });
            }
            self.callables.push(Callable { path: format!("{module}::{name}"), ..callable.clone() });
            known.push(callable);
        }
        text
    }

    /// Imports a helper, and returns the name by which it can be called then.
    fn import(&mut self, module: &str, name: &'static str) -> Option<String> {
        match self.rng.random_range(0..5) {
            0 if self.free.contains(&name) => {
                self.free.retain(|free| *free != name);
                self.items.push(format!("use {module}::{name};"));
                Some(name.to_owned())
            }
            1 => {
                let new = self.free.pop()?;
                self.items.push(format!(
                    "#[cfg(any())]\nuse self::missing as {new};\nuse self::{module}::{name} as {new};"
                ));
                Some(new.to_owned())
            }
            // A function that hides what a glob imports is known to be open, so no other item gets its name.
            2 if !self.has_glob && self.free.contains(&name) => {
                self.has_glob = true;
                self.free.retain(|free| *free != name);
                self.items.push(format!(
                    "mod through {{ pub(super) use super::{module}::{name}; }}\nuse through::*;"
                ));
                Some(name.to_owned())
            }
            _ => None,
        }
    }

    /// A function that no one calls, with a name that helpers have in modules.
    fn decoy(&mut self) {
        if let Some(name) = self.free.first().filter(|_| self.rng.random_bool(0.5)) {
            self.items.push(format!("fn {name}(a: Tensor) -> Tensor {{ a * 100.0 }}"));
        }
    }
}

/// A function of two tensors.
fn op(path: &str) -> Callable {
    Callable { path: path.to_owned(), arguments: vec![Ty::Tensor; 2], result: Ty::Tensor }
}
