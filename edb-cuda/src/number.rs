//! The types of numbers: what is computed in, and what values are kept in.

use std::fmt;
use std::str::FromStr;

use edb_core::backend::BoundFunction;
use edb_ir::{Domain, Home};

/// A type of number in a device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// IEEE 754, 64 bits.
    F64,
    /// IEEE 754, 32 bits.
    F32,
    /// IEEE 754, 16 bits: a significand of 11 bits, up to 65504.
    F16,
    /// The upper half of an [`F32`](Self::F32): a significand of 8 bits, and its range.
    Bf16,
}

impl Number {
    /// The type of a model's elements.
    pub(crate) fn of<T>() -> Self {
        if size_of::<T>() == 8 { Self::F64 } else { Self::F32 }
    }

    /// How many bytes it has.
    pub fn size(self) -> usize {
        match self {
            Self::F64 => 8,
            Self::F32 => 4,
            Self::F16 | Self::Bf16 => 2,
        }
    }

    /// Its name in a source.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::F64 => "double",
            Self::F32 => "float",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
        }
    }
}

/// How exactly a GPU computes with a `Model<f32>`. In any case kernels and sums compute in 32 bits, and
/// parameters, their gradients, losses and whatever an optimiser has are kept in as many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// As the model's type says: everything is kept in 32 bits and multiplied so.
    #[default]
    Full,
    /// Kept in 32 bits, but products round their operands to a significand of 11 bits (TF32), which
    /// tensor cores are several times as fast at.
    Tf32,
    /// The values of vertices, what is kept for the backward pass, and gradients of both have 16 bits,
    /// with the range of `f32` and a significand of 8 bits; so have the copies of parameters that
    /// products read. Half the memory and half the bytes to move.
    Bf16,
    /// The same with a significand of 11 bits and less range: what exceeds 65504 is infinite, and
    /// what is less than 3e-8 is lost. So that gradients are not, the backward pass is
    /// [scaled](edb_core::engine::LossScale), and a step by whose scale they overflow is skipped. A value
    /// of the forward pass that overflows is infinite. [`Bf16`](Self::Bf16) needs none of this.
    F16,
}

/// Its name: `full`, `tf32`, `bf16`, `f16`.
impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full => "full",
            Self::Tf32 => "tf32",
            Self::Bf16 => "bf16",
            Self::F16 => "f16",
        })
    }
}

/// No precision has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no precision `{0}`: say full, tf32, bf16 or f16")]
pub struct UnknownPrecision(String);

impl FromStr for Precision {
    type Err = UnknownPrecision;

    fn from_str(name: &str) -> Result<Self, UnknownPrecision> {
        let all = [Self::Full, Self::Tf32, Self::Bf16, Self::F16];
        let found = all.into_iter().find(|precision| precision.to_string() == name);
        found.ok_or_else(|| UnknownPrecision(name.into()))
    }
}

impl Precision {
    /// What values are kept in, if it is not what is computed in.
    fn stored(self) -> Option<Number> {
        match self {
            Self::Full | Self::Tf32 => None,
            Self::Bf16 => Some(Number::Bf16),
            Self::F16 => Some(Number::F16),
        }
    }
}

/// The numbers of a back end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// What is computed in, and parameters, sums and losses are kept in.
    pub(crate) real: Number,
    /// What the other values are kept in.
    pub(crate) stored: Number,
}

impl Numbers {
    /// Those of a model of this element; `None` where it has no such precision.
    pub(crate) fn new<T>(precision: Precision) -> Option<Self> {
        let real = Number::of::<T>();
        match precision.stored() {
            None => Some(Self { real, stored: real }),
            Some(stored) => (real == Number::F32).then_some(Self { real, stored }),
        }
    }

    /// Whether values have fewer bits than they are computed in.
    pub(crate) fn is_narrow(self) -> bool {
        self.real != self.stored
    }

    /// Whether gradients are kept in numbers of less range than losses are.
    pub(crate) fn scales_losses(self) -> bool {
        self.stored == Number::F16
    }

    /// What a record of a function is kept in.
    pub(crate) fn of(self, function: &BoundFunction, record: usize) -> Number {
        if self.is_narrow() && is_wide(function, record) { self.real } else { self.stored }
    }
}

/// Whether the numbers of a record are few, or sums: parameters, what is computed from them, gradients
/// of them; losses.
fn is_wide(function: &BoundFunction, record: usize) -> bool {
    let bound = &function.routine.records[record];
    if bound.domain == Domain::Step {
        return true;
    }
    let program = &function.plan.program;
    let holds = |id| {
        let span = function.plan.routine.shown(id);
        span.is_some_and(|span| usize::from(span.record) == record)
    };
    // A field of the state is for other vertices to read, even if it is a loss; so are these gradients.
    let gradients = &program.gradients;
    let mut read = gradients.children.iter().map(|of| of.2);
    let mut pulled = gradients.pulls.iter().map(|of| of.1);
    bound.training == Home::Rows
        && program.losses.iter().any(|id| holds(*id))
        && !read.any(holds)
        && !pulled.any(holds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_precision_has_a_name() {
        for precision in [Precision::Full, Precision::Tf32, Precision::Bf16, Precision::F16] {
            assert_eq!(precision.to_string().parse(), Ok(precision));
        }
        let error = "f8".parse::<Precision>().unwrap_err().to_string();
        assert_eq!(error, "there is no precision `f8`: say full, tf32, bf16 or f16");
    }
}
