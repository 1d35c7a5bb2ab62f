//! edb is compiled without its feature `cuda`.

use edb::cuda::CudaError;
use edb::prelude::*;

fn devices() -> Result<Vec<Device>, CudaError> {
    (0..Device::cuda_count()?).map(Device::cuda).collect()
}

fn device() -> Device {
    Device::cuda_with(0, Precision::Bf16).unwrap()
}
