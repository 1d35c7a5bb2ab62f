//! Compiles CUDA C++ to machine code: NVRTC, with a cache on disk.

mod cache;

use std::ffi::{CStr, CString, c_char};

use cudarc::nvrtc::{result, sys};
use edb_gpu::GpuError;
use edb_gpu::driver::Source;
use sha2::{Digest, Sha256};

pub use cache::Cache;

use crate::error::CudaError;
use crate::probe::DynamicLibrary;

/// A compute capability, major and minor: `(8, 0)` for the A100, `(9, 0)` for the H100 and H200.
pub type Architecture = (u32, u32);

/// The oldest supported architecture.
pub const OLDEST: Architecture = (8, 0);

/// A compiled source.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The machine code, as the driver loads it.
    pub cubin: Vec<u8>,
    /// The compiler's log: the registers and spills of each kernel.
    pub log: String,
}

/// NVRTC.
#[derive(Clone, Debug)]
pub struct Compiler {
    version: (i32, i32),
}

impl Compiler {
    /// The compiler of this machine. It needs neither a driver nor a device.
    ///
    /// # Errors
    /// [`CudaError::DynamicLibrary`] if it is missing.
    pub fn new() -> Result<Self, CudaError> {
        DynamicLibrary::Nvrtc.check()?;
        let mut version = (0, 0);
        // SAFETY: the library is loaded, and both numbers are written before the call returns.
        let found = unsafe { sys::nvrtcVersion(&mut version.0, &mut version.1) };
        found.result().map_err(|error| failed(error.to_string()))?;
        Ok(Self { version })
    }

    fn options(source: &Source, architecture: Architecture) -> Vec<String> {
        let (major, minor) = architecture;
        vec![
            format!("--fmad={}", !source.exact),
            format!("--gpu-architecture=sm_{major}{minor}"),
            "--std=c++17".into(),
            // NVRTC 13.0 and 13.1 take a generic lambda in a kernel for a function of the host.
            "--device-as-default-execution-space".into(),
            // Report registers and spills in the log.
            "--ptxas-options=--verbose".into(),
            // Helper functions that a source does not use are not an error.
            "--diag-suppress=177".into(),
        ]
    }

    /// The cache key of a compiled source.
    pub fn key(&self, source: &Source, architecture: Architecture) -> String {
        let mut digest = Sha256::new();
        let (major, minor) = self.version;
        let options = Self::options(source, architecture).join(" ");
        let parts = [&source.text, &options, &format!("{major}.{minor}")];
        for part in parts {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part.as_bytes());
        }
        digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Compiles a source.
    ///
    /// # Errors
    /// [`GpuError::Compile`] with the compiler's log.
    pub fn compile(
        &self,
        source: &Source,
        architecture: Architecture,
    ) -> Result<Compiled, GpuError> {
        let text = CString::new(source.text.as_str()).map_err(|error| failed(error.to_string()))?;
        let name: &CStr = c"edb.cu";
        let program =
            result::create_program(&text, Some(name)).map_err(|error| failed(error.to_string()))?;
        let program = Program(program);
        // SAFETY: the program is valid, and its text is still alive.
        let compiled =
            unsafe { result::compile_program(program.0, &Self::options(source, architecture)) };
        let log = program.log();
        compiled.map_err(|error| failed(format!("{error}\n{log}")))?;
        let cubin = program.cubin().map_err(|error| failed(error.to_string()))?;
        Ok(Compiled { cubin, log })
    }
}

fn failed(log: String) -> GpuError {
    GpuError::Compile { log }
}

/// A program of NVRTC, destroyed when dropped.
struct Program(sys::nvrtcProgram);

impl Program {
    fn log(&self) -> String {
        // SAFETY: the program is valid until it is dropped.
        let log = unsafe { result::get_program_log(self.0) }.unwrap_or_default();
        let bytes: Vec<u8> = log.iter().flat_map(|c: &c_char| c.to_ne_bytes()).collect();
        String::from_utf8_lossy(&bytes).trim_end_matches('\0').into()
    }

    fn cubin(&self) -> Result<Vec<u8>, result::NvrtcError> {
        let mut size = 0;
        // SAFETY: the program is valid and compiled; the buffer has the size that NVRTC reports.
        unsafe {
            sys::nvrtcGetCUBINSize(self.0, &mut size).result()?;
            let mut cubin = vec![0_u8; size];
            sys::nvrtcGetCUBIN(self.0, cubin.as_mut_ptr().cast()).result()?;
            Ok(cubin)
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: the program is dropped, so no one uses it any more. Errors are ignored.
        let _ = unsafe { result::destroy_program(self.0) };
    }
}
