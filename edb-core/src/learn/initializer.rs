//! The first values of parameters.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::error::LearnError;
use super::optimizer::check_setting;
use super::parameter::value_count;
use crate::element::Element;

/// How a parameter gets its first values.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Initializer {
    /// All zero.
    Zeros,
    /// All the same.
    Constant(f64),
    /// Uniform over `[-bound, bound]`.
    Uniform {
        /// The largest magnitude: finite and not negative.
        bound: f64,
    },
    /// Uniform over `[-b, b]` with `b = √(6 / (fan_in + fan_out))`, which keeps the variance of
    /// values and of their gradients about constant from layer to layer (Glorot and Bengio, 2010,
    /// "Understanding the difficulty of training deep feedforward neural networks", equation 16).
    ///
    /// Only for a matrix of shape `[m, n]`, for which `fan_out` is `m` and `fan_in` is `n`: it
    /// maps a vector of `n` values to one of `m`.
    XavierUniform,
}

impl Initializer {
    /// What a parameter gets if nothing else is said: [`XavierUniform`](Self::XavierUniform) for
    /// a matrix, [`Zeros`](Self::Zeros) otherwise.
    pub fn default_for(shape: &[usize]) -> Self {
        if shape.len() == 2 { Self::XavierUniform } else { Self::Zeros }
    }

    /// The first values of a parameter, row-major.
    ///
    /// They depend on `shape`, `seed` and `name` only: another parameter, or another order of
    /// parameters, changes nothing. They are drawn in `f64` and then rounded, so that models in
    /// `f32` and `f64` start from the same values up to rounding.
    ///
    /// # The random numbers
    ///
    /// ChaCha with 8 rounds, whose 32-byte key is the seed (8 bytes, little-endian), the 64-bit
    /// FNV-1a hash of the name in UTF-8 (8 bytes, little-endian) and 16 bytes of zero. Each value
    /// takes the next 64 bits `r` and is `bound * (2 u - 1)` with `u = ⌊r / 2¹¹⌋ / 2⁵³`. This is
    /// fixed, so a seed means the same on every platform.
    ///
    /// # Errors
    ///
    /// [`LearnError::ShapeTooLarge`]; [`LearnError::Setting`] if the bound is negative or not
    /// finite; [`LearnError::NotAMatrix`] if the initialiser is for matrices and `shape` is none.
    pub fn fill<T: Element>(
        &self,
        shape: &[usize],
        seed: u64,
        name: &str,
    ) -> Result<Vec<T>, LearnError> {
        let count = value_count(name, shape)?;
        let bound = match *self {
            Self::Zeros => return Ok(vec![T::zero(); count]),
            Self::Constant(value) => return Ok(vec![T::from_f64(value); count]),
            Self::Uniform { bound } => bound,
            Self::XavierUniform => match *shape {
                // An empty matrix may have no fans; none of its values is drawn.
                [fan_out, fan_in] => (6.0 / (fan_in as f64 + fan_out as f64).max(1.0)).sqrt(),
                _ => {
                    return Err(LearnError::NotAMatrix {
                        parameter: name.to_owned(),
                        shape: shape.to_vec(),
                    });
                }
            },
        };
        let in_range = bound.is_finite() && bound >= 0.0;
        check_setting("the bound of Uniform", bound, "finite and not negative", in_range)?;
        let mut random = generator(seed, name);
        Ok((0..count).map(|_| T::from_f64(bound * symmetric(&mut random))).collect())
    }
}

/// The random numbers of a parameter.
///
/// ChaCha is a cipher, so keys that differ in a bit already give unrelated streams: seed and hash
/// need no further mixing.
fn generator(seed: u64, name: &str) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&fnv1a(name.as_bytes()).to_le_bytes());
    ChaCha8Rng::from_seed(key)
}

/// The 64-bit FNV-1a hash (Fowler, Noll and Vo), which, unlike that of the standard library, is
/// the same in every process and release.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// A number uniform over `[-1, 1)`, of 53 random bits.
fn symmetric(random: &mut ChaCha8Rng) -> f64 {
    const SCALE: f64 = 1.0 / (1_u64 << 53) as f64;
    let unit = (random.next_u64() >> 11) as f64 * SCALE;
    2.0 * unit - 1.0
}
