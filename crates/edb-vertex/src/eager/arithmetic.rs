//! The operators between tensors and numbers, and what rustc says of other operands.

use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Sub, SubAssign};

use edb_ir::Pointwise;

use super::ops::{apply, argument, number};
use crate::tensor::{Index, Tensor};

/// What stands beside a tensor in a sum or a product: a tensor, or a number.
#[diagnostic::on_unimplemented(
    message = "tensors compute with tensors and with `f64`, and not with `{Self}`",
    label = "neither a tensor nor an `f64`"
)]
pub trait Operand {
    /// As a tensor; a number is a scalar.
    fn into_tensor(self) -> Tensor;
}

impl Operand for Tensor {
    fn into_tensor(self) -> Tensor {
        self
    }
}

impl Operand for f64 {
    fn into_tensor(self) -> Tensor {
        number(self)
    }
}

/// Implemented for nothing. An operator with an [`Index`] needs it, so that rustc says what is meant instead.
#[diagnostic::on_unimplemented(
    message = "an `Index` says which row or which class, and is no number",
    label = "not with an `Index`",
    note = "`table.row(id)` is its row of a table, and `one_hot(id, n)` a vector",
    note = "a number that comes from outside is a `Tensor` field of an input: `let Word {{ #[shape()] x }} = pull();`"
)]
pub trait ComputesWithIndices {}

// With a lifetime, since rustc would refuse a bound that it sees to be wrong.
#[doc(hidden)]
impl Operand for Index
where
    for<'a> &'a Index: ComputesWithIndices,
{
    fn into_tensor(self) -> Tensor {
        argument(self)
    }
}

macro_rules! arithmetic {
    ($($op:ident, $method:ident, $assign:ident, $method_assign:ident;)*) => {$(
        impl<R: Operand> $op<R> for Tensor {
            type Output = Tensor;

            fn $method(self, other: R) -> Tensor {
                apply(Pointwise::$op, &[self, other.into_tensor()])
            }
        }

        impl $op<Tensor> for f64 {
            type Output = Tensor;

            fn $method(self, other: Tensor) -> Tensor {
                apply(Pointwise::$op, &[number(self), other])
            }
        }

        #[doc(hidden)]
        impl<R: ComputesWithIndices> $op<R> for Index {
            type Output = Tensor;

            fn $method(self, _: R) -> Tensor {
                unreachable!("nothing is such a number")
            }
        }

        #[doc(hidden)]
        impl $op<Index> for f64
        where
            for<'a> &'a Index: ComputesWithIndices,
        {
            type Output = Tensor;

            fn $method(self, _: Index) -> Tensor {
                unreachable!("nothing is such a number")
            }
        }

        impl<R: Operand> $assign<R> for Tensor {
            fn $method_assign(&mut self, other: R) {
                *self = $op::$method(*self, other);
            }
        }
    )*};
}

arithmetic! {
    Add, add, AddAssign, add_assign;
    Sub, sub, SubAssign, sub_assign;
    Mul, mul, MulAssign, mul_assign;
    Div, div, DivAssign, div_assign;
}
