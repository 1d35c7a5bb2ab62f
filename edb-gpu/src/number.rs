//! Number types: those of arithmetic, and those in which values are stored.

use std::fmt;
use std::str::FromStr;

use edb_core::backend::BoundFunction;
use edb_ir::{Domain, Home, RecordId};

/// A number type in a device's memory.
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
    pub(crate) fn of_element<T>() -> Self {
        if size_of::<T>() == 8 { Self::F64 } else { Self::F32 }
    }

    /// Its size in bytes.
    pub fn size(self) -> usize {
        match self {
            Self::F64 => 8,
            Self::F32 => 4,
            Self::F16 | Self::Bf16 => 2,
        }
    }
}

/// The numeric precision in which a GPU computes a `Model<f32>`. In every case, kernels and sums
/// compute in 32 bits, and parameters, their gradients, losses and the optimiser's state are stored
/// in 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// The precision of the model's type: values are stored and multiplied in 32 bits.
    #[default]
    Full,
    /// Values are stored in 32 bits, but products round their operands to a significand of 11 bits
    /// (TF32), for which tensor cores are several times as fast.
    Tf32,
    /// The values of vertices, the values that are kept for the backward pass, and the gradients of
    /// both have 16 bits, with the range of `f32` and a significand of 8 bits; so have the copies
    /// of parameters that products read. This halves the memory and the traffic.
    Bf16,
    /// The same with a significand of 11 bits and less range: values above 65504 become infinite,
    /// and values below 3e-8 become zero. To keep small gradients, the backward pass is
    /// [scaled](edb_core::engine::LossScale); a step whose scaled gradients overflow is skipped. A
    /// value of the forward pass that overflows is infinite. [`Bf16`](Self::Bf16) needs none of
    /// this.
    F16,
}

/// The name: `full`, `tf32`, `bf16`, `f16`.
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
    /// The number type in which values are stored, if it is not that of arithmetic.
    fn stored(self) -> Option<Number> {
        match self {
            Self::Full | Self::Tf32 => None,
            Self::Bf16 => Some(Number::Bf16),
            Self::F16 => Some(Number::F16),
        }
    }
}

/// The number types of a back end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// The type of arithmetic, in which parameters, sums and losses are stored too.
    pub real: Number,
    /// The type in which all other values are stored.
    pub stored: Number,
}

impl Numbers {
    /// The types for a model of elements `T`; `None` if it does not support this precision.
    pub(crate) fn new<T>(precision: Precision) -> Option<Self> {
        let real = Number::of_element::<T>();
        match precision.stored() {
            None => Some(Self { real, stored: real }),
            Some(stored) => (real == Number::F32).then_some(Self { real, stored }),
        }
    }

    /// Whether values are stored in fewer bits than they are computed in.
    pub(crate) fn is_narrow(self) -> bool {
        self.real != self.stored
    }

    /// Whether gradients are stored in a type of smaller range than that of losses.
    pub(crate) fn scales_losses(self) -> bool {
        self.stored == Number::F16
    }

    /// The number type in which a record of a function is stored.
    pub(crate) fn of_record(self, function: &BoundFunction, record: RecordId) -> Number {
        if self.is_narrow() && is_wide(function, record) { self.real } else { self.stored }
    }
}

/// Whether a record is stored in full precision, because its numbers are few or are sums:
/// parameters, values computed from them, their gradients, and losses.
fn is_wide(function: &BoundFunction, record: RecordId) -> bool {
    let bound = &function.routine.records[record];
    if bound.domain == Domain::Step {
        return true;
    }
    let program = &function.plan.program;
    let holds = |id| {
        let span = function.plan.routine.shown(id);
        span.is_some_and(|span| span.record == record)
    };
    // A loss that is also a field of the state, or a gradient that other vertices read, is narrow.
    let gradients = &program.gradients;
    let mut read = gradients.children.iter().map(|(_, _, gradient)| *gradient);
    let mut pulled = gradients.pulls.iter().map(|(_, gradient)| *gradient);
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
