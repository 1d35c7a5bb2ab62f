//! Reference files written by the scripts in `tests/pytorch`.

use edb_core::element::Element;
use safetensors::SafeTensors;

/// The tensors of one script.
pub struct Reference(&'static [u8]);

impl Reference {
    /// The tensors of `tests/pytorch/NAME.safetensors`. They are compiled in, since a test program
    /// may run on another machine than the one that built it.
    ///
    /// # Panics
    /// When there is no such file.
    pub fn read(name: &str) -> Self {
        Self(match name {
            "edges" => include_bytes!("../../tests/pytorch/edges.safetensors"),
            "layers" => include_bytes!("../../tests/pytorch/layers.safetensors"),
            "ops" => include_bytes!("../../tests/pytorch/ops.safetensors"),
            "optimizers" => include_bytes!("../../tests/pytorch/optimizers.safetensors"),
            other => panic!("tests/pytorch/{other}.safetensors is not compiled in"),
        })
    }

    /// The values of a tensor, if it is there with this element type.
    pub fn get<T: Element>(&self, name: &str) -> Option<Vec<T>> {
        let file = SafeTensors::deserialize(self.0).unwrap();
        let tensor = file.tensor(name).ok()?;
        assert_eq!(tensor.dtype(), T::DTYPE, "{name}");
        Some(tensor.data().chunks_exact(size_of::<T>()).map(T::read_le).collect())
    }

    /// The names of all tensors.
    pub fn names(&self) -> Vec<String> {
        let file = SafeTensors::deserialize(self.0).unwrap();
        file.names().into_iter().map(String::from).collect()
    }
}
