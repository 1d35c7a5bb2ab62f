//! Fused kernels: pointwise ops in one pass over rows.
//!
//! A kernel has two forms with the same bits, since both are made of the functions of `ops`:
//!
//! | form | module | where it comes from |
//! | --- | --- | --- |
//! | compiled | `walk` | Rust that the macro wrote, compiled with the user's crate for every level |
//! | interpreted | `interpret` | the plan: models of programs, debug builds of the user's crate |

mod interpret;
mod ops;
mod rows;
mod scratch;
mod trial;
mod walk;

use edb_ir::Kernel;

use super::level::has_compiled;
use crate::element::{Each, Element, Family};

pub use ops::*;
pub use rows::KernelRows;
pub use trial::Trial;
pub use walk::compiled;

/// A kernel of a vertex function, as the macro writes it.
pub trait RowKernel<const OUTPUTS: usize, const INPUTS: usize> {
    /// Which inputs are scalars, spread over a row.
    const SCALARS: [bool; INPUTS];

    /// Computes one row of each output. All rows have one length, but scalars, which have 1.
    fn row<T: Element, const FMA: bool>(outputs: [&mut [T]; OUTPUTS], inputs: [&[T]; INPUTS]);
}

/// A compiled kernel.
pub type KernelFn<T> = fn(&mut KernelRows<'_, T>);

/// The compiled kernels of a function, in the order of its routine: no entry for kernels that run
/// once a step, none at all where the user's crate is not optimised.
#[derive(Clone, Copy, Debug)]
pub struct CompiledKernels {
    /// In single precision.
    pub f32: &'static [Option<KernelFn<f32>>],
    /// In double precision.
    pub f64: &'static [Option<KernelFn<f64>>],
}

/// Those of one type of number.
struct Kernels;

impl Family for Kernels {
    type Member<T: Element> = &'static [Option<KernelFn<T>>];
}

impl CompiledKernels {
    /// All kernels are interpreted.
    pub const NONE: Self = Self { f32: &[], f64: &[] };

    /// Kernel `at` of a function, if it was compiled.
    pub fn get<T: Element>(&self, at: usize) -> Option<KernelFn<T>> {
        let both = Each::<Kernels> { f32: self.f32, f64: self.f64 };
        both.of::<T>().get(at).copied().flatten()
    }
}

/// Runs a kernel, in its compiled form if there is one.
pub(crate) fn run<T: Element>(
    kernel: &Kernel,
    compiled: Option<KernelFn<T>>,
    mut rows: KernelRows<'_, T>,
) {
    match compiled {
        Some(compiled) if has_compiled(rows.level) => compiled(&mut rows),
        _ => interpret::interpret(kernel, &mut rows),
    }
}
