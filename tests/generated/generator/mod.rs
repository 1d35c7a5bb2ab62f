//! The generator, which writes the source of random vertex functions.
//!
//! Its functions are valid by construction: shapes fit, every variable is read, values stay of
//! moderate size, and each function gathers, pulls, scatters and pushes what its kind allows.
//! Everything else is random.

mod branch;
pub mod draws;
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
    fn name(self) -> &'static str {
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

/// The contents of the file `functions.rs`.
///
/// A mistake in the generator can write functions that do not compile. Then restore the file before
/// running the corrected generator.
pub fn functions() -> String {
    let mut file = String::from(HEADER);
    for kind in PortKind::ALL {
        let name = kind.name();
        file += &format!("\npub mod {name} {{\n    use super::prelude::*;\n");
        for number in 0..COUNT {
            file.push('\n');
            let draws = Draws::new(kind as u64 * 1000 + number as u64);
            for line in Writer::new(draws, kind).write(&format!("{name}_{number}")) {
                file += &format!("    {line}\n");
            }
        }
        file.push_str("}\n");
    }
    file.push_str(TABLE);
    for kind in PortKind::ALL {
        let name = kind.name();
        file += &format!("        PortKind::{kind:?} => vec![\n");
        for number in 0..COUNT {
            file += &format!("            enter::<{name}::{name}_{number}, T>,\n");
        }
        file.push_str("        ],\n");
    }
    file.push_str("    }\n}\n");
    file
}

/// The beginning of the file.
const HEADER: &str = "\
//! Vertex functions that no one wrote: `EDB_BLESS=1 cargo test --test suite generated` writes them
//! anew.

// Accumulators and conditions are written in all the ways that the language has.
#![allow(clippy::assign_op_pattern, clippy::nonminimal_bool, clippy::neg_cmp_op_on_partial_ord)]
// Arms are alike by chance, and may overwrite a variable that they do not read; so are conditions.
#![allow(clippy::if_same_then_else, unused_assignments)]
#![allow(clippy::overly_complex_bool_expr, clippy::double_comparisons)]
#![allow(clippy::manual_range_contains, clippy::impossible_comparisons)]

use edb::Element;

use super::generator::PortKind;
use super::model::{Enter, enter};

pub mod prelude {
    pub use edb::prelude::*;

    pub use super::super::cells::*;
}
";

/// The beginning of the table that follows the functions.
const TABLE: &str = "
/// The functions of a kind, each as what enters it into a model.
pub fn functions<T: Element>(kind: PortKind) -> Vec<Enter<T>> {
    match kind {
";
