//! Declares kernels: a struct with the values of a launch, and what a dialect writes of it.

use super::parameters::{Arguments, Parameter};
use crate::blocks::Grid;

/// Kernels with the same parameters: one, or those of a family.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// The names of the kernels.
    pub names: &'static [&'static str],
    /// The parameters of each.
    pub parameters: &'static [Parameter],
}

/// A number that host and kernels share.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    /// The name that kernels have for it.
    pub name: &'static str,
    /// Its value.
    pub value: u64,
}

/// A set of kernels that are loaded together.
pub trait Set {
    /// The constants that its kernels share with the host, besides those of every source.
    const CONSTANTS: &'static [Constant];
    /// Its kernels.
    const DECLARATIONS: &'static [Declaration];
}

/// A launch of a declared kernel, with the values of its parameters.
pub(crate) trait Call: Copy {
    type Set: Set;
    /// The number of its declaration in the set.
    const NUMBER: usize;
    /// Which kernel of the declaration it is for.
    fn member(self) -> usize;
    fn grid(self) -> Grid;
    fn pass(self, to: &mut Arguments);
}

/// Kernels that have the same parameters, of which a launch names one.
pub(crate) trait Family: Copy {
    const NAMES: &'static [&'static str];
    /// Which of the names it has.
    fn number(self) -> usize;
}

/// Declares a [`Set`] of kernels, and the constants that they know. `Fill = "fill" { .. } over
/// grid` is the kernel `fill` and the struct `Fill`, whose fields are the parameters; the
/// expression `grid` may use them. `Reduce in Reducer { .. }` is a kernel for each member of the
/// family `Reducer`, of which the struct names one.
macro_rules! kernels {
    (
        $(#[$of_set:meta])*
        $set:ident knows $constants:expr;
        $(
            $(#[$of_call:meta])*
            $call:ident $(= $name:literal)? $(in $family:ty)? {
                $($parameter:ident: $type:ty),* $(,)?
            } over $grid:expr;
        )*
    ) => {
        $(#[$of_set])*
        #[derive(Clone, Copy, Debug)]
        pub enum $set {}

        impl $crate::kernels::declare::Set for $set {
            const CONSTANTS: &'static [$crate::kernels::declare::Constant] = $constants;
            const DECLARATIONS: &'static [$crate::kernels::declare::Declaration] = &[$(
                $crate::kernels::declare::Declaration {
                    names: $(&[$name])? $(<$family as $crate::kernels::declare::Family>::NAMES)?,
                    parameters: &[$($crate::kernels::parameters::Parameter {
                        name: stringify!($parameter),
                        kind: <$type as $crate::kernels::parameters::Passed>::KIND,
                    }),*],
                },
            )*];
        }

        /// The numbers of the declarations.
        enum DeclarationNumber {
            $($call),*
        }

        $(
            $(#[$of_call])*
            #[derive(Clone, Copy, Debug)]
            pub(crate) struct $call {
                $(pub(crate) kernel: $family,)?
                $(pub(crate) $parameter:
                    <$type as $crate::kernels::parameters::Passed>::Value),*
            }

            impl $crate::kernels::declare::Call for $call {
                type Set = $set;
                const NUMBER: usize = DeclarationNumber::$call as usize;

                fn member(self) -> usize {
                    0 $(+ <$family as $crate::kernels::declare::Family>::number(self.kernel))?
                }

                fn grid(self) -> $crate::blocks::Grid {
                    #[allow(unused_variables)]
                    let Self { $($parameter,)* .. } = self;
                    $grid
                }

                fn pass(self, to: &mut $crate::kernels::parameters::Arguments) {
                    $(<$type as $crate::kernels::parameters::Passed>::pass(self.$parameter, to);)*
                }
            }
        )*
    };
}

/// The list of constants that host and kernels share, by the names that both have for them.
macro_rules! constants {
    ($($name:ident),* $(,)?) => {
        &[$($crate::kernels::declare::Constant {
            name: stringify!($name),
            value: $name as u64,
        }),*]
    };
}

pub(super) use {constants, kernels};
