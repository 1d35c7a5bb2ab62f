//! What the back end needs of the language in which a GPU's kernels are written.

use std::fmt::Debug;

use crate::driver::Source;
use crate::kernels::fused::FusedKernel;
use crate::number::Numbers;

/// How the kernels of a source are launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launched {
    /// With their arguments.
    Now,
    /// Recorded, with the address of their arguments. The first word there says whether the kernel
    /// has anything to do; a word follows for each argument.
    Recorded,
}

/// Writes kernels as source text.
pub trait Dialect: Debug + Send + Sync {
    /// The bytes of arguments that a kernel can take.
    fn most_argument_bytes(&self) -> usize;

    /// The kernels that are the same for all models
    /// ([`Library`](crate::kernels::library::Library)), in the order of their declarations.
    fn library(&self, numbers: Numbers, launched: Launched) -> Source;

    /// The kernels that end a training step
    /// ([`Optimizer`](crate::kernels::optimizer::Optimizer)), in the order of their declarations.
    fn optimizer(&self, numbers: Numbers) -> Source;

    /// Fused kernels, and for each its number in the source: kernels of the same text are in it
    /// once.
    fn fused(
        &self,
        numbers: Numbers,
        launched: Launched,
        kernels: &[FusedKernel<'_>],
    ) -> (Source, Vec<usize>);
}
