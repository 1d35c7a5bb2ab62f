//! An NVIDIA GPU as the driver of a back end.
//!
//! | module | what it is |
//! | --- | --- |
//! | `cuda` | a GPU, through the CUDA driver API |
//! | `blas` | its products, through cuBLAS |
//! | `nccl` | memory that goes to other GPUs, through NCCL |
//! | `pinned` | which pinned host memory is free for copies to it |
//!
//! `Cuda` uses addresses, handles, marks and recordings as pointers, and connections as places. It
//! is therefore private to this crate, so that nobody can pass it an integer of their own:
//!
//! ```compile_fail,E0603
//! use edb_cuda::driver::Cuda;
//! ```
//!
//! It is given to `edb_gpu::device` and to nobody else, whose invariant ([`edb_gpu::driver`]) the
//! safety comments of `cuda`, `blas` and `nccl` rest on: they say of it that the caller guarantees
//! it. Drivers from outside the crate never get an integer that comes from `Cuda`.

mod blas;
mod cuda;
mod nccl;
mod pinned;

pub(crate) use cuda::{Cuda, count};
