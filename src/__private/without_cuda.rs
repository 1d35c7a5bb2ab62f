//! Without the feature `cuda`, a program that asks for a device of CUDA does not compile. By these items, rustc says why.

use std::convert::Infallible;

/// Implemented for nothing.
#[diagnostic::on_unimplemented(
    message = "devices of CUDA need the feature `cuda` of edb-nn: `cargo add edb-nn --features cuda`",
    label = "edb was compiled without its feature `cuda`"
)]
pub trait FeatureCuda {}

/// The functions of `edb::cuda::OnCuda`, as far as rustc looks at them before it asks for [`FeatureCuda`].
pub trait OnCuda: Sized {
    /// No device.
    fn cuda(ordinal: usize) -> Result<Self, Infallible>;
    /// No number of devices.
    fn cuda_count() -> Result<usize, Infallible>;
    /// No device.
    fn cuda_with<O>(ordinal: usize, options: O) -> Result<Self, Infallible>;
}

impl<T: FeatureCuda> OnCuda for T {
    fn cuda(_: usize) -> Result<Self, Infallible> {
        unreachable!("nothing has the feature")
    }

    fn cuda_count() -> Result<usize, Infallible> {
        unreachable!("nothing has the feature")
    }

    fn cuda_with<O>(_: usize, _: O) -> Result<Self, Infallible> {
        unreachable!("nothing has the feature")
    }
}
