//! Models have numbers in `f32` or in `f64`, and Python's classes have no type parameters: they hold one or the other.

use std::sync::Arc;

use edb::Element;
use pyo3::prelude::*;

/// A value for models in `f32`, or one for models in `f64`.
#[derive(Clone, Debug)]
pub(crate) enum Of<A, B> {
    F32(A),
    F64(B),
}

/// Does the same with a value of either type.
macro_rules! each {
    ($of:expr, $name:pat => $body:expr) => {
        match $of {
            $crate::number::Of::F32($name) => $body,
            $crate::number::Of::F64($name) => $body,
        }
    };
}
pub(crate) use each;

/// Makes of a value of either type another of the same.
macro_rules! map {
    ($of:expr, $name:pat => $body:expr) => {
        match $of {
            $crate::number::Of::F32($name) => $crate::number::Of::F32($body),
            $crate::number::Of::F64($name) => $crate::number::Of::F64($body),
        }
    };
}
pub(crate) use map;

/// The type of a model's numbers.
pub(crate) trait Number:
    Element + numpy::Element + for<'a, 'py> FromPyObject<'a, 'py>
{
}

impl Number for f32 {}
impl Number for f64 {}

/// The value, alone or copied if it is shared.
pub(crate) fn own<T: Clone>(shared: &mut Arc<T>) -> &mut T {
    Arc::make_mut(shared)
}

/// Runs something without Python's lock.
pub(crate) fn unlocked<R: Send>(py: Python<'_>, work: impl FnOnce() -> R + Send) -> R {
    py.detach(work)
}
