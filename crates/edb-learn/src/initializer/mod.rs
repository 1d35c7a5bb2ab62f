//! Parameter initialisation.
//!
//! The inputs are the shape and the name of a parameter, and a seed. The results are its initial values,
//! which depend on nothing else, or values that a user has given. `edb-model` calls this code when it builds a
//! model.
//!
//! | file | what it holds |
//! | --- | --- |
//! | this file | the initialisers |
//! | `draws`, `orthogonal` | random numbers, and matrices of orthogonal rows |
//! | `values`, `words` | values from a file or from memory; word vectors |

mod draws;
mod orthogonal;
mod values;
mod words;

pub use values::{Start, Values};
pub use words::WordVectors;

use crate::error::{LearnError, check_setting};
use crate::parameters::value_count;
use draws::Draws;
use edb_kernels::element::Element;
use edb_kernels::room::room;

/// How a parameter is initialised.
///
/// The fans of a matrix of shape `[m, n]` are `fan_out = m` and `fan_in = n`: it maps a vector of
/// `n` values to one of `m`. Initialisers that depend on them are for matrices only.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Initializer {
    /// All zero.
    Zeros,
    /// All equal to a constant.
    Constant(f64),
    /// Uniform over `[-bound, bound]`.
    Uniform {
        /// The largest magnitude: finite and not negative.
        bound: f64,
    },
    /// Normal, of mean 0.
    Normal {
        /// The standard deviation: finite and not negative.
        deviation: f64,
    },
    /// Normal, of mean 0; draws beyond two standard deviations are drawn again, as in PyTorch's `trunc_normal_`
    /// with bounds of `±2 deviation`. The standard deviation of the values is 0.88 times `deviation`.
    TruncatedNormal {
        /// The standard deviation before truncation: finite and not negative.
        deviation: f64,
    },
    /// Uniform over `[-b, b]` with `b = √(6 / (fan_in + fan_out))`, which keeps the variance of
    /// values and of their gradients about constant from layer to layer (Glorot and Bengio, 2010,
    /// "Understanding the difficulty of training deep feedforward neural networks", equation 16).
    XavierUniform,
    /// Normal with the same variance, `2 / (fan_in + fan_out)`.
    XavierNormal,
    /// Uniform with variance `2 / fan_in`: for a matrix that a ReLU follows (He et al., 2015,
    /// "Delving deep into rectifiers", equation 10).
    KaimingUniform,
    /// Normal with variance `2 / fan_in`.
    KaimingNormal,
    /// Uniform with variance `1 / fan_in` (LeCun et al., 1998, "Efficient backprop", equation 16).
    LeCunUniform,
    /// Normal with variance `1 / fan_in`.
    LeCunNormal,
    /// The rows or the columns, whichever are fewer, are orthonormal, times `gain`: uniform over
    /// all such matrices (Saxe et al., 2014, "Exact solutions to the nonlinear dynamics of learning
    /// in deep linear neural networks").
    Orthogonal {
        /// The length of these rows or columns: finite.
        gain: f64,
    },
    /// One on the diagonal of a matrix and zero elsewhere, times `gain` (Le et al., 2015, "A simple
    /// way to initialize recurrent networks of rectified linear units").
    Identity {
        /// The value on the diagonal.
        gain: f64,
    },
}

impl Initializer {
    /// The default for a parameter of this shape: [`XavierUniform`](Self::XavierUniform) for a
    /// matrix, [`Zeros`](Self::Zeros) otherwise.
    pub fn default_for(shape: &[usize]) -> Self {
        if shape.len() == 2 { Self::XavierUniform } else { Self::Zeros }
    }

