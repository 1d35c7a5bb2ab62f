//! First values from a safetensors file.

use std::path::Path;

use super::Initializer;
use crate::learn::checkpoint::TensorFile;
use crate::learn::error::LearnError;

impl Initializer {
    /// A tensor of a safetensors file, in `F32` or `F64`, which must have the parameter's shape. It is
    /// read now.
    ///
    /// # Errors
    ///
    /// [`LearnError::Io`]; [`LearnError::Corrupt`] if it is no safetensors file;
    /// [`LearnError::NoTensor`] if it has no tensor of this name and of one of these types.
    pub fn safetensors(path: impl AsRef<Path>, tensor: &str) -> Result<Self, LearnError> {
        let path = path.as_ref();
        let mut file = TensorFile::open(path)?;
        let (shape, values) = file.read(tensor)?;
        Ok(Self::values(shape, values, format!("`{tensor}` of {}", path.display())))
    }
}
