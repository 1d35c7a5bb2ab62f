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
//!
//! Invariant: a source includes no other file, and contains nothing that depends on a machine. So
//! NVRTC can compile it, and so can, for tests, a compiler of the host, with
//! `tests/suite/emulator/shim.h`.

mod expression;
mod fused;
mod prototype;

use std::fmt::Write as _;

use edb_gpu::driver::Source;
use edb_gpu::kernels::fused::FusedKernel;
use edb_gpu::kernels::library::Library;
use edb_gpu::kernels::optimizer::{Optimizer, RuleKernel};
use edb_gpu::kernels::{CONSTANTS, Set};
use edb_gpu::number::Numbers;
use edb_gpu::{Dialect, Launched, Number};
use sha2::{Digest, Sha256};

use prototype::{constants, entry, prototypes};

const PRELUDE: &str = include_str!("prelude.cuh");
const LIBRARY: &str = include_str!("library.cuh");
const PRODUCT: &str = include_str!("product.cuh");
const OPTIMIZER: &str = include_str!("optimizer.cuh");

/// CUDA C++, as NVRTC compiles it.
#[derive(Clone, Copy, Debug)]
pub struct CudaCpp;

impl Dialect for CudaCpp {
    fn most_argument_bytes(&self) -> usize {
        // What every GPU supports (CUDA C++ programming guide, table of limits).
        4096
    }

    fn library(&self, numbers: Numbers, launched: Launched) -> Source {
        let mut text = declared::<Library>(numbers, launched) + LIBRARY + "\n" + PRODUCT;
        let names = entries::<Library>();
        for name in &names {
            let _ = writeln!(text, "ENTRY(THREADS, {name})");
        }
        Source { text, names, exact: false }
    }

    fn optimizer(&self, numbers: Numbers) -> Source {
        let mut text = declared::<Optimizer>(numbers, Launched::Now);
        for rule in RuleKernel::all() {
            let _ = writeln!(text, "#define SLOTS_OF_{} {}", rule.name(), rule.slots());
        }
        Source { text: text + OPTIMIZER, names: entries::<Optimizer>(), exact: true }
    }

    fn fused(
        &self,
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
}

/// What every source begins with.
fn prelude(numbers: Numbers, launched: Launched) -> String {
    let [real, stored] = [numbers.real, numbers.stored].map(name);
    let recorded = match launched {
        Launched::Now => "",
        Launched::Recorded => "#define RECORDED\n",
    };
    let constants = constants(CONSTANTS);
    format!("{recorded}#define REAL {real}\n#define STORED {stored}\n{constants}\n{PRELUDE}\n")
}

/// What a source with the kernels of a set begins with.
fn declared<S: Set>(numbers: Numbers, launched: Launched) -> String {
    prelude(numbers, launched) + &constants(S::CONSTANTS) + &prototypes(S::DECLARATIONS) + "\n"
}

/// The names under which the kernels of a set are loaded, in the order of their declarations.
fn entries<S: Set>() -> Vec<String> {
    let names = S::DECLARATIONS.iter().flat_map(|declaration| declaration.names);
    names.map(|name| entry(name)).collect()
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

/// A hash that identifies a text.
fn hash(text: &str) -> String {
    let digest = Sha256::digest(text);
    digest.iter().take(12).fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
