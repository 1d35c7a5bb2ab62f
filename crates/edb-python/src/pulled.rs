//! What vertices pull, from Python's values.

use std::collections::HashMap;

use edb::graph::Pulled;
use edb::model::Summary;
use edb::port::FieldKind;
use numpy::{
    AllowTypeChange, PyArrayDescrMethods, PyArrayDyn, PyArrayLikeDyn, PyArrayMethods,
    PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::errors::{GraphError, Result};
use crate::number::Number;

/// A tensor of a graph, which several of its vertices may pull: `graph.tensor(array)`.
#[pyclass(frozen, module = "edb")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tensor {
    pub(crate) handle: edb::Tensor,
    pub(crate) length: usize,
}

#[pymethods]
impl Tensor {
    fn __len__(&self) -> usize {
        self.length
    }
}

/// What a vertex pushes, to be pulled by another one: `graph.output(vertex, field)`.
#[pyclass(frozen, module = "edb")]
#[derive(Clone, Debug)]
pub(crate) struct Output {
    pub(crate) vertex: usize,
    pub(crate) field: String,
}

/// A field that a function pulls.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    name: String,
    kind: FieldKind,
    /// The shape of a tensor, if it is known.
    shape: Option<Vec<usize>>,
}

/// The fields that each function pulls.
#[derive(Debug)]
pub(crate) struct Fields(HashMap<String, Vec<Field>>);

impl Fields {
    pub(crate) fn new(summary: &Summary) -> Self {
        let fields = |function: &edb::model::FunctionSummary| {
            let field = |field: &edb::model::FieldSummary| Field {
                name: field.name.clone(),
                kind: field.kind,
                shape: field.shape.clone(),
            };
            (function.signature.name.clone(), function.input.iter().map(field).collect())
        };
        Self(summary.functions.iter().map(fields).collect())
    }

    /// The field of a function. If there is none, edb says so when the vertex is added; any kind does until then.
    pub(crate) fn find(&self, function: &str, name: &str) -> Field {
        let fields = self.0.get(function).map_or(&[][..], Vec::as_slice);
        let found = fields.iter().find(|field| field.name == name).cloned();
        found.unwrap_or(Field { name: name.to_owned(), kind: FieldKind::Tensor, shape: None })
    }
}

/// What a vertex pulls for a field.
pub(crate) enum Given<'py, T: Number> {
    Index(u32),
    Indices(Vec<u32>),
    /// An array whose numbers are of the model's type and lie row by row: it is not copied before the graph has it.
    Array(PyReadonlyArrayDyn<'py, T>),
    /// Numbers that had to be converted.
    Numbers(Vec<T>),
    Tensor(edb::Tensor),
    Output(Output),
}

impl<'py, T: Number> Given<'py, T> {
    /// Reads a value for a field.
    pub(crate) fn new(field: &Field, value: &Bound<'py, PyAny>) -> Result<Self> {
        if let Ok(output) = value.cast::<Output>() {
            return Ok(Self::Output(output.get().clone()));
        }
        if let Ok(tensor) = value.cast::<Tensor>() {
            return Ok(Self::Tensor(tensor.get().handle));
        }
        Ok(match field.kind {
            FieldKind::Index => Self::Index(named(field, "an index", index(value))?),
            FieldKind::Indices => Self::Indices(named(field, "a list of indices", indices(value))?),
            FieldKind::Tensor => {
                let array = Array::new(value).map_err(|error| field.refuse("a tensor", &error))?;
                field.check_shape(array.shape())?;
                array.given()
            }
        })
    }

    pub(crate) fn pulled(&self) -> Pulled<'_, T> {
        match self {
            Self::Index(index) => Pulled::Index(*index),
            Self::Indices(indices) => Pulled::Indices(indices),
            // It was contiguous when it was taken.
            Self::Array(array) => Pulled::Values(array.as_slice().unwrap_or(&[])),
            Self::Numbers(numbers) => Pulled::Values(numbers),
            Self::Tensor(tensor) => Pulled::Tensor(*tensor),
            Self::Output(Output { vertex, field }) => Pulled::Output { vertex: *vertex, field },
        }
    }
}

impl Field {
    pub(crate) fn kind(&self) -> FieldKind {
        self.kind
    }

    fn refuse(&self, wanted: &str, error: &PyErr) -> PyErr {
        PyTypeError::new_err(format!("`{}` is {wanted}: {error}", self.name))
    }

