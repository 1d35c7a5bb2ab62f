//! The floating-point types that the engine computes in.

use std::fmt::{Debug, Display};
use std::iter::Sum;

use ndarray::LinalgScalar;
use num_traits::{Float, NumAssign};

use crate::compiled::Compiled;
use crate::cpu::fused::{CompiledKernels, KernelFn};
use crate::cpu::vector::Registers;
use crate::engine::backend::BackendBox;
use crate::engine::{Backends, EngineError};
use crate::math::Math;

/// A floating-point type of the engine: `f32` or `f64`.
///
/// Engine, kernels and optimisers are generic over it; parameters, graphs and results all carry
/// the one of their model.
pub trait Element:
    Math
    + Registers
    + Compiled
    + Float
    + NumAssign
    + LinalgScalar
    + Sum
    + Debug
    + Display
    + Default
    + Send
    + Sync
    + 'static
{
    /// The nearest value of this type.
    fn from_f64(value: f64) -> Self;

    /// This value as `f64`, exact for both types.
    fn as_f64(self) -> f64;

    /// A back end of another device for this type.
    #[doc(hidden)]
    fn backend(of: &dyn Backends) -> Result<BackendBox<Self>, EngineError>;

    /// The compiled kernels for this type.
    #[doc(hidden)]
    fn compiled(kernels: &CompiledKernels) -> &'static [Option<KernelFn<Self>>];

    /// The memory that kernels of this thread use while they run: empty for a kernel that another
    /// one calls. [`Element::keep_scratch`] gives it back.
    #[doc(hidden)]
    fn scratch() -> Vec<Self>;

    /// Keeps memory for the thread's next kernel.
    #[doc(hidden)]
    fn keep_scratch(scratch: Vec<Self>);

    /// The tag of this type in a safetensors file.
    const DTYPE: safetensors::Dtype;

    /// Appends the little-endian bytes of this value.
    fn write_le(self, bytes: &mut Vec<u8>);

    /// The value in little-endian `bytes`, of which there are `size_of::<Self>()`.
    fn read_le(bytes: &[u8]) -> Self;
}

#[allow(non_upper_case_globals)]
mod scratch {
    use std::cell::Cell;

    thread_local! {
        pub(super) static f32: Cell<Vec<f32>> = const { Cell::new(Vec::new()) };
        pub(super) static f64: Cell<Vec<f64>> = const { Cell::new(Vec::new()) };
    }
}

macro_rules! element {
    ($float:ident, $dtype:ident) => {
        impl Element for $float {
            const DTYPE: safetensors::Dtype = safetensors::Dtype::$dtype;

            fn backend(of: &dyn Backends) -> Result<BackendBox<Self>, EngineError> {
                of.$float()
            }

            fn compiled(kernels: &CompiledKernels) -> &'static [Option<KernelFn<Self>>] {
                kernels.$float
            }

            fn scratch() -> Vec<Self> {
                scratch::$float.take()
            }

            fn keep_scratch(scratch: Vec<Self>) {
                scratch::$float.set(scratch);
            }

            #[inline]
            fn from_f64(value: f64) -> Self {
                value as $float
            }

            #[inline]
            fn as_f64(self) -> f64 {
                f64::from(self)
            }

            fn write_le(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn read_le(bytes: &[u8]) -> Self {
                let mut buffer = [0; size_of::<$float>()];
                buffer.copy_from_slice(bytes);
                <$float>::from_le_bytes(buffer)
            }
        }
    };
}

element!(f32, F32);
element!(f64, F64);
