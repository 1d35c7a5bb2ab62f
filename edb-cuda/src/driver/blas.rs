//! Products, by cuBLAS.

use std::ffi::c_int;
use std::sync::Mutex;

use cudarc::cublas::{result, sys};
use cudarc::driver::sys::CUstream;

use super::{Matrix, Product};

/// What NVIDIA recommends for the H100; without a workspace of its own a handle allocates while it
/// runs, and its results may differ from run to run.
pub(super) const WORKSPACE: usize = 32 << 20;

/// A handle of cuBLAS that works on one stream.
#[derive(Debug)]
pub(super) struct Blas(Mutex<sys::cublasHandle_t>);

// SAFETY: a handle may be used by one thread after the other, which the lock sees to.
unsafe impl Send for Blas {}
// SAFETY: as above.
unsafe impl Sync for Blas {}

impl Blas {
    /// Needs the context to be current, a stream of it, and [`WORKSPACE`] bytes of its memory.
    pub(super) fn new(
        stream: CUstream,
        workspace: u64,
        tf32: bool,
    ) -> Result<Self, result::CublasError> {
        let handle = result::create_handle()?;
        let math = match tf32 {
            true => sys::cublasMath_t::CUBLAS_TF32_TENSOR_OP_MATH,
            false => sys::cublasMath_t::CUBLAS_DEFAULT_MATH,
        };
        // SAFETY: handle and stream are of the current context, and the workspace is as large as said.
        unsafe {
            result::set_stream(handle, stream.cast())?;
            sys::cublasSetWorkspace_v2(handle, workspace as *mut _, WORKSPACE).result()?;
            sys::cublasSetMathMode(handle, math).result()?;
        }
        Ok(Self(Mutex::new(handle)))
    }

    pub(super) fn multiply(&self, product: &Product) -> Result<(), result::CublasError> {
        let handle = self.0.lock().unwrap_or_else(|poison| poison.into_inner());
        // cuBLAS counts by columns: what it sees of a matrix is the transpose, and `Cᵀ = Bᵀ Aᵀ`.
        let [m, n, k] = product.size.map(|size| size as c_int);
        let operation = |matrix: &Matrix| match matrix.transposed {
            true => sys::cublasOperation_t::CUBLAS_OP_T,
            false => sys::cublasOperation_t::CUBLAS_OP_N,
        };
        let (left, right) = (&product.b, &product.a);
        let (left_operation, right_operation) = (operation(left), operation(right));
        let [a, b, c] = [left, right, &product.c].map(|matrix| matrix.stride as c_int);
        macro_rules! gemm {
            ($gemm:path, $real:ty) => {{
                let one: $real = 1.0;
                let beta: $real = if product.added { 1.0 } else { 0.0 };
                let (x, y) = (left.at as *const $real, right.at as *const $real);
                let out = product.c.at as *mut $real;
                // SAFETY: the matrices are in the memory of the handle's device, as large as their
                // sizes and strides say, by the word of whoever asks for the product.
                unsafe {
                    $gemm(
                        *handle,
                        left_operation,
                        right_operation,
                        n,
                        m,
                        k,
                        &one,
                        x,
                        a,
                        y,
                        b,
                        &beta,
                        out,
                        c,
                    )
                }
            }};
        }
        match product.double {
            false => gemm!(result::sgemm, f32),
            true => gemm!(result::dgemm, f64),
        }
    }
}

impl Drop for Blas {
    fn drop(&mut self) {
        let handle = *self.0.get_mut().unwrap_or_else(|poison| poison.into_inner());
        // SAFETY: nobody uses it any more.
        let _ = unsafe { result::destroy_handle(handle) };
    }
}