    /// A tensor may also be given as one list of numbers, as in JSON. How many there are, the graph checks.
    pub(crate) fn check_shape(&self, found: &[usize]) -> Result<()> {
        match &self.shape {
            Some(shape) if found.len() > 1 && found != shape.as_slice() => {
                let name = &self.name;
                Err(GraphError::new_err(format!(
                    "`{name}` has the shape {shape:?}, and the array {found:?}"
                ))
                .into())
            }
            _ => Ok(()),
        }
    }
}

fn named<V>(field: &Field, wanted: &str, found: PyResult<V>) -> PyResult<V> {
    found.map_err(|error| field.refuse(wanted, &error))
}

/// An index, which is no truth.
fn index(value: &Bound<'_, PyAny>) -> PyResult<u32> {
    if value.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err(format!("{value} is no number")));
    }
    let number: i128 = value.extract()?;
    u32::try_from(number)
        .map_err(|_| PyValueError::new_err(format!("{number} is not between 0 and {}", u32::MAX)))
}

/// Indices, from an array of one dimension or from anything that Python can go through.
pub(crate) fn indices(value: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    let Ok(array) = value.cast::<PyUntypedArray>() else {
        let mut indices = Vec::new();
        for item in value.try_iter()? {
            push(&mut indices, index(&item?)?)?;
        }
        return Ok(indices);
    };
    if array.ndim() != 1 || !matches!(array.dtype().kind(), b'i' | b'u') {
        let (shape, of) = (array.shape(), array.dtype());
        return Err(PyTypeError::new_err(format!(
            "an array of shape {shape:?} of {of} is no list of indices: let it have one dimension, of integers"
        )));
    }
    let array: PyArrayLikeDyn<'_, i64, AllowTypeChange> = value.extract()?;
    let mut indices = Vec::new();
    for number in array.as_array() {
        let index = u32::try_from(*number);
        let wrong =
            |_| PyValueError::new_err(format!("{number} is not between 0 and {}", u32::MAX));
        push(&mut indices, index.map_err(wrong)?)?;
    }
    Ok(indices)
}

/// Adds to a list whose length nobody has promised.
pub(crate) fn push<V>(list: &mut Vec<V>, value: V) -> PyResult<()> {
    list.try_reserve(1).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
    list.push(value);
    Ok(())
}

/// Numbers from Python: an array as it is, if its numbers are of this type and lie row by row, or a copy.
pub(crate) enum Array<'py, T: Number> {
    Own(PyReadonlyArrayDyn<'py, T>),
    Copied(Vec<usize>, Vec<T>),
}

impl<'py, T: Number> Array<'py, T> {
    pub(crate) fn new(value: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(array) = value.cast::<PyArrayDyn<T>>() {
            let array = array.try_readonly()?;
            if array.as_slice().is_ok() {
                return Ok(Self::Own(array));
            }
        }
        let array = match value.cast::<PyUntypedArray>() {
            Ok(array) => array.clone(),
            Err(_) => value.py().import("numpy")?.call_method1("asarray", (value,))?.cast_into()?,
        };
        // What numpy would silently make numbers of, such as texts and truths, is refused.
        if !matches!(array.dtype().kind(), b'f' | b'i' | b'u') {
            let of = array.dtype();
            return Err(PyTypeError::new_err(format!("an array of {of} is none of numbers")));
        }
        let shape = array.shape().to_vec();
        let mut values = Vec::new();
        // A view may repeat a number more often than memory has room.
        let reserved = values.try_reserve_exact(shape.iter().product());
        reserved.map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        let array: PyArrayLikeDyn<'py, T, AllowTypeChange> = array.extract()?;
        values.extend(array.as_array().iter().copied());
        Ok(Self::Copied(shape, values))
    }

    pub(crate) fn shape(&self) -> &[usize] {
        match self {
            Self::Own(array) => array.shape(),
            Self::Copied(shape, _) => shape,
        }
    }

    /// The numbers, row by row.
    pub(crate) fn values(&self) -> &[T] {
        match self {
            // It was contiguous when it was taken.
            Self::Own(array) => array.as_slice().unwrap_or(&[]),
            Self::Copied(_, values) => values,
        }
    }

    fn given(self) -> Given<'py, T> {
        match self {
            Self::Own(array) => Given::Array(array),
            Self::Copied(_, values) => Given::Numbers(values),
        }
    }
}
