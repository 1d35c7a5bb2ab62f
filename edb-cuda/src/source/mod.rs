//! CUDA C++: what is the same for all models, and what is written from a function's plan.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `prelude.cuh` | what every kernel is written with: rows, functions of elements, of rows, draws |
//! | `library.cuh` | the kernels that are the same for all models |
//! | `product.cuh` | and products, for those phases that are recorded |
//! | `optimizer.cuh` | the end of a training step: norms, and what moves parameters |
//! | `fused` | the fused kernels of a function, written from its plan |
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

/// How the kernels of a source are launched: with their arguments, or recorded, with a place where they
/// find them (`prelude.cuh`, `DEFINE`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Launched {
    Now,
    Recorded,
}

/// A source that a device compiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The text, which includes nothing.
    pub text: String,
    /// The names of its kernels.
    pub names: Vec<String>,
    /// Whether each product and each sum is rounded by itself, as those of the host are: without fused
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
        // What defines `ROW_KERNEL` is indented.
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

    /// How many tensors the rule of this name keeps for each value, if there is a kernel for it.
    pub(crate) fn kept_by(rule: &str) -> Option<usize> {
        static RULES: OnceLock<Vec<(&str, usize)>> = OnceLock::new();
        let rules = RULES.get_or_init(|| {
            let rules = OPTIMIZER.lines().filter_map(|line| line.strip_prefix("RULE("));
            let rules = rules.filter_map(|line| line.split_once(')')?.0.split_once(", "));
            rules.filter_map(|(name, kept)| Some((name, kept.parse().ok()?))).collect()
        });
        rules.iter().find(|(name, _)| *name == rule).map(|(_, kept)| *kept)
    }

    /// The fused kernels of a function; `None` if it has none. Kernels that are the same but for
    /// where their operands lie are one.
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

/// What tells texts apart.
pub(crate) fn hash(text: &str) -> String {
    let digest = Sha256::digest(text);
    digest.iter().take(12).fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
