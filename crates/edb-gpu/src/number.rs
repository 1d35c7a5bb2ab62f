//! Number types: those of arithmetic, and those in which values are stored.
//!
//! Numbers of 16 bits are for storage, never for arithmetic: kernels and products compute and sum
//! in `f32`, and values that belong to parameters or losses have 32 bits.

use edb_core::backend::BoundFunction;
use edb_core::engine::Precision;
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

/// The number type in which values are stored, if it is not that of arithmetic.
fn stored(precision: Precision) -> Option<Number> {
    match precision {
        Precision::Full | Precision::Tf32 => None,
        Precision::Bf16 => Some(Number::Bf16),
        Precision::F16 => Some(Number::F16),
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
        match stored(precision) {
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
