//! The ops of kernels as functions of single elements; [`kernels`] implements them.

use crate::numbers::Element;
use crate::rows::kernels;
use crate::rows::kernels::{Binary, Ternary, Unary};

macro_rules! functions {
    (
        unary { $($(#[$unary_doc:meta])* $unary:ident = $unary_name:ident, $unary_surface:expr, $unary_rule:ident;)* }
        binary { $($(#[$binary_doc:meta])* $binary:ident = $binary_name:ident, $binary_surface:expr, $binary_rule:ident;)* }
        ternary { $($(#[$ternary_doc:meta])* $ternary:ident = $ternary_name:ident, $ternary_surface:expr, $ternary_rule:ident;)* }
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
        $(
            #[doc = concat!("[`", stringify!($ternary), "`](edb_ir::Pointwise::", stringify!($ternary), ").")]
            #[inline(always)]
            pub fn $ternary_name<T: Element, const FMA: bool>(a: T, b: T, c: T) -> T {
                <kernels::$ternary as Ternary<T>>::apply::<FMA>(a, b, c)
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
