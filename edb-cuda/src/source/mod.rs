//! CUDA C++: the sources shared by all models, and the generator of kernels from a function's plan.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `prelude.cuh` | the basis of every kernel: rows, functions of elements and rows, draws |
//! | `library.cuh` | the kernels that are the same for all models |
//! | `product.cuh` | products, for phases that tile or record them |
//! | `optimizer.cuh` | the end of a training step: norms and optimiser updates |
//! | `fused` | the fused kernels of a function, generated from its plan |
//! | `expression` | how an op of a kernel is written |

mod expression;
pub(crate) mod fused;

pub(crate) use expression::reduction;

use std::fmt::Write as _;
use std::sync::OnceLock;

use edb_core::backend::BoundFunction;
use sha2::{Digest, Sha256};

use crate::number::Numbers;
use fused::Fused;

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

/// A source for a device to compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The text, without `#include`.
    pub text: String,
    /// The names of its kernels.
    pub names: Vec<String>,
    /// Whether each product and each sum is rounded separately, as on the host: no fused
    /// multiply-add.
    pub exact: bool,
}

impl Source {
    fn begin(numbers: Numbers, launched: Launched) -> String {
        let (real, stored) = (numbers.real.name(), numbers.stored.name());
        let recorded = match launched {
            Launched::Now => "",
            Launched::Recorded => "#define RECORDED\n",
        };
        format!("{recorded}#define REAL {real}\n#define STORED {stored}\n{PRELUDE}\n")
    }

    /// The kernels that are the same for all models.
    pub(crate) fn library(numbers: Numbers, launched: Launched) -> Self {
        let mut text = Self::begin(numbers, launched) + LIBRARY + "\n" + PRODUCT;
        // The lines that define `ROW_KERNEL` are indented, so they do not match.
        let names = LIBRARY.lines().chain(PRODUCT.lines()).filter_map(|line| {
            let rest = line.strip_prefix("KERNEL(").or_else(|| line.strip_prefix("ROW_KERNEL("))?;
            Some(format!("edb_{}", rest.split(')').next()?))
        });
        let names: Vec<String> = names.collect();
        for name in &names {
            let _ = writeln!(text, "ENTRY(TEAM, {name})");
        }
        Self { text, names, exact: false }
    }

    /// The kernels that end a training step.
    pub(crate) fn optimizer(numbers: Numbers) -> Self {
        let names = OPTIMIZER.lines().filter_map(|line| {
            let rest = line.strip_prefix("KERNEL(").or_else(|| line.strip_prefix("RULE("))?;
            Some(format!("edb_{}", rest.split([')', ',']).next()?))
        });
        let names = names.collect();
        Self { text: Self::begin(numbers, Launched::Now) + OPTIMIZER, names, exact: true }
    }

    /// How many state tensors the optimiser of this name keeps per parameter, if there is a kernel
    /// for it.
    pub(crate) fn kept_by(rule: &str) -> Option<usize> {
        static RULES: OnceLock<Vec<(&str, usize)>> = OnceLock::new();
        let rules = RULES.get_or_init(|| {
            let rules = OPTIMIZER.lines().filter_map(|line| line.strip_prefix("RULE("));
            let rules = rules.filter_map(|line| line.split_once(')')?.0.split_once(", "));
            rules.filter_map(|(name, kept)| Some((name, kept.parse().ok()?))).collect()
        });
        rules.iter().find(|(name, _)| *name == rule).map(|(_, kept)| *kept)
    }

    /// The fused kernels of a function; `None` if it has none. Kernels that differ only in the
    /// locations of their operands are generated once.
    pub(crate) fn of_function(
        numbers: Numbers,
        launched: Launched,
        function: &BoundFunction,
    ) -> Option<(Self, Vec<Fused>)> {
        let mut text = Self::begin(numbers, launched);
        let mut names: Vec<String> = Vec::new();
        let mut kernels = Vec::new();
        for kernel in &function.plan.routine.kernels {
            let (mut fused, body) = Fused::new(numbers, function, kernel);
            let name = format!("edb_{}", hash(&body));
            let body = body.replace(fused::NAME, &name);
            fused.number = match names.iter().position(|known| *known == name) {
                Some(known) => known,
                None => {
                    let _ = write!(text, "\n{body}");
                    names.push(name);
                    names.len() - 1
                }
            };
            kernels.push(fused);
        }
        (!names.is_empty()).then_some((Self { text, names, exact: false }, kernels))
    }
}

/// A hash that identifies a text.
pub(crate) fn hash(text: &str) -> String {
    let digest = Sha256::digest(text);
    digest.iter().take(12).fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
