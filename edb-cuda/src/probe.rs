//! Which libraries of CUDA are there. cudarc panics where one is missing, so that this is asked first.

use cudarc::get_lib_name_candidates;

use crate::error::CudaError;

/// A library of CUDA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// `libcuda`, which comes with the driver.
    Driver,
    /// `libnvrtc`, the compiler.
    Nvrtc,
    /// `libcublas`, the products.
    Cublas,
}

impl Library {
    /// All that a device needs.
    pub const ALL: [Library; 3] = [Library::Driver, Library::Nvrtc, Library::Cublas];

    fn is_present(self) -> bool {
        // SAFETY: the libraries are opened as they are going to be used; CUDA's may be opened at any
        // time.
        unsafe {
            match self {
                Library::Driver => cudarc::driver::sys::is_culib_present(),
                Library::Nvrtc => cudarc::nvrtc::sys::is_culib_present(),
                Library::Cublas => cudarc::cublas::sys::is_culib_present(),
            }
        }
    }

    /// Fails where the library is not there.
    ///
    /// # Errors
    /// [`CudaError::Library`] says what was looked for, and where.
    pub fn check(self) -> Result<(), CudaError> {
        if self.is_present() {
            return Ok(());
        }
        let (what, name, remedy) = match self {
            Library::Driver => {
                ("the CUDA driver", "cuda", "install the driver of the graphics card")
            }
            Library::Nvrtc => (
                "NVRTC",
                "nvrtc",
                "install the CUDA toolkit, or the PyPI package nvidia-cuda-nvrtc",
            ),
            Library::Cublas => {
                ("cuBLAS", "cublas", "install the CUDA toolkit, or the PyPI package nvidia-cublas")
            }
        };
        let mut names = get_lib_name_candidates(name);
        names.sort();
        names.dedup();
        let path = std::env::var("LD_LIBRARY_PATH").unwrap_or_else(|_| "not set".into());
        Err(CudaError::Library { what, names: names.join(", "), path, remedy })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_said() {
        for library in Library::ALL {
            let Err(error) = library.check() else { continue };
            let message = error.to_string();
            let name = match library {
                Library::Driver => "libcuda.so",
                Library::Nvrtc => "libnvrtc.so.13",
                Library::Cublas => "libcublas.so.13",
            };
            assert!(message.contains(name), "{message}");
            assert!(message.contains("LD_LIBRARY_PATH="), "{message}");
        }
    }
}
