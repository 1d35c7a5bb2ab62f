//! The precision in which a device computes.

use std::fmt;
use std::str::FromStr;

/// The numeric precision in which a device computes a `Model<f32>`. In every precision, kernels and sums
/// compute in 32 bits, and parameters, their gradients, losses and the optimiser's state are stored
/// in 32 bits.
///
/// GPUs have all precisions. The processor has [`Full`](Self::Full) and [`Bf16`](Self::Bf16). A
/// `Model<f64>` runs in full precision only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// The precision of the model's type: values are stored and multiplied in 32 bits.
    #[default]
    Full,
    /// Values are stored in 32 bits, but products round their operands to a significand of 11 bits
    /// (TF32). Tensor cores multiply such numbers several times as fast.
    Tf32,
    /// 16 bits, with the range of `f32` and a significand of 8 bits.
    ///
    /// On a GPU, the values of vertices, the values that are kept for the backward pass, and the
    /// gradients of both have 16 bits. So have the copies of parameters that products read.
    /// This halves the memory and the memory traffic.
    ///
    /// On the processor, values and their gradients have 32 bits in memory. The copies of parameters that
    /// products read have 16 bits, and the other operand is rounded to 16 bits. The sums that make the gradients
    /// of matrices round both operands to 16 bits. Products of values with one another (`matmul`, a matrix of a
    /// vertex with a vector) are in full precision. The results have the same bits for any minibatch and number
    /// of threads. They differ between processors with and without instructions for products in 16 bits
    /// (AVX512-BF16, AMX): these instructions round sums differently and take numbers below 1.2e-38 for zero.
    Bf16,
    /// 16 bits with a significand of 11 bits and a smaller range: values above 65504 become infinite,
    /// and values below 3e-8 become zero. To keep small gradients, the backward pass is
    /// [scaled](crate::engine::LossScale), and a step is skipped if its scaled gradients overflow. If a value
    /// of the forward pass overflows, it becomes infinite. [`Bf16`](Self::Bf16) needs no scaling.
    F16,
}

/// Writes the name of the precision: `full`, `tf32`, `bf16` or `f16`.
impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full => "full",
            Self::Tf32 => "tf32",
            Self::Bf16 => "bf16",
            Self::F16 => "f16",
        })
    }
}

/// No precision has this name.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no precision `{0}`: say full, tf32, bf16 or f16")]
pub struct UnknownPrecision(String);

edb_kernels::debug_is_display!(UnknownPrecision);

impl FromStr for Precision {
    type Err = UnknownPrecision;

    fn from_str(name: &str) -> Result<Self, UnknownPrecision> {
        let all = [Self::Full, Self::Tf32, Self::Bf16, Self::F16];
        let found = all.into_iter().find(|precision| precision.to_string() == name);
        found.ok_or_else(|| UnknownPrecision(name.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precisions_have_names() {
        for precision in [Precision::Full, Precision::Tf32, Precision::Bf16, Precision::F16] {
            assert_eq!(precision.to_string().parse(), Ok(precision));
        }
        let error = "f8".parse::<Precision>().unwrap_err().to_string();
        assert_eq!(error, "there is no precision `f8`: say full, tf32, bf16 or f16");
    }
}
