//! The generator, which writes the source of random vertex functions: always the same ones. The suite in `tests/`
//! compiles them by `edb_test_functions_macro::functions!()`.
//!
//! Its functions are valid by construction: shapes fit, every variable is read, values stay of
//! moderate size, and each function gathers, pulls, scatters and pushes what its kind allows.
//! Everything else is random.

mod branch;
mod draws;
pub mod expression;
pub mod function;
mod loops;
mod ports;
mod scalar;
mod statement;

pub use draws::Draws;
use function::Writer;

/// What a generated function gathers and scatters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortKind {
    /// No children.
    Leaf,
    /// One child.
    One,
    /// Two children, of which one or both may be absent.
    Pair,
    /// Two or three children.
    Several,
    /// Any number of children.
    All,
    /// One child by place, possibly absent, and any number after it.
    Mixed,
    /// Children as in [`PortKind::One`] or [`PortKind::All`]; it has losses, and no state for
    /// parents.
    Gold,
}

impl PortKind {
    /// All kinds.
    pub const ALL: [PortKind; 7] = [
        PortKind::Leaf,
        PortKind::One,
        PortKind::Pair,
        PortKind::Several,
        PortKind::All,
        PortKind::Mixed,
        PortKind::Gold,
    ];

    /// The module of this kind's functions, and the prefix of their names.
    pub fn name(self) -> &'static str {
        match self {
            PortKind::Leaf => "leaf",
            PortKind::One => "one",
            PortKind::Pair => "pair",
            PortKind::Several => "several",
            PortKind::All => "all",
            PortKind::Mixed => "mixed",
            PortKind::Gold => "gold",
        }
    }
}

/// The number of functions of each kind.
pub const COUNT: usize = 36;

/// The lines of a function.
pub fn function(kind: PortKind, number: usize) -> Vec<String> {
    let draws = Draws::new(kind as u64 * 1000 + number as u64);
    Writer::new(draws, kind).write(&format!("{}_{number}", kind.name()))
}

/// All functions, in a module for each kind, and a function `functions` that lists those of a kind.
///
/// Where this text stands, there are `Element`, `PortKind`, `Enter`, `enter`, and a module `prelude` for the functions.
pub fn functions() -> String {
    let mut text = String::new();
    for kind in PortKind::ALL {
        text += &format!("pub mod {} {{\n    use super::prelude::*;\n", kind.name());
        for line in (0..COUNT).flat_map(|number| function(kind, number)) {
            text += &format!("    {line}\n");
        }
        text += "}\n";
    }
    text += "/// The functions of a kind, each as what enters it into a model.\n";
    text += "pub fn functions<T: Element>(kind: PortKind) -> Vec<Enter<T>> {\n    match kind {\n";
    for kind in PortKind::ALL {
        let name = kind.name();
        let entered = (0..COUNT).map(|number| format!("enter::<{name}::{name}_{number}, T>"));
        let entered: Vec<String> = entered.collect();
        text += &format!("        PortKind::{kind:?} => vec![{}],\n", entered.join(", "));
    }
    text + "    }\n}\n"
}
