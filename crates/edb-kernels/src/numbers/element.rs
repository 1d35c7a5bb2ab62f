//! The floating-point types that the engine computes in.

use std::fmt::{Debug, Display};
use std::iter::Sum;

use ndarray::LinalgScalar;
use num_traits::{Float, NumAssign};

use crate::math::Math;
use crate::processor::Registers;

/// A floating-point type of the engine: `f32` or `f64`.
///
/// Engine, kernels and optimisers are generic over it; parameters, graphs and results all have the type of
/// their model. A program that is also generic over it makes numbers with [`from_f64`](Self::from_f64) and
/// reads them with [`as_f64`](Self::as_f64). The methods `to_f64`, `to_f32` and `from` come from the crate
/// `num-traits`, and return an `Option`.
pub trait Element:
    Math
    + Registers
    + bytemuck::Pod
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
    #[doc(alias = "from")]
    fn from_f64(value: f64) -> Self;

    /// This value as `f64`, exact for both types. (`to_f64` returns an `Option`.)
    #[doc(alias = "to_f64")]
    fn as_f64(self) -> f64;

    /// The tag of this type in a safetensors file.
    const DTYPE: safetensors::Dtype;

    /// Appends the little-endian bytes of this value.
    fn write_le(self, bytes: &mut Vec<u8>);

    /// The value in `size_of::<Self>()` little-endian bytes.
    fn read_le(bytes: &[u8]) -> Self;

    /// The member for this type: see [`PerElementType::of`].
    #[doc(hidden)]
    fn member<F: Family>(members: &PerElementType<F>) -> &F::Member<Self>;
}

/// A family of types with a member for each element type, for example `Vec<T>` for `T`.
pub trait Family {
    /// The member for `T`.
    type Member<T: Element>;
}

/// The members of a family for both types of element.
///
/// A static of this type determines which functions are compiled with edb-core. rustc compiles a generic
/// function in every crate that calls it, with that crate's optimisation level. So functions that every model
/// needs, and functions that consist of many kernels, are called through a static. Its functions are no longer
/// generic, so a user's crate compiles faster, and a debug build of it runs the optimised code of edb-core.
#[derive(Debug)]
pub struct PerElementType<F: Family> {
    /// In single precision.
    pub f32: F::Member<f32>,
    /// In double precision.
    pub f64: F::Member<f64>,
}

impl<F: Family> PerElementType<F> {
    /// The member for `T`.
    pub fn of<T: Element>(&self) -> &F::Member<T> {
        T::member(self)
    }
}

/// Stands in place of a function that was not compiled: see [`compiled_here!`](crate::compiled_here).
///
/// # Panics
/// Always. But nothing calls it: without the feature `f64`, no model with numbers of this type can be built.
pub fn not_compiled() -> ! {
    panic!("edb was compiled without f64: add the feature `f64` to edb-nn in Cargo.toml")
}

/// Compiles a function, or methods of a type that is generic over the element, together with the crate that
/// contains them: see [`PerElementType`]. Calling one of them is one call of the compiled function.
///
/// Arguments must have names, and types without lifetimes; the result must not borrow anything.
///
/// The function is compiled for `f64` only if the crate has its feature `f64`.
///
/// In a crate's own tests, the functions stay generic, so only those that the tests call are compiled a second
/// time.
#[macro_export]
macro_rules! compiled_here {
    (impl $owner:ident {$(
        $(#[$about:meta])*
        $vis:vis fn $name:ident(&mut $this:ident $(, $arg:ident: $of:ty)* $(,)?) $(-> $result:ty)?
        $body:block
    )+}) => {
        impl<T: $crate::element::Element> $owner<T> {$(
            $crate::compiled_here! {
                @method $owner, [&mut] $this, [$(#[$about])* $vis] $name($($arg: $of),*) ($($result)?) $body
            }
        )+}
    };
    (impl $owner:ident {$(
        $(#[$about:meta])*
        $vis:vis fn $name:ident(&$this:ident $(, $arg:ident: $of:ty)* $(,)?) $(-> $result:ty)?
        $body:block
    )+}) => {
        impl<T: $crate::element::Element> $owner<T> {$(
            $crate::compiled_here! {
                @method $owner, [&] $this, [$(#[$about])* $vis] $name($($arg: $of),*) ($($result)?) $body
            }
        )+}
    };
    (@method $owner:ident, [$($by:tt)+] $this:ident, [$($about:tt)*]
        $name:ident($($arg:ident: $of:ty),*) ($($result:ty)?) $body:block
    ) => {
        #[cfg(test)]
        $($about)* fn $name($($by)+ $this $(, $arg: $of)*) $(-> $result)? $body

        #[cfg(not(test))]
        $($about)* fn $name($($by)+ $this $(, $arg: $of)*) $(-> $result)? {
            use $crate::element::{PerElementType, Element, Family};

            trait Here<T: Element> {
                fn here($($by)+ self $(, $arg: $of)*) $(-> $result)?;

                #[cfg(not(feature = "f64"))]
                fn absent($($by)+ self $(, _: $of)*) $(-> $result)? {
                    $crate::element::not_compiled()
                }
            }

            impl<T: Element> Here<T> for $owner<T> {
                fn here($($by)+ $this $(, $arg: $of)*) $(-> $result)? $body
            }

            struct Compiled;

            impl Family for Compiled {
                type Member<T: Element> = fn($($by)+ $owner<T> $(, $of)*) $(-> $result)?;
            }

            static HERE: PerElementType<Compiled> = PerElementType {
                f32: <$owner<f32> as Here<f32>>::here,
                #[cfg(feature = "f64")]
                f64: <$owner<f64> as Here<f64>>::here,
                #[cfg(not(feature = "f64"))]
                f64: <$owner<f64> as Here<f64>>::absent,
            };
            HERE.of::<T>()($this $(, $arg)*)
        }
    };
    (
        $(#[$about:meta])*
        $vis:vis fn $name:ident($($arg:ident: $of:ty),* $(,)?) $(-> $result:ty)?
        $body:block
    ) => {
        #[cfg(test)]
        $(#[$about])*
        $vis fn $name<T: $crate::element::Element>($($arg: $of),*) $(-> $result)? $body

        #[cfg(not(test))]
        $(#[$about])*
        $vis fn $name<T: $crate::element::Element>($($arg: $of),*) $(-> $result)? {
            use $crate::element::{Element, Family, PerElementType};

            fn here<T: Element>($($arg: $of),*) $(-> $result)? $body

            #[cfg(not(feature = "f64"))]
            fn absent<T: Element>($(_: $of),*) $(-> $result)? {
                $crate::element::not_compiled()
            }

            struct Compiled;

            impl Family for Compiled {
                type Member<T: Element> = fn($($of),*) $(-> $result)?;
            }

            static HERE: PerElementType<Compiled> = PerElementType {
                f32: here,
                #[cfg(feature = "f64")]
                f64: here,
                #[cfg(not(feature = "f64"))]
                f64: absent,
            };
            HERE.of::<T>()($($arg),*)
        }
    };
}

macro_rules! element {
    ($float:ident, $dtype:ident) => {
        impl Element for $float {
            const DTYPE: safetensors::Dtype = safetensors::Dtype::$dtype;

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

            #[inline]
            fn member<F: Family>(members: &PerElementType<F>) -> &F::Member<Self> {
                &members.$float
            }
        }
    };
}

element!(f32, F32);
element!(f64, F64);
