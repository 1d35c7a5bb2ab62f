//! The grid on which clipped gradients are summed, and noise is drawn.
//!
//! In floating-point numbers neither a sum of clipped gradients nor one with noise is private: how
//! each addition is rounded depends on all graphs (Casacuberta et al., 2022, "Widespread
//! underestimation of sensitivity in differentially private libraries"), and the last bits of a sum
//! tell what noise was added to (Mironov, 2012, "On significance of the least significant bits for
//! differential privacy"). So all values, including the noise, are whole numbers of steps of a grid. Whole
//! numbers are added up exactly, in any order, and the whole numbers that a graph adds have a norm of at most
//! the bound. A whole number plus rounded noise is the same as the sum with unrounded noise, rounded
//! afterwards. So the result is computed from the sum about which the proofs speak.

/// A step of the grid is the greatest power of two that is at most the deviation of the noise, divided by two
/// to the power of this number. So rounding loses far less than the noise; and near the middle of the normal
/// distribution, more than `2^20` draws in `f64` round to each whole number.
const GRID_BITS: i32 = 28;
/// The factor of a gradient is smaller, by this fraction, than the factor that would scale the gradient to the
/// bound. This is more than the rounding errors of norms, factors and the deviation.
const BOUND_SLACK: f64 = 1.0 / (1 << 20) as f64;
/// The least noise for each graph of a step: then the sums of this many graphs stay below `2^51`, and are
/// exact.
pub const LEAST_NOISE_PER_GRAPH: f64 = 1.0 / (1 << 22) as f64;
/// The least deviation for which there is a grid: its inverse is still finite.
pub const LEAST_DEVIATION: f64 = 1e-250;
/// The greatest deviation for which there is a grid.
pub const MOST_DEVIATION: f64 = 1e250;

/// The grid of a private step.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// The distance between two neighbouring values.
    pub(crate) step: f64,
    /// The deviation of the noise, in steps.
    pub(crate) deviation: f64,
    /// The norm to which gradients are clipped, in steps.
    bound: f64,
}

impl Grid {
    /// The grid for gradients that are clipped to the norm `clip`, with noise of deviation `noise * clip`. The
    /// grid depends only on this deviation. Without noise, when nothing is private, it depends on the norm.
    pub fn new(clip: f64, noise: f64) -> Self {
        let deviation = if noise > 0.0 { noise * clip } else { clip };
        let step = power_below(deviation) / f64::from(1 << GRID_BITS);
        Self { step, deviation: noise * clip / step, bound: clip / step }
    }

    /// The factor by which a gradient with this norm is multiplied before it is rounded to whole numbers of
    /// steps. `values` is the number of values that may differ from zero. After rounding, the norm is at most
    /// the bound.
    ///
    /// Rounding moves each value by at most half a step, and so the norm by at most half the root of the number
    /// of values.
    pub fn factor(&self, norm: f64, values: usize) -> f64 {
        let room = (self.bound - (values as f64).sqrt() / 2.0) * (1.0 - BOUND_SLACK);
        (room.max(0.0) / norm).min(self.step.recip())
    }
}

/// The greatest power of two that is at most this positive number, or the least normal number.
pub fn power_below(x: f64) -> f64 {
    f64::from_bits(x.max(f64::MIN_POSITIVE).to_bits() & f64::INFINITY.to_bits())
}

/// Rounds a number of at most `2^51` to the nearest whole number, halves to even.
#[inline(always)]
pub fn rounded(x: f64) -> f64 {
    // All numbers around this one are whole, so adding it rounds.
    const WHOLE: f64 = (3_u64 << 51) as f64;
    (x + WHOLE) - WHOLE
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_rounded_to_the_nearest() {
        let most = (1_u64 << 51) as f64;
        for x in [0.0, 0.5, 1.5, -0.5, -2.5, 2.499, 1e9 + 0.3, most - 0.5, 0.5 - most, most] {
            assert_eq!(rounded(x), x.round_ties_even(), "{x}");
        }
        assert_eq!((power_below(1.0), power_below(0.7), power_below(9.9)), (1.0, 0.5, 8.0));
        assert_eq!(power_below(0.0), f64::MIN_POSITIVE);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        /// Fault A1, A3, A4: whatever the gradient is, the whole numbers that are added up are within the
        /// bound. The sum of their squares is exact.
        #[test]
        fn whole_numbers_are_within_the_bound(
            values in prop::collection::vec(-1.0_f64..1.0, 1..200),
            exponent in -250_i32..250,
            clip in -20_i32..20,
            noise in 1e-3_f64..1e3,
        ) {
            let clip = 1.3 * f64::from(clip).exp2();
            let values: Vec<f64> =
                values.iter().map(|x| x * f64::from(exponent).exp2()).collect();
            let grid = Grid::new(clip, noise);
            prop_assert!(grid.step <= noise * clip / f64::from(1 << GRID_BITS));
            let norm = crate::gradients::norm_of(&values);
            let factor = grid.factor(norm, values.len());
            let square: i128 =
                values.iter().map(|x| (rounded(x * factor) as i128).pow(2)).sum();
            let (length, bound) = ((square as f64).sqrt(), clip / grid.step);
            prop_assert!(length <= bound, "{length} and {bound}");
        }
    }
}
