//! Which CUDA libraries are installed. cudarc panics if one is missing, so this is checked first.

use cudarc::get_lib_name_candidates;

use crate::error::CudaError;

/// A CUDA library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DynamicLibrary {
    /// `libcuda`, which comes with the driver.
    Driver,
    /// `libnvrtc`, the run-time compiler.
    Nvrtc,
    /// `libcublas`, for matrix products.
    Cublas,
}

impl DynamicLibrary {
    /// All libraries that a device needs.
    pub const ALL: [DynamicLibrary; 3] =
        [DynamicLibrary::Driver, DynamicLibrary::Nvrtc, DynamicLibrary::Cublas];

    fn is_present(self) -> bool {
        // SAFETY: the libraries are opened just as cudarc opens them, and those of CUDA may be
        // opened at any time.
        unsafe {
            match self {
                DynamicLibrary::Driver => cudarc::driver::sys::is_culib_present(),
                DynamicLibrary::Nvrtc => cudarc::nvrtc::sys::is_culib_present(),
                DynamicLibrary::Cublas => cudarc::cublas::sys::is_culib_present(),
            }
        }
    }

    /// Fails if the library is missing.
    ///
    /// # Errors
    /// [`CudaError::DynamicLibrary`], with the names and directories that were searched.
    pub fn check(self) -> Result<(), CudaError> {
        if self.is_present() {
            return Ok(());
        }
        let (what, name, remedy) = match self {
            DynamicLibrary::Driver => {
                ("the CUDA driver", "cuda", "install the driver of the graphics card")
            }
            DynamicLibrary::Nvrtc => (
                "NVRTC",
                "nvrtc",
                "install the CUDA toolkit, or the PyPI package nvidia-cuda-nvrtc",
            ),
            DynamicLibrary::Cublas => {
                ("cuBLAS", "cublas", "install the CUDA toolkit, or the PyPI package nvidia-cublas")
            }
        };
        let mut names = get_lib_name_candidates(name);
        names.sort();
        names.dedup();
        let path = std::env::var("LD_LIBRARY_PATH").unwrap_or_else(|_| "not set".into());
        Err(CudaError::DynamicLibrary { what, names: names.join(", "), path, remedy })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_missing_library() {
        for library in DynamicLibrary::ALL {
            let Err(error) = library.check() else { continue };
            let message = error.to_string();
            let name = match library {
                DynamicLibrary::Driver => "libcuda.so",
                DynamicLibrary::Nvrtc => "libnvrtc.so.13",
                DynamicLibrary::Cublas => "libcublas.so.13",
            };
            assert!(message.contains(name), "{message}");
            assert!(message.contains("LD_LIBRARY_PATH="), "{message}");
        }
    }
}
