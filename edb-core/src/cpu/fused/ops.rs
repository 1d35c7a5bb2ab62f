//! The ops of kernels as functions of single elements, which [`kernels`] implements.

use crate::cpu::kernels::{self, Binary, Unary};
use crate::element::Element;

macro_rules! functions {
    (
        unary { $($(#[$unary_doc:meta])* $unary:ident = $unary_name:ident, $unary_surface:expr, $unary_rule:ident;)* }
        binary { $($(#[$binary_doc:meta])* $binary:ident = $binary_name:ident, $binary_surface:expr, $binary_rule:ident;)* }
    ) => {
        $(
            #[doc = concat!("[`", stringify!($unary), "`](edb_ir::Pointwise::", stringify!($unary), ").")]
            #[inline(always)]
            pub fn $unary_name<T: Element, const FMA: bool>(x: T) -> T {
                <kernels::$unary as Unary<T>>::apply::<FMA>(x)
            }
        )*
        $(
            #[doc = concat!("[`", stringify!($binary), "`](edb_ir::Pointwise::", stringify!($binary), ").")]
            #[inline(always)]
            pub fn $binary_name<T: Element, const FMA: bool>(a: T, b: T) -> T {
                <kernels::$binary as Binary<T>>::apply::<FMA>(a, b)
            }
        )*
    };
}

// Code that the macro generates calls these functions by the names in the op table.
edb_ir::for_each_pointwise!(functions);

/// A constant of a kernel.
#[inline(always)]
pub fn number<T: Element>(value: f64) -> T {
    T::from_f64(value)
}
