//! Initial values from an array or a file.

use std::path::Path;
use std::sync::Arc;

use ndarray::ArrayViewD;

use super::Initializer;
use crate::error::LearnError;
use crate::files::TensorFile;
use edb_kernels::element::Element;
use edb_kernels::room::room;

/// Given initial values of a parameter, and where they come from. Cheap to clone.
#[derive(Debug, Clone, PartialEq)]
pub struct Values {
    shape: Vec<usize>,
    values: Arc<[f64]>,
    source: String,
}

impl Values {
    pub(super) fn new(shape: Vec<usize>, values: Vec<f64>, source: String) -> Self {
        Self { shape, values: values.into(), source }
    }

    /// The values of an array, which must have the parameter's shape. `dims! { .. }.init("u", values)` makes
    /// them the initial values of a parameter.
    ///
    /// ```
    /// # extern crate edb_learn as edb;
    /// use edb::learn::Values;
    ///
    /// let eye = ndarray::Array2::<f32>::eye(3);
    /// let values: Vec<f32> = Values::array(eye.view().into_dyn()).fill(&[3, 3], "cell.u")?;
    /// assert_eq!(values[..4], [1.0, 0.0, 0.0, 0.0]);
    /// # Ok::<(), edb::learn::LearnError>(())
    /// ```
    pub fn array<T: Element>(array: ArrayViewD<'_, T>) -> Self {
        let values = array.iter().map(|value| value.as_f64()).collect();
        Self::new(array.shape().to_vec(), values, "the array".to_owned())
    }

    /// A tensor of a safetensors file, in `F32` or `F64`, which must have the parameter's shape.
    /// The file is read at once.
    ///
    /// # Errors
    ///
    /// [`LearnError::Io`]; [`LearnError::Zip`] or [`LearnError::Corrupt`] if it is not a safetensors file;
    /// [`LearnError::NoTensor`] if it has no tensor of this name, [`LearnError::TensorType`] if it is
    /// of another type.
    pub fn safetensors(path: impl AsRef<Path>, tensor: &str) -> Result<Self, LearnError> {
        let path = path.as_ref();
        let mut file = TensorFile::open(path)?;
        let (shape, values) = file.read(tensor)?;
        Ok(Self::new(shape, values, format!("`{tensor}` of {}", path.display())))
    }

    /// The values, row-major and rounded to `T`, for a parameter of this shape and name.
    ///
    /// # Errors
    ///
    /// [`LearnError::ValuesShape`] if they have another shape; [`LearnError::Memory`].
    pub fn fill<T: Element>(&self, shape: &[usize], name: &str) -> Result<Vec<T>, LearnError> {
        if self.shape != shape {
            return Err(LearnError::ValuesShape {
                parameter: name.to_owned(),
                shape: shape.to_vec(),
                source_shape: self.shape.clone(),
                origin: self.source.clone(),
            });
        }
        let count = self.values.len();
        let mut values = room(count).map_err(LearnError::memory::<T>(name, count))?;
        values.extend(self.values.iter().map(|value| T::from_f64(*value)));
        Ok(values)
    }
}

/// The initial values of a parameter: from an [`Initializer`], or given [`Values`].
#[derive(Debug, Clone, PartialEq)]
pub enum Start {
    /// By an initialiser.
    Initializer(Initializer),
    /// Given values.
    Values(Values),
}

impl From<Initializer> for Start {
    fn from(initializer: Initializer) -> Self {
        Self::Initializer(initializer)
    }
}

impl From<Values> for Start {
    fn from(values: Values) -> Self {
        Self::Values(values)
    }
}

impl Start {
    /// The initial values of a parameter, row-major.
    ///
    /// # Errors
    ///
    /// As [`Initializer::fill`] and [`Values::fill`].
    pub fn fill<T: Element>(
        &self,
        shape: &[usize],
        seed: u64,
        name: &str,
    ) -> Result<Vec<T>, LearnError> {
        match self {
            Self::Initializer(initializer) => initializer.fill(shape, seed, name),
            Self::Values(values) => values.fill(shape, name),
        }
    }
}