    /// The initial values of a parameter, row-major.
    ///
    /// They depend on `shape`, `seed` and `name` only, not on other parameters or their order. They
    /// are drawn in `f64` and then rounded, so that models in `f32` and `f64` start from the same
    /// values up to rounding.
    ///
    /// # The random numbers
    ///
    /// ChaCha with 8 rounds, whose 32-byte key is the seed (8 bytes, little-endian), the 64-bit
    /// FNV-1a hash of the name in UTF-8 (8 bytes, little-endian) and 16 bytes of zero. Each uniform
    /// value takes the next 64 bits `r` and is `bound * (2 u - 1)` with `u = ⌊r / 2¹¹⌋ / 2⁵³`; two
    /// of them make two normal ones (Box and Muller, 1958), with the logarithm and the cosine of
    /// the `libm` crate. This is fixed, so a seed gives the same values on every platform.
    ///
    /// # Errors
    ///
    /// [`LearnError::ShapeTooLarge`] or [`LearnError::Memory`]; [`LearnError::Setting`] if a setting is
    /// out of range;
    /// [`LearnError::NotAMatrix`] if the initialiser is for matrices and `shape` is not one.
    pub fn fill<T: Element>(
        &self,
        shape: &[usize],
        seed: u64,
        name: &str,
    ) -> Result<Vec<T>, LearnError> {
        let count = value_count(name, shape)?;
        let draws = || Draws::new(seed, name);
        let mut values = room::<T>(count).map_err(LearnError::memory::<T>(name, count))?;
        let fans = || match *shape {
            // The fans of an empty matrix may be 0, but none of its values is drawn.
            [fan_out, fan_in] => Ok((fan_in as f64, fan_out as f64)),
            _ => Err(LearnError::NotAMatrix {
                parameter: name.to_owned(),
                shape: shape.to_vec(),
                initializer: self.name(),
            }),
        };
        let deviation = match self {
            Self::XavierUniform | Self::XavierNormal => {
                let (fan_in, fan_out) = fans()?;
                (2.0 / (fan_in + fan_out).max(1.0)).sqrt()
            }
            Self::KaimingUniform | Self::KaimingNormal => (2.0 / fans()?.0.max(1.0)).sqrt(),
            Self::LeCunUniform | Self::LeCunNormal => (1.0 / fans()?.0.max(1.0)).sqrt(),
            Self::Normal { deviation } | Self::TruncatedNormal { deviation } => {
                self.check("deviation", *deviation)?;
                *deviation
            }
            _ => 0.0,
        };
        match self {
            Self::Zeros => values.resize(count, T::zero()),
            Self::Constant(value) => values.resize(count, T::from_f64(*value)),
            Self::Uniform { bound } => {
                self.check("bound", *bound)?;
                values.extend(draws().uniform(count, *bound).map(T::from_f64));
            }
            Self::XavierUniform => {
                // Not from `deviation`: that would change the rounding, and the values of existing
                // seeds.
                let (fan_in, fan_out) = fans()?;
                let bound = (6.0 / (fan_in + fan_out).max(1.0)).sqrt();
                values.extend(draws().uniform(count, bound).map(T::from_f64));
            }
            Self::KaimingUniform | Self::LeCunUniform => {
                let bound = 3.0_f64.sqrt() * deviation;
                values.extend(draws().uniform(count, bound).map(T::from_f64));
            }
            Self::Normal { .. } | Self::XavierNormal | Self::KaimingNormal | Self::LeCunNormal => {
                values.extend(draws().normal(count, deviation).map(T::from_f64));
            }
            Self::TruncatedNormal { .. } => {
                values.extend(draws().truncated_normal(count, deviation).map(T::from_f64));
            }
            Self::Orthogonal { gain } => {
                fans()?;
                check_setting(self.name(), "gain", *gain, "finite", gain.is_finite())?;
                let filled = orthogonal::fill(shape[0], shape[1], *gain, draws());
                let filled = filled.map_err(LearnError::memory::<f64>(name, count))?;
                values.extend(filled.map(T::from_f64));
            }
            Self::Identity { gain } => {
                fans()?;
                values.resize(count, T::zero());
                let diagonal = values.iter_mut().step_by(shape[1] + 1).take(shape[0].min(shape[1]));
                diagonal.for_each(|value| *value = T::from_f64(*gain));
            }
        }
        Ok(values)
    }

    fn check(&self, setting: &str, value: f64) -> Result<(), LearnError> {
        let valid = value.is_finite() && value >= 0.0;
        check_setting(self.name(), setting, value, "finite and not negative", valid)
    }

    /// The name of the initialiser, for errors.
    fn name(&self) -> &'static str {
        match self {
            Self::Zeros => "Zeros",
            Self::Constant(_) => "Constant",
            Self::Uniform { .. } => "Uniform",
            Self::Normal { .. } => "Normal",
            Self::TruncatedNormal { .. } => "TruncatedNormal",
            Self::XavierUniform => "XavierUniform",
            Self::XavierNormal => "XavierNormal",
            Self::KaimingUniform => "KaimingUniform",
            Self::KaimingNormal => "KaimingNormal",
            Self::LeCunUniform => "LeCunUniform",
            Self::LeCunNormal => "LeCunNormal",
            Self::Orthogonal { .. } => "Orthogonal",
            Self::Identity { .. } => "Identity",
        }
    }
}
