//! Products, by cuBLAS.

use std::ffi::{c_int, c_void};
use std::sync::Mutex;

use cudarc::cublas::{result, sys};
use cudarc::driver::sys::CUstream;
use edb_core::engine::Precision;
use edb_gpu::Number;
use edb_gpu::driver::{Matrix, Product};

/// The size that NVIDIA recommends for the H100. Without a workspace of its own, a handle allocates
/// memory at run time, and its results may differ from run to run.
pub(super) const WORKSPACE: usize = 32 << 20;

/// A handle of cuBLAS that works on one stream.
#[derive(Debug)]
pub(super) struct Blas(Mutex<sys::cublasHandle_t>);

// SAFETY: a handle may be used from several threads, one at a time, which the lock ensures.
unsafe impl Send for Blas {}
// SAFETY: as above.
unsafe impl Sync for Blas {}

impl Blas {
    /// The context must be current, and `stream` and the [`WORKSPACE`] bytes must belong to it.
    pub(super) fn new(
        stream: CUstream,
        workspace: u64,
        precision: Precision,
    ) -> Result<Self, result::CublasError> {
        let handle = result::create_handle()?;
        let math = match precision {
            Precision::Full => sys::cublasMath_t::CUBLAS_DEFAULT_MATH,
            Precision::Tf32 => sys::cublasMath_t::CUBLAS_TF32_TENSOR_OP_MATH,
            // Partial sums (split-K) are added up in 32 bits, too.
            Precision::Bf16 | Precision::F16 => {
                sys::cublasMath_t::CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION
            }
        };
        // SAFETY: handle and stream are of the current context, and the workspace has the stated
        // size.
        unsafe {
            result::set_stream(handle, stream.cast())?;
            sys::cublasSetWorkspace_v2(handle, workspace as *mut _, WORKSPACE).result()?;
            sys::cublasSetMathMode(handle, math).result()?;
        }
        Ok(Self(Mutex::new(handle)))
    }

    pub(super) fn multiply(&self, product: &Product) -> Result<(), result::CublasError> {
        let handle = self.0.lock().unwrap_or_else(|poison| poison.into_inner());
        // cuBLAS is column-major: it sees the transpose of each matrix, and `Cᵀ = Bᵀ Aᵀ`.
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
                let (x, y) = (left.address as *const $real, right.address as *const $real);
                let out = product.c.address as *mut $real;
                // SAFETY: the matrices are in the memory of the handle's device, as large as their
                // sizes and strides say, which the caller guarantees.
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
        match (product.operand_type, product.result_type) {
            (Number::F32, Number::F32) => gemm!(result::sgemm, f32),
            (Number::F64, Number::F64) => gemm!(result::dgemm, f64),
            (operand_type, result_type) => {
                let one = 1.0_f32;
                let beta: f32 = if product.added { 1.0 } else { 0.0 };
                let pointer = |number: &f32| std::ptr::from_ref(number).cast::<c_void>();
                // SAFETY: as above; products that accumulate in 32 bits take scalars of 32 bits.
                unsafe {
                    result::gemm_ex(
                        *handle,
                        left_operation,
                        right_operation,
                        n,
                        m,
                        k,
                        pointer(&one),
                        left.address as *const c_void,
                        data_type(operand_type),
                        a,
                        right.address as *const c_void,
                        data_type(operand_type),
                        b,
                        pointer(&beta),
                        product.c.address as *mut c_void,
                        data_type(result_type),
                        c,
                        sys::cublasComputeType_t::CUBLAS_COMPUTE_32F,
                        sys::cublasGemmAlgo_t::CUBLAS_GEMM_DEFAULT,
                    )
                }
            }
        }
    }
}

fn data_type(number: Number) -> sys::cudaDataType {
    match number {
        Number::F64 => sys::cudaDataType::CUDA_R_64F,
        Number::F32 => sys::cudaDataType::CUDA_R_32F,
        Number::F16 => sys::cudaDataType::CUDA_R_16F,
        Number::Bf16 => sys::cudaDataType::CUDA_R_16BF,
    }
}

impl Drop for Blas {
    fn drop(&mut self) {
        let handle = *self.0.get_mut().unwrap_or_else(|poison| poison.into_inner());
        // SAFETY: the handle is dropped, so no one uses it any more.
        let _ = unsafe { result::destroy_handle(handle) };
    }
}
