//! Reference files written by the scripts in `tests/pytorch`.

use std::fs;
use std::path::Path;

use edb_core::element::Element;
use safetensors::SafeTensors;

/// The tensors of one script.
pub struct Reference(Vec<u8>);

impl Reference {
    /// The tensors of `tests/pytorch/NAME.safetensors`.
    pub fn read(name: &str) -> Self {
        let path = format!("../../tests/pytorch/{name}.safetensors");
        Self(fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap())
    }

    /// The values of a tensor, if it is there with this element type.
    pub fn get<T: Element>(&self, name: &str) -> Option<Vec<T>> {
        let file = SafeTensors::deserialize(&self.0).unwrap();
        let tensor = file.tensor(name).ok()?;
        assert_eq!(tensor.dtype(), T::DTYPE, "{name}");
        Some(tensor.data().chunks_exact(size_of::<T>()).map(T::read_le).collect())
    }

    /// The names of all tensors.
    pub fn names(&self) -> Vec<String> {
        let file = SafeTensors::deserialize(&self.0).unwrap();
        file.names().into_iter().map(String::from).collect()
    }
}
