//! Fault A9 of the seventh list: an expression that was too deep for the stack of rustc ended rustc without a message.

use edb::prelude::*;

macro_rules! ten {
    ($macro:ident: $x:ident $($operand:tt)*) => {
        $macro!($x $($operand)* $($operand)* $($operand)* $($operand)* $($operand)* $($operand)* $($operand)* $($operand)*
            $($operand)* $($operand)*);
    };
}

macro_rules! hundred {
    ($x:ident $($operand:tt)*) => { ten!(thousand: $x $($operand)*); };
}

macro_rules! thousand {
    ($x:ident $($operand:tt)*) => { ten!(sum: $x $($operand)* $($operand)* $($operand)* $($operand)*); };
}

macro_rules! sum {
    ($x:ident $($operand:tt)*) => {
        #[vertex_function]
        fn sum(#[param()] $x: Tensor) {
            loss($x $($operand)*);
        }
    };
}

ten!(hundred: x + x);
