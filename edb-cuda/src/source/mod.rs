//! CUDA C++: the sources shared by all models, and the text of the kernels of a function's plan.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `prelude.cuh` | the basis of every kernel: rows, functions of elements and rows, draws |
//! | `library.cuh` | the kernels that are the same for all models |
//! | `product.cuh` | products, for phases that tile or record them |
//! | `optimizer.cuh` | the end of a training step: norms and optimiser updates |
//! | `prototype` | how the declaration of a kernel is written |
//! | `fused` | how a fused kernel is written |
//! | `expression` | how an op of a fused kernel is written |

mod expression;
mod fused;
mod prototype;

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::driver::Source;
use crate::kernels::Set;
use crate::kernels::fused::FusedKernel;
use crate::kernels::library::{self, Library};
use crate::kernels::optimizer::{self, Optimizer, Rule};
use crate::number::{Number, Numbers};
use prototype::{constants, entry, prototypes};

const PRELUDE: &str = include_str!("prelude.cuh");
const LIBRARY: &str = include_str!("library.cuh");
const PRODUCT: &str = include_str!("product.cuh");
const OPTIMIZER: &str = include_str!("optimizer.cuh");

/// How the kernels of a source are launched: with their arguments, or recorded, with the address of
/// their arguments (`prelude.cuh`, `DEFINE`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Launched {
    Now,
    Recorded,
}

/// What every source begins with.
fn prelude(numbers: Numbers, launched: Launched) -> String {
    let [real, stored] = [numbers.real, numbers.stored].map(name);
    let recorded = match launched {
        Launched::Now => "",
        Launched::Recorded => "#define RECORDED\n",
    };
    let constants = constants(library::CONSTANTS);
    format!("{recorded}#define REAL {real}\n#define STORED {stored}\n{constants}\n{PRELUDE}\n")
}

/// The name of a number type.
fn name(number: Number) -> &'static str {
    match number {
        Number::F64 => "double",
        Number::F32 => "float",
        Number::F16 => "f16",
        Number::Bf16 => "bf16",
    }
}

/// The names under which the kernels of a set are loaded, in the order of their declarations.
fn entries<S: Set>() -> Vec<String> {
    let names = S::DECLARATIONS.iter().flat_map(|declaration| declaration.names);
    names.map(|name| entry(name)).collect()
}

/// The kernels that are the same for all models.
pub(crate) fn library(numbers: Numbers, launched: Launched) -> Source {
    let mut text = prelude(numbers, launched);
    text += &constants(library::LIBRARY_CONSTANTS);
    text += &prototypes(Library::DECLARATIONS);
    text = text + "\n" + LIBRARY + "\n" + PRODUCT;
    let names = entries::<Library>();
    for name in &names {
        let _ = writeln!(text, "ENTRY(THREADS, {name})");
    }
    Source { text, names, exact: false }
}

/// The kernels that end a training step.
pub(crate) fn optimizer(numbers: Numbers) -> Source {
    let mut text = prelude(numbers, Launched::Now);
    text += &constants(optimizer::CONSTANTS);
    text += &prototypes(Optimizer::DECLARATIONS);
    for rule in Rule::all() {
        let _ = writeln!(text, "#define KEPT_BY_{} {}", rule.name(), rule.kept());
    }
    text = text + "\n" + OPTIMIZER;
    Source { text, names: entries::<Optimizer>(), exact: true }
}

/// Fused kernels, and for each its number in the source: kernels that differ only in the locations
/// of their operands have the same text, and are in it once.
pub(crate) fn fused(
    numbers: Numbers,
    launched: Launched,
    kernels: &[FusedKernel<'_>],
) -> (Source, Vec<usize>) {
    let mut text = prelude(numbers, launched);
    let mut names: Vec<String> = Vec::new();
    let number = |kernel: &FusedKernel<'_>| {
        let body = fused::text(kernel);
        let name = entry(&hash(&body));
        if let Some(known) = names.iter().position(|known| *known == name) {
            return known;
        }
        let _ = write!(text, "\n{}", body.replace(fused::NAME, &name));
        names.push(name);
        names.len() - 1
    };
    let numbers = kernels.iter().map(number).collect();
    (Source { text, names, exact: false }, numbers)
}

/// A hash that identifies a text.
fn hash(text: &str) -> String {
    let digest = Sha256::digest(text);
    digest.iter().take(12).fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
